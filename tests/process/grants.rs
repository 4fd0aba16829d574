//! Token requests of clients to a running server.

use http::Method;
use lyceum::domain::{
    AuthorizationCode, AuthorizationSession, ClientId, Email, GrantId, Role, ScopeSet,
    SessionToken, Subject, Timestamp,
};
use lyceum::store::{
    AccountStore, Approval, ApprovalLimits, ApprovalOutcome, ConsentMode, GrantStore, SignIn,
};
use serde_json::Value;

use crate::support::{self, Client, TestResponse};
use crate::test_database::TestDatabase;

/// Far in the future, so that codes do not expire during a test.
const EXPIRES: Timestamp = Timestamp::from_seconds(32_503_680_000);
const REDIRECT_URI: &str = "http://127.0.0.1:1/demo/callback";

/// Stores codes as the service would issue them, without as many sign-ins.
pub async fn issue_codes(database: &TestDatabase, ready: &Value, count: u64) -> Vec<String> {
    let store = database.store().await;
    let client: ClientId = ready["client"]["id"].as_str().unwrap().parse().unwrap();
    let scopes = ScopeSet::parse_all(
        ready["scopes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|scope| scope.as_str().unwrap()),
    )
    .unwrap();
    let user = ready["user"]["email"]
        .as_str()
        .unwrap()
        .parse::<Email>()
        .unwrap();
    let account = store.account_by_email(&user).await.unwrap().unwrap();
    let subject = Subject {
        id: account.id.into(),
        email: user,
        role: Role::User,
        numeric_id: None,
        student: None,
    };
    let now = Timestamp::from_seconds(0);
    let mut codes = Vec::new();
    for number in 0..count {
        let seed = |kind: u8| {
            let mut bytes = [kind; 32];
            bytes[..8].copy_from_slice(&number.to_be_bytes());
            bytes
        };
        let session = SessionToken::from_random(seed(1)).digest();
        let signed_in = SessionToken::from_random(seed(2)).digest();
        let code = AuthorizationCode::from_random(seed(3));
        let pending = AuthorizationSession {
            client,
            redirect_uri: REDIRECT_URI.to_owned(),
            state: None,
            scopes: scopes.clone(),
            challenge: None,
            prompt: lyceum::domain::Prompt::default(),
            subject: None,
            created_at: now,
            expires_at: EXPIRES,
        };
        store.open_session(session, pending).await.unwrap();
        assert!(matches!(
            store
                .sign_in(&session, signed_in, subject.clone(), now)
                .await
                .unwrap(),
            SignIn::SignedIn(_)
        ));
        let grant = GrantId::from_random(std::array::from_fn(|at| seed(4)[at]));
        let approval = Approval {
            grant,
            code: code.digest(),
            code_expires_at: EXPIRES,
            consent_mode: ConsentMode::Once,
            limits: ApprovalLimits::UNLIMITED,
        };
        assert!(matches!(
            store
                .approve_session(&signed_in, approval, now)
                .await
                .unwrap(),
            ApprovalOutcome::Approved(_)
        ));
        codes.push(code.expose().to_owned());
    }
    codes
}

/// The demo's web client for one server. It reuses its connections.
#[derive(Clone)]
pub struct WebClient {
    client: Client,
    url: String,
    id: String,
    secret: String,
}

impl WebClient {
    pub fn from_ready_line(ready: &Value) -> Self {
        let text = |path: &str| ready.pointer(path).unwrap().as_str().unwrap().to_owned();
        let url = format!("{}/v1/oauth/token", text("/auth_url"));
        Self {
            client: Client::new(),
            url,
            id: text("/client/id"),
            secret: text("/client/secret"),
        }
    }

    /// Result of a code exchange, or `None` without a response.
    pub async fn exchange(&self, code: &str) -> Option<Outcome> {
        self.ask(&[
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", REDIRECT_URI),
        ])
        .await
    }

    /// Result of a refresh, or `None` without a response.
    pub async fn refresh(&self, token: &str) -> Option<Outcome> {
        self.ask(&[("grant_type", "refresh_token"), ("refresh_token", token)])
            .await
    }

    async fn ask(&self, fields: &[(&str, &str)]) -> Option<Outcome> {
        let form = support::encode(
            &[
                fields,
                &[("client_id", &self.id), ("client_secret", &self.secret)],
            ]
            .concat(),
        );
        let headers = [("content-type", "application/x-www-form-urlencoded")];
        self.client
            .send(support::request(Method::POST, &self.url, &headers, form))
            .await
            .ok()
            .map(Outcome::from_response)
    }
}

/// Result of a token request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Tokens were issued; contains the refresh token.
    Tokens(String),
    InvalidGrant,
    Other(u16, String),
}

impl Outcome {
    fn from_response(answer: TestResponse) -> Self {
        let text = |name: &str| {
            serde_json::from_str::<Value>(&answer.body)
                .ok()?
                .get(name)?
                .as_str()
                .map(str::to_owned)
        };
        match answer.status.as_u16() {
            200 => text("refresh_token")
                .map_or_else(|| Self::Other(200, answer.body.clone()), Self::Tokens),
            400 if text("error").as_deref() == Some("invalid_grant") => Self::InvalidGrant,
            status => Self::Other(status, answer.body.clone()),
        }
    }

    /// The refresh token, if tokens were issued.
    pub fn tokens(&self) -> Option<&String> {
        match self {
            Self::Tokens(token) => Some(token),
            _ => None,
        }
    }

    /// The refresh token. Fails if no tokens were issued.
    pub fn token(self) -> String {
        match self {
            Self::Tokens(token) => token,
            other => panic!("no tokens: {other:?}"),
        }
    }
}
