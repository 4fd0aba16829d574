use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};

use super::failure::Failure;
use super::reply;
use crate::directory::Directory;
use crate::http::{Body, FailureCause};

const AGE: HeaderName = HeaderName::from_static("x-directory-age");

/// The service runs.
pub(super) fn alive() -> Response<Body> {
    reply::json(StatusCode::OK, r#"{"status":"OK","code":200,"message":"OK"}"#)
}

/// The service runs and its storage answers, which anyone may ask: the storage is asked at most once a second, however many requests come.
///
/// Ready or not, the answer tells how many seconds ago the storage last confirmed the data.
pub(super) async fn ready(directory: &Directory, notes: &mut HeaderMap) -> Result<Response<Body>, Failure> {
    let checked = directory.check().await;
    notes.insert(AGE, HeaderValue::from(directory.age().as_secs()));
    match checked {
        Ok(()) => Ok(alive()),
        Err(error) => Err(Failure::NotReady(FailureCause::new(error))),
    }
}
