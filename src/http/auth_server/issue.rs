use http::header::PRAGMA;
use http::{Response, StatusCode};

use super::answer;
use super::error::Refusal;
use super::server::Server;
use super::wire::TokenReply;
use crate::crypto::{ACCESS_TOKEN_TYPE, sign_token};
use crate::domain::{Grant, ScopeSet, Subject, Timestamp};
use crate::http::Body;
use crate::oauth::{AccessTokenClaims, Issuance};

/// The tokens of a grant that has just been redeemed or refreshed, as the answer of the token endpoint.
///
/// `subject` is who the user is now. Nothing is written here or afterwards, so whatever becomes of the grant while this signs is not
/// undone: the tokens of a grant that was revoked in the meantime are dead when they arrive.
pub(super) fn tokens(
    server: &Server,
    grant: &Grant,
    subject: &Subject,
    scopes: &ScopeSet,
    now: Timestamp,
) -> Result<Response<Body>, Refusal> {
    let claims = AccessTokenClaims::new(Issuance {
        issuer: server.issuer.as_str(),
        grant: grant.id,
        client: grant.client,
        subject,
        scopes,
        key: server.active_key.key_id(),
        random: server.entropy.bytes(),
        issued_at: now,
        lifetime: server.lifetimes.access_token,
    });
    let refresh_token = server.refresh_tokens.issue(grant.id, grant.generation);
    let reply = TokenReply {
        access_token: &sign_token(&*server.active_key, ACCESS_TOKEN_TYPE, &claims).map_err(Refusal::failure)?,
        token_type: "Bearer",
        expires_in: server.lifetimes.access_token.as_secs(),
        refresh_token: refresh_token.expose(),
        scope: &claims.scope,
    };
    Ok(answer::with_header(answer::json(StatusCode::OK, &reply), PRAGMA, "no-cache")?)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use http::Request;
    use http::header::CONTENT_TYPE;
    use jsonwebtoken::jwk::Jwk;
    use tower::ServiceExt;

    use super::super::AuthServer;
    use super::*;
    use crate::crypto::{MasterKey, Signer, SigningError};
    use crate::domain::{
        Account, AccountId, AuthorizationCode, AuthorizationSession, ChallengeMethod, Client, ClientId, ClientPolicy, CodeChallenge, Email,
        Generation, GrantId, KeyId, PasswordHash, Role, SessionToken, SigningAlgorithm, SubjectId,
    };
    use crate::http::FailureCause;
    use crate::store::memory::MemoryStore;
    use crate::store::{AccountStore, Approval, Assent, ClientRegistry, GrantStore};
    use crate::testing::{ManualClock, SeededEntropy};

    const NOW: Timestamp = Timestamp::from_seconds(1_767_225_600);
    const CALLBACK: &str = "https://app.example/callback";
    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

    /// What goes wrong while a token is being signed.
    #[derive(Debug, Clone, Copy)]
    enum Accident {
        Revocation,
        Refusal,
    }

    /// A signer to which something happens.
    #[derive(Debug)]
    struct Unlucky {
        inner: Arc<dyn Signer>,
        store: Arc<MemoryStore>,
        accident: Accident,
    }

    impl Signer for Unlucky {
        fn key_id(&self) -> &KeyId {
            self.inner.key_id()
        }

        fn algorithm(&self) -> SigningAlgorithm {
            self.inner.algorithm()
        }

        fn sign(&self, message: &[u8]) -> Result<Vec<u8>, SigningError> {
            match self.accident {
                Accident::Revocation => {
                    // The store in memory never waits.
                    let id = grant();
                    let mut revocation = self.store.revoke_grant(&id, NOW);
                    let polled = revocation.as_mut().poll(&mut std::task::Context::from_waker(std::task::Waker::noop()));
                    assert!(matches!(polled, std::task::Poll::Ready(Ok(true))));
                    self.inner.sign(message)
                }
                Accident::Refusal => Err(SigningError::Refused),
            }
        }

        fn public_jwk(&self) -> &Jwk {
            self.inner.public_jwk()
        }
    }

    fn grant() -> GrantId {
        GrantId::from_random([5; 16])
    }

    fn client() -> Client {
        Client {
            id: ClientId::from_random([1; 16]),
            name: "Timetable".parse().unwrap(),
            owner: SubjectId::service(),
            policy: ClientPolicy::Public,
            secrets: Vec::new(),
            redirect_uris: vec![CALLBACK.parse().unwrap()],
            allowed_scopes: ScopeSet::parse("service:self_read").unwrap(),
            plain_pkce_allowed: false,
            created_at: NOW,
        }
    }

    /// A store in which a user has just allowed a code.
    async fn allowed(code: &AuthorizationCode) -> Arc<MemoryStore> {
        let store = Arc::new(MemoryStore::new());
        let _ = store.create_client(client()).await.unwrap();
        let (id, email) = (AccountId::from_random([8; 16]), "kim@school.example".parse::<Email>().unwrap());
        let password_hash = PasswordHash::from_phc("never checked here");
        let account = Account { id, email: email.clone(), password_hash, role: Role::User, created_at: NOW };
        let _ = store.create_account(account).await.unwrap();
        let subject = Subject { id: id.into(), email, role: Role::User };
        let session = AuthorizationSession {
            client: client().id,
            redirect_uri: CALLBACK.to_owned(),
            state: None,
            scopes: client().allowed_scopes,
            challenge: Some(CodeChallenge::new(ChallengeMethod::S256, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM").unwrap()),
            ask_again: false,
            subject: Some(subject),
            created_at: NOW,
            expires_at: NOW.plus(Duration::from_secs(60)),
        };
        let token = SessionToken::from_random([9; 32]).digest();
        store.open_session(token, session).await.unwrap();
        let approval =
            Approval { grant: grant(), code: code.digest(), code_expires_at: NOW.plus(Duration::from_secs(60)), assent: Assent::Once };
        let _ = store.approve_session(&token, approval, NOW).await.unwrap();
        store
    }

    /// The answer to an exchange during which something happens.
    async fn exchange(store: &Arc<MemoryStore>, code: &AuthorizationCode, accident: Accident) -> Response<Body> {
        let builder = AuthServer::builder(store.clone(), "https://auth.school.example", MasterKey::from_bytes([3; 32]))
            .clock(Arc::new(ManualClock::at(NOW)))
            .entropy(Arc::new(SeededEntropy::new(1)))
            .signing_algorithm(SigningAlgorithm::Es256);
        let mut server = Arc::into_inner(builder.build().await.unwrap().server).unwrap();
        server.active_key = Arc::new(Unlucky { inner: server.active_key, store: Arc::clone(store), accident });
        let body = format!(
            "grant_type=authorization_code&client_id={}&code={}&redirect_uri={CALLBACK}&code_verifier={VERIFIER}",
            client().id,
            code.expose()
        );
        let request = Request::post("/v1/oauth/token").header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(Body::from(body));
        AuthServer::new(server).oneshot(request.unwrap()).await.unwrap()
    }

    #[tokio::test]
    async fn s03_a_revocation_during_the_issuing_is_not_undone_by_it() {
        let code = AuthorizationCode::from_random([7; 32]);
        let store = allowed(&code).await;
        assert_eq!(exchange(&store, &code, Accident::Revocation).await.status(), StatusCode::OK);
        assert!(!store.grant_is_live(&grant(), NOW).await.unwrap());
        let lifetimes = crate::store::TokenLifetimes { idle: Duration::MAX, absolute: Duration::MAX, retry_window: Duration::ZERO };
        let rotation = store.rotate(&grant(), Generation::FIRST, lifetimes, NOW).await.unwrap();
        assert_eq!(rotation, crate::store::Rotation::Revoked);
    }

    #[tokio::test]
    async fn a_signer_that_fails_is_told_to_the_log_and_not_to_the_client() {
        let code = AuthorizationCode::from_random([7; 32]);
        let store = allowed(&code).await;
        let response = exchange(&store, &code, Accident::Refusal).await;
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let cause = response.extensions().get::<FailureCause>().unwrap().error().to_string();
        let body = String::from_utf8(response.body().as_bytes().to_vec()).unwrap();
        assert!(!body.contains(&cause) && body.contains("server_error"), "{body}");
        assert_eq!(response.headers()[http::header::CACHE_CONTROL], "no-store");
    }
}
