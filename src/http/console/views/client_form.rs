//! Form for the settings and scopes of an OAuth client.

use askama::Template;
use serde::Serialize;

use super::{FormErrors, HiddenInput, Layout, RadioOption};
use crate::http::pages::texts::Texts;

/// A selectable scope.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ScopeOption {
    pub(crate) scope: String,
    pub(crate) description: String,
    pub(crate) is_on: bool,
    pub(crate) is_enabled: bool,
    pub(crate) note: Option<&'static str>,
}

/// Scopes of one application.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ScopeGroup {
    pub(crate) application: String,
    pub(crate) scopes: Vec<ScopeOption>,
}

/// Form for a client.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/client_form.html")]
pub(crate) struct ClientFormPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) errors: FormErrors,
    pub(crate) title: String,
    pub(crate) back: String,
    pub(crate) back_label: String,
    pub(crate) action: String,
    pub(crate) fields: Vec<HiddenInput>,
    pub(crate) name: String,
    pub(crate) policies: Vec<RadioOption>,
    pub(crate) redirect_uris: String,
    pub(crate) policy_uri: String,
    pub(crate) groups: Vec<ScopeGroup>,
    pub(crate) more_is_open: bool,
    pub(crate) pkce_required: bool,
    pub(crate) plain_pkce_allowed: bool,
    pub(crate) iss_omitted: bool,
    pub(crate) client_credentials_allowed: bool,
    pub(crate) first_party: bool,
    pub(crate) button: &'static str,
}
