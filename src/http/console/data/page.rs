use std::sync::Arc;

use http::header::RETRY_AFTER;
use http::{Response, StatusCode};

use super::fetch::{self, ApiError};
use super::filters::{self, Filter, InputKind};
use super::keys::ActiveKeys;
use super::query::DataQuery;
use super::{list_title, records, week};
use crate::directory::ResourceDefinition;
use crate::domain::{ApiKey, ApiKeyId, PageRequest};
use crate::http::Body;
use crate::http::console::code_samples;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{DataPage, FilterField, ListLink, PageLinks, SelectOption};
use crate::http::pages::texts::Texts;

/// A page that is read with one of the user's keys.
pub(super) struct DataView<'a> {
    pub(super) request: &'a UserRequest<'a>,
    pub(super) keys: &'a ActiveKeys,
    pub(super) key: &'a Arc<ApiKey>,
    pub(super) data_query: &'a DataQuery<'a>,
}

impl DataView<'_> {
    /// Renders the records.
    pub(super) async fn render(&self, response: Response<Body>) -> HandlerResult {
        let found = fetch::record_page(self.data_query, response).await?;
        let page = DataPage {
            csv: self
                .data_query
                .list
                .is_paged()
                .then(|| self.data_query.csv_href(self.request.server)),
            columns: records::columns(self.request.server, self.data_query, self.key),
            rows: records::rows(self.request.server, self.data_query, self.key, &found),
            page_links: self.page_links(found.total),
            ..self.base_page(None)
        };
        self.request.render(StatusCode::OK, &page)
    }

    /// Renders an error of the data API.
    pub(super) fn render_error(&self, error: &ApiError) -> HandlerResult {
        let problem = error.message(self.data_query, self.key, self.request.texts());
        let page = DataPage {
            problem: Some(problem),
            ..self.base_page(Some(error))
        };
        let mut response = self.request.render(error.status, &page)?;
        response.headers_mut().extend(
            error
                .retry_after
                .clone()
                .map(|seconds| (RETRY_AFTER, seconds)),
        );
        Ok(response)
    }

    /// The page without records.
    fn base_page(&self, error: Option<&ApiError>) -> DataPage {
        let (data_query, text) = (self.data_query, self.request.texts());
        let filters = filters::for_list(data_query.list, text);
        let views = |advanced| {
            filters
                .iter()
                .filter(move |filter| filter.is_advanced == advanced)
        };
        let view = |filter: &Filter| FilterField {
            name: filter.name,
            label: filter.label,
            kind: input_type(&filter.field),
            bounds: bounds(filter),
            value: data_query.value(filter.name).to_owned(),
            choices: choices(filter, data_query.value(filter.name)),
            error: error.and_then(|error| error.filter_message(filter, data_query, text)),
        };
        let more_filters: Vec<FilterField> = views(true).map(view).collect();
        let is_used = views(true)
            .any(|filter| !filter.is_ordering() && !data_query.value(filter.name).is_empty());
        DataPage {
            keys: self.keys.choices(self.key),
            filters: views(false).map(view).collect(),
            more_is_open: is_used || more_filters.iter().any(|filter| filter.error.is_some()),
            more_filters,
            samples: code_samples::for_request(
                self.request.server,
                data_query.list.name,
                &data_query.request_target(),
            ),
            ..empty_page(self.request, data_query.list, Some(self.key.id))
        }
    }

    fn page_links(&self, total: u64) -> PageLinks {
        let address = |page: u32| {
            self.data_query
                .with(
                    "page",
                    Some(page)
                        .filter(|page| *page > 0)
                        .map(|page| page.to_string()),
                )
                .href(self.request.server)
        };
        PageLinks::new(total, self.data_query.page(), self.request.texts(), address)
    }
}

/// Renders the page for a user without an active key.
pub(super) fn render_without_keys(
    request: &UserRequest<'_>,
    list: &ResourceDefinition,
) -> HandlerResult {
    request.render(StatusCode::OK, &empty_page(request, list, None))
}

/// Common parts of every page. Links to other lists keep the key.
fn empty_page(
    request: &UserRequest<'_>,
    list: &ResourceDefinition,
    key: Option<ApiKeyId>,
) -> DataPage {
    let server = request.server;
    let text = request.texts();
    let query = key.map_or_else(String::new, |key| format!("?key={key}"));
    let address = |list: &ResourceDefinition| server.href(&format!("/data/{}{query}", list.name));
    let entry = |other: &ResourceDefinition| ListLink {
        href: address(other),
        label: list_title(other, text),
        is_current: other.name == list.name,
    };
    DataPage {
        text,
        layout: request.layout("data"),
        kinds: server
            .lists()
            .into_iter()
            .map(entry)
            .chain([week::link(request, key)])
            .collect(),
        title: list_title(list, text),
        csv: None,
        keys: Vec::new(),
        action: server.href(&format!("/data/{}", list.name)),
        filters: Vec::new(),
        more_filters: Vec::new(),
        more_is_open: false,
        problem: None,
        columns: Vec::new(),
        rows: Vec::new(),
        page_links: PageLinks::new(0, PageRequest::LARGEST, text, |_| String::new()),
        samples: Vec::new(),
    }
}

/// The filters of a list with these values, and whether each is among the rarely used ones.
pub(in crate::http::console) fn filter_fields<'a>(
    list: &ResourceDefinition,
    value: impl Fn(&str) -> &'a str,
    text: &Texts,
) -> Vec<(FilterField, bool)> {
    let field = |filter: Filter| {
        let sent = value(filter.name);
        let field = FilterField {
            name: filter.name,
            label: filter.label,
            kind: input_type(&filter.field),
            bounds: bounds(&filter),
            value: sent.to_owned(),
            choices: choices(&filter, sent),
            error: None,
        };
        (field, filter.is_advanced)
    };
    let filters = filters::for_list(list, text).into_iter();
    filters.map(field).collect()
}

/// The numbers that a filter accepts.
fn bounds(filter: &Filter) -> Option<String> {
    match filter.field {
        InputKind::Number(Some((low, high))) => Some(format!("{low}–{high}")),
        _ => None,
    }
}

/// Type of an input in the template.
const fn input_type(field: &InputKind) -> &'static str {
    match field {
        InputKind::Text => "text",
        InputKind::Number(_) => "number",
        InputKind::Date => "date",
        InputKind::Choice(_) => "choice",
    }
}

/// Options of a filter, with the current one selected.
fn choices(filter: &Filter, value: &str) -> Vec<SelectOption> {
    let InputKind::Choice(words) = &filter.field else {
        return Vec::new();
    };
    let selected = words
        .iter()
        .position(|(word, _)| word.eq_ignore_ascii_case(value))
        .unwrap_or(0);
    words
        .iter()
        .enumerate()
        .map(|(index, (word, label))| SelectOption {
            value: word.clone(),
            label: label.clone(),
            is_on: index == selected,
        })
        .collect()
}
