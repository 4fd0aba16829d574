use std::borrow::Cow;

use super::Counted;
use crate::http::audit::Rule;
use crate::http::sign_in::PasswordFault;

/// What people are told who cannot have something.
#[derive(Debug)]
pub(crate) struct Faults {
    // What a person is told who cannot have something.
    pub(crate) not_found: &'static str,
    pub(crate) not_owner: &'static str,
    pub(crate) administrators_only: &'static str,
    pub(crate) of_the_service: &'static str,
    pub(crate) first_party_only: &'static str,
    pub(crate) form_token: &'static str,
    pub(crate) form_broken: &'static str,
    pub(crate) form_too_long: &'static str,
    pub(crate) method_not_allowed: &'static str,
    pub(crate) session_ended: &'static str,
    pub(crate) authorization_ended: &'static str,
    pub(crate) credentials: &'static str,
    pub(crate) sign_in_limited: &'static str,
    pub(crate) busy: &'static str,
    pub(crate) unavailable: &'static str,
    pub(crate) failed: &'static str,
    pub(crate) changed_meanwhile: &'static str,
    pub(crate) missing: &'static str,
    pub(crate) unreadable: &'static str,
    pub(crate) line: &'static str,
    pub(crate) name_characters: &'static str,
    pub(crate) name_reserved: &'static str,
    pub(crate) choose_one: &'static str,
    pub(crate) choose_scope: &'static str,
    pub(crate) scope_name: &'static str,
    pub(crate) scope_name_taken: &'static str,
    pub(crate) scope_unknown: &'static str,
    pub(crate) scope_not_allowed: &'static str,
    pub(crate) approval_required: &'static str,
    pub(crate) too_many_scopes: &'static str,
    pub(crate) manage_is_for_first_parties: &'static str,
    pub(crate) public_with_credentials: &'static str,
    pub(crate) public_client: &'static str,
    pub(crate) too_many_api_keys: &'static str,
    pub(crate) too_many_key_values: &'static str,
    pub(crate) too_many_applications: &'static str,
    pub(crate) too_many_defined_scopes: &'static str,
    pub(crate) too_many_clients: &'static str,
    pub(crate) too_many_redirect_uris: &'static str,
    pub(crate) management_limited: &'static str,
    pub(crate) client_unknown: &'static str,
    pub(crate) redirect_uris: &'static str,
    pub(crate) email: &'static str,
    pub(crate) email_taken: &'static str,
    pub(crate) own_account: &'static str,
    pub(crate) last_administrator: &'static str,
    pub(crate) password_length: &'static str,
    pub(crate) password_short: Counted,
    pub(crate) password_email: &'static str,
    pub(crate) password_name: &'static str,
    pub(crate) password_usual: &'static str,
    pub(crate) password_not_allowed: &'static str,
    pub(crate) password_wrong: &'static str,
    pub(crate) password_differs: &'static str,
    pub(crate) rate_limit: &'static str,
    pub(crate) number: &'static str,
    pub(crate) overlap: &'static str,
    pub(crate) date: &'static str,
    pub(crate) days: &'static str,
    pub(crate) date_range: &'static str,
    pub(crate) date_alone: &'static str,
    pub(crate) hidden_field: &'static str,
    pub(crate) rate_limited: &'static str,
}

impl Faults {
    /// What is wrong with a password that an account was to get.
    pub(crate) fn of_password(&self, fault: PasswordFault) -> Cow<'static, str> {
        match fault {
            PasswordFault::TooShort { at_least } => self.password_short.of(at_least).into(),
            PasswordFault::IsEmail => self.password_email.into(),
            PasswordFault::IsName => self.password_name.into(),
            PasswordFault::Usual => self.password_usual.into(),
            PasswordFault::NotAllowed => self.password_not_allowed.into(),
        }
    }

    /// What to say to whoever met a rule, beside the field of that name in the management JSON if it is about one.
    pub(crate) fn of(&self, rule: Rule, field: Option<&str>) -> &'static str {
        match rule {
            Rule::NotFound => self.not_found,
            Rule::MethodNotAllowed => self.method_not_allowed,
            Rule::NotOwner => self.not_owner,
            Rule::AdministratorsOnly => self.administrators_only,
            Rule::OfTheService => self.of_the_service,
            Rule::FirstPartyOnly => self.first_party_only,
            Rule::FormToken => self.form_token,
            Rule::BodyTooLong => self.form_too_long,
            Rule::BodyBroken | Rule::BodyType | Rule::BodyMalformed | Rule::ParametersMalformed | Rule::ParameterRepeated => {
                self.form_broken
            }
            Rule::FormField | Rule::FieldRepeated | Rule::FieldUnknown | Rule::ParameterUnknown | Rule::Decision => self.form_broken,
            Rule::SessionMissing | Rule::SessionEnded | Rule::SessionNotSignedIn => self.session_ended,
            Rule::SessionClientGone | Rule::SessionRedirectGone | Rule::SessionScopeGone | Rule::ConsentGone => self.authorization_ended,
            Rule::Credentials => self.credentials,
            Rule::SignInLimited | Rule::AuthorizeLimited => self.sign_in_limited,
            Rule::SignInBusy => self.busy,
            Rule::StorageUnavailable => self.unavailable,
            Rule::ChangedMeanwhile => self.changed_meanwhile,
            Rule::NameCharacters => self.name_characters,
            Rule::NameReserved => self.name_reserved,
            Rule::ScopeUnknown => self.scope_unknown,
            Rule::ScopeNotAllowed => self.scope_not_allowed,
            Rule::ScopeNameTaken => self.scope_name_taken,
            Rule::ApprovalRequired => self.approval_required,
            Rule::PublicClient => self.public_client,
            Rule::TooManyApiKeys => self.too_many_api_keys,
            Rule::TooManyKeyValues => self.too_many_key_values,
            Rule::TooManyApplications => self.too_many_applications,
            Rule::TooManyDefinedScopes => self.too_many_defined_scopes,
            Rule::TooManyClients => self.too_many_clients,
            Rule::TooManyRedirectUris => self.too_many_redirect_uris,
            Rule::ManagementLimited => self.management_limited,
            Rule::EmailTaken => self.email_taken,
            Rule::OwnAccount => self.own_account,
            Rule::LastAdministrator => self.last_administrator,
            Rule::ClientUnknown => self.client_unknown,
            Rule::FieldMissing | Rule::ParameterMissing if field == Some("scopes") => self.choose_scope,
            Rule::FieldMissing | Rule::ParameterMissing => self.missing,
            Rule::FieldInvalid | Rule::ParameterInvalid => self.invalid(field),
            Rule::Failed => self.failed,
            _ => self.unreadable,
        }
    }

    fn invalid(&self, field: Option<&str>) -> &'static str {
        match field {
            Some("name" | "description") => self.line,
            Some("scopeName") => self.scope_name,
            Some("scopes") => self.choose_scope,
            Some("redirectUris") => self.redirect_uris,
            Some("allowedScopes") => self.manage_is_for_first_parties,
            Some("clientCredentialsAllowed") => self.public_with_credentials,
            Some("rateLimit") => self.rate_limit,
            Some("rateWindowSeconds" | "rateBurst") => self.number,
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
