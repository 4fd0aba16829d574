//! Downloads of a list as files for spreadsheet programs.

use std::collections::BTreeMap;

use http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderValue, Response};
use serde_json::value::RawValue;

use super::form_inputs::{BYTE_ORDER_MARK, HEADINGS};
use super::query::DataQuery;
use super::table_file::TableFile;
use super::{fetch, xlsx};
use crate::http::Body;
use crate::http::console::error::Error;
use crate::http::console::user_request::UserRequest;
use crate::http::pages::texts::LANGUAGES;

/// Format of a file.
#[derive(Debug, Clone, Copy)]
pub(super) enum FileFormat {
    Csv,
    Xlsx,
}

impl FileFormat {
    const fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
        }
    }

    const fn content_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8; header=present",
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        }
    }
}

/// Members of a response of the data API. Records stay JSON texts, because the order of their
/// members matters.
type Members<'a> = BTreeMap<&'a str, &'a RawValue>;

/// Returns the records of the data API's response as a file, and how many they are.
pub(super) async fn response(
    request: &UserRequest<'_>,
    data_query: &DataQuery<'_>,
    format: FileFormat,
    response: Response<Body>,
) -> Result<(Response<Body>, usize), Error> {
    let query = request.query()?;
    let body = fetch::read_body(response).await;
    let no_list = || Error::internal("the data API returned no list");
    let envelope: Members<'_> = serde_json::from_slice(&body).map_err(Error::internal)?;
    let data = envelope.get("data").ok_or_else(no_list)?;
    let data: Members<'_> = serde_json::from_str(data.get()).map_err(Error::internal)?;
    let list = data.get(data_query.list.name).ok_or_else(no_list)?;
    let found: Vec<&RawValue> = serde_json::from_str(list.get()).map_err(Error::internal)?;
    let total = data
        .get("totalElements")
        .and_then(|total| total.get().parse().ok())
        .unwrap_or(0);
    let language = query.value(HEADINGS).and_then(|code| {
        let mut languages = LANGUAGES.iter();
        languages.find(|texts| texts.language_code == code)
    });
    let table = match language {
        Some(text) => TableFile::in_words(data_query, &found, text)?,
        None => TableFile::as_api(data_query, &found)?,
    };
    let file = match format {
        FileFormat::Csv => table.into_csv(query.value(BYTE_ORDER_MARK).is_some())?,
        FileFormat::Xlsx => xlsx::workbook(&table)?,
    };
    let mut response = Response::new(Body::from(file));
    let headers = response.headers_mut();
    let disposition = format!(
        "attachment; filename=\"{}\"",
        file_name(data_query, total, format)
    );
    headers.insert(
        CONTENT_TYPE,
        HeaderValue::from_static(format.content_type()),
    );
    headers.insert(CONTENT_DISPOSITION, HeaderValue::try_from(disposition)?);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    Ok((response, found.len()))
}

/// Name of the file, with the number of the part if there are several. A list that the data API
/// does not paginate is one file.
fn file_name(data_query: &DataQuery<'_>, total: u64, format: FileFormat) -> String {
    let (word, page, extension) = (data_query.list.name, data_query.page(), format.extension());
    match page.pages(total) {
        parts if parts > 1 && data_query.list.is_paged() => {
            format!(
                "{word}-{}-of-{parts}.{extension}",
                u64::from(page.page()) + 1
            )
        }
        _ => format!("{word}.{extension}"),
    }
}
