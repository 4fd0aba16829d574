use std::sync::Arc;

use http::header::{ACCEPT, RETRY_AFTER};
use http::{HeaderValue, Request, Response, StatusCode};
use http_body_util::BodyExt;
use serde_json::Value;

use super::asked::Asked;
use super::{Place, Source};
use crate::domain::ApiKey;
use crate::http::console::refusal::Refusal;
use crate::http::console::server::Server;
use crate::http::{Body, ClientAddress, FailureCause};

/// What the data API says.
pub(super) enum Outcome {
    Answered(Response<Body>),
    Refused(Fault),
}

/// Why the data API does not answer. Its own log and metrics tell of that.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) status: StatusCode,
    pub(super) reason: String,
    pub(super) parameter: Option<String>,
    pub(super) retry_after: Option<HeaderValue>,
}

/// The records of a page, and how many there are on all pages.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) records: Vec<Value>,
    pub(super) total: u64,
}

/// Asks the data API, as the key and from where the person is.
pub(super) async fn ask(server: &Server, source: &Source, key: &Arc<ApiKey>, place: Place, asked: &Asked<'_>) -> Result<Outcome, Refusal> {
    let format = if place == Place::Table { "text/csv" } else { "application/json" };
    let mut request = Request::get(asked.request()).header(ACCEPT, format).body(()).map_err(Refusal::failure)?;
    if let Some(address) = server.visit.origin.address {
        request.extensions_mut().insert(ClientAddress(address));
    }
    let response = source.room.answer_to(Arc::clone(key), request).await;
    match response.status() {
        StatusCode::OK => Ok(Outcome::Answered(response)),
        // It was revoked in between, or the data API has another clock.
        StatusCode::UNAUTHORIZED => Err(Refusal::not_found()),
        status if status.is_server_error() => Err(failed(&response)),
        status => fault(status, response).await.map(Outcome::Refused),
    }
}

/// The page that is asked for of what the data API answers. What it does not have by the page, we do.
pub(super) async fn found(asked: &Asked<'_>, response: Response<Body>) -> Result<Found, Refusal> {
    let mut data = read(response).await?["data"].take();
    let Value::Array(records) = data[asked.list.name].take() else { return Err(Refusal::failure("the data API answers with no list")) };
    if let Some(total) = data["totalElements"].as_u64() {
        return Ok(Found { records, total });
    }
    let (total, page) = (records.len() as u64, asked.page());
    let before = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    Ok(Found { records: records.into_iter().skip(before).take(page.size() as usize).collect(), total })
}

async fn fault(status: StatusCode, response: Response<Body>) -> Result<Fault, Refusal> {
    let retry_after = response.headers().get(RETRY_AFTER).cloned();
    let error = read(response).await?;
    let text = |name: &str| error[name].as_str().map(str::to_owned);
    Ok(Fault { status, reason: text("reason").unwrap_or_default(), parameter: text("parameter"), retry_after })
}

async fn read(response: Response<Body>) -> Result<Value, Refusal> {
    let body = response.into_body().collect().await.unwrap_or_else(|never| match never {});
    serde_json::from_slice(&body.to_bytes()).map_err(Refusal::failure)
}

fn failed(response: &Response<Body>) -> Refusal {
    let refusal = match response.status() {
        StatusCode::SERVICE_UNAVAILABLE => Refusal::unavailable(),
        _ => Refusal::failure("the data API failed"),
    };
    match response.extensions().get::<FailureCause>() {
        Some(cause) => refusal.caused_by(cause.clone()),
        None => refusal,
    }
}
