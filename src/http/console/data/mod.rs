//! The school's data, fetched from the data API with the user's own key.

mod choices;
mod csv_download;
mod error_messages;
mod fetch;
mod filters;
mod keys;
mod page;
mod query;
mod records;

use bytes::Bytes;
use http::{Request, Response};

use super::error::Error;
use super::query::Query;
use super::server::Server;
use super::session::SignedInUser;
use crate::directory::ResourceDefinition;
use crate::http::issuer::Issuer;
use crate::http::pages::texts::Texts;
use crate::http::{Body, DataClient};
use fetch::FetchOutcome;
use keys::ActiveKeys;
use page::DataView;
use query::DataQuery;
pub(super) use records::display_value;

/// Source of the school's data.
pub(super) struct DataSource {
    pub(super) client: DataClient,
    /// Public address of the data API.
    pub(super) address: Issuer,
}

/// Routes of this area, parsed from the path segments after its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Route {
    /// Records of a list as a page.
    Page,
    /// Records of a list as a CSV download.
    Csv,
}

impl Route {
    pub(super) fn parse(segments: &[&str]) -> Option<Self> {
        let [name] = segments else { return None };
        Some(if name.ends_with(CSV_SUFFIX) {
            Self::Csv
        } else {
            Self::Page
        })
    }

    /// The allowed methods, as in the `Allow` header.
    pub(super) const fn methods(self) -> &'static str {
        "GET, HEAD"
    }

    /// The endpoint name in logs, metrics and events.
    pub(super) const fn endpoint(self) -> &'static str {
        match self {
            Self::Page => "data",
            Self::Csv => "data_table",
        }
    }
}

/// Suffix of the name of a CSV download.
const CSV_SUFFIX: &str = ".csv";

/// Label of a field or parameter of a list.
pub(super) fn field_label(
    definition: &ResourceDefinition,
    name: &'static str,
    text: &Texts,
) -> &'static str {
    let of_field = definition
        .record
        .fields
        .iter()
        .find(|field| field.name == name)
        .and_then(|field| field.label);
    let own = of_field.or_else(|| {
        definition
            .parameters
            .iter()
            .find(|parameter| parameter.field == name)?
            .label
    });
    own.or_else(|| text.school.field(name)).unwrap_or(name)
}

/// Label of a list.
pub(super) fn list_title(definition: &ResourceDefinition, text: &Texts) -> &'static str {
    text.school
        .list(definition.name)
        .unwrap_or(definition.title)
}

pub(super) async fn handle(
    server: &Server,
    route: Route,
    user: &SignedInUser,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let Some(source) = server.data.as_ref().filter(|_| server.api_keys.is_some()) else {
        return Err(Error::not_found());
    };
    let name = request.uri().path().rsplit('/').next().unwrap_or_default();
    let lists = source.client.definitions();
    let is_named = |list: &&&ResourceDefinition| {
        list.name
            == name
                .strip_suffix(CSV_SUFFIX)
                .filter(|_| list.is_paged())
                .unwrap_or(name)
    };
    let list = *lists.iter().find(is_named).ok_or_else(Error::not_found)?;
    let query = Query::from_request(request)?;
    let keys = ActiveKeys::load(server, user).await?;
    let Some(key) = keys.select(query.value("key"), list)? else {
        return page::render_without_keys(server, user, list);
    };
    let data_query = DataQuery::new(route, list, key.id, &query);
    let view = DataView {
        server,
        user,
        keys: &keys,
        key,
        data_query: &data_query,
    };
    match fetch::fetch(server, source, key, route, &data_query).await? {
        FetchOutcome::Error(error) => view.render_error(&error),
        FetchOutcome::Success(response) if route == Route::Csv => {
            csv_download::response(&data_query, response)
        }
        FetchOutcome::Success(response) => view.render(response).await,
    }
}
