use std::sync::Arc;

use bytes::Bytes;
use http::header::{ACCEPT, RETRY_AFTER};
use http::{HeaderValue, Request, Response, StatusCode};
use http_body_util::BodyExt;
use serde_json::Value;

use super::DataSource;
use super::query::DataQuery;
use super::reader::Reader;
use crate::directory::ResourceDefinition;
use crate::http::console::error::Error;
use crate::http::console::server::Server;
use crate::http::{Body, ClientAddress, FailureCause};

/// Result of a call to the data API.
pub(super) enum FetchOutcome {
    Success(Response<Body>),
    Error(ApiError),
}

/// Error response of the data API, which logs and counts it itself.
#[derive(Debug)]
pub(super) struct ApiError {
    pub(super) status: StatusCode,
    pub(super) reason: String,
    pub(super) parameter: Option<String>,
    pub(super) retry_after: Option<HeaderValue>,
}

/// Records of one page, and the number of records on all pages.
#[derive(Debug)]
pub(super) struct RecordPage {
    pub(super) records: Vec<Value>,
    pub(super) total: u64,
}

/// Calls the data API with the user's authority and client address.
pub(super) async fn fetch(
    server: &Server,
    source: &DataSource,
    reader: &Reader,
    target: &str,
) -> Result<FetchOutcome, Error> {
    let mut request = Request::get(target)
        .header(ACCEPT, "application/json")
        .body(())
        .map_err(Error::internal)?;
    if let Some(address) = server.context.address {
        request.extensions_mut().insert(ClientAddress(address));
    }
    let client = &source.client;
    let response = match reader {
        Reader::Key { key, limit, .. } => {
            let key = Arc::clone(key);
            client.call_with_key(key, *limit, request).await
        }
        Reader::Administrator => client.call_as_server(request).await,
    };
    match response.status() {
        StatusCode::OK => Ok(FetchOutcome::Success(response)),
        // The key was revoked meanwhile, or the data API has another clock.
        StatusCode::UNAUTHORIZED => Err(Error::not_found()),
        status if status.is_server_error() => Err(upstream_error(&response)),
        status => api_error(status, response).await.map(FetchOutcome::Error),
    }
}

/// Extracts the requested page. Lists that the data API does not paginate are paginated here.
pub(super) async fn record_page(
    data_query: &DataQuery<'_>,
    response: Response<Body>,
) -> Result<RecordPage, Error> {
    let (data, records) = read_records(data_query.list, response).await?;
    if let Some(total) = data["totalElements"].as_u64() {
        return Ok(RecordPage { records, total });
    }
    let (total, page) = (records.len() as u64, data_query.page());
    let before = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    Ok(RecordPage {
        records: records
            .into_iter()
            .skip(before)
            .take(page.size() as usize)
            .collect(),
        total,
    })
}

/// Extracts all records of a list that the data API does not paginate.
pub(super) async fn all_records(
    list: &ResourceDefinition,
    response: Response<Body>,
) -> Result<Vec<Value>, Error> {
    Ok(read_records(list, response).await?.1)
}

/// The response's data without the records, and the records.
async fn read_records(
    list: &ResourceDefinition,
    response: Response<Body>,
) -> Result<(Value, Vec<Value>), Error> {
    let mut data = read_json(response).await?["data"].take();
    let Value::Array(records) = data[list.name].take() else {
        return Err(Error::internal("the data API returned no list"));
    };
    Ok((data, records))
}

async fn api_error(status: StatusCode, response: Response<Body>) -> Result<ApiError, Error> {
    let retry_after = response.headers().get(RETRY_AFTER).cloned();
    let error = read_json(response).await?;
    let text = |name: &str| error[name].as_str().map(str::to_owned);
    Ok(ApiError {
        status,
        reason: text("reason").unwrap_or_default(),
        parameter: text("parameter"),
        retry_after,
    })
}

async fn read_json(response: Response<Body>) -> Result<Value, Error> {
    serde_json::from_slice(&read_body(response).await).map_err(Error::internal)
}

pub(super) async fn read_body(response: Response<Body>) -> Bytes {
    let body = response.into_body().collect().await;
    body.unwrap_or_else(|never| match never {}).to_bytes()
}

fn upstream_error(response: &Response<Body>) -> Error {
    let error = match response.status() {
        StatusCode::SERVICE_UNAVAILABLE => Error::unavailable(),
        _ => Error::internal("the data API failed"),
    };
    match response.extensions().get::<FailureCause>() {
        Some(cause) => error.with_cause(cause.clone()),
        None => error,
    }
}
