use std::future::pending;
use std::sync::Arc;

use axum::Router;
use lyceum::crypto::{Entropy, MasterKey, SystemEntropy};
use lyceum::domain::{
    Application, ApplicationId, Client, ClientId, ClientPolicy, ClientSecret, ClientSettings,
    Password, RegisteredSecret, Role, Scope, ScopeDefinition, ScopeId, ScopeSet, SigningAlgorithm,
    SubjectId, Timestamp, Translations, Verification,
};
use lyceum::http::auth_server::{AccountCreationOutcome, Accounts, AuthServer};
use lyceum::http::serve;
use lyceum::store::memory::MemoryStore;
use lyceum::store::{
    ClientCreation, ClientLookup, ClientRegistry, ClientUpdate, Creation, ScopeCreation,
};
use tokio::net::TcpListener;

use crate::browser::Browser;

/// Origin of the confidential client.
pub const SITE: &str = "https://app.example";
/// Redirect URI of the confidential client.
pub const CALLBACK: &str = "https://app.example/callback";
/// Redirect URI of the public client, an app on the user's machine.
const LOOPBACK: &str = "http://127.0.0.1";
/// Path of the redirect URI of a client that uses Auth.js.
pub const CALLBACK_OF_AUTHJS: &str = "/auth/callback/school";
pub const EMAIL: &str = "kim.haneul@school.example";
pub const PASSWORD: &str = "correct horse battery staple";

/// Location of the server on its host.
#[derive(Debug, Clone, Copy)]
pub enum MountPoint {
    Root,
    /// Below `/auth` in a router; the issuer ends with this path.
    Nested,
}

/// A server on a free port, with an application that has a scope, and with a confidential and a
/// public client of its owner.
pub struct Deployment {
    pub origin: String,
    pub issuer: String,
    pub scope: Scope,
    /// Scopes that both clients may request: that scope and those of the user info.
    pub scopes: ScopeSet,
    pub confidential: (ClientId, ClientSecret),
    pub public: ClientId,
    store: Arc<MemoryStore>,
}

impl Deployment {
    /// The user's browser.
    pub fn browser(&self) -> Browser {
        Browser::new(&self.origin, [EMAIL, PASSWORD])
    }

    pub async fn start(mount_point: MountPoint, algorithm: SigningAlgorithm) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let issuer = match mount_point {
            MountPoint::Root => origin.clone(),
            MountPoint::Nested => format!("{origin}/auth"),
        };
        let store = Arc::new(MemoryStore::new());
        let accounts = Arc::new(
            Accounts::builder(store.clone())
                .hashing_cost(8, 1)
                .build()
                .unwrap(),
        );
        let created = accounts
            .create(
                EMAIL.parse().unwrap(),
                &Password::new(PASSWORD).unwrap(),
                Role::User,
            )
            .await
            .unwrap();
        assert!(matches!(created, AccountCreationOutcome::Created(_)));

        let scope = application_with_a_scope(&store).await;
        let scopes = ScopeSet::parse(&format!("{} {scope}", Scope::self_read())).unwrap();
        let secret = ClientSecret::from_random(random());
        let confidential = client(
            "Timetable",
            ClientPolicy::Secret,
            Some(&secret),
            SITE,
            &scopes,
        );
        let public = client(
            "Timetable for telephones",
            ClientPolicy::Public,
            None,
            LOOPBACK,
            &scopes,
        );
        let ids = (confidential.id, public.id);
        for client in [confidential, public] {
            assert_eq!(
                store.create_client(client).await.unwrap(),
                ClientCreation::Created
            );
        }

        let server = AuthServer::builder(store.clone(), &issuer, MasterKey::from_bytes(random()))
            .authenticator(accounts);
        let server = server.signing_algorithm(algorithm).build().await.unwrap();
        match mount_point {
            MountPoint::Root => drop(tokio::spawn(serve(listener, server, pending()))),
            MountPoint::Nested => {
                let host = Router::new()
                    .route_service(&server.metadata_path(), server.clone())
                    .nest_service("/auth", server);
                drop(tokio::spawn(serve(listener, host, pending())));
            }
        }
        Self {
            origin,
            issuer,
            scope,
            scopes,
            confidential: (ids.0, secret),
            public: ids.1,
            store,
        }
    }

    /// Sets or resets `issOmitted` for both clients.
    pub async fn omit_iss(&self, iss_omitted: bool) {
        for id in [self.confidential.0, self.public] {
            let seen = self.store.client(id).await.unwrap().unwrap().settings();
            let new = ClientSettings {
                iss_omitted,
                ..seen.clone()
            };
            assert_eq!(
                self.store.update_client(id, &seen, new).await.unwrap(),
                ClientUpdate::Updated
            );
        }
    }
}

async fn application_with_a_scope(store: &MemoryStore) -> Scope {
    let (id, name) = (ApplicationId::from_random(random()), "School timetable");
    let (owner, created_at) = (SubjectId::service(), Timestamp::from_seconds(0));
    let application = Application {
        id,
        name: name.parse().unwrap(),
        name_translations: Translations::default(),
        owner,
        created_at,
    };
    assert_eq!(
        store.create_application(application).await.unwrap(),
        Creation::Created
    );
    let scope = Scope {
        application: id,
        name: "lessons_read".parse().unwrap(),
    };
    let definition = ScopeDefinition {
        id: ScopeId::from_random(random()),
        scope: scope.clone(),
        description: "See your lessons".parse().unwrap(),
        application_name: name.parse().unwrap(),
        description_translations: Translations::default(),
        application_name_translations: Translations::default(),
        approval_required: false,
    };
    assert_eq!(
        store.create_scope(definition).await.unwrap(),
        ScopeCreation::Created
    );
    scope
}

fn client(
    name: &str,
    policy: ClientPolicy,
    secret: Option<&ClientSecret>,
    site: &str,
    scopes: &ScopeSet,
) -> Client {
    let created_at = Timestamp::from_seconds(0);
    Client {
        id: ClientId::from_random(random()),
        name: name.parse().unwrap(),
        owner: SubjectId::service(),
        policy,
        secrets: secret
            .into_iter()
            .map(|secret| RegisteredSecret::new(secret, created_at))
            .collect(),
        redirect_uris: ["/callback", CALLBACK_OF_AUTHJS]
            .map(|path| format!("{site}{path}").parse().unwrap())
            .into(),
        allowed_scopes: scopes.clone(),
        plain_pkce_allowed: false,
        pkce_required: false,
        first_party: false,
        client_credentials_allowed: secret.is_some(),
        iss_omitted: false,
        policy_uri: None,
        verification: Verification::Assumed,
        created_at,
        suspended_at: None,
    }
}

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    SystemEntropy.fill(&mut bytes);
    bytes
}
