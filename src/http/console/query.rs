use std::borrow::Cow;

use bytes::Bytes;
use fluent_uri::pct_enc::EString;
use fluent_uri::pct_enc::encoder::{self, Data};
use http::Request;

use super::refusal::Refusal;
use crate::domain::PageRequest;
use crate::http::audit::Rule;
use crate::http::pairs::{self, Pairs};

/// How many entries a page of a list has.
const PAGE_SIZE: u32 = 20;

/// What the address of a page asks for. What no page of ours would write there is passed over.
#[derive(Debug)]
pub(super) struct Query<'a>(Pairs<'a>);

impl<'a> Query<'a> {
    pub(super) fn of(request: &'a Request<Bytes>) -> Result<Self, Refusal> {
        let text = request.uri().query().unwrap_or_default();
        pairs::parse(text).map(Self).map_err(|_| Refusal::broken(Rule::ParametersMalformed))
    }

    /// What is asked for under a name: nothing, if it is empty.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(found, _)| found == name).map(|(_, value)| &**value).filter(|value| !value.is_empty())
    }

    /// Which page of a list is asked for: the first, if that is no number.
    pub(super) fn page(&self) -> Result<PageRequest, Refusal> {
        let number = self.value("page").and_then(|number| number.parse().ok()).unwrap_or(0);
        PageRequest::new(number, PAGE_SIZE).or_else(|_| PageRequest::new(0, PAGE_SIZE)).map_err(Refusal::failure)
    }

    /// The address of the same page with another value under a name.
    pub(super) fn with(&self, name: &str, value: &str) -> String {
        let mut query = EString::<encoder::Query>::new();
        let others = self.pairs().filter(|(found, _)| *found != name && *found != "done");
        for (at, (name, value)) in others.chain([(name, value)]).enumerate() {
            if at > 0 {
                query.push('&');
            }
            query.encode_str::<Data>(name);
            query.push('=');
            query.encode_str::<Data>(value);
        }
        format!("?{query}")
    }

    /// All names and values.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value): &(Cow<'_, str>, Cow<'_, str>)| (&**name, &**value))
    }
}
