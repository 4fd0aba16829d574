use http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderValue, Response};

use super::filter::Filter;
use super::kind_of;
use crate::http::Body;
use crate::http::console::error::Error;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::import::{Export, FileFormat, record_count};

/// `GET /admin/school/{list}.csv`: all records, or those that match a filter, for spreadsheet
/// programs.
pub(crate) async fn csv(request: &UserRequest<'_>) -> HandlerResult {
    send(request, FileFormat::Csv).await
}

/// `GET /admin/school/{list}.json`: all records, or those that match a filter.
pub(crate) async fn json(request: &UserRequest<'_>) -> HandlerResult {
    send(request, FileFormat::Json).await
}

async fn send(request: &UserRequest<'_>, format: FileFormat) -> HandlerResult {
    let (kind, management) = (kind_of(request)?, request.management());
    let (snapshot, school) = (management.school_snapshot().await?, management.school()?);
    let filter = Filter::new(school, kind, request.query()?.pairs());
    let ids = (!filter.is_empty()).then(|| filter.ids(&snapshot, kind));
    let ids = ids.transpose()?;
    let records = ids
        .as_ref()
        .map_or_else(|| record_count(&snapshot, kind), Vec::len);
    request.record_data_viewed(kind.as_str(), filter.names(school, kind), records);
    let part = if ids.is_some() { "-part" } else { "" };
    let export = Export::new(kind).format(format);
    let file = export.korean_headings().byte_order_mark();
    let file = file.write_part(school, snapshot, ids).await;
    let mut response = Response::new(Body::from(file.map_err(Error::from)?));
    let headers = response.headers_mut();
    let content_type = match format {
        FileFormat::Csv => "text/csv; charset=utf-8",
        FileFormat::Json => "application/json",
    };
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    let disposition = format!("attachment; filename=\"{kind}{part}.{format}\"");
    headers.insert(CONTENT_DISPOSITION, HeaderValue::try_from(disposition)?);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    Ok(response)
}
