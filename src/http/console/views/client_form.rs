//! The settings of an OAuth client, with all scopes to pick from.

use askama::Template;
use serde::Serialize;

use super::{Frame, HiddenInput, HintedChoice, Problems};
use crate::http::pages::texts::Texts;

/// A scope to pick.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct OfferedScope {
    pub(crate) scope: String,
    pub(crate) description: String,
    pub(crate) is_on: bool,
    pub(crate) can_be_chosen: bool,
    pub(crate) note: Option<&'static str>,
}

/// The scopes of one application.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct OfferedScopes {
    pub(crate) application: String,
    pub(crate) scopes: Vec<OfferedScope>,
}

/// The form for a client.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/client_form.html")]
pub(crate) struct ClientFormPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) problems: Problems,
    pub(crate) title: String,
    pub(crate) back: String,
    pub(crate) back_label: String,
    pub(crate) action: String,
    pub(crate) fields: Vec<HiddenInput>,
    pub(crate) name: String,
    pub(crate) policies: Vec<HintedChoice>,
    pub(crate) redirect_uris: String,
    pub(crate) groups: Vec<OfferedScopes>,
    pub(crate) more_is_open: bool,
    pub(crate) pkce_required: bool,
    pub(crate) plain_pkce_allowed: bool,
    pub(crate) iss_omitted: bool,
    pub(crate) client_credentials_allowed: bool,
    pub(crate) first_party: bool,
    pub(crate) button: &'static str,
}
