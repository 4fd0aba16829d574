use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{Buf, Bytes};
use http_body::{Body as HttpBody, Frame, SizeHint};
use pin_project_lite::pin_project;

use super::BoxError;
use super::connection::InFlightGuard;
use crate::http::Body;

pin_project! {
    /// The body of an answer: of the service, or of a refusal that the service does not hear of. The connection waits for the next request once
    /// this is dropped.
    pub struct AnswerBody<B> {
        #[pin]
        content: Content<B>,
        under_way: InFlightGuard,
    }
}

pin_project! {
    #[project = Projected]
    enum Content<B> {
        OfService { #[pin] body: B },
        Own { #[pin] body: Body },
    }
}

impl<B> AnswerBody<B> {
    pub(super) fn of_service(body: B, under_way: InFlightGuard) -> Self {
        Self { content: Content::OfService { body }, under_way }
    }

    pub(super) fn own(body: Body, under_way: InFlightGuard) -> Self {
        Self { content: Content::Own { body }, under_way }
    }
}

impl<B: HttpBody<Error: Into<BoxError>>> HttpBody for AnswerBody<B> {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        match self.project().content.project() {
            // Nothing is copied where the service's data are `Bytes`, as they are everywhere here.
            Projected::OfService { body } => body.poll_frame(context).map(|frame| {
                frame.map(|frame| frame.map(|frame| frame.map_data(|mut data| data.copy_to_bytes(data.remaining()))).map_err(Into::into))
            }),
            Projected::Own { body } => body.poll_frame(context).map_err(|never| match never {}),
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.content {
            Content::OfService { body } => body.is_end_stream(),
            Content::Own { body } => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.content {
            Content::OfService { body } => body.size_hint(),
            Content::Own { body } => body.size_hint(),
        }
    }
}
