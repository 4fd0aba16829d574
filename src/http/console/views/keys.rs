//! API key pages.

use askama::Template;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::{
    CodeSample, FormErrors, HiddenInput, KeyCalendars, Layout, OwnerLabel, PageLinks, Plot,
    SelectOption, grouped,
};
use crate::domain::{ApiKey, ApiScope, HiddenFields, PersonalField, PreviousValue, Timestamp};
use crate::http::console::home::EXPIRY_WARNING;
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;

/// Status of a key, as a badge.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct KeyStatusBadge {
    pub(crate) text: &'static str,
    pub(crate) kind: &'static str,
}

impl KeyStatusBadge {
    pub(crate) fn new(key: &ApiKey, now: Timestamp, text: &'static Texts) -> Self {
        let (text, kind) = if key.expires_at <= now {
            (text.key_expired, "problem")
        } else if key.expires_at.minus(EXPIRY_WARNING) <= now {
            (text.key_expires_soon, "warning")
        } else {
            (text.key_works, "good")
        };
        Self { text, kind }
    }
}

/// Row of the key list.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct KeyRow {
    pub(crate) id: String,
    pub(crate) description: String,
    /// The last characters of the current value.
    pub(crate) last_four: String,
    pub(crate) owner: Option<OwnerLabel>,
    pub(crate) scopes: Vec<String>,
    pub(crate) state: KeyStatusBadge,
    pub(crate) expires: DisplayTime,
    pub(crate) last_used: Option<DisplayTime>,
    pub(crate) requests: String,
    /// The fields that the owner asks an administrator to show.
    pub(crate) requested_fields: Vec<&'static str>,
}

impl KeyRow {
    /// Builds a row, with the owner and the requests of 30 days.
    pub(crate) fn new(
        key: &ApiKey,
        owner: Option<OwnerLabel>,
        requests: u64,
        now: Timestamp,
        text: &'static Texts,
        zone: &TimeZone,
    ) -> Self {
        Self {
            id: key.id.to_string(),
            description: key.description.to_string(),
            last_four: ApiKey::last_four(&key.hint).to_owned(),
            owner,
            scopes: key
                .scopes
                .iter()
                .map(|scope| text.domain.api_scope(scope).0.to_owned())
                .collect(),
            state: KeyStatusBadge::new(key, now, text),
            expires: DisplayTime::from_timestamp(key.expires_at, zone),
            last_used: key
                .last_used_at
                .map(|at| DisplayTime::from_timestamp(at, zone)),
            requests: grouped(requests),
            requested_fields: field_names(key.waiting_fields(), text),
        }
    }
}

/// List of the user's own or of all keys.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/keys.html")]
pub(crate) struct KeysPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) all_owners: bool,
    pub(crate) keys: Vec<KeyRow>,
    pub(crate) page_links: PageLinks,
}

/// A selectable scope.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct KeyScopeOption {
    pub(crate) value: String,
    pub(crate) label: String,
    pub(crate) hint: &'static str,
    pub(crate) is_on: bool,
}

impl KeyScopeOption {
    pub(crate) fn new(scope: &ApiScope, is_on: bool, text: &'static Texts) -> Self {
        let (label, hint) = text.domain.api_scope(scope);
        Self {
            value: scope.to_string(),
            label: label.to_owned(),
            hint,
            is_on,
        }
    }
}

/// A personal field that can be hidden from a key.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct KeyFieldOption {
    pub(crate) value: &'static str,
    pub(crate) label: &'static str,
    pub(crate) is_on: bool,
}

impl KeyFieldOption {
    pub(crate) fn new(field: PersonalField, is_on: bool, text: &'static Texts) -> Self {
        Self {
            value: field.as_str(),
            label: text.domain.personal_field(field),
            is_on,
        }
    }
}

/// The fields of a limit, as typed.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct KeyLimitFields {
    pub(crate) limit: String,
    pub(crate) window: String,
    pub(crate) burst: String,
}

/// Form for the settings of a key.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/key_edit.html")]
pub(crate) struct KeyEditPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) errors: FormErrors,
    pub(crate) address: String,
    /// The stored description.
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) scopes: Vec<KeyScopeOption>,
    /// Fields that the user may hide.
    pub(crate) hidden_fields: Vec<KeyFieldOption>,
    /// Hidden fields that the user may not show.
    pub(crate) kept_hidden: Vec<&'static str>,
    /// Protected fields that the user may ask for.
    pub(crate) requested_fields: Vec<KeyFieldOption>,
    /// The fields of the limit, if the user may change it.
    pub(crate) limit: Option<KeyLimitFields>,
    pub(crate) limit_hint: String,
    pub(crate) fields: Vec<HiddenInput>,
}

/// Form for a new key.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/key_new.html")]
pub(crate) struct KeyNewPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) scopes: Vec<KeyScopeOption>,
    pub(crate) hidden_fields: Vec<KeyFieldOption>,
    /// Protected fields that the user may ask for.
    pub(crate) requested_fields: Vec<KeyFieldOption>,
    pub(crate) limit: KeyLimitFields,
    pub(crate) has_limit: bool,
    pub(crate) layout: Layout,
    pub(crate) errors: FormErrors,
    pub(crate) description: String,
}

/// A previous value of a renewed key.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct PreviousKeyValue {
    /// Its last characters, if known.
    pub(crate) last_four: Option<String>,
    pub(crate) works_until: DisplayTime,
}

impl PreviousKeyValue {
    pub(crate) fn new(value: &PreviousValue, zone: &TimeZone) -> Self {
        Self {
            last_four: value
                .hint
                .as_ref()
                .map(|hint| ApiKey::last_four(hint).to_owned()),
            works_until: DisplayTime::from_timestamp(value.works_until, zone),
        }
    }
}

/// A decision about requested fields.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct FieldsDecisionBadge {
    pub(crate) text: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) at: DisplayTime,
}

/// Page of a key.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/key.html")]
pub(crate) struct KeyPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) id: String,
    pub(crate) description: String,
    pub(crate) warning: Option<String>,
    pub(crate) state: KeyStatusBadge,
    /// The last characters of the current value.
    pub(crate) last_four: String,
    /// Path of the list with the key, below the root.
    pub(crate) back: &'static str,
    /// Name of the owner, unless the user is the owner.
    pub(crate) owner: Option<String>,
    pub(crate) scopes: Vec<String>,
    pub(crate) hidden_fields: Vec<&'static str>,
    /// The fields that the owner asks an administrator to show, and the version of the key for the
    /// decision.
    pub(crate) requested_fields: Vec<&'static str>,
    pub(crate) version: HiddenInput,
    /// What an administrator decided about the last request, if none waits.
    pub(crate) decision: Option<FieldsDecisionBadge>,
    pub(crate) created: DisplayTime,
    pub(crate) expires: DisplayTime,
    /// Previous values that still work.
    pub(crate) previous_values: Vec<PreviousKeyValue>,
    pub(crate) last_used: Option<DisplayTime>,
    pub(crate) limit: String,
    pub(crate) usage: Plot,
    /// Its calendar feeds, if it may have any.
    pub(crate) calendars: Option<KeyCalendars>,
    /// Sample programs with a placeholder for the key.
    pub(crate) samples: Vec<CodeSample>,
}

/// Form for renewing a key.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/key_renew.html")]
pub(crate) struct KeyRenewPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) errors: FormErrors,
    pub(crate) address: String,
    pub(crate) description: String,
    pub(crate) fields: Vec<HiddenInput>,
    /// Fields that the key hides once it is renewed.
    pub(crate) hides: Vec<&'static str>,
    pub(crate) overlaps: Vec<SelectOption>,
}

/// The names of fields.
pub(crate) fn field_names(fields: HiddenFields, text: &Texts) -> Vec<&'static str> {
    fields
        .iter()
        .map(|field| text.domain.personal_field(field))
        .collect()
}
