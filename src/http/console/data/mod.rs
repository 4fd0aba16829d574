//! The school's data, fetched from the data API with one of the user's own keys, or by an
//! administrator without one.

pub(super) mod choices;
mod download;
mod empty;
mod error_messages;
mod fetch;
mod filters;
mod form_inputs;
mod page;
mod query;
mod reader;
mod record_page;
mod records;
mod table_file;
pub(super) mod week;
mod xlsx;

use super::error::Error;
use super::route_matching::HandlerResult;
use super::user_request::UserRequest;
use crate::directory::ResourceDefinition;
use crate::http::DataClient;
use crate::http::issuer::Issuer;
use crate::http::pages::texts::Texts;
use download::FileFormat;
use fetch::FetchOutcome;
pub(super) use form_inputs::filter_fields;
use page::DataView;
use query::DataQuery;
use reader::{Reader, Readers};
pub(super) use record_page::show as show_record;
pub(super) use records::display_value;

/// Source of the school's data.
pub(super) struct DataSource {
    pub(super) client: DataClient,
    /// Public address of the data API.
    pub(super) address: Issuer,
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
    send(request, None).await
}

/// `GET /data/{list}.csv`.
pub(crate) async fn download_csv(request: &UserRequest<'_>) -> HandlerResult {
    send(request, Some(FileFormat::Csv)).await
}

/// `GET /data/{list}.xlsx`.
pub(crate) async fn download_xlsx(request: &UserRequest<'_>) -> HandlerResult {
    send(request, Some(FileFormat::Xlsx)).await
}

async fn send(request: &UserRequest<'_>, format: Option<FileFormat>) -> HandlerResult {
    let server = request.server;
    let [name] = request.params();
    let (source, list) = (source(request)?, find_list(request, name)?);
    let (query, readers) = (request.query()?, Readers::load(request).await?);
    let Some(reader) = readers.select(query.value("key"), list)? else {
        return page::render_without_keys(request, list);
    };
    let size = match format {
        None => filters::DEFAULT_PAGE_SIZE,
        Some(_) => filters::FILE_SIZE,
    };
    let data_query = DataQuery::new(size, list, &reader, &query);
    let view = DataView {
        request,
        readers: &readers,
        data_query: &data_query,
    };
    let target = data_query.request_target();
    let response = match fetch::fetch(server, source, &reader, &target).await? {
        FetchOutcome::Error(error) => return view.render_error(&error),
        FetchOutcome::Success(response) => response,
    };
    let (response, records) = match format {
        None => view.render(response).await?,
        Some(format) => download::response(request, &data_query, format, response).await?,
    };
    let filters = data_query.filter_names();
    record_look(request, &reader, list, filters, records);
    Ok(response)
}

fn source<'a>(request: &'a UserRequest<'_>) -> Result<&'a DataSource, Error> {
    let source = request.server.shared.data.as_ref();
    source.ok_or_else(Error::not_found)
}

fn find_list<'a>(
    request: &'a UserRequest<'_>,
    name: &str,
) -> Result<&'a ResourceDefinition, Error> {
    let lists = source(request)?.client.definitions();
    let list = lists.into_iter().find(|list| list.name == name);
    list.ok_or_else(Error::not_found)
}

/// Records a look with the authority of an administrator's role, and none with an API key.
fn record_look(
    request: &UserRequest<'_>,
    reader: &Reader,
    list: &ResourceDefinition,
    filters: Vec<&'static str>,
    records: usize,
) {
    if matches!(reader, Reader::Administrator) {
        request.record_data_viewed(list.name, filters, records);
    }
}
