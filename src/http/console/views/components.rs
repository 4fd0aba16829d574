//! Components of several pages.

use std::borrow::Cow;

use askama::Template;
use serde::Serialize;

use super::Layout;
use crate::http::pages::texts::Texts;

/// A value with its label.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct LabeledValue {
    pub(crate) label: &'static str,
    pub(crate) value: String,
}

/// Option of a select box.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct SelectOption {
    pub(crate) value: String,
    pub(crate) label: Cow<'static, str>,
    pub(crate) is_on: bool,
}

/// The owner of a record, for administrators.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct OwnerLabel {
    /// Name and class, or the e-mail address of a user without a name.
    pub(crate) name: String,
    /// The e-mail address of a user with a name.
    pub(crate) email: Option<String>,
}

/// A person whom a field suggests.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct PersonOption {
    pub(crate) email: String,
    /// Name and class, as far as known.
    pub(crate) label: String,
}

/// Radio option with a hint.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct RadioOption {
    pub(crate) value: String,
    pub(crate) label: &'static str,
    pub(crate) hint: &'static str,
    pub(crate) is_on: bool,
}

/// Sample program in one language.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct CodeSample {
    pub(crate) language: &'static str,
    pub(crate) code: String,
}

/// Page with a secret that is shown only once.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/shown_once.html")]
pub(crate) struct ShownOncePage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) title: &'static str,
    pub(crate) label: &'static str,
    /// The client whose secret it is.
    pub(crate) client_id: Option<String>,
    pub(crate) secret: String,
    pub(crate) advice: Vec<String>,
    pub(crate) samples: Vec<CodeSample>,
    pub(crate) continue_href: String,
}
