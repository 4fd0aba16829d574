use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::error::Refusal;
use super::server::Server;
use super::wire::UserInfo;
use super::{answer, bearer};
use crate::domain::Scope;
use crate::http::Body;

/// `GET /userinfo`: who the user of an access token with `service:self_read` is.
pub(super) async fn show(server: &Server, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let caller = bearer::require(server, request, &Scope::self_read()).await?;
    let student = server.student(&caller.subject.email).await?.map(|record| server.student_json(record.value()));
    Ok(answer::json(StatusCode::OK, &UserInfo::of(&caller.subject, student.as_deref())))
}
