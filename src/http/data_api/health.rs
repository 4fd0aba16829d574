use http::{Response, StatusCode};

use super::failure::Failure;
use super::reply;
use crate::directory::Directory;
use crate::http::{Body, FailureCause};

/// The service runs.
pub(super) fn alive() -> Response<Body> {
    reply::json(StatusCode::OK, r#"{"status":"OK","code":200,"message":"OK"}"#)
}

/// The service runs and its storage answers, which anyone may ask: the storage is asked at most once a second, however many requests come.
pub(super) async fn ready(directory: &Directory) -> Result<Response<Body>, Failure> {
    match directory.check().await {
        Ok(()) => Ok(alive()),
        Err(error) => Err(Failure::NotReady(FailureCause::new(error))),
    }
}
