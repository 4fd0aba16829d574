use fluent_uri::pct_enc::EString;
use fluent_uri::pct_enc::encoder::{Data, Query as QueryEncoder};

use super::{Format, filters};
use crate::directory::ResourceDefinition;
use crate::domain::{ApiKeyId, PageRequest};
use crate::http::console::query::Query;
use crate::http::console::server::Server;

/// A query of the school's data with one of the user's keys.
#[derive(Debug, Clone)]
pub(super) struct DataQuery<'a> {
    pub(super) list: &'a ResourceDefinition,
    pub(super) key: ApiKeyId,
    /// Parameters with a value, as the data API expects them.
    parameters: Vec<(&'static str, String)>,
    /// Page number for a list that the data API does not paginate.
    local_page: Option<String>,
}

impl<'a> DataQuery<'a> {
    /// Reads the query of a request. Parameters unknown to the data API and the page are ignored.
    pub(super) fn new(
        format: Format,
        list: &'a ResourceDefinition,
        key: ApiKeyId,
        query: &Query<'_>,
    ) -> Self {
        let size = match format {
            Format::Page => filters::DEFAULT_PAGE_SIZE,
            Format::Csv => filters::CSV_PAGE_SIZE,
        };
        let names = list.parameter_names().into_iter();
        let sent_values = |name| {
            query
                .pairs()
                .filter(move |(found, value)| *found == name && !value.is_empty())
                .map(move |(_, value)| (name, value))
        };
        let mut parameters: Vec<_> = names
            .flat_map(sent_values)
            .map(|(name, value)| (name, value.to_owned()))
            .collect();
        if list.is_paged() && parameters.iter().all(|(name, _)| *name != "size") {
            parameters.push(("size", size.to_string()));
        }
        let local_page = query
            .value("page")
            .filter(|_| !list.is_paged())
            .map(str::to_owned);
        Self {
            list,
            key,
            parameters,
            local_page,
        }
    }

    /// A query with these parameters.
    pub(super) const fn with_parameters(
        list: &'a ResourceDefinition,
        key: ApiKeyId,
        parameters: Vec<(&'static str, String)>,
    ) -> Self {
        Self {
            list,
            key,
            parameters,
            local_page: None,
        }
    }

    /// Value of a parameter, or an empty string.
    pub(super) fn value(&self, name: &str) -> &str {
        self.parameters
            .iter()
            .find(|(found, _)| *found == name)
            .map_or("", |(_, value)| value)
    }

    /// The requested page; the first if the number is invalid.
    pub(super) fn page(&self) -> PageRequest {
        let number = self
            .local_page
            .as_deref()
            .unwrap_or_else(|| self.value("page"));
        let size = self
            .value("size")
            .parse()
            .unwrap_or(filters::DEFAULT_PAGE_SIZE);
        PageRequest::new(number.parse().unwrap_or(0), size).unwrap_or(PageRequest::LARGEST)
    }

    /// A copy with one parameter replaced or removed.
    pub(super) fn with(&self, name: &'static str, value: impl Into<Option<String>>) -> Self {
        let mut other = self.clone();
        let value = value.into();
        if name == "page" && !self.list.is_paged() {
            other.local_page = value;
            return other;
        }
        other.parameters.retain(|(found, _)| *found != name);
        other.parameters.extend(value.map(|value| (name, value)));
        other
    }

    /// Query string for the data API.
    pub(super) fn query_string(&self) -> String {
        encoded(
            self.parameters
                .iter()
                .map(|(name, value)| (*name, &**value)),
        )
    }

    /// Path and query for the data API, from its root.
    pub(super) fn request_target(&self) -> String {
        let (path, query) = (self.list.path, self.query_string());
        if query.is_empty() {
            path.to_owned()
        } else {
            format!("{path}?{query}")
        }
    }

    /// URI of the page.
    pub(super) fn href(&self, server: &Server) -> String {
        server.href(&format!(
            "/data/{}?{}",
            self.list.name,
            self.page_query_string()
        ))
    }

    /// URI of the CSV download: the part with the first record of the page.
    pub(super) fn csv_href(&self, server: &Server) -> String {
        let part = self.page().offset() / u64::from(filters::CSV_PAGE_SIZE);
        let csv_query = self.with("size", None).with(
            "page",
            Some(part)
                .filter(|part| *part > 0)
                .map(|part| part.to_string()),
        );
        server.href(&format!(
            "/data/{}.csv?{}",
            self.list.name,
            csv_query.page_query_string()
        ))
    }

    fn page_query_string(&self) -> String {
        let key = self.key.to_string();
        let local_page = self.local_page.as_deref().map(|page| ("page", page));
        encoded(
            std::iter::once(("key", &*key))
                .chain(
                    self.parameters
                        .iter()
                        .map(|(name, value)| (*name, &**value)),
                )
                .chain(local_page),
        )
    }
}

fn encoded<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut query = EString::<QueryEncoder>::new();
    for (name, value) in pairs {
        if !query.is_empty() {
            query.push('&');
        }
        query.encode_str::<Data>(name);
        query.push('=');
        query.encode_str::<Data>(value);
    }
    query.into_string()
}
