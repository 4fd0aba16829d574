use crate::domain::{
    Advice, ApiScope, ClientPolicy, InvalidRedirectUri, PersonalField, Role, Severity,
};
use crate::http::audit::{Change, EventName, ManagedObjectType};
use crate::http::pages::texts::Texts;

/// Names of domain terms.
#[derive(Debug)]
pub(crate) struct DomainTexts {
    // Roles and scopes.
    pub(crate) role_user: &'static str,
    pub(crate) role_user_hint: &'static str,
    pub(crate) role_admin: &'static str,
    pub(crate) role_admin_hint: &'static str,
    pub(crate) scope_student_read: &'static str,
    pub(crate) scope_student_read_hint: &'static str,
    pub(crate) scope_club_read: &'static str,
    pub(crate) scope_club_read_hint: &'static str,
    pub(crate) scope_project_read: &'static str,
    pub(crate) scope_project_read_hint: &'static str,
    pub(crate) scope_neis_read: &'static str,
    pub(crate) scope_neis_read_hint: &'static str,
    pub(crate) hidden_sex: &'static str,
    pub(crate) hidden_email: &'static str,
    pub(crate) hidden_class: &'static str,
    pub(crate) hidden_major: &'static str,
    pub(crate) hidden_specialty: &'static str,
    pub(crate) hidden_dormitory: &'static str,
    pub(crate) hidden_github: &'static str,
    pub(crate) severity_low: &'static str,
    pub(crate) severity_medium: &'static str,
    pub(crate) severity_high: &'static str,

    // Advice about a client, with remedies.
    pub(crate) plain_pkce: &'static str,
    pub(crate) plain_pkce_remedy: &'static str,
    pub(crate) public_management: &'static str,
    pub(crate) public_management_remedy: &'static str,
    pub(crate) secret_not_demanded: &'static str,
    pub(crate) secret_not_demanded_remedy: &'static str,
    pub(crate) old_secret: &'static str,
    pub(crate) old_secret_remedy: &'static str,
    pub(crate) unfinished_rotation: &'static str,
    pub(crate) unfinished_rotation_remedy: &'static str,
    pub(crate) no_secret: &'static str,
    pub(crate) no_secret_remedy: &'static str,
    pub(crate) secret_on_users_machine: &'static str,
    pub(crate) secret_on_users_machine_remedy: &'static str,
    pub(crate) private_use_scheme: &'static str,
    pub(crate) private_use_scheme_remedy: &'static str,
    pub(crate) unreachable: &'static str,
    pub(crate) unreachable_remedy: &'static str,
    pub(crate) localhost_by_name: &'static str,
    pub(crate) localhost_by_name_remedy: &'static str,
    pub(crate) iss_omitted: &'static str,
    pub(crate) iss_omitted_remedy: &'static str,
    pub(crate) pkce_not_demanded: &'static str,
    pub(crate) pkce_not_demanded_remedy: &'static str,
    pub(crate) many_redirect_uris: &'static str,
    pub(crate) many_redirect_uris_remedy: &'static str,
    pub(crate) many_public_scopes: &'static str,
    pub(crate) many_public_scopes_remedy: &'static str,

    // Events of the audit log, and managed objects.
    pub(crate) event_signed_in: &'static str,
    pub(crate) event_sign_in_refused: &'static str,
    pub(crate) event_sign_in_limited: &'static str,
    pub(crate) event_signed_out: &'static str,
    pub(crate) event_consent_asked: &'static str,
    pub(crate) event_consent_given: &'static str,
    pub(crate) event_consent_remembered: &'static str,
    pub(crate) event_consent_denied: &'static str,
    pub(crate) event_code_issued: &'static str,
    pub(crate) event_tokens_issued: &'static str,
    pub(crate) event_refreshed: &'static str,
    pub(crate) event_refresh_repeated: &'static str,
    pub(crate) event_client_token_issued: &'static str,
    pub(crate) event_reuse_detected: &'static str,
    pub(crate) event_revoked: &'static str,
    pub(crate) event_revoked_with_user: &'static str,
    pub(crate) event_grant_replaced: &'static str,
    pub(crate) event_grant_withdrawn: &'static str,
    pub(crate) event_consent_withdrawn: &'static str,
    pub(crate) event_signed_out_everywhere: &'static str,
    pub(crate) event_signing_key_installed: &'static str,
    pub(crate) event_signing_key_revoked: &'static str,
    pub(crate) event_signing_keys_removed: &'static str,
    pub(crate) event_managed: &'static str,
    pub(crate) event_refused: &'static str,
    pub(crate) change_created: &'static str,
    pub(crate) change_changed: &'static str,
    pub(crate) change_renewed: &'static str,
    pub(crate) change_suspended: &'static str,
    pub(crate) change_deleted: &'static str,
    pub(crate) object_application: &'static str,
    pub(crate) object_scope: &'static str,
    pub(crate) object_client: &'static str,
    pub(crate) object_client_secret: &'static str,
    pub(crate) object_scope_approval: &'static str,
    pub(crate) object_api_key: &'static str,
    pub(crate) object_account: &'static str,
    pub(crate) object_password: &'static str,
}

impl DomainTexts {
    pub(crate) const fn role(&self, role: Role) -> &'static str {
        match role {
            Role::User => self.role_user,
            Role::Admin => self.role_admin,
        }
    }

    /// Label of a scope, and a line about the data that a key with it reads. A scope of a host's
    /// own list is its own label.
    pub(crate) fn api_scope<'a>(&self, scope: &'a ApiScope) -> (&'a str, &'static str) {
        let built_in = [
            (self.scope_student_read, self.scope_student_read_hint),
            (self.scope_club_read, self.scope_club_read_hint),
            (self.scope_project_read, self.scope_project_read_hint),
            (self.scope_neis_read, self.scope_neis_read_hint),
        ];
        let known = ApiScope::BUILT_IN
            .into_iter()
            .zip(built_in)
            .find(|(known, _)| known == scope);
        known.map_or((scope.as_str(), ""), |(_, words)| words)
    }

    pub(crate) const fn personal_field(&self, field: PersonalField) -> &'static str {
        match field {
            PersonalField::Sex => self.hidden_sex,
            PersonalField::Email => self.hidden_email,
            PersonalField::Class => self.hidden_class,
            PersonalField::Major => self.hidden_major,
            PersonalField::Specialty => self.hidden_specialty,
            PersonalField::Dormitory => self.hidden_dormitory,
            PersonalField::Github => self.hidden_github,
        }
    }

    pub(crate) const fn severity(&self, severity: Severity) -> &'static str {
        match severity {
            Severity::Low => self.severity_low,
            Severity::Medium => self.severity_medium,
            Severity::High => self.severity_high,
        }
    }

    /// Title and remedy of advice about a client.
    pub(crate) const fn advice(&self, advice: Advice) -> (&'static str, &'static str) {
        match advice {
            Advice::PlainPkce => (self.plain_pkce, self.plain_pkce_remedy),
            Advice::PublicManagement => (self.public_management, self.public_management_remedy),
            Advice::SecretNotDemanded => {
                (self.secret_not_demanded, self.secret_not_demanded_remedy)
            }
            Advice::OldSecret => (self.old_secret, self.old_secret_remedy),
            Advice::UnfinishedRotation => {
                (self.unfinished_rotation, self.unfinished_rotation_remedy)
            }
            Advice::NoSecret => (self.no_secret, self.no_secret_remedy),
            Advice::SecretOnUsersMachine => (
                self.secret_on_users_machine,
                self.secret_on_users_machine_remedy,
            ),
            Advice::PrivateUseScheme => (self.private_use_scheme, self.private_use_scheme_remedy),
            Advice::Unreachable => (self.unreachable, self.unreachable_remedy),
            Advice::LocalhostByName => (self.localhost_by_name, self.localhost_by_name_remedy),
            Advice::IssOmitted => (self.iss_omitted, self.iss_omitted_remedy),
            Advice::PkceNotDemanded => (self.pkce_not_demanded, self.pkce_not_demanded_remedy),
            Advice::ManyRedirectUris => (self.many_redirect_uris, self.many_redirect_uris_remedy),
            Advice::ManyPublicScopes => (self.many_public_scopes, self.many_public_scopes_remedy),
        }
    }

    pub(crate) const fn event(&self, word: EventName) -> &'static str {
        match word {
            EventName::SignedIn => self.event_signed_in,
            EventName::SignInRefused => self.event_sign_in_refused,
            EventName::SignInLimited => self.event_sign_in_limited,
            EventName::SignedOut => self.event_signed_out,
            EventName::ConsentAsked => self.event_consent_asked,
            EventName::ConsentGiven => self.event_consent_given,
            EventName::ConsentRemembered => self.event_consent_remembered,
            EventName::ConsentDenied => self.event_consent_denied,
            EventName::CodeIssued => self.event_code_issued,
            EventName::TokensIssued => self.event_tokens_issued,
            EventName::Refreshed => self.event_refreshed,
            EventName::RefreshRepeated => self.event_refresh_repeated,
            EventName::ClientTokenIssued => self.event_client_token_issued,
            EventName::ReuseDetected => self.event_reuse_detected,
            EventName::Revoked => self.event_revoked,
            EventName::RevokedWithUser => self.event_revoked_with_user,
            EventName::GrantReplaced => self.event_grant_replaced,
            EventName::GrantWithdrawn => self.event_grant_withdrawn,
            EventName::ConsentWithdrawn => self.event_consent_withdrawn,
            EventName::SignedOutEverywhere => self.event_signed_out_everywhere,
            EventName::SigningKeyInstalled => self.event_signing_key_installed,
            EventName::SigningKeyRevoked => self.event_signing_key_revoked,
            EventName::SigningKeysRemoved => self.event_signing_keys_removed,
            EventName::Managed => self.event_managed,
            EventName::Refused => self.event_refused,
        }
    }

    pub(crate) const fn change(&self, change: Change) -> &'static str {
        match change {
            Change::Created => self.change_created,
            Change::Changed => self.change_changed,
            Change::Renewed => self.change_renewed,
            Change::Suspended => self.change_suspended,
            Change::Deleted => self.change_deleted,
        }
    }

    pub(crate) const fn object(&self, word: ManagedObjectType) -> &'static str {
        match word {
            ManagedObjectType::Application => self.object_application,
            ManagedObjectType::Scope => self.object_scope,
            ManagedObjectType::Client => self.object_client,
            ManagedObjectType::ClientSecret => self.object_client_secret,
            ManagedObjectType::ScopeApproval => self.object_scope_approval,
            ManagedObjectType::ApiKey => self.object_api_key,
            ManagedObjectType::Account => self.object_account,
            ManagedObjectType::Password => self.object_password,
        }
    }
}

impl Texts {
    pub(crate) const fn policy(&self, policy: ClientPolicy) -> &'static str {
        match policy {
            ClientPolicy::Secret => self.policy_secret,
            ClientPolicy::SecretOrPkce => self.policy_secret_or_pkce,
            ClientPolicy::Public => self.policy_none,
        }
    }

    /// Requirement that an invalid redirect URI violates.
    pub(crate) const fn redirect_fault(&self, fault: InvalidRedirectUri) -> &'static str {
        match fault {
            InvalidRedirectUri::Length => self.redirect_length,
            InvalidRedirectUri::Absolute => self.redirect_absolute,
            InvalidRedirectUri::Fragment => self.redirect_fragment,
            InvalidRedirectUri::User => self.redirect_user,
            InvalidRedirectUri::Port => self.redirect_port,
            InvalidRedirectUri::Host => self.redirect_host,
            InvalidRedirectUri::Scheme => self.redirect_scheme,
            InvalidRedirectUri::Reserved => self.redirect_reserved,
        }
    }
}
