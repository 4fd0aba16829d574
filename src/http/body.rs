use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body as HttpBody, Frame, SizeHint};
use http_body_util::{BodyExt, Limited};

/// The body of every answer: bytes that are ready.
#[derive(Debug, Clone, Default)]
pub struct Body(Bytes);

impl Body {
    /// A body without a byte.
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

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.0.is_empty() { Poll::Ready(None) } else { Poll::Ready(Some(Ok(Frame::data(std::mem::take(&mut self.0))))) }
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.len() as u64)
    }
}

/// Why a request's body could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unreadable {
    /// It is longer than allowed.
    TooLong,
    /// The connection broke.
    Broken,
}

/// Reads a request's body, at most `limit` bytes of it.
pub(crate) async fn read<B>(body: B, limit: usize) -> Result<Bytes, Unreadable>
where
    B: HttpBody,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    match Limited::new(body, limit).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<http_body_util::LengthLimitError>() => Err(Unreadable::TooLong),
        Err(_) => Err(Unreadable::Broken),
    }
}
