use std::convert::Infallible;
use std::error::Error;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use http_body::{Body as HttpBody, Frame, SizeHint};
use http_body_util::{BodyExt, Limited};

/// Response body: bytes held in memory.
#[derive(Debug, Default)]
pub struct Body(Bytes);

impl Body {
    /// Creates an empty body.
    pub const fn empty() -> Self {
        Self(Bytes::new())
    }

    /// The bytes.
    pub const fn as_bytes(&self) -> &Bytes {
        &self.0
    }
}

impl<T: Into<Bytes>> From<T> for Body {
    fn from(bytes: T) -> Self {
        Self(bytes.into())
    }
}

impl HttpBody for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let bytes = std::mem::take(&mut self.0);
        Poll::Ready((!bytes.is_empty()).then(|| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.len() as u64)
    }
}

/// A request body that a service can read.
pub(crate) trait ReadableBody:
    HttpBody<Data: Send, Error: Into<Box<dyn Error + Send + Sync>>> + Send + 'static
{
}

impl<B> ReadableBody for B where
    B: HttpBody<Data: Send, Error: Into<Box<dyn Error + Send + Sync>>> + Send + 'static
{
}

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
