//! Inputs of the page's forms: filters, columns and downloads.

use super::fetch::ApiError;
use super::filters::{self, FILE_SIZE, Filter, InputKind};
use super::query::{COLUMNS, DataQuery, JUMP};
use super::{field_label, records};
use crate::directory::ResourceDefinition;
use crate::domain::Date;
use crate::http::console::server::Server;
use crate::http::console::views::{
    ColumnChooser, ColumnOption, DownloadForm, FilterChip, FilterField, SelectOption, grouped,
};
use crate::http::pages::texts::{LANGUAGES, Texts};

/// Headings of a file: a language, or the names of the data API.
pub(super) const HEADINGS: &str = "_headings";
/// Whether a CSV file begins with a byte-order mark.
pub(super) const BYTE_ORDER_MARK: &str = "_bom";

/// The filters of a list with these values, one of which may be invalid, and whether each is among
/// the rarely used ones.
pub(in crate::http::console) fn filter_fields<'a>(
    list: &ResourceDefinition,
    value: impl Fn(&str) -> &'a str,
    invalid: Option<&str>,
    text: &'static Texts,
) -> Vec<(FilterField, bool)> {
    let field = |filter: Filter| {
        let value = value(filter.name);
        let is_invalid = invalid == Some(filter.name);
        let field = FilterField {
            error: is_invalid.then(|| filter.rule(value, text)),
            ..filter_field(&filter, value)
        };
        (field, filter.is_advanced)
    };
    let filters = filters::for_list(list, text);
    filters.into_iter().map(field).collect()
}

/// The filters of the page's form, and whether each is among the rarely used ones.
pub(super) fn query_fields(
    data_query: &DataQuery<'_>,
    error: Option<&ApiError>,
    text: &'static Texts,
) -> Vec<(FilterField, bool)> {
    let mut filters = filters::for_list(data_query.list, text);
    filters.retain(|filter| filter.is_offered(data_query.reader));
    filters.sort_by_key(|filter| filter.is_advanced);
    let field = |filter: &Filter| {
        let field = FilterField {
            error: error.and_then(|error| error.filter_message(filter, data_query, text)),
            ..filter_field(filter, data_query.value(filter.name))
        };
        (field, filter.is_advanced)
    };
    filters.iter().map(field).collect()
}

/// The active filters, each with a link to the page without it.
pub(super) fn chips(server: &Server, data_query: &DataQuery<'_>) -> Vec<FilterChip> {
    let filters = filters::for_list(data_query.list, server.texts()).into_iter();
    let active = filters.filter(|filter| {
        !filters::is_ordering(filter.name) && !data_query.value(filter.name).is_empty()
    });
    let chip = |filter: Filter| FilterChip {
        label: filter.label,
        value: filter.words(data_query.value(filter.name)),
        href: data_query.with_page(0).with(filter.name, None).href(server),
    };
    active.map(chip).collect()
}

/// The columns among which the user chooses. The first one always stays.
pub(super) fn column_chooser(data_query: &DataQuery<'_>, text: &Texts) -> ColumnChooser {
    let shown = records::shown_fields(data_query);
    let fields = records::all_fields(data_query.list).into_iter().skip(1);
    let options: Vec<_> = fields
        .map(|field| ColumnOption {
            name: field.name,
            label: field_label(data_query.list, field.name, text),
            is_on: shown.iter().any(|shown| shown.name == field.name),
        })
        .collect();
    ColumnChooser {
        name: COLUMNS,
        summary: text.columns_shown(shown.len()),
        options,
        inputs: data_query.inputs_without(&[COLUMNS]),
    }
}

/// The form of a download of `total` records. Of a list that needs several files, the one with the
/// first record of the page is chosen.
pub(super) fn download_form(
    server: &Server,
    data_query: &DataQuery<'_>,
    total: u64,
) -> DownloadForm {
    let text = server.texts();
    let language = |texts: &&'static Texts| SelectOption {
        value: texts.language_code.to_owned(),
        label: texts.language_name.into(),
        // Readers of English are often programs.
        is_on: texts.language_code == text.language_code && text.language_code != "en",
    };
    let languages: Vec<_> = LANGUAGES.iter().map(language).collect();
    let names = SelectOption {
        value: String::new(),
        label: text.headings_of_api.into(),
        is_on: languages.iter().all(|language| !language.is_on),
    };
    let path = |format| server.href(&format!("/data/{}.{format}", data_query.list.name));
    DownloadForm {
        csv: path("csv"),
        xlsx: path("xlsx"),
        headings: HEADINGS,
        byte_order_mark: BYTE_ORDER_MARK,
        has_byte_order_mark: !names.is_on,
        options: std::iter::once(names).chain(languages).collect(),
        parts: file_parts(data_query, total),
        inputs: data_query.inputs_without(&["size", "page"]),
    }
}

/// The files of a list with more records than one file has. A file is one request to the data API,
/// so it counts once towards the limit of the key, and all its records are of one state.
fn file_parts(data_query: &DataQuery<'_>, total: u64) -> Vec<SelectOption> {
    let size = u64::from(FILE_SIZE);
    if !data_query.list.is_paged() || total <= size {
        return Vec::new();
    }
    let last = (total - 1) / size;
    let shown = (data_query.page().offset() / size).min(last);
    let part = |part: u64| SelectOption {
        value: part.to_string(),
        label: format!(
            "{}–{}",
            grouped(part * size + 1),
            grouped(total.min((part + 1) * size))
        )
        .into(),
        is_on: part == shown,
    };
    (0..=last).map(part).collect()
}

/// Names of the parameters that the filter form replaces: those that it sends, and filters by fields
/// that the key hides, which it drops.
pub(super) fn form_names(
    data_query: &DataQuery<'_>,
    fields: &[(FilterField, bool)],
) -> Vec<&'static str> {
    let hidden = data_query.reader.hidden();
    let is_hidden = |field| hidden.contains(field);
    let parameters = data_query.list.parameters.iter();
    let dropped = parameters.filter(|parameter| parameter.personal.is_some_and(is_hidden));
    let fields = fields.iter().map(|(field, _)| field.name);
    fields
        .chain(dropped.map(|parameter| parameter.name))
        .chain(["key", "page", JUMP])
        .collect()
}

fn filter_field(filter: &Filter, value: &str) -> FilterField {
    FilterField {
        name: filter.name,
        label: filter.label,
        kind: input_type(&filter.field, value),
        placeholder: bounds(filter).map(|(low, high)| format!("{low}–{high}")),
        bounds: bounds(filter),
        value: value.to_owned(),
        choices: choices(filter, value),
        error: None,
    }
}

/// The numbers that a filter accepts.
const fn bounds(filter: &Filter) -> Option<(i64, i64)> {
    match filter.field {
        InputKind::Number(bounds) => bounds,
        _ => None,
    }
}

/// Type of an input in the template. A browser shows only numbers and dates in inputs of those types.
fn input_type(field: &InputKind, value: &str) -> &'static str {
    match field {
        InputKind::Number(_) if value.is_empty() || value.parse::<i64>().is_ok() => "number",
        InputKind::Date if value.is_empty() || value.parse::<Date>().is_ok() => "date",
        InputKind::Choice(_) => "choice",
        InputKind::Text | InputKind::Number(_) | InputKind::Date => "text",
    }
}

/// Options of a filter, with the current one selected.
fn choices(filter: &Filter, value: &str) -> Vec<SelectOption> {
    let InputKind::Choice(words) = &filter.field else {
        return Vec::new();
    };
    let selected = words
        .iter()
        .position(|(word, _)| word.eq_ignore_ascii_case(value))
        .unwrap_or(0);
    words
        .iter()
        .enumerate()
        .map(|(index, (word, label))| SelectOption {
            value: word.clone(),
            label: label.clone(),
            is_on: index == selected,
        })
        .collect()
}
