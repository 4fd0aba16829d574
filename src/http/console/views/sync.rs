//! The page about the sync.

use askama::Template;
use serde::Serialize;

use super::Layout;
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;

/// Row of a kind of records.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct SyncKindRow {
    pub(crate) name: &'static str,
    /// When the kind was last confirmed to be current.
    pub(crate) as_of: Option<DisplayTime>,
    pub(crate) age: String,
    /// Whether a sync should have confirmed it since.
    pub(crate) is_old: bool,
}

/// Row of a run.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct SyncRunRow {
    pub(crate) at: DisplayTime,
    pub(crate) kind: &'static str,
    pub(crate) by: String,
    pub(crate) badge_kind: &'static str,
    pub(crate) result: &'static str,
    /// The reason of a failure, as in the log.
    pub(crate) detail: String,
    pub(crate) inserted: u32,
    pub(crate) updated: u32,
    pub(crate) deleted: u32,
    pub(crate) skipped: u32,
}

/// How current each kind of records is, and the last runs.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/sync.html")]
pub(crate) struct SyncPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) is_running: bool,
    pub(crate) kinds: Vec<SyncKindRow>,
    pub(crate) runs: Vec<SyncRunRow>,
}
