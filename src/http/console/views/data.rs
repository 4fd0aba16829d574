//! Page of the school's data.

use askama::Template;
use serde::Serialize;

use super::{CodeSample, Layout, PageLinks, SelectOption};
use crate::http::pages::texts::Texts;

/// Link to a list.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ListLink {
    pub(crate) href: String,
    pub(crate) label: &'static str,
    pub(crate) is_current: bool,
}

/// A selectable API key.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct KeyOption {
    pub(crate) value: String,
    pub(crate) label: String,
    pub(crate) is_on: bool,
}

/// Input of a filter.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct FilterField {
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) kind: &'static str,
    /// Allowed range of a number.
    pub(crate) bounds: Option<String>,
    pub(crate) value: String,
    pub(crate) choices: Vec<SelectOption>,
    pub(crate) error: Option<&'static str>,
}

/// Column of the table, with its sort link.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct TableColumn {
    pub(crate) label: &'static str,
    pub(crate) sort_href: Option<String>,
    pub(crate) order: Option<&'static str>,
}

/// Cell of the table.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct TableCell {
    pub(crate) label: &'static str,
    pub(crate) value: String,
    pub(crate) is_hidden: bool,
}

/// Row of the table.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct TableRow {
    pub(crate) cells: Vec<TableCell>,
}

/// Records of a list, with sample requests for the same records.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/data.html")]
pub(crate) struct DataPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) kinds: Vec<ListLink>,
    pub(crate) title: &'static str,
    pub(crate) csv: Option<String>,
    pub(crate) keys: Vec<KeyOption>,
    pub(crate) action: String,
    pub(crate) filters: Vec<FilterField>,
    pub(crate) more_filters: Vec<FilterField>,
    pub(crate) more_is_open: bool,
    pub(crate) problem: Option<String>,
    pub(crate) columns: Vec<TableColumn>,
    pub(crate) rows: Vec<TableRow>,
    pub(crate) page_links: PageLinks,
    pub(crate) samples: Vec<CodeSample>,
}
