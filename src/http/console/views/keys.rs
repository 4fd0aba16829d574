//! API keys.

use askama::Template;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::{Choice, Frame, HiddenInput, Pages, Problems, Usage};
use crate::domain::{ApiKey, ApiScope, PersonalField, PreviousValue, Timestamp};
use crate::http::console::home::SOON;
use crate::http::pages::Moment;
use crate::http::pages::texts::Texts;

/// Whether a key works, as a badge.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct KeyState {
    pub(crate) text: &'static str,
    pub(crate) kind: &'static str,
}

impl KeyState {
    pub(crate) fn of(key: &ApiKey, now: Timestamp, text: &'static Texts) -> Self {
        let (text, kind) = if key.expires_at <= now {
            (text.key_expired, "problem")
        } else if key.expires_at.minus(SOON) <= now {
            (text.key_expires_soon, "warning")
        } else {
            (text.key_works, "good")
        };
        Self { text, kind }
    }
}

/// A key in a list.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct KeyRow {
    pub(crate) id: String,
    pub(crate) description: String,
    pub(crate) hint: String,
    pub(crate) owner: Option<String>,
    pub(crate) scopes: Vec<String>,
    pub(crate) state: KeyState,
    pub(crate) expires: Moment,
    pub(crate) last_used: Option<Moment>,
    pub(crate) requests: u64,
}

impl KeyRow {
    /// A key with what people know its owner by, and its requests of 30 days.
    pub(crate) fn of(key: &ApiKey, owner: Option<String>, requests: u64, now: Timestamp, text: &'static Texts, zone: &TimeZone) -> Self {
        Self {
            id: key.id.to_string(),
            description: key.description.to_string(),
            hint: key.hint.clone(),
            owner,
            scopes: key.scopes.iter().map(|scope| text.words.api_scope(scope).0.to_owned()).collect(),
            state: KeyState::of(key, now, text),
            expires: Moment::at(key.expires_at, zone),
            last_used: key.last_used_at.map(|at| Moment::at(at, zone)),
            requests,
        }
    }
}

/// Somebody's keys, or everybody's.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/keys.html")]
pub(crate) struct KeysPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) everyone: bool,
    pub(crate) keys: Vec<KeyRow>,
    pub(crate) pages: Pages,
}

/// A scope that a key may have.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct KeyScopeChoice {
    pub(crate) word: String,
    pub(crate) label: String,
    pub(crate) hint: &'static str,
    pub(crate) is_on: bool,
}

impl KeyScopeChoice {
    pub(crate) fn of(scope: &ApiScope, is_on: bool, text: &'static Texts) -> Self {
        let (label, hint) = text.words.api_scope(scope);
        Self { word: scope.to_string(), label: label.to_owned(), hint, is_on }
    }
}

/// A field that a key may do without.
#[derive(Debug, Clone, Serialize)]
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
#[derive(Debug, Serialize, Template)]
#[template(path = "console/key_new.html")]
pub(crate) struct KeyNewPage {
    #[serde(skip)]
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

/// A value of a key from before a renewal.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct KeyValue {
    /// Its first eight and last four characters, if they are known.
    pub(crate) hint: Option<String>,
    pub(crate) works_until: Moment,
}

impl KeyValue {
    pub(crate) fn of(value: &PreviousValue, zone: &TimeZone) -> Self {
        Self { hint: value.hint.clone(), works_until: Moment::at(value.works_until, zone) }
    }
}

/// One key.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/key.html")]
pub(crate) struct KeyPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) id: String,
    pub(crate) description: String,
    pub(crate) warning: Option<String>,
    pub(crate) state: KeyState,
    pub(crate) hint: String,
    /// The list that it is in, below the root.
    pub(crate) back: &'static str,
    /// Whose it is, if it is not one's own.
    pub(crate) owner: Option<String>,
    pub(crate) scopes: Vec<String>,
    pub(crate) hidden_fields: Vec<&'static str>,
    pub(crate) created: Moment,
    pub(crate) expires: Moment,
    /// The values from before renewals that still work.
    pub(crate) previous: Vec<KeyValue>,
    pub(crate) last_used: Option<Moment>,
    pub(crate) limit: String,
    pub(crate) usage: Usage,
}

/// The form for another value of a key.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/key_renew.html")]
pub(crate) struct KeyRenewPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) frame: Frame,
    pub(crate) problems: Problems,
    pub(crate) address: String,
    pub(crate) description: String,
    pub(crate) fields: Vec<HiddenInput>,
    pub(crate) overlaps: Vec<Choice>,
}
