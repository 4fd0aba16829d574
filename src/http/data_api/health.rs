use http::{Response, StatusCode};

use super::failure::Failure;
use super::notes::Notes;
use super::reply;
use crate::directory::Directory;
use crate::http::{Body, FailureCause};

/// The service runs.
pub(super) fn alive() -> Response<Body> {
    reply::json(StatusCode::OK, r#"{"status":"OK","code":200,"message":"OK"}"#)
}

/// The service runs and its storage answers, which anyone may ask: the storage is asked at most once a second, however many requests come.
///
/// Ready or not, the answer tells how many seconds ago the storage last confirmed the data.
pub(super) async fn ready(directory: &Directory, notes: &mut Notes) -> Result<Response<Body>, Failure> {
    let checked = directory.check().await;
    notes.directory_age = Some(directory.age());
    match checked {
        Ok(()) => Ok(alive()),
        Err(error) => Err(Failure::NotReady(FailureCause::new(error))),
    }
}
