use http::header::RETRY_AFTER;
use http::{Response, StatusCode};

use super::fetch::{self, ApiError};
use super::query::{DataQuery, JUMP};
use super::reader::Readers;
use super::{empty, form_inputs, list_title, records};
use crate::directory::ResourceDefinition;
use crate::http::Body;
use crate::http::console::code_samples;
use crate::http::console::error::Error;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{
    Counted, DataPage, FilterField, ListLink, TableControls, TablePager,
};

/// A page that is read with one authority.
pub(super) struct DataView<'a> {
    pub(super) request: &'a UserRequest<'a>,
    pub(super) readers: &'a Readers,
    pub(super) data_query: &'a DataQuery<'a>,
}

impl DataView<'_> {
    /// Renders the records. Returns also how many they are.
    pub(super) async fn render(
        &self,
        response: Response<Body>,
    ) -> Result<(Response<Body>, usize), Error> {
        let found = fetch::record_page(self.data_query, response).await?;
        let (request, server) = (self.request, self.request.server);
        let empty = found
            .records
            .is_empty()
            .then(|| empty::empty_table(request, self.data_query, found.total));
        let page = DataPage {
            controls: Some(self.controls(found.total)),
            columns: records::columns(server, self.data_query),
            rows: records::rows(server, self.data_query, &found.records),
            empty,
            pager: self.pager(found.total),
            ..self.base_page(None)
        };
        Ok((request.render(StatusCode::OK, &page)?, found.records.len()))
    }

    /// Renders an error of the data API.
    pub(super) fn render_error(&self, error: &ApiError) -> HandlerResult {
        let problem = error.message(self.data_query, self.request.texts());
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
        let (data_query, text, server) =
            (self.data_query, self.request.texts(), self.request.server);
        let mut fields = form_inputs::query_fields(data_query, error, text);
        let filter_inputs =
            data_query.inputs_without(&form_inputs::form_names(data_query, &fields));
        let search = fields
            .iter()
            .position(|(field, _)| field.kind == "text")
            .map(|at| fields.remove(at).0);
        let (filters, more_filters): (Vec<_>, Vec<_>) = fields
            .into_iter()
            .partition(|(_, is_advanced)| !is_advanced);
        let without_flag = |fields: Vec<(FilterField, bool)>| -> Vec<FilterField> {
            fields.into_iter().map(|(field, _)| field).collect()
        };
        let (filters, more_filters) = (without_flag(filters), without_flag(more_filters));
        let has_error = |fields: &[FilterField]| fields.iter().any(|field| field.error.is_some());
        let is_set = |field: &FilterField| !data_query.value(field.name).is_empty();
        let chips = form_inputs::chips(server, data_query);
        let keys = self.readers.choices(data_query.reader, text);
        DataPage {
            offers_keys: keys.len() > 1 || self.request.is_administrator(),
            keys,
            search,
            filters_are_open: has_error(&filters) || has_error(&more_filters),
            // A key that is not the usual one is in view too.
            more_is_open: more_filters.iter().any(is_set)
                || data_query.reader.is_chosen()
                || filters.is_empty(),
            filters,
            more_filters,
            filter_inputs,
            clear: (!chips.is_empty()).then(|| data_query.without_filters().href(server)),
            chips,
            days: empty::day_links(self.request, data_query),
            samples: code_samples::for_request(
                server,
                data_query.list.name,
                &data_query.request_target(),
            ),
            ..empty_page(
                self.request,
                data_query.list,
                &data_query
                    .reader
                    .parameter()
                    .map(|key| format!("?key={key}"))
                    .unwrap_or_default(),
            )
        }
    }

    /// What sets the look of the table, and the downloads.
    fn controls(&self, total: u64) -> TableControls {
        let (server, text) = (self.request.server, self.request.texts());
        let density = |is_dense, label| ListLink {
            href: self.data_query.with_density(is_dense).href(server),
            label,
            is_current: self.data_query.is_dense() == is_dense,
        };
        TableControls {
            is_dense: self.data_query.is_dense(),
            densities: [
                density(false, text.rows_normal),
                density(true, text.rows_dense),
            ],
            columns: form_inputs::column_chooser(self.data_query, text),
            download: form_inputs::download_form(server, self.data_query, total),
        }
    }

    fn pager(&self, total: u64) -> TablePager {
        let page = self.data_query.page();
        let inputs = self.data_query.inputs_without(&["page", JUMP]);
        let counted = match self.data_query.list.name {
            "students" => Counted::People,
            _ => Counted::Entries,
        };
        let text = self.request.texts();
        TablePager::new(total, page, JUMP, inputs, (counted, text), |page| {
            self.data_query.with_page(page).href(self.request.server)
        })
    }
}

/// Renders the page for a user without an active key.
pub(super) fn render_without_keys(
    request: &UserRequest<'_>,
    list: &ResourceDefinition,
) -> HandlerResult {
    request.render(StatusCode::OK, &empty_page(request, list, ""))
}

/// Links to the lists. They keep `query`.
pub(super) fn list_links(
    request: &UserRequest<'_>,
    list: &ResourceDefinition,
    query: &str,
) -> Vec<ListLink> {
    let (server, text) = (request.server, request.texts());
    let link = |other: &ResourceDefinition| ListLink {
        href: server.href(&format!("/data/{}{query}", other.name)),
        label: list_title(other, text),
        is_current: other.name == list.name,
    };
    server.lists().into_iter().map(link).collect()
}

/// Common parts of every page. Links to other lists keep `query`.
fn empty_page(request: &UserRequest<'_>, list: &ResourceDefinition, query: &str) -> DataPage {
    let server = request.server;
    let text = request.texts();
    DataPage {
        text,
        layout: request.layout("data"),
        kinds: list_links(request, list, query),
        title: list_title(list, text),
        keys: Vec::new(),
        offers_keys: false,
        action: server.href(&format!("/data/{}", list.name)),
        search: None,
        filters: Vec::new(),
        filters_are_open: false,
        more_filters: Vec::new(),
        more_is_open: false,
        filter_inputs: Vec::new(),
        chips: Vec::new(),
        clear: None,
        days: None,
        problem: None,
        controls: None,
        columns: Vec::new(),
        rows: Vec::new(),
        empty: None,
        pager: TablePager::default(),
        samples: Vec::new(),
    }
}
