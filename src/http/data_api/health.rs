use http::{Response, StatusCode};

use super::error::Error;
use super::rate_limit_headers::ResponseHeaders;
use super::response;
use crate::directory::Directory;
use crate::http::{Body, FailureCause};

/// Liveness: the service runs.
pub(super) fn live() -> Response<Body> {
    response::json(
        StatusCode::OK,
        r#"{"status":"OK","code":200,"message":"OK"}"#,
    )
}

/// Readiness: the service runs and its storage is available. The endpoint is public; the storage is
/// queried at most once a second, regardless of the number of requests.
///
/// The response states how many seconds ago the storage last confirmed the data.
pub(super) async fn ready(
    directory: &Directory,
    response_headers: &mut ResponseHeaders,
) -> Result<Response<Body>, Error> {
    let checked = directory.check().await;
    response_headers.directory_age = Some(directory.age());
    match checked {
        Ok(()) => Ok(live()),
        Err(error) => Err(Error::unavailable().with_cause(FailureCause::new(error))),
    }
}
