//! What several pages have.

use std::borrow::Cow;

use askama::Template;
use serde::Serialize;

use super::Frame;
use crate::http::pages::texts::Texts;

/// Something that is known.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Fact {
    pub(crate) label: &'static str,
    pub(crate) value: String,
}

/// One of several things to choose.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Choice {
    pub(crate) value: String,
    pub(crate) label: Cow<'static, str>,
    pub(crate) is_on: bool,
}

/// One of several things to choose, with what it means.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct HintedChoice {
    pub(crate) value: String,
    pub(crate) label: &'static str,
    pub(crate) hint: &'static str,
    pub(crate) is_on: bool,
}

/// The same in one of several languages of programmers.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Sample {
    pub(crate) language: &'static str,
    pub(crate) code: String,
}

/// A secret, which nobody is shown again.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/shown_once.html")]
pub(crate) struct ShownOncePage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) title: &'static str,
    pub(crate) label: &'static str,
    pub(crate) secret: String,
    pub(crate) advice: Vec<String>,
    pub(crate) samples: Vec<Sample>,
    pub(crate) next: String,
}
