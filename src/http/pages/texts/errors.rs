use std::time::Duration;

use super::{ErrorsTexts, Texts};
use crate::http::audit::RefusalRule;
use crate::http::retry_after::ceil_seconds;

impl Texts {
    /// Message of a limit on sign-ins that ends after this time, in whole minutes.
    pub(crate) fn limited_for(&self, rule: RefusalRule, wait: Duration) -> Option<String> {
        (rule == RefusalRule::SignInLimited).then(|| {
            self.errors
                .sign_in_limited_for(ceil_seconds(wait).div_ceil(60))
        })
    }
}

impl ErrorsTexts {
    /// Message for a rule, depending on the field of the management JSON if the rule is about one.
    pub(crate) fn message(&self, rule: RefusalRule, field: Option<&str>) -> &'static str {
        match rule {
            RefusalRule::OfTheService => self.of_the_service,
            RefusalRule::FormToken => self.form_token,
            RefusalRule::BodyBroken
            | RefusalRule::BodyType
            | RefusalRule::BodyMalformed
            | RefusalRule::ParametersMalformed
            | RefusalRule::ParameterRepeated
            | RefusalRule::FormField
            | RefusalRule::FieldRepeated
            | RefusalRule::FieldUnknown
            | RefusalRule::ParameterUnknown
            | RefusalRule::Decision => self.form_broken,
            RefusalRule::SessionMissing
            | RefusalRule::SessionEnded
            | RefusalRule::SessionNotSignedIn => self.session_ended,
            RefusalRule::SessionClientGone
            | RefusalRule::SessionRedirectGone
            | RefusalRule::SessionScopeGone
            | RefusalRule::ConsentGone => self.authorization_ended,
            RefusalRule::Credentials => self.credentials,
            RefusalRule::SignInLimited | RefusalRule::AuthorizeLimited => self.sign_in_limited,
            RefusalRule::SignInBusy => self.busy,
            RefusalRule::ChangedMeanwhile => self.changed_meanwhile,
            RefusalRule::ScopeUnknown => self.scope_unknown,
            RefusalRule::ClientUnknown => self.client_unknown,
            RefusalRule::FieldMissing | RefusalRule::ParameterMissing
                if field == Some("scopes") =>
            {
                self.choose_scope
            }
            RefusalRule::FieldMissing | RefusalRule::ParameterMissing => self.missing,
            RefusalRule::FieldInvalid | RefusalRule::ParameterInvalid => self.invalid_field(field),
            rule => self.rule.get(rule.as_str()).unwrap_or(self.unreadable),
        }
    }

    fn invalid_field(&self, field: Option<&str>) -> &'static str {
        match field {
            Some("name" | "nameTranslations" | "description" | "descriptionTranslations") => {
                self.line
            }
            Some("scopeName") => self.scope_name,
            Some("scopes") => self.choose_scope,
            Some("redirectUris") => self.redirect_uris,
            Some("policyUri") => self.policy_uri,
            Some("allowedScopes") => self.manage_is_for_first_parties,
            Some("clientCredentialsAllowed") => self.public_with_credentials,
            Some("rateLimit" | "rateWindowSeconds" | "rateBurst") => self.number,
            Some("overlapSeconds") => self.overlap,
            Some("policy" | "hiddenFields" | "role") => self.choose_one,
            Some("email") => self.email,
            Some("password") => self.password_length,
            Some("date") => self.date,
            Some("fromDate" | "toDate") => self.date_range,
            _ => self.unreadable,
        }
    }
}
