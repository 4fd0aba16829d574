//! Test clients and applications.

use lyceum::domain::{
    Application, ApplicationId, Client, ClientId, ClientPolicy, ClientSecret, RegisteredSecret,
    Scope, ScopeDefinition, ScopeId, ShortText, SubjectId, Translations, Verification,
};
use lyceum::store::{ClientCreation, Creation, ScopeCreation};

use super::*;

/// A client with its secrets in plain text; the second one is for rotation tests.
pub struct TestClient {
    pub id: String,
    pub secrets: [String; 2],
    is_public: bool,
}

impl TestClient {
    /// A client that was never registered.
    pub fn unknown() -> Self {
        Self {
            id: ClientId::from_random([0xEE; 16]).to_string(),
            secrets: Default::default(),
            is_public: true,
        }
    }

    /// The secret of the client; empty for a public client.
    pub fn secret(&self) -> String {
        if self.is_public {
            String::new()
        } else {
            self.secrets[0].clone()
        }
    }
}

impl Harness {
    /// A new client of this policy, with two secrets unless it is public.
    pub async fn client(&self, policy: ClientPolicy) -> TestClient {
        self.client_with(policy, |_| {}).await
    }

    /// A new client that is not first-party and may not manage.
    pub async fn user_owned_client(&self, policy: ClientPolicy) -> TestClient {
        let change = |client: &mut Client| {
            (client.first_party, client.allowed_scopes) =
                (false, ScopeSet::from_iter([Scope::self_read()]))
        };
        self.client_with(policy, change).await
    }

    /// A new client with further changes.
    pub async fn client_with(
        &self,
        policy: ClientPolicy,
        change: impl FnOnce(&mut Client),
    ) -> TestClient {
        let secrets: [ClientSecret; 2] =
            std::array::from_fn(|_| ClientSecret::from_random(self.entropy.bytes()));
        let registered = secrets
            .iter()
            .map(|secret| RegisteredSecret::new(secret, START));
        let mut client = Client {
            id: ClientId::from_random(self.entropy.bytes()),
            name: "Timetable".parse().unwrap(),
            owner: SubjectId::service(),
            policy,
            secrets: if policy == ClientPolicy::Public {
                Vec::new()
            } else {
                registered.collect()
            },
            redirect_uris: vec![CALLBACK.parse().unwrap()],
            allowed_scopes: ScopeSet::parse(SCOPES).unwrap(),
            plain_pkce_allowed: true,
            pkce_required: false,
            first_party: true,
            client_credentials_allowed: false,
            iss_omitted: false,
            policy_uri: None,
            verification: Verification::Assumed,
            created_at: START,
            suspended_at: None,
        };
        change(&mut client);
        let id = client.id.to_string();
        assert_eq!(
            self.store.create_client(client).await.unwrap(),
            ClientCreation::Created
        );
        TestClient {
            id,
            secrets: secrets.map(|secret| secret.expose().to_owned()),
            is_public: policy == ClientPolicy::Public,
        }
    }

    /// A new application of this owner, with the scopes `read` and `write`.
    pub async fn application(&self, owner: &str) -> ApplicationId {
        let (id, name) = (
            ApplicationId::from_random(self.entropy.bytes()),
            "Timetable".parse::<ShortText>().unwrap(),
        );
        let application = Application {
            id,
            name: name.clone(),
            name_translations: Translations::default(),
            owner: owner.parse().unwrap(),
            created_at: START,
        };
        assert_eq!(
            self.store.create_application(application).await.unwrap(),
            Creation::Created
        );
        for scope in ["read", "write"] {
            let definition = ScopeDefinition {
                id: ScopeId::from_random(self.entropy.bytes()),
                scope: Scope {
                    application: id,
                    name: scope.parse().unwrap(),
                },
                description: "Read or write".parse().unwrap(),
                description_translations: Translations::default(),
                application_name_translations: Translations::default(),
                approval_required: false,
                application_name: name.clone(),
            };
            assert_eq!(
                self.store.create_scope(definition).await.unwrap(),
                ScopeCreation::Created
            );
        }
        id
    }
}
