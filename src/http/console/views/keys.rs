//! API keys.

use askama::Template;

use super::{Choice, Frame, Pages, Problems};
use crate::domain::{ApiScope, PersonalField};
use crate::http::pages::Moment;
use crate::http::pages::texts::Texts;

/// A key in a list.
#[derive(Debug, Clone)]
pub(crate) struct KeyRow {
    pub(crate) id: String,
    pub(crate) description: String,
    pub(crate) hint: String,
    pub(crate) owner: Option<String>,
    pub(crate) scopes: Vec<&'static str>,
    pub(crate) state: &'static str,
    pub(crate) state_kind: &'static str,
    pub(crate) expires: Moment,
    pub(crate) last_used: Option<Moment>,
    pub(crate) requests: u64,
}

/// Somebody's keys, or everybody's.
#[derive(Debug, Template)]
#[template(path = "console/keys.html")]
pub(crate) struct KeysPage {
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) everyone: bool,
    pub(crate) keys: Vec<KeyRow>,
    pub(crate) pages: Pages,
}

/// A scope that a key may have.
#[derive(Debug, Clone)]
pub(crate) struct KeyScopeChoice {
    pub(crate) word: &'static str,
    pub(crate) label: &'static str,
    pub(crate) hint: &'static str,
    pub(crate) is_on: bool,
}

impl KeyScopeChoice {
    pub(crate) fn of(scope: ApiScope, is_on: bool, text: &'static Texts) -> Self {
        Self { word: scope.as_str(), label: text.words.api_scope(scope), hint: text.words.api_scope_hint(scope), is_on }
    }
}

/// A field that a key may do without.
#[derive(Debug, Clone)]
pub(crate) struct KeyFieldChoice {
    pub(crate) word: &'static str,
    pub(crate) label: &'static str,
    pub(crate) is_on: bool,
}

impl KeyFieldChoice {
    pub(crate) fn of(field: PersonalField, is_on: bool, text: &'static Texts) -> Self {
        Self { word: field.as_str(), label: text.words.personal_field(field), is_on }
    }
}

/// The form for a new key.
#[derive(Debug, Template)]
#[template(path = "console/key_new.html")]
pub(crate) struct KeyNewPage {
    pub(crate) text: &'static Texts,
    pub(crate) scopes: Vec<KeyScopeChoice>,
    pub(crate) hidden_fields: Vec<KeyFieldChoice>,
    pub(crate) rate_limit: String,
    pub(crate) rate_window: String,
    pub(crate) rate_burst: String,
    pub(crate) has_limit: bool,
    pub(crate) frame: Frame,
    pub(crate) problems: Problems,
    pub(crate) description: String,
}

/// What a key was used on one day, as a bar of the chart.
#[derive(Debug, Clone)]
pub(crate) struct UsageDay {
    pub(crate) x: u64,
    pub(crate) height: f64,
    pub(crate) y: f64,
    pub(crate) date: Moment,
    pub(crate) requests: u64,
}

/// What a key was used on the last days.
#[derive(Debug, Clone)]
pub(crate) struct Usage {
    pub(crate) summary: String,
    pub(crate) most: u64,
    pub(crate) first: Moment,
    pub(crate) last: Moment,
    pub(crate) days: Vec<UsageDay>,
}

/// One key.
#[derive(Debug, Template)]
#[template(path = "console/key.html")]
pub(crate) struct KeyPage {
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) problems: Problems,
    pub(crate) id: String,
    pub(crate) description: String,
    pub(crate) is_alive: bool,
    pub(crate) warning: Option<String>,
    pub(crate) state: &'static str,
    pub(crate) state_kind: &'static str,
    pub(crate) hint: String,
    pub(crate) owner: Option<String>,
    pub(crate) scopes: Vec<&'static str>,
    pub(crate) hidden_fields: Vec<&'static str>,
    pub(crate) created: Moment,
    pub(crate) expires: Moment,
    pub(crate) previous_until: Option<Moment>,
    pub(crate) last_used: Option<Moment>,
    pub(crate) limit: String,
    pub(crate) usage: Usage,
}

/// The form for another value of a key.
#[derive(Debug, Template)]
#[template(path = "console/key_renew.html")]
pub(crate) struct KeyRenewPage {
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) problems: Problems,
    pub(crate) address: String,
    pub(crate) description: String,
    pub(crate) overlaps: Vec<Choice>,
}
