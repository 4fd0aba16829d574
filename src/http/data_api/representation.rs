use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderName, LINK};
use http::{HeaderValue, Response};

use super::builder::Settings;
use super::conditional::EntityTag;
use super::format::Format;
use super::render;
use crate::directory::Cursor;
use crate::http::Body;
use crate::http::content_encoding::{AcceptEncoding, ContentCoding};

/// Number of records on all pages, for formats whose body cannot state it.
const X_TOTAL_COUNT: HeaderName = HeaderName::from_static("x-total-count");

/// Shorter bodies are not compressed: they fit into a packet either way.
const MIN_ENCODED_BYTES: usize = 1024;

/// Body of a query's result, independent of the query's spelling.
pub(super) struct Representation {
    body: Bytes,
    format: Format,
    coding: Option<ContentCoding>,
    links: PageLinks,
    /// The tag of the body, if it is not that of the query.
    pub(super) tag: Option<EntityTag>,
}

/// Data for the `Link` header. The links repeat the query as the client spelled it, so they are
/// built per request.
#[derive(Clone, Copy)]
pub(super) enum PageLinks {
    None,
    Pages {
        path: &'static str,
        page: u32,
        pages: u64,
        total: u64,
    },
    Changes {
        path: &'static str,
        next: Cursor,
    },
}

impl Representation {
    pub(super) fn new(format: Format, body: impl Into<Bytes>, links: PageLinks) -> Self {
        Self {
            body: body.into(),
            format,
            coding: None,
            links,
            tag: None,
        }
    }

    /// A calendar, whose tag is that of its body.
    pub(super) fn calendar(body: Vec<u8>) -> Self {
        let tag = EntityTag::from_body(&body);
        Self {
            tag: Some(tag),
            ..Self::new(Format::ICalendar, body, PageLinks::None)
        }
    }

    /// Compresses the body with the client's preferred coding, if there is one and the body is long
    /// enough.
    pub(super) fn encoded(self, accept_encoding: AcceptEncoding) -> Self {
        match accept_encoding
            .coding
            .filter(|_| self.body.len() >= MIN_ENCODED_BYTES || accept_encoding.refuses_identity)
        {
            Some(coding) => Self {
                body: coding.compress(&self.body),
                coding: Some(coding),
                ..self
            },
            None => self,
        }
    }

    /// Length of the body in bytes.
    pub(super) fn length(&self) -> usize {
        self.body.len()
    }

    /// Writes body and headers into a response; `query` is the query string of its links.
    pub(super) fn write(&self, response: &mut Response<Body>, settings: &Settings, query: &str) {
        *response.body_mut() = Body::from(self.body.clone());
        let headers = response.headers_mut();
        headers.insert(
            CONTENT_TYPE,
            HeaderValue::from_static(self.format.content_type()),
        );
        if let Some(coding) = self.coding {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static(coding.name()));
        }
        let link = match self.links {
            PageLinks::None => return,
            PageLinks::Pages {
                path,
                page,
                pages,
                total,
            } => {
                if self.format != Format::Json {
                    headers.insert(X_TOTAL_COUNT, HeaderValue::from(total));
                }
                render::links_to_pages(&settings.link_base(path), query, page.into(), pages)
            }
            PageLinks::Changes { path, next } => {
                render::link_to_changes(&settings.link_base(path), query, next)
            }
        };
        if let Ok(link) = HeaderValue::try_from(link) {
            headers.insert(LINK, link);
        }
    }
}
