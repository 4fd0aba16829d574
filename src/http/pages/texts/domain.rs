use super::{DomainTexts, EN, Texts};
use crate::domain::{
    Advice, ApiScope, ApplicationId, ClientPolicy, InvalidRedirectUri, InvitationState,
    PersonalField, Role, Scope, ScopeDefinition, Severity, ShortText, SyncResult, Translations,
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

/// What owners of applications wrote, in this language if they wrote it in this one.
impl Texts {
    /// Name of an application.
    #[cfg(feature = "console")]
    pub(crate) fn application_name<'a>(
        &self,
        application: &'a crate::domain::Application,
    ) -> &'a str {
        self.written(&application.name, &application.name_translations)
    }

    /// Name of the application that defines a scope.
    pub(crate) fn scope_application<'a>(&self, definition: &'a ScopeDefinition) -> &'a str {
        self.written(
            &definition.application_name,
            &definition.application_name_translations,
        )
    }

    /// Name of the application of a scope as users know it: the service's own scopes are the
    /// school's.
    pub(crate) fn scope_source<'a>(
        &self,
        definition: &'a ScopeDefinition,
        school: &'a str,
    ) -> &'a str {
        if definition.scope.application == ApplicationId::Service {
            school
        } else {
            self.scope_application(definition)
        }
    }

    /// Description of a scope. The service's own scopes have one in every language.
    pub(crate) fn scope_description<'a>(&self, definition: &'a ScopeDefinition) -> &'a str {
        if definition.scope == Scope::self_read() {
            self.domain.service_scope_self_read
        } else if definition.scope == Scope::manage() {
            self.domain.service_scope_manage
        } else {
            self.written(
                definition.description.as_str(),
                &definition.description_translations,
            )
        }
    }

    fn written<'a>(&self, default: &'a str, translations: &'a Translations) -> &'a str {
        translations
            .best_for(self.language_code)
            .map_or(default, ShortText::as_str)
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
