use super::filters;
use super::reader::Reader;
use crate::directory::ResourceDefinition;
use crate::domain::PageRequest;
use crate::http::console::query::{Query, encode};
use crate::http::console::server::Server;
use crate::http::console::views::DataInput;

/// Columns of the table, by the names of their fields.
pub(super) const COLUMNS: &str = "_columns";
/// Height of the rows.
pub(super) const ROWS: &str = "_rows";
/// Page number of the field for a jump, counted from 1.
pub(super) const JUMP: &str = "_page";
/// Value of [`ROWS`] for low rows.
const DENSE: &str = "dense";

/// A query of the school's data.
///
/// The names of the console's own parameters begin with an underscore, apart from `key`; no
/// parameter of the data API does.
#[derive(Debug, Clone)]
pub(super) struct DataQuery<'a> {
    pub(super) list: &'a ResourceDefinition,
    pub(super) reader: &'a Reader,
    /// Parameters with a value, as the data API expects them.
    parameters: Vec<(&'static str, String)>,
    /// Parameters that the user has not chosen and the page sets itself. Links omit them.
    defaults: Vec<(&'static str, String)>,
    /// Page number for a list that the data API does not paginate.
    local_page: Option<String>,
    /// The chosen columns; empty for those that the list shows by default.
    columns: Vec<&'static str>,
    is_dense: bool,
}

impl<'a> DataQuery<'a> {
    /// Reads the query of a request, with a default number of records on a page. Parameters unknown
    /// to the data API and the page are ignored.
    pub(super) fn new(
        size: u32,
        list: &'a ResourceDefinition,
        reader: &'a Reader,
        query: &Query<'_>,
    ) -> Self {
        let names = list.parameter_names().into_iter();
        let sent_values = |name| {
            query
                .pairs()
                .filter(move |(found, value)| *found == name && !value.is_empty())
                .map(move |(_, value)| (name, value))
        };
        let parameters = names
            .flat_map(sent_values)
            .map(|(name, value)| (name, value.to_owned()));
        let local_page = query
            .value("page")
            .filter(|_| !list.is_paged())
            .map(str::to_owned);
        let new = Self {
            list,
            reader,
            parameters: parameters.collect(),
            defaults: defaults(size, list, reader),
            local_page,
            columns: chosen_columns(list, query),
            is_dense: query.value(ROWS) == Some(DENSE),
        };
        match query.value(JUMP).and_then(|number| number.parse().ok()) {
            Some(number) => new.with_page(u32::saturating_sub(number, 1)),
            None => new,
        }
    }

    /// Value of a parameter that the user has chosen, or an empty string.
    pub(super) fn value(&self, name: &str) -> &str {
        find(&self.parameters, name)
    }

    /// Value of a parameter that the user or the page has chosen, or an empty string.
    pub(super) fn value_or_default(&self, name: &str) -> &str {
        Some(self.value(name))
            .filter(|value| !value.is_empty())
            .unwrap_or_else(|| find(&self.defaults, name))
    }

    /// The names of the user's filters.
    pub(super) fn filter_names(&self) -> Vec<&'static str> {
        let names = self.parameters.iter().map(|(name, _)| *name);
        let mut names: Vec<_> = names
            .filter(|name| *name != "page" && !filters::is_ordering(name))
            .collect();
        names.dedup();
        names
    }

    /// The chosen columns; empty if the user has chosen none.
    pub(super) fn columns(&self) -> &[&'static str] {
        &self.columns
    }

    pub(super) const fn is_dense(&self) -> bool {
        self.is_dense
    }

    /// The requested page; the first if the number is invalid.
    pub(super) fn page(&self) -> PageRequest {
        let number = self
            .local_page
            .as_deref()
            .unwrap_or_else(|| self.value("page"));
        let size = self.value_or_default("size").parse();
        let size = size.unwrap_or(filters::DEFAULT_PAGE_SIZE);
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

    /// A copy with another page, counted from 0.
    pub(super) fn with_page(&self, page: u32) -> Self {
        self.with(
            "page",
            Some(page).filter(|page| *page > 0).map(|it| it.to_string()),
        )
    }

    /// A copy without filters, on the first page.
    pub(super) fn without_filters(&self) -> Self {
        let mut other = self.with_page(0);
        other
            .parameters
            .retain(|(name, _)| filters::is_ordering(name));
        other
    }

    /// A copy with rows of this height.
    pub(super) fn with_density(&self, is_dense: bool) -> Self {
        Self {
            is_dense,
            ..self.clone()
        }
    }

    /// Path and query for the data API, from its root.
    pub(super) fn request_target(&self) -> String {
        let is_default = |(name, _): &&(&'static str, String)| self.value(name).is_empty();
        let defaults = self.defaults.iter().filter(is_default);
        let parameters = self.parameters.iter().chain(defaults);
        target(
            self.list.path,
            &encode(parameters.map(|(name, value)| (*name, &**value))),
        )
    }

    /// URI of the page.
    pub(super) fn href(&self, server: &Server) -> String {
        let pairs = self.pairs();
        let query = encode(pairs.iter().map(|(name, value)| (*name, &**value)));
        server.href(&target(&format!("/data/{}", self.list.name), &query))
    }

    /// Hidden fields of a form that replaces these parameters.
    pub(super) fn inputs_without(&self, replaced: &[&str]) -> Vec<DataInput> {
        let pairs = self.pairs().into_iter();
        pairs
            .filter(|(name, _)| !replaced.contains(name))
            .map(|(name, value)| DataInput { name, value })
            .collect()
    }

    /// All parameters of the page.
    fn pairs(&self) -> Vec<(&'static str, String)> {
        let local_page = self.local_page.clone().map(|page| ("page", page));
        let columns = (!self.columns.is_empty()).then(|| (COLUMNS, self.columns.join(",")));
        let rows = self.is_dense.then(|| (ROWS, DENSE.to_owned()));
        let key = self.reader.parameter().map(|key| ("key", key));
        key.into_iter()
            .chain(self.parameters.iter().cloned())
            .chain(local_page)
            .chain(columns)
            .chain(rows)
            .collect()
    }
}

/// What a page sets itself: its size, and the order that the list is browsed by, unless the reader
/// may not see the field.
fn defaults(size: u32, list: &ResourceDefinition, reader: &Reader) -> Vec<(&'static str, String)> {
    if !list.is_paged() {
        return Vec::new();
    }
    let browsed_by = |name: &str| list.browse_sort == Some(name);
    let sort = list.sorts.iter().find(|sort| browsed_by(sort.name));
    let is_hidden = |field| reader.hidden().contains(field);
    let sort = sort.filter(|sort| !sort.personal.is_some_and(is_hidden));
    let sort = sort.map(|sort| ("sortBy", sort.name.to_owned()));
    std::iter::once(("size", size.to_string()))
        .chain(sort)
        .collect()
}

/// The known columns in a query: repeated as a form sends them, or joined by commas as links do.
fn chosen_columns(list: &ResourceDefinition, query: &Query<'_>) -> Vec<&'static str> {
    let sent = query.pairs().filter(|(name, _)| *name == COLUMNS);
    let sent: Vec<&str> = sent.flat_map(|(_, value)| value.split(',')).collect();
    let fields = list.record.fields.iter().map(|field| field.name);
    fields.filter(|name| sent.contains(name)).collect()
}

fn find<'p>(parameters: &'p [(&'static str, String)], name: &str) -> &'p str {
    let mut parameters = parameters.iter();
    let found = parameters.find(|(found, _)| *found == name);
    found.map_or("", |(_, value)| value)
}

/// A path with a query, if that is not empty.
pub(super) fn target(path: &str, query: &str) -> String {
    if query.is_empty() {
        path.to_owned()
    } else {
        format!("{path}?{query}")
    }
}
