//! Fields that the forms of a new key and of an existing one share.

use http::StatusCode;

use crate::domain::{
    ApiKey, ApiKeySettings, ApiScopes, HiddenFields, InvalidValue, PersonalField, Quota, ShortText,
};
use crate::http::audit::RefusalRule;
use crate::http::console::form::Form;
use crate::http::console::views::{
    FormErrors, KeyFieldOption, KeyLimitFields, KeyScopeOption, grouped,
};
use crate::http::management::{DEFAULT_WINDOW, Rejection, parse_api_scopes, parse_quota};
use crate::http::pages::texts::Texts;

/// The fields with several values.
pub(super) const REPEATED: &[&str] = &["scopes", "hidden_fields", "requested_fields"];

/// The most calls in a second that a limit can allow.
const CALLS_IN_A_SECOND: u64 = 1_000_000;

/// Fields that can have an error message.
const WITH_MESSAGES: &[&str] = &[
    "description",
    "scopes",
    "rate_limit",
    "rate_window",
    "rate_burst",
];

/// Parses the submitted settings, or returns all rejections.
pub(super) fn parse(typed: &Form<'_>, known: &ApiScopes) -> Result<ApiKeySettings, Vec<Rejection>> {
    let names: Vec<String> = typed.values("scopes").map(str::to_owned).collect();
    match (
        description(typed),
        parse_api_scopes(&names, known),
        personal_fields(typed, "hidden_fields", "hiddenFields"),
        personal_fields(typed, "requested_fields", "requestedFields"),
        quota(typed),
    ) {
        (Ok(description), Ok(scopes), Ok(hidden), Ok(requested), Ok(quota)) => Ok(ApiKeySettings {
            description,
            scopes,
            hidden,
            requested,
            quota,
        }),
        (one, two, three, four, five) => {
            let errors = [one.err(), two.err(), three.err(), four.err(), five.err()];
            Err(errors.into_iter().flatten().collect())
        }
    }
}

fn description(typed: &Form<'_>) -> Result<ShortText, Rejection> {
    match typed.field("description").unwrap_or_default() {
        "" => Err(Rejection::missing("description")),
        text => text
            .parse()
            .map_err(|rule| Rejection::invalid("description", &rule)),
    }
}

fn personal_fields(
    typed: &Form<'_>,
    name: &str,
    known_as: &'static str,
) -> Result<HiddenFields, Rejection> {
    let fields: Result<_, InvalidValue> = typed.values(name).map(str::parse).collect();
    fields.map_err(|rule| Rejection::invalid(known_as, &rule))
}

fn quota(typed: &Form<'_>) -> Result<Option<Quota>, Rejection> {
    let number = |name, known_as| match typed.field(name).unwrap_or_default() {
        "" => Ok(None),
        text => text.parse().map(Some).map_err(|_| {
            Rejection::invalid(known_as, &InvalidValue::new("must be a whole number"))
        }),
    };
    parse_quota(
        number("rate_limit", "rateLimit")?,
        number("rate_window", "rateWindowSeconds")?,
        number("rate_burst", "rateBurst")?,
    )
}

/// Status, rule and messages of a form that was rejected, in which the user may set at most the
/// limit `most`; `None` for administrators.
pub(super) fn errors(
    typed: &Form<'_>,
    rejections: &[Rejection],
    most: Option<Quota>,
    text: &'static Texts,
) -> (StatusCode, RefusalRule, FormErrors) {
    let (status, rule) = rejections.first().map_or(
        (StatusCode::BAD_REQUEST, RefusalRule::FieldInvalid),
        |rejection| (rejection.status, rejection.rule),
    );
    let mut errors = FormErrors::from_rejections(rejections, WITH_MESSAGES, text);
    for rejection in rejections {
        if let Some((name, message)) = own_message(typed, rejection, most, text) {
            errors.replace(name, message);
        }
    }
    (status, rule, errors)
}

/// The field and the message of a rejection that says what is allowed.
fn own_message(
    typed: &Form<'_>,
    rejection: &Rejection,
    most: Option<Quota>,
    text: &'static Texts,
) -> Option<(&'static str, String)> {
    let number = |name| {
        typed
            .field(name)
            .and_then(|typed| typed.parse::<u64>().ok())
    };
    let errors = &text.errors;
    match (rejection.rule, rejection.field?) {
        (RefusalRule::AdministratorsOnly, "scopes") => {
            Some(("scopes", errors.key_scopes.to_owned()))
        }
        (RefusalRule::AdministratorsOnly, "rateWindowSeconds") => {
            let (most, limit) = (most?, number("rate_limit")?);
            let least = (limit * most.window().as_secs()).div_ceil(most.limit().into());
            Some(("rate_window", errors.owner_at_least(grouped(least))))
        }
        (rule @ (RefusalRule::AdministratorsOnly | RefusalRule::FieldInvalid), field) => {
            let window = number("rate_window").filter(|window| *window > 0);
            let window = window.unwrap_or(DEFAULT_WINDOW.as_secs());
            let (name, largest) = match (field, most) {
                ("rateLimit", Some(most)) => {
                    let in_window =
                        u64::from(most.limit()).saturating_mul(window) / most.window().as_secs();
                    ("rate_limit", in_window.max(1))
                }
                ("rateLimit", None) => ("rate_limit", window.saturating_mul(CALLS_IN_A_SECOND)),
                ("rateWindowSeconds", _) => ("rate_window", Quota::MAX_WINDOW.as_secs()),
                ("rateBurst", most) => {
                    let burst = most.map_or(u32::MAX, |most| most.burst());
                    ("rate_burst", burst.into())
                }
                _ => return None,
            };
            let largest = grouped(largest.min(u32::MAX.into()));
            Some(match rule {
                RefusalRule::AdministratorsOnly if most.is_none() => return None,
                RefusalRule::AdministratorsOnly => (name, errors.owner_at_most(largest)),
                _ => (name, errors.number_to(largest)),
            })
        }
        _ => None,
    }
}

/// What a form shows: the submitted values, or else those of the key.
#[derive(Clone, Copy)]
pub(super) struct ShownValues<'a> {
    pub(super) typed: Option<&'a Form<'a>>,
    /// `None` for a new key.
    pub(super) key: Option<&'a ApiKey>,
    pub(super) text: &'static Texts,
}

impl ShownValues<'_> {
    pub(super) fn description(&self) -> String {
        let typed = self.typed.and_then(|typed| typed.field("description"));
        let stored = self.key.map(|key| key.description.as_str());
        typed.or(stored).unwrap_or_default().to_owned()
    }

    pub(super) fn scopes(&self, offered: &ApiScopes) -> Vec<KeyScopeOption> {
        let option = |scope| {
            let is_stored = self.key.is_some_and(|key| key.scopes.contains(scope));
            let is_on = self.is_on("scopes", scope.as_str(), is_stored);
            KeyScopeOption::new(scope, is_on, self.text)
        };
        offered.iter().map(option).collect()
    }

    pub(super) fn hidden(&self, offered: HiddenFields) -> Vec<KeyFieldOption> {
        let stored = self.key.map(|key| key.hidden).unwrap_or_default();
        self.personal_fields("hidden_fields", offered, stored)
    }

    pub(super) fn requested(&self, offered: HiddenFields) -> Vec<KeyFieldOption> {
        let stored = self.key.map(|key| key.requested).unwrap_or_default();
        self.personal_fields("requested_fields", offered, stored)
    }

    fn personal_fields(
        &self,
        name: &str,
        offered: HiddenFields,
        stored: HiddenFields,
    ) -> Vec<KeyFieldOption> {
        let option = |field: PersonalField| {
            let is_on = self.is_on(name, field.as_str(), stored.contains(field));
            KeyFieldOption::new(field, is_on, self.text)
        };
        offered.iter().map(option).collect()
    }

    pub(super) fn limit(&self) -> KeyLimitFields {
        let stored = self.key.and_then(|key| key.quota);
        let value = |name, stored: Option<u64>| match self.typed {
            Some(typed) => typed.field(name).unwrap_or_default().to_owned(),
            None => stored.map(|number| number.to_string()).unwrap_or_default(),
        };
        KeyLimitFields {
            limit: value("rate_limit", stored.map(|quota| quota.limit().into())),
            window: value("rate_window", stored.map(|quota| quota.window().as_secs())),
            burst: value("rate_burst", stored.map(|quota| quota.burst().into())),
        }
    }

    fn is_on(&self, name: &str, word: &str, is_stored: bool) -> bool {
        self.typed.map_or(is_stored, |typed| {
            typed.values(name).any(|value| value == word)
        })
    }
}
