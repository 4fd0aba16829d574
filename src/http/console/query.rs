use std::borrow::Cow;

use bytes::Bytes;
use fluent_uri::pct_enc::EString;
use fluent_uri::pct_enc::encoder::{self, Data};
use http::Request;

use super::error::Error;
use crate::domain::PageRequest;
use crate::http::audit::RefusalRule;
use crate::http::form_urlencoded::{self, Pairs};

/// Number of entries on a page of a list.
const PAGE_SIZE: u32 = 20;

/// Query parameters of a page. Unknown parameters are ignored.
#[derive(Debug, Default)]
pub(super) struct Query<'a>(Pairs<'a>);

impl<'a> Query<'a> {
    pub(super) fn from_request(request: &'a Request<Bytes>) -> Result<Self, Error> {
        let text = request.uri().query().unwrap_or_default();
        form_urlencoded::parse(text)
            .map(Self)
            .map_err(|_| Error::bad_request(RefusalRule::ParametersMalformed))
    }

    /// Value of a parameter, unless it is empty.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(found, _)| found == name)
            .map(|(_, value)| &**value)
            .filter(|value| !value.is_empty())
    }

    /// The requested page of a list; the first if the number is invalid.
    pub(super) fn page(&self) -> Result<PageRequest, Error> {
        let number = self
            .value("page")
            .and_then(|number| number.parse().ok())
            .unwrap_or(0);
        PageRequest::new(number, PAGE_SIZE)
            .or_else(|_| PageRequest::new(0, PAGE_SIZE))
            .map_err(Error::internal)
    }

    /// Link to the same page with one parameter replaced, and without `done`, which shows a
    /// [`Flash`](super::form::flash::Flash) again.
    pub(super) fn href_with(&self, name: &str, value: &str) -> String {
        self.href_in_place_of(&[], name, value)
    }

    /// The same, also without the parameters `removed`.
    pub(super) fn href_in_place_of(&self, removed: &[&str], name: &str, value: &str) -> String {
        let others = self
            .pairs()
            .filter(|(found, _)| *found != name && *found != "done" && !removed.contains(found));
        format!("?{}", encode(others.chain([(name, value)])))
    }

    /// All names and values.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, value): &(Cow<'_, str>, Cow<'_, str>)| (&**name, &**value))
    }
}

/// Encodes names and values as a query.
pub(super) fn encode<'p>(pairs: impl IntoIterator<Item = (&'p str, &'p str)>) -> String {
    let mut query = EString::<encoder::Query>::new();
    for (index, (name, value)) in pairs.into_iter().enumerate() {
        if index > 0 {
            query.push('&');
        }
        query.encode_str::<Data>(name);
        query.push('=');
        query.encode_str::<Data>(value);
    }
    query.to_string()
}
