//! Codes, a client and a server for measurements of token issuance.

use std::sync::Arc;
use std::time::Duration;

use http::{Request, StatusCode};
use lyceum::AuthServer;
use lyceum::domain::{
    Account, AccountId, AuthorizationCode, AuthorizationSession, Client, ClientId, ClientPolicy,
    ClientSecret, GrantId, PasswordHash, RegisteredSecret, Role, Scope, SessionDigest, ShortText,
    SigningAlgorithm, Subject, SubjectId, Timestamp, Verification,
};
use lyceum::store::{
    Approval, ApprovalLimits, ApprovalOutcome, AuthStorage, ClientCreation, ConsentMode, Creation,
};
use lyceum::testing::ManualClock;
use tower::ServiceExt;

const NOW: Timestamp = Timestamp::from_seconds(1_790_000_000);
const CALLBACK: &str = "https://app.example/callback";

/// A registered client, and codes that were issued to it.
pub struct TokenIssuance {
    client: ClientId,
    secret: ClientSecret,
    codes: [AuthorizationCode; 6],
}

impl TokenIssuance {
    /// Creates a client, a user with an account, and codes to which the user consented.
    pub async fn with_store(store: &impl AuthStorage) -> Self {
        let (client, secret) = (
            ClientId::from_random([2; 16]),
            ClientSecret::from_random([2; 32]),
        );
        let registered = Client {
            id: client,
            name: ShortText::from_static("Timetable"),
            owner: SubjectId::service(),
            policy: ClientPolicy::Secret,
            secrets: vec![RegisteredSecret::new(&secret, NOW)],
            redirect_uris: vec![CALLBACK.parse().unwrap()],
            allowed_scopes: [Scope::self_read()].into_iter().collect(),
            plain_pkce_allowed: false,
            pkce_required: false,
            first_party: false,
            client_credentials_allowed: false,
            iss_omitted: false,
            policy_uri: None,
            verification: Verification::Assumed,
            created_at: NOW,
            suspended_at: None,
        };
        assert_eq!(
            store.create_client(registered).await.unwrap(),
            ClientCreation::Created
        );
        let (id, password_hash) = (
            AccountId::from_random([5; 16]),
            PasswordHash::from_phc("never checked here"),
        );
        let account = Account {
            id,
            email: "kim@school.example".parse().unwrap(),
            password_hash,
            role: Role::User,
            created_at: NOW,
            student: None,
        };
        let subject = Subject {
            id: id.into(),
            email: account.email.clone(),
            role: account.role,
            numeric_id: None,
            student: None,
        };
        assert_eq!(
            store.create_account(account).await.unwrap(),
            Creation::Created
        );
        let codes = [3, 4, 5, 6, 7, 8].map(|number| AuthorizationCode::from_random([number; 32]));
        for (number, code) in (0..).zip(&codes) {
            let (session, soon) = (
                SessionDigest::from_bytes([number; 32]),
                NOW.plus(Duration::from_secs(60)),
            );
            let pending = AuthorizationSession {
                client,
                redirect_uri: CALLBACK.to_owned(),
                state: None,
                scopes: [Scope::self_read()].into_iter().collect(),
                challenge: None,
                prompt: lyceum::domain::Prompt::default(),
                subject: Some(subject.clone()),
                created_at: NOW,
                expires_at: soon,
            };
            store.open_session(session, pending).await.unwrap();
            let (grant, limits) = (
                GrantId::from_random([number; 16]),
                ApprovalLimits::UNLIMITED,
            );
            let approval = Approval {
                grant,
                code: code.digest(),
                code_expires_at: soon,
                consent_mode: ConsentMode::Once,
                limits,
            };
            assert!(matches!(
                store
                    .approve_session(&session, approval, NOW)
                    .await
                    .unwrap(),
                ApprovalOutcome::Approved(_)
            ));
        }
        Self {
            client,
            secret,
            codes,
        }
    }

    /// Creates a server over the store, with its keys loaded.
    pub async fn server(&self, store: impl AuthStorage) -> AuthServer {
        let builder = AuthServer::builder(
            Arc::new(store),
            "https://auth.school.example",
            lyceum::testing::master_key(3),
        );
        builder
            .clock(Arc::new(ManualClock::new(NOW)))
            .signing_algorithm(SigningAlgorithm::Es256)
            .build()
            .await
            .unwrap()
    }

    /// Exchanges one of the codes and returns the refresh token.
    pub async fn exchange(&self, auth: &AuthServer, code: usize) -> String {
        self.issued(
            auth,
            &format!(
                "grant_type=authorization_code&redirect_uri={CALLBACK}&code={}",
                self.codes[code].expose()
            ),
        )
        .await
    }

    /// Refreshes and returns the next refresh token.
    pub async fn refresh(&self, auth: &AuthServer, token: &str) -> String {
        self.issued(
            auth,
            &format!("grant_type=refresh_token&refresh_token={token}"),
        )
        .await
    }

    async fn issued(&self, auth: &AuthServer, form: &str) -> String {
        let form = format!(
            "{form}&client_id={}&client_secret={}",
            self.client,
            self.secret.expose()
        );
        let request = Request::post("/v1/oauth/token")
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form)
            .unwrap();
        let response = auth.clone().oneshot(request).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        let answer: serde_json::Value = serde_json::from_slice(response.body().as_bytes()).unwrap();
        answer["refresh_token"].as_str().unwrap().to_owned()
    }
}
