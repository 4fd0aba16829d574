use askama::Template;
use serde::Serialize;

use super::Frame;
use crate::http::pages::texts::Texts;

/// The start page.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/home.html")]
pub(crate) struct HomePage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) attention: Vec<Attention>,
    /// How many clients have access.
    pub(crate) apps: usize,
    pub(crate) keys: u64,
    pub(crate) applications: u64,
    pub(crate) clients: u64,
}

/// Something that should not wait.
#[derive(Debug, Serialize)]
pub(crate) struct Attention {
    /// How bad it is: `warning` or `problem`.
    pub(crate) kind: &'static str,
    pub(crate) message: String,
    /// Where it is mended, below the root.
    pub(crate) href: String,
    pub(crate) action: &'static str,
}
