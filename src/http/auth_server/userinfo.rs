use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::error::Refusal;
use super::server::Server;
use super::wire::UserInfo;
use super::{answer, bearer};
use crate::domain::{
    Direction, Email, EnrolmentFilter, Needle, PageRequest, Record, Scope, StudentFilter, StudentProfile, StudentQuery, StudentSort,
};
use crate::http::Body;
use crate::store::{SchoolDirectory, StorageError};

/// `GET /userinfo`: who the user of an access token with `service:self_read` is.
pub(super) async fn show(server: &Server, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let caller = bearer::require(server, request, &Scope::self_read()).await?;
    let found = match &server.directory {
        Some(directory) => student(&**directory, &caller.subject.email).await?,
        None => None,
    };
    Ok(answer::json(StatusCode::OK, &UserInfo::of(&caller.subject, found.as_ref().map(|record| record.value()))))
}

/// The student with this address, in any case; if several have it, rather one who is enrolled than one who has left.
async fn student(directory: &dyn SchoolDirectory, email: &Email) -> Result<Option<Arc<Record<StudentProfile>>>, StorageError> {
    let (Ok(needle), Ok(page)) = (Needle::new(email.as_str()), PageRequest::new(0, PageRequest::MAX_SIZE)) else { return Ok(None) };
    // Hardly any other address contains a whole address, so one page has them all.
    let query = StudentQuery {
        filter: StudentFilter { email: Some(needle), enrolment: EnrolmentFilter::new(false, true, true), ..StudentFilter::default() },
        sort: StudentSort::Id,
        direction: Direction::Ascending,
        page,
    };
    let found = directory.students(&query).await?.items.into_iter();
    let same = found.filter(|record| record.value().student.email.folded() == email.folded());
    Ok(same.min_by_key(|record| record.value().student.enrolment().is_none()))
}
