use super::{DomainTexts, EN, Texts};
use crate::domain::{
    Advice, ApiScope, ClientPolicy, InvalidRedirectUri, InvitationState, PersonalField, Role,
    Scope, Severity, SyncResult,
};
use crate::http::audit::{Change, EventName, ManagedObjectType, RefusalRule};

/// Methods that return the text of a value. They compile only if the attributes of their message in
/// `src/texts/en.ftl` are exactly the names of the values. Every other language must have the same
/// attributes.
macro_rules! texts_by_value {
    ($($message:ident: $values:ty),+ $(,)?) => {
        impl DomainTexts {$(
            pub(crate) fn $message(&self, value: $values) -> &'static str {
                self.$message.get(value.as_str()).unwrap_or_default()
            }
        )+}

        $(const _: () = {
            let mut at = 0;
            while at < <$values>::ALL.len() {
                EN.domain.$message.require(<$values>::ALL[at].as_str());
                at += 1;
            }
            assert!(EN.domain.$message.0.len() == at, "an attribute is no value");
        };)+
    };
}

texts_by_value! {
    role: Role,
    personal_field: PersonalField,
    severity: Severity,
    advice: Advice,
    advice_remedy: Advice,
    event: EventName,
    change: Change,
    invitation: InvitationState,
    object: ManagedObjectType,
    rule: RefusalRule,
    sync_result: SyncResult,
}

impl DomainTexts {
    /// The description of an application's scope: of this service's own in the language of the
    /// reader, of others as their owners wrote it.
    pub(crate) fn scope_description<'a>(&self, scope: &Scope, stored: &'a str) -> &'a str {
        if *scope == Scope::self_read() {
            self.service_scope_self_read
        } else if *scope == Scope::manage() {
            self.service_scope_manage
        } else {
            stored
        }
    }

    /// Label of a scope, and a line about the data that a key with it reads. A scope of a host's
    /// own list is its own label.
    pub(crate) fn api_scope<'a>(&self, scope: &'a ApiScope) -> (&'a str, &'static str) {
        let [student, club, project, neis] = ApiScope::BUILT_IN;
        let built_in = [
            (
                student,
                self.scope_student_read,
                self.scope_student_read_hint,
            ),
            (club, self.scope_club_read, self.scope_club_read_hint),
            (
                project,
                self.scope_project_read,
                self.scope_project_read_hint,
            ),
            (neis, self.scope_neis_read, self.scope_neis_read_hint),
        ];
        built_in
            .into_iter()
            .find(|(known, ..)| known == scope)
            .map_or((scope.as_str(), ""), |(_, label, hint)| (label, hint))
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
