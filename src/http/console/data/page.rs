use std::sync::Arc;

use http::header::RETRY_AFTER;
use http::{Response, StatusCode};

use super::ask::{self, Fault};
use super::asked::Asked;
use super::filters::{self, Field, Filter};
use super::keys::OwnKeys;
use super::{records, title_of};
use crate::directory::Definition;
use crate::domain::{ApiKey, PageRequest};
use crate::http::Body;
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::Refusal;
use crate::http::console::samples;
use crate::http::console::server::Server;
use crate::http::console::views::{Choice, DataKind, DataPage, Filter as FilterView, Pages};

/// A page on which somebody reads by one of their keys.
pub(super) struct Reading<'a> {
    pub(super) server: &'a Server,
    pub(super) who: &'a SignedIn,
    pub(super) keys: &'a OwnKeys,
    pub(super) key: &'a Arc<ApiKey>,
    pub(super) asked: &'a Asked<'a>,
}

impl Reading<'_> {
    /// The records.
    pub(super) async fn show(&self, answered: Response<Body>) -> Result<Response<Body>, Refusal> {
        let found = ask::found(self.asked, answered).await?;
        let page = DataPage {
            csv: self.asked.list.is_paged().then(|| self.asked.table_href(self.server)),
            columns: records::columns(self.server, self.asked, self.key),
            rows: records::rows(self.server, self.asked, self.key, &found),
            pages: self.pages(found.total),
            ..self.form(None)
        };
        self.server.page(StatusCode::OK, &page)
    }

    /// Why there are none.
    pub(super) fn refused(&self, fault: &Fault) -> Result<Response<Body>, Refusal> {
        let problem = fault.general(self.asked, self.key, self.server.texts());
        let page = DataPage { problem: Some(problem), ..self.form(Some(fault)) };
        let mut response = self.server.page(fault.status, &page)?;
        response.headers_mut().extend(fault.retry_after.clone().map(|seconds| (RETRY_AFTER, seconds)));
        Ok(response)
    }

    /// What is around the records.
    fn form(&self, fault: Option<&Fault>) -> DataPage {
        let (asked, text) = (self.asked, self.server.texts());
        let filters = filters::of(asked.list, text);
        let views = |seldom| filters.iter().filter(move |filter| filter.is_seldom == seldom);
        let view = |filter: &Filter| FilterView {
            name: filter.name,
            label: filter.label,
            kind: input(&filter.field),
            bounds: match filter.field {
                Field::Number(Some((low, high))) => Some(format!("{low}–{high}")),
                _ => None,
            },
            value: asked.value(filter.name).to_owned(),
            choices: choices(filter, asked),
            fault: fault.and_then(|fault| fault.of_filter(filter, asked, text)),
        };
        let more_filters: Vec<FilterView> = views(true).map(view).collect();
        let is_used = views(true).any(|filter| !filter.is_of_order() && !asked.value(filter.name).is_empty());
        DataPage {
            keys: self.keys.choices(self.key),
            filters: views(false).map(view).collect(),
            more_is_open: is_used || more_filters.iter().any(|filter| filter.fault.is_some()),
            more_filters,
            samples: samples::of(self.server, asked.list.name, &asked.request()),
            ..around(self.server, self.who, asked.list, &format!("?key={}", self.key.id))
        }
    }

    fn pages(&self, total: u64) -> Pages {
        let address =
            |page: u32| self.asked.with("page", Some(page).filter(|page| *page > 0).map(|page| page.to_string())).href(self.server);
        Pages::of(total, self.asked.page(), self.server.texts(), address)
    }
}

/// The page of somebody who has no key that works.
pub(super) fn without_keys(server: &Server, who: &SignedIn, list: &Definition) -> Result<Response<Body>, Refusal> {
    server.page(StatusCode::OK, &around(server, who, list, ""))
}

/// What every page has. The links to other kinds keep what is in `query`.
fn around(server: &Server, who: &SignedIn, list: &Definition, query: &str) -> DataPage {
    let text = server.texts();
    let address = |list: &Definition| server.at(&format!("/data/{}{query}", list.name));
    let entry = |other: &Definition| DataKind { href: address(other), label: title_of(other, text), is_here: other.name == list.name };
    DataPage {
        text,
        frame: server.frame(who, "data"),
        kinds: server.lists().into_iter().map(entry).collect(),
        title: title_of(list, text),
        csv: None,
        keys: Vec::new(),
        action: server.at(&format!("/data/{}", list.name)),
        filters: Vec::new(),
        more_filters: Vec::new(),
        more_is_open: false,
        problem: None,
        columns: Vec::new(),
        rows: Vec::new(),
        pages: Pages::of(0, PageRequest::LARGEST, text, |_| String::new()),
        samples: Vec::new(),
    }
}

/// What a field of a form is.
const fn input(field: &Field) -> &'static str {
    match field {
        Field::Text => "text",
        Field::Number(_) => "number",
        Field::Date => "date",
        Field::Choice(_) => "choice",
    }
}

/// What there is to choose from, with what is meant now.
fn choices(filter: &Filter, asked: &Asked<'_>) -> Vec<Choice> {
    let Field::Choice(words) = &filter.field else { return Vec::new() };
    let meant = asked.value(filter.name);
    let known = words.iter().position(|(word, _)| word.eq_ignore_ascii_case(meant)).unwrap_or(0);
    words.iter().enumerate().map(|(at, (word, label))| Choice { value: word.clone(), label: label.clone(), is_on: at == known }).collect()
}
