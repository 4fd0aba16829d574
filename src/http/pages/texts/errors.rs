use super::PluralMessage;
use crate::http::audit::RefusalRule;

/// Error messages for users.
#[derive(Debug)]
pub(crate) struct ErrorTexts {
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
    pub(crate) text_characters: &'static str,
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
    pub(crate) client_suspended: &'static str,
    pub(crate) last_first_party: &'static str,
    pub(crate) owner_unknown: &'static str,
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
    pub(crate) password_short: PluralMessage,
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

impl ErrorTexts {
    /// Message for a rule, depending on the field of the management JSON if the rule is about one.
    pub(crate) fn message(&self, rule: RefusalRule, field: Option<&str>) -> &'static str {
        match rule {
            RefusalRule::NotFound => self.not_found,
            RefusalRule::MethodNotAllowed => self.method_not_allowed,
            RefusalRule::NotOwner => self.not_owner,
            RefusalRule::AdministratorsOnly => self.administrators_only,
            RefusalRule::OfTheService => self.of_the_service,
            RefusalRule::FirstPartyOnly => self.first_party_only,
            RefusalRule::FormToken => self.form_token,
            RefusalRule::BodyTooLong => self.form_too_long,
            RefusalRule::BodyBroken
            | RefusalRule::BodyType
            | RefusalRule::BodyMalformed
            | RefusalRule::ParametersMalformed
            | RefusalRule::ParameterRepeated => self.form_broken,
            RefusalRule::FormField
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
            RefusalRule::StorageUnavailable => self.unavailable,
            RefusalRule::ChangedMeanwhile => self.changed_meanwhile,
            RefusalRule::NameCharacters => self.name_characters,
            RefusalRule::TextCharacters => self.text_characters,
            RefusalRule::NameReserved => self.name_reserved,
            RefusalRule::ScopeUnknown => self.scope_unknown,
            RefusalRule::ScopeNotAllowed => self.scope_not_allowed,
            RefusalRule::ScopeNameTaken => self.scope_name_taken,
            RefusalRule::ApprovalRequired => self.approval_required,
            RefusalRule::PublicClient => self.public_client,
            RefusalRule::ClientSuspended => self.client_suspended,
            RefusalRule::LastFirstParty => self.last_first_party,
            RefusalRule::OwnerUnknown => self.owner_unknown,
            RefusalRule::TooManyApiKeys => self.too_many_api_keys,
            RefusalRule::TooManyKeyValues => self.too_many_key_values,
            RefusalRule::TooManyApplications => self.too_many_applications,
            RefusalRule::TooManyDefinedScopes => self.too_many_defined_scopes,
            RefusalRule::TooManyClients => self.too_many_clients,
            RefusalRule::TooManyRedirectUris => self.too_many_redirect_uris,
            RefusalRule::ManagementLimited => self.management_limited,
            RefusalRule::EmailTaken => self.email_taken,
            RefusalRule::OwnAccount => self.own_account,
            RefusalRule::LastAdministrator => self.last_administrator,
            RefusalRule::ClientUnknown => self.client_unknown,
            RefusalRule::FieldMissing | RefusalRule::ParameterMissing
                if field == Some("scopes") =>
            {
                self.choose_scope
            }
            RefusalRule::FieldMissing | RefusalRule::ParameterMissing => self.missing,
            RefusalRule::FieldInvalid | RefusalRule::ParameterInvalid => self.invalid_field(field),
            RefusalRule::Failed => self.failed,
            _ => self.unreadable,
        }
    }

    fn invalid_field(&self, field: Option<&str>) -> &'static str {
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
