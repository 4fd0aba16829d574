use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use http_body::{Body as HttpBody, Frame, SizeHint};
use http_body_util::{BodyExt, Limited};

/// The body of every answer: bytes that are ready, or chunks that are rendered as they are sent.
#[derive(Default)]
pub struct Body(Content);

enum Content {
    Ready(Bytes),
    Rendered(Chunks),
}

type Chunks = Box<dyn Iterator<Item = Bytes> + Send + Sync>;

impl Body {
    /// A body without a byte.
    pub const fn empty() -> Self {
        Self(Content::Ready(Bytes::new()))
    }

    /// A body whose chunks are taken when the one before has been sent. What is not asked for is never rendered. An empty chunk is not sent: it
    /// says that there is more, and that others may have the thread in between.
    pub(crate) fn rendered(chunks: impl Iterator<Item = Bytes> + Send + Sync + 'static) -> Self {
        Self(Content::Rendered(Box::new(chunks)))
    }

    /// The bytes that are ready. A body whose chunks are rendered as they are sent has none, and [`size_hint`](HttpBody::size_hint) knows
    /// no length of it.
    pub const fn as_bytes(&self) -> &Bytes {
        static NONE: Bytes = Bytes::new();
        match &self.0 {
            Content::Ready(bytes) => bytes,
            Content::Rendered(_) => &NONE,
        }
    }

    /// The bytes that are ready, or the chunks that are not.
    #[cfg(feature = "compression")]
    pub(crate) fn into_parts(self) -> Result<Bytes, Chunks> {
        match self.0 {
            Content::Ready(bytes) => Ok(bytes),
            Content::Rendered(chunks) => Err(chunks),
        }
    }
}

impl Default for Content {
    fn default() -> Self {
        Self::Ready(Bytes::new())
    }
}

impl<T: Into<Bytes>> From<T> for Body {
    fn from(bytes: T) -> Self {
        Self(Content::Ready(bytes.into()))
    }
}

impl HttpBody for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let chunk = match &mut self.0 {
            Content::Ready(bytes) => Some(std::mem::take(bytes)).filter(|bytes| !bytes.is_empty()),
            Content::Rendered(chunks) => match chunks.next() {
                Some(chunk) if chunk.is_empty() => {
                    context.waker().wake_by_ref();
                    return Poll::Pending;
                }
                chunk => chunk,
            },
        };
        if chunk.is_none() {
            self.0 = Content::default();
        }
        Poll::Ready(chunk.map(|chunk| Ok(Frame::data(chunk))))
    }

    fn is_end_stream(&self) -> bool {
        matches!(&self.0, Content::Ready(bytes) if bytes.is_empty())
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Content::Ready(bytes) => SizeHint::with_exact(bytes.len() as u64),
            Content::Rendered(_) => SizeHint::default(),
        }
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Content::Ready(bytes) => f.debug_tuple("Body").field(bytes).finish(),
            Content::Rendered(_) => f.debug_tuple("Body").field(&format_args!("..")).finish(),
        }
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

/// Whether the body is said to be of one type, once, and in UTF-8 if it says so at all.
pub(crate) fn has_media_type(headers: &HeaderMap, expected: &str) -> bool {
    let mut values = headers.get_all(CONTENT_TYPE).into_iter();
    let (Some(Ok(value)), None) = (values.next().map(|value| value.to_str()), values.next()) else { return false };
    let (media_type, parameter) = value.split_once(';').unwrap_or((value, "charset=utf-8"));
    let in_utf8 = ["charset=utf-8", "charset=\"utf-8\""].iter().any(|utf8| parameter.trim().eq_ignore_ascii_case(utf8));
    in_utf8 && media_type.trim().eq_ignore_ascii_case(expected)
}
