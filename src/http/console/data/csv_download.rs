use http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderValue, Response};

use super::query::DataQuery;
use crate::http::Body;
use crate::http::console::route_matching::HandlerResult;

/// Header with the number of records in all parts.
const X_TOTAL_COUNT: &str = "x-total-count";

/// Returns the data API's CSV response as a download. The data API escapes formulas.
pub(super) fn response(data_query: &DataQuery<'_>, response: Response<Body>) -> HandlerResult {
    let (from_api, body) = response.into_parts();
    let total = from_api
        .headers
        .get(X_TOTAL_COUNT)
        .and_then(|total| total.to_str().ok()?.parse().ok())
        .unwrap_or(0);
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.extend(
        from_api
            .headers
            .get(CONTENT_TYPE)
            .map(|content_type| (CONTENT_TYPE, content_type.clone())),
    );
    headers.insert(
        CONTENT_DISPOSITION,
        HeaderValue::try_from(format!(
            "attachment; filename=\"{}\"",
            file_name(data_query, total)
        ))?,
    );
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    Ok(response)
}

/// Name of the file, with the number of the part if there are several.
fn file_name(data_query: &DataQuery<'_>, total: u64) -> String {
    let (word, page) = (data_query.list.name, data_query.page());
    match page.pages(total) {
        0 | 1 => format!("{word}.csv"),
        parts => format!("{word}-{}-of-{parts}.csv", u64::from(page.page()) + 1),
    }
}
