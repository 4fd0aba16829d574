use std::error::Error;

use bytes::Bytes;
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use http_body::Body as HttpBody;
use http_body_util::{BodyExt, Limited};

/// Reasons why a request body could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BodyReadError {
    /// The body is longer than the limit.
    TooLarge,
    /// The connection failed before the body was complete.
    Incomplete,
}

/// Reads a request body of at most `limit` bytes.
pub(crate) async fn read<B>(body: B, limit: usize) -> Result<Bytes, BodyReadError>
where
    B: HttpBody,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    match Limited::new(body, limit).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<http_body_util::LengthLimitError>() => {
            Err(BodyReadError::TooLarge)
        }
        Err(_) => Err(BodyReadError::Incomplete),
    }
}

/// Whether there is exactly one `Content-Type`, of the expected media type, and its charset, if
/// given, is UTF-8.
pub(crate) fn has_media_type(headers: &HeaderMap, expected: &str) -> bool {
    let mut values = headers.get_all(CONTENT_TYPE).into_iter();
    let (Some(Ok(value)), None) = (values.next().map(|value| value.to_str()), values.next()) else {
        return false;
    };
    let (media_type, parameter) = value.split_once(';').unwrap_or((value, "charset=utf-8"));
    let in_utf8 = ["charset=utf-8", "charset=\"utf-8\""]
        .iter()
        .any(|utf8| parameter.trim().eq_ignore_ascii_case(utf8));
    in_utf8 && media_type.trim().eq_ignore_ascii_case(expected)
}
