use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{Buf, Bytes};
use http_body::{Body as HttpBody, Frame, SizeHint};
use pin_project_lite::pin_project;

use super::BoxError;
use super::connection::InFlightGuard;
use crate::http::Body;

pin_project! {
    /// Response body of the service or of a rejection. The connection waits for the next request
    /// once it is dropped.
    pub struct ResponseBody<B> {
        #[pin]
        content: Content<B>,
        guard: InFlightGuard,
    }
}

pin_project! {
    #[project = Projected]
    enum Content<B> {
        Service { #[pin] body: B },
        Rejection { #[pin] body: Body },
    }
}

impl<B> ResponseBody<B> {
    pub(super) fn from_service(body: B, guard: InFlightGuard) -> Self {
        Self {
            content: Content::Service { body },
            guard,
        }
    }

    pub(super) fn from_rejection(body: Body, guard: InFlightGuard) -> Self {
        Self {
            content: Content::Rejection { body },
            guard,
        }
    }
}

impl<B: HttpBody<Error: Into<BoxError>>> HttpBody for ResponseBody<B> {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        match self.project().content.project() {
            // Nothing is copied if the service's data is `Bytes`, as in all services here.
            Projected::Service { body } => body.poll_frame(context).map(|frame| {
                frame.map(|frame| {
                    frame
                        .map(|frame| {
                            frame.map_data(|mut data| data.copy_to_bytes(data.remaining()))
                        })
                        .map_err(Into::into)
                })
            }),
            Projected::Rejection { body } => {
                body.poll_frame(context).map_err(|never| match never {})
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.content {
            Content::Service { body } => body.is_end_stream(),
            Content::Rejection { body } => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.content {
            Content::Service { body } => body.size_hint(),
            Content::Rejection { body } => body.size_hint(),
        }
    }
}
