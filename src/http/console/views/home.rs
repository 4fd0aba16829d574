use askama::Template;

use super::Frame;
use crate::http::pages::texts::Texts;

/// The start page.
#[derive(Debug, Template)]
#[template(path = "console/home.html")]
pub(in crate::http::console) struct HomePage {
    pub(in crate::http::console) text: &'static Texts,
    pub(in crate::http::console) frame: Frame,
    pub(in crate::http::console) attention: Vec<Attention>,
    /// How many clients have access.
    pub(in crate::http::console) apps: usize,
    pub(in crate::http::console) keys: u64,
    pub(in crate::http::console) applications: u64,
    pub(in crate::http::console) clients: u64,
}

/// Something that should not wait.
#[derive(Debug)]
pub(in crate::http::console) struct Attention {
    /// How bad it is: `warning` or `problem`.
    pub(in crate::http::console) kind: &'static str,
    pub(in crate::http::console) message: String,
    /// Where it is mended, below the root.
    pub(in crate::http::console) href: String,
    pub(in crate::http::console) action: &'static str,
}
