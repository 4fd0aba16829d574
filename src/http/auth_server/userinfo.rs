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
    let Ok(needle) = Needle::new(email.as_str()) else { return Ok(None) };
    let filter = StudentFilter { email: Some(needle), enrolment: EnrolmentFilter::new(false, true, true), ..StudentFilter::default() };
    let mut found: Option<Arc<Record<StudentProfile>>> = None;
    // The filter also finds addresses that end in this one, and in a large school there can be pages of them.
    for number in 0.. {
        let Ok(page) = PageRequest::new(number, PageRequest::MAX_SIZE) else { break };
        let query = StudentQuery { filter: filter.clone(), sort: StudentSort::Id, direction: Direction::Ascending, page };
        let students = directory.students(&query).await?;
        let same = students.items.into_iter().filter(|record| record.value().student.email.folded() == email.folded());
        found = found.into_iter().chain(same).min_by_key(|record| record.value().student.enrolment().is_none());
        if u64::from(number) + 1 >= page.pages(students.total) {
            break;
        }
    }
    Ok(found)
}
