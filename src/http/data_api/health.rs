use http::{Response, StatusCode};

use super::error::Error;
use super::rate_limit_headers::ResponseHeaders;
use super::response;
use crate::directory::Directory;
use crate::http::{Body, FailureCause, Readiness};

/// Liveness: the service runs.
pub(super) fn live() -> Response<Body> {
    response::json(
        StatusCode::OK,
        r#"{"status":"OK","code":200,"message":"OK"}"#,
    )
}

/// Readiness: the service runs, its storage is available, and the process is not about to stop. The
/// endpoint is public; the storage is queried at most once a second, regardless of the number of
/// requests.
///
/// The response states how many seconds ago the storage last confirmed the data, and a sync or an
/// import each kind of it.
pub(super) async fn ready(
    directory: &Directory,
    readiness: &Readiness,
    response_headers: &mut ResponseHeaders,
) -> Result<Response<Body>, Error> {
    let checked = directory.check().await;
    response_headers.directory_age = Some(directory.age());
    response_headers.data_ages = directory.data_ages();
    if readiness.is_stopping() {
        return Err(Error::server_stopping());
    }
    match checked {
        Ok(()) => Ok(live()),
        Err(error) => Err(Error::unavailable().with_cause(FailureCause::new(error))),
    }
}
