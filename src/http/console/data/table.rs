use http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderValue, Response};

use super::asked::Asked;
use crate::http::Body;
use crate::http::console::refusal::Refusal;

/// How many records there are in all tables.
const TOTAL: &str = "x-total-count";

/// The table of the data API, to keep as a file. Formulas in it are harmless.
pub(super) fn answer(asked: &Asked<'_>, response: Response<Body>) -> Result<Response<Body>, Refusal> {
    let (from_api, body) = response.into_parts();
    let total = from_api.headers.get(TOTAL).and_then(|total| total.to_str().ok()?.parse().ok()).unwrap_or(0);
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.extend(from_api.headers.get(CONTENT_TYPE).map(|content_type| (CONTENT_TYPE, content_type.clone())));
    headers.insert(CONTENT_DISPOSITION, HeaderValue::try_from(format!("attachment; filename=\"{}\"", file_name(asked, total)))?);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    Ok(response)
}

/// Tells which part it is of what is too much for one table.
fn file_name(asked: &Asked<'_>, total: u64) -> String {
    let (word, page) = (asked.list.name, asked.page());
    match page.pages(total) {
        0 | 1 => format!("{word}.csv"),
        parts => format!("{word}-{}-of-{parts}.csv", u64::from(page.page()) + 1),
    }
}
