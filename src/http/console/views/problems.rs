use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::http::manage::Denial;
use crate::http::pages::texts::Texts;
use crate::http::sign_in::PasswordFault;

/// What is wrong with a form: with fields of it, by their names, or with all of it.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Problems {
    general: Option<&'static str>,
    fields: BTreeMap<String, Cow<'static, str>>,
}

impl Problems {
    /// What a denial says, beside the field of `fields` that it is about or else above the form.
    pub(crate) fn of_denial(denial: &Denial, fields: &[&str], text: &'static Texts) -> Self {
        Self::of_denials(std::slice::from_ref(denial), fields, text)
    }

    /// What several denials say.
    pub(crate) fn of_denials(denials: &[Denial], fields: &[&str], text: &'static Texts) -> Self {
        let mut problems = Self::default();
        for denial in denials {
            let message = text.faults.of(denial.rule, denial.field);
            match denial.field.map(in_form).filter(|name| fields.contains(&&**name)) {
                Some(name) => problems.add(&name, message),
                None => problems.general = Some(message),
            }
        }
        problems
    }

    /// Adds what is wrong with a password that an account was to get.
    pub(crate) fn add_password(&mut self, name: &str, fault: PasswordFault, text: &'static Texts) {
        let faults = &text.faults;
        let message = match fault {
            PasswordFault::TooShort { at_least } => faults.password_short.of(at_least).into(),
            PasswordFault::IsEmail => Cow::Borrowed(faults.password_email),
            PasswordFault::IsName => Cow::Borrowed(faults.password_name),
            PasswordFault::Usual => Cow::Borrowed(faults.password_usual),
            PasswordFault::NotAllowed => Cow::Borrowed(faults.password_not_allowed),
            PasswordFault::Busy => Cow::Borrowed(faults.busy),
        };
        self.add(name, message);
    }

    /// What is wrong with all of a form.
    pub(crate) fn of_all(message: &'static str) -> Self {
        Self { general: Some(message), fields: BTreeMap::new() }
    }

    /// Adds what is wrong with a field, unless something else is known to be.
    pub(crate) fn add(&mut self, name: &str, message: impl Into<Cow<'static, str>>) {
        self.fields.entry(name.to_owned()).or_insert_with(|| message.into());
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.general.is_none() && self.fields.is_empty()
    }

    /// What is wrong with all of it.
    pub(crate) fn general(&self) -> Option<&'static str> {
        self.general
    }

    /// What is wrong with a field.
    pub(crate) fn of(&self, name: &str) -> Option<&str> {
        self.fields.get(name).map(|message| &**message)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.of(name).is_some()
    }
}

/// What the forms call a field of the management JSON.
fn in_form(field: &str) -> String {
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
    use crate::domain::Invalid;
    use crate::http::pages::Language;

    #[test]
    fn what_is_wrong_is_said_beside_the_field_that_it_is_about() {
        let text = Language::English.texts();
        let denial = Denial::invalid("redirectUris", &Invalid::new("is none"));
        let problems = Problems::of_denial(&denial, &["name", "redirect_uris"], text);
        assert_eq!((problems.of("redirect_uris"), problems.general()), (Some(text.faults.redirect_uris), None));
        let elsewhere = Problems::of_denial(&denial, &["name"], text);
        assert_eq!((elsewhere.of("redirect_uris"), elsewhere.general()), (None, Some(text.faults.redirect_uris)));
        for (json, form) in [("allowedScopes", "scopes"), ("scopeName", "scope_name"), ("pkceRequired", "pkce_required"), ("name", "name")]
        {
            assert_eq!(in_form(json), form);
        }
    }

    #[test]
    fn a_form_without_faults_has_none() {
        let mut problems = Problems::default();
        assert!(problems.is_empty() && !problems.has("name"));
        problems.add("name", "one");
        problems.add("name", "two");
        assert_eq!((problems.is_empty(), problems.of("name")), (false, Some("one")));
    }
}
