use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::http::login::PasswordPolicyError;
use crate::http::management::Rejection;
use crate::http::pages::texts::Texts;

/// Error messages of a form: for fields, by name, and for the whole form.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct FormErrors {
    general: Option<&'static str>,
    fields: BTreeMap<String, Cow<'static, str>>,
    /// The names in the order in which their messages were added.
    #[serde(skip)]
    order: Vec<String>,
}

/// Entry of the summary above a form, a link to the field.
#[derive(Debug)]
pub(crate) struct ErrorLink<'a> {
    /// Id of the element that the link leads to.
    pub(crate) target: String,
    pub(crate) label: Option<&'static str>,
    pub(crate) message: &'a str,
}

/// Fields with several elements, none of which has the field's name as its id.
const GROUPS: &[&str] = &[
    "description_translations",
    "name_translations",
    "policy",
    "role",
    "scopes",
];

impl FormErrors {
    /// Message of a rejection, beside its field if `fields` contains it, otherwise above the form.
    pub(crate) fn from_rejection(
        rejection: &Rejection,
        fields: &[&str],
        text: &'static Texts,
    ) -> Self {
        Self::from_rejections(std::slice::from_ref(rejection), fields, text)
    }

    /// Messages of several rejections.
    pub(crate) fn from_rejections(
        rejections: &[Rejection],
        fields: &[&str],
        text: &'static Texts,
    ) -> Self {
        let mut errors = Self::default();
        for rejection in rejections {
            let message = text.errors.message(rejection.rule, rejection.field);
            match rejection
                .field
                .map(form_field_name)
                .filter(|name| fields.contains(&&**name))
            {
                Some(name) => errors.add(&name, message),
                None => errors.general = Some(message),
            }
        }
        errors
    }

    /// Adds the message about a rejected new password.
    pub(crate) fn add_password(
        &mut self,
        name: &str,
        fault: PasswordPolicyError,
        text: &'static Texts,
    ) {
        let messages = &text.errors;
        let message = match fault {
            PasswordPolicyError::TooShort { at_least } => {
                text.errors.password_short(at_least).into()
            }
            PasswordPolicyError::IsEmail => Cow::Borrowed(messages.password_email),
            PasswordPolicyError::IsName => Cow::Borrowed(messages.password_name),
            PasswordPolicyError::TooCommon => Cow::Borrowed(messages.password_usual),
            PasswordPolicyError::NotAllowed => Cow::Borrowed(messages.password_not_allowed),
            PasswordPolicyError::Busy => Cow::Borrowed(messages.busy),
        };
        self.add(name, message);
    }

    /// Message for the whole form.
    pub(crate) fn for_form(message: &'static str) -> Self {
        Self {
            general: Some(message),
            ..Self::default()
        }
    }

    /// Adds a message for the whole form, unless it has one.
    pub(crate) fn add_general(&mut self, message: &'static str) {
        self.general.get_or_insert(message);
    }

    /// Adds a message for a field, unless the field has one.
    pub(crate) fn add(&mut self, name: &str, message: impl Into<Cow<'static, str>>) {
        if !self.has(name) {
            self.order.push(name.to_owned());
            self.fields.insert(name.to_owned(), message.into());
        }
    }

    /// Replaces the message of a field.
    pub(crate) fn replace(&mut self, name: &str, message: impl Into<Cow<'static, str>>) {
        self.add(name, "");
        self.fields.insert(name.to_owned(), message.into());
    }

    /// The messages of the fields, each with its label and the id to go to.
    pub(crate) fn links(&self, text: &'static Texts) -> Vec<ErrorLink<'_>> {
        let link = |name: &'_ String| {
            let message = self.message(name)?;
            let target = if GROUPS.contains(&&**name) {
                format!("{name}-fault")
            } else {
                name.clone()
            };
            Some(ErrorLink {
                target,
                label: text.form_label(name).or_else(|| text.school.field(name)),
                message,
            })
        };
        self.order.iter().filter_map(link).collect()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.general.is_none() && self.fields.is_empty()
    }

    /// Message for the whole form.
    pub(crate) fn general(&self) -> Option<&'static str> {
        self.general
    }

    /// Message for a field.
    pub(crate) fn message(&self, name: &str) -> Option<&str> {
        self.fields.get(name).map(|message| &**message)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.message(name).is_some()
    }
}

/// Name of the form field for a field of the management JSON.
fn form_field_name(field: &str) -> String {
    match field {
        "allowedScopes" => "scopes".to_owned(),
        "overlapSeconds" => "overlap".to_owned(),
        "rateWindowSeconds" => "rate_window".to_owned(),
        field => field.chars().fold(String::new(), |name, letter| {
            let before = if letter.is_ascii_uppercase() { "_" } else { "" };
            format!("{name}{before}{}", letter.to_ascii_lowercase())
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::InvalidValue;
    use crate::http::pages::texts::EN;

    #[test]
    fn each_error_is_shown_beside_its_field() {
        let text = &EN;
        let rejection = Rejection::invalid("redirectUris", &InvalidValue::new("is none"));
        let errors = FormErrors::from_rejection(&rejection, &["name", "redirect_uris"], text);
        assert_eq!(
            (errors.message("redirect_uris"), errors.general()),
            (Some(text.errors.redirect_uris), None)
        );
        let elsewhere = FormErrors::from_rejection(&rejection, &["name"], text);
        assert_eq!(
            (elsewhere.message("redirect_uris"), elsewhere.general()),
            (None, Some(text.errors.redirect_uris))
        );
        for (json, form) in [
            ("allowedScopes", "scopes"),
            ("scopeName", "scope_name"),
            ("pkceRequired", "pkce_required"),
            ("name", "name"),
        ] {
            assert_eq!(form_field_name(json), form);
        }
    }

    #[test]
    fn a_form_without_faults_has_none() {
        let mut errors = FormErrors::default();
        assert!(errors.is_empty() && !errors.has("name"));
        errors.add("name", "one");
        errors.add("name", "two");
        assert_eq!(
            (errors.is_empty(), errors.message("name")),
            (false, Some("one"))
        );
    }

    /// Fails if the summary has another order than the form, or a group of check boxes is linked by
    /// an id that no element has.
    #[test]
    fn the_summary_links_to_each_field_in_the_order_of_the_form() {
        let mut errors = FormErrors::default();
        errors.add("scopes", "Choose one.");
        errors.add("classNum", "From 1 to 4.");
        errors.add("description", "Fill this in.");
        let links: Vec<_> = errors
            .links(&EN)
            .into_iter()
            .map(|link| (link.target, link.label.unwrap(), link.message.to_owned()))
            .collect();
        let expected = [
            ("scopes-fault", "Scopes", "Choose one."),
            ("classNum", "Class", "From 1 to 4."),
            ("description", "Description", "Fill this in."),
        ];
        let expected = expected.map(|(id, label, text)| (id.to_owned(), label, text.to_owned()));
        assert_eq!(links, expected);
    }
}
