//! The school's data.

use askama::Template;
use serde::Serialize;

use super::{Choice, Frame, Pages, Sample};
use crate::http::pages::texts::Texts;

/// A kind of record.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct DataKind {
    pub(crate) href: String,
    pub(crate) label: &'static str,
    pub(crate) is_here: bool,
}

/// A key to look with.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct KeyChoice {
    pub(crate) value: String,
    pub(crate) label: String,
    pub(crate) is_on: bool,
}

/// Something to look for.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Filter {
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) kind: &'static str,
    /// The numbers that there are.
    pub(crate) bounds: Option<String>,
    pub(crate) value: String,
    pub(crate) choices: Vec<Choice>,
    pub(crate) fault: Option<&'static str>,
}

/// A column, and how to sort by it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Column {
    pub(crate) label: &'static str,
    pub(crate) sort_href: Option<String>,
    pub(crate) order: Option<&'static str>,
}

/// A value of a record.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Cell {
    pub(crate) label: &'static str,
    pub(crate) value: String,
    pub(crate) is_hidden: bool,
}

/// A record.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Row {
    pub(crate) cells: Vec<Cell>,
}

/// Records of the school, and the request that has the same.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/data.html")]
pub(crate) struct DataPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) kinds: Vec<DataKind>,
    pub(crate) title: &'static str,
    pub(crate) csv: Option<String>,
    pub(crate) keys: Vec<KeyChoice>,
    pub(crate) action: String,
    pub(crate) filters: Vec<Filter>,
    pub(crate) more_filters: Vec<Filter>,
    pub(crate) more_is_open: bool,
    pub(crate) problem: Option<String>,
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Row>,
    pub(crate) pages: Pages,
    pub(crate) samples: Vec<Sample>,
}
