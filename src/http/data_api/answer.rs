use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderName, LINK};
use http::{HeaderValue, Response};

use super::builder::Settings;
use super::coding::{Coding, Wish};
use super::format::Format;
use super::render;
use crate::directory::Cursor;
use crate::http::Body;

/// How many records there are on all pages, where the body has no room to say it.
const TOTAL: HeaderName = HeaderName::from_static("x-total-count");

/// A shorter body is sent as it is: it fits into a packet either way.
const SMALL: usize = 1024;

/// What a question is answered with, however it was spelled.
pub(super) struct Answer {
    body: Bytes,
    format: Format,
    coding: Option<Coding>,
    rest: Rest,
}

/// What there is of a list beside the body. The links to it repeat a question as it was spelled, so each request has its own.
#[derive(Clone, Copy)]
pub(super) enum Rest {
    None,
    Pages { path: &'static str, page: u32, pages: u64, total: u64 },
    Changes { path: &'static str, next: Cursor },
}

impl Answer {
    pub(super) fn new(format: Format, body: impl Into<Bytes>, rest: Rest) -> Self {
        Self { body: body.into(), format, coding: None, rest }
    }

    /// The answer in the coding that the client wants most, if it wants one and that is worth it.
    pub(super) fn coded(self, wish: Wish) -> Self {
        match wish.coding.filter(|_| self.body.len() >= SMALL || wish.refuses_identity) {
            Some(coding) => Self { body: coding.compress(&self.body), coding: Some(coding), ..self },
            None => self,
        }
    }

    /// How many bytes are sent.
    pub(super) fn length(&self) -> usize {
        self.body.len()
    }

    /// Writes the response to a request whose links have this query.
    pub(super) fn write(&self, response: &mut Response<Body>, settings: &Settings, query: &str) {
        *response.body_mut() = Body::from(self.body.clone());
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.format.content_type()));
        if let Some(coding) = self.coding {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static(coding.name()));
        }
        let link = match self.rest {
            Rest::None => return,
            Rest::Pages { path, page, pages, total } => {
                if self.format != Format::Json {
                    headers.insert(TOTAL, HeaderValue::from(total));
                }
                render::links_to_pages(&settings.link_base(path), query, page.into(), pages)
            }
            Rest::Changes { path, next } => render::link_to_changes(&settings.link_base(path), query, next),
        };
        if let Ok(link) = HeaderValue::try_from(link) {
            headers.insert(LINK, link);
        }
    }
}
