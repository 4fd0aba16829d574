use fluent_uri::pct_enc::EString;
use fluent_uri::pct_enc::encoder::{Data, Query as QueryEncoder};

use super::{Place, filters};
use crate::directory::Definition;
use crate::domain::{ApiKeyId, PageRequest};
use crate::http::console::query::Query;
use crate::http::console::server::Server;

/// What somebody asks for: something of the school, by one of their keys.
#[derive(Debug, Clone)]
pub(super) struct Asked<'a> {
    pub(super) list: &'a Definition,
    pub(super) key: ApiKeyId,
    /// The parameters that have a value, as the data API takes them.
    parameters: Vec<(&'static str, String)>,
    /// The page of a list that the data API has as a whole.
    own_page: Option<String>,
}

impl<'a> Asked<'a> {
    /// What the address says. What neither the data API nor a page of ours takes is passed over.
    pub(super) fn of(place: Place, list: &'a Definition, key: ApiKeyId, query: &Query<'_>) -> Self {
        let size = match place {
            Place::Page => filters::PAGE,
            Place::Table => filters::TABLE,
        };
        let names = list.parameter_names().into_iter();
        let given =
            |name| query.pairs().filter(move |(found, value)| *found == name && !value.is_empty()).map(move |(_, value)| (name, value));
        let mut parameters: Vec<_> = names.flat_map(given).map(|(name, value)| (name, value.to_owned())).collect();
        if list.is_paged() && parameters.iter().all(|(name, _)| *name != "size") {
            parameters.push(("size", size.to_string()));
        }
        let own_page = query.value("page").filter(|_| !list.is_paged()).map(str::to_owned);
        Self { list, key, parameters, own_page }
    }

    /// The value of a parameter; empty if it has none.
    pub(super) fn value(&self, name: &str) -> &str {
        self.parameters.iter().find(|(found, _)| *found == name).map_or("", |(_, value)| value)
    }

    /// Which page of a list is asked for: the first, if that is none.
    pub(super) fn page(&self) -> PageRequest {
        let number = self.own_page.as_deref().unwrap_or_else(|| self.value("page"));
        let size = self.value("size").parse().unwrap_or(filters::PAGE);
        PageRequest::new(number.parse().unwrap_or(0), size).unwrap_or(PageRequest::LARGEST)
    }

    /// The same with another value of a parameter, or with none.
    pub(super) fn with(&self, name: &'static str, value: impl Into<Option<String>>) -> Self {
        let mut other = self.clone();
        let value = value.into();
        if name == "page" && !self.list.is_paged() {
            other.own_page = value;
            return other;
        }
        other.parameters.retain(|(found, _)| *found != name);
        other.parameters.extend(value.map(|value| (name, value)));
        other
    }

    /// The query as the data API takes it.
    pub(super) fn query(&self) -> String {
        encoded(self.parameters.iter().map(|(name, value)| (*name, &**value)))
    }

    /// Where the data API has it, from its own root.
    pub(super) fn request(&self) -> String {
        let (path, query) = (self.list.path, self.query());
        if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
    }

    /// Where our page has it.
    pub(super) fn href(&self, server: &Server) -> String {
        server.at(&format!("/data/{}?{}", self.list.name, self.query_of_page()))
    }

    /// Where our table has it: the records of the page and all others, as far as one table holds them.
    pub(super) fn table_href(&self, server: &Server) -> String {
        let part = self.page().offset() / u64::from(filters::TABLE);
        let whole = self.with("size", None).with("page", Some(part).filter(|part| *part > 0).map(|part| part.to_string()));
        server.at(&format!("/data/{}.csv?{}", self.list.name, whole.query_of_page()))
    }

    fn query_of_page(&self) -> String {
        let key = self.key.to_string();
        let own_page = self.own_page.as_deref().map(|page| ("page", page));
        encoded(std::iter::once(("key", &*key)).chain(self.parameters.iter().map(|(name, value)| (*name, &**value))).chain(own_page))
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
