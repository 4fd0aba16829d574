use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::error::Error;
use super::server::Server;
use super::wire::UserInfo;
use super::{bearer, response};
use crate::domain::Scope;
use crate::http::Body;

/// `GET /userinfo`: the user of an access token with `service:self_read`.
pub(super) async fn handle(
    server: &Server,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let caller = bearer::authenticate(server, request, &Scope::self_read()).await?;
    let student = server
        .management()
        .students
        .find_json(&caller.subject)
        .await?;
    Ok(response::json(
        StatusCode::OK,
        &UserInfo::new(&caller.subject, student.as_deref()),
    ))
}
