//! The school's data, fetched from the data API with the user's own key.

pub(super) mod choices;
mod csv_download;
mod error_messages;
mod fetch;
mod filters;
mod keys;
mod page;
mod query;
mod records;
pub(super) mod week;

use super::error::Error;
use super::route_matching::HandlerResult;
use super::user_request::UserRequest;
use crate::directory::ResourceDefinition;
use crate::http::DataClient;
use crate::http::issuer::Issuer;
use crate::http::pages::texts::Texts;
use fetch::FetchOutcome;
use keys::ActiveKeys;
use page::DataView;
pub(super) use page::filter_fields;
use query::DataQuery;
pub(super) use records::display_value;

/// Source of the school's data.
pub(super) struct DataSource {
    pub(super) client: DataClient,
    /// Public address of the data API.
    pub(super) address: Issuer,
}

/// Form in which records are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Page,
    /// A download.
    Csv,
}

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

/// `GET /data/{list}`.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    send(request, Format::Page).await
}

/// `GET /data/{list}.csv`, for lists with pages.
pub(crate) async fn download(request: &UserRequest<'_>) -> HandlerResult {
    send(request, Format::Csv).await
}

async fn send(request: &UserRequest<'_>, format: Format) -> HandlerResult {
    let server = request.server;
    let source = server.shared.data.as_ref();
    let (source, [name]) = (source.ok_or_else(Error::not_found)?, request.params());
    let lists = source.client.definitions();
    let list = *lists
        .iter()
        .find(|list| list.name == name && (format == Format::Page || list.is_paged()))
        .ok_or_else(Error::not_found)?;
    let (query, keys) = (request.query()?, ActiveKeys::load(request).await?);
    let Some(key) = keys.select(query.value("key"), list)? else {
        return page::render_without_keys(request, list);
    };
    let data_query = DataQuery::new(format, list, key.id, &query);
    let view = DataView {
        request,
        keys: &keys,
        key,
        data_query: &data_query,
    };
    match fetch::fetch(server, source, key, format, &data_query).await? {
        FetchOutcome::Error(error) => view.render_error(&error),
        FetchOutcome::Success(response) if format == Format::Csv => {
            csv_download::response(&data_query, response)
        }
        FetchOutcome::Success(response) => view.render(response).await,
    }
}
