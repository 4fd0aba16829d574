//! Password changes during a sign-in or another change.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use http::StatusCode;
use lyceum::domain::{PageRequest, Password, SigningAlgorithm, Subject, SubjectId};
use lyceum::http::Branding;
use lyceum::http::auth_server::{
    Accounts, AuthServer, AuthenticationOutcome, Authenticator, PasswordResetOutcome,
};
use lyceum::http::console::Console;
use lyceum::store::{ApiKeyAction, StorageError};

use crate::harness::*;

const NEW: &str = "another horse";

/// Authenticator that changes one account's password at a chosen moment.
#[derive(Debug)]
struct Changing {
    accounts: Arc<Accounts>,
    who: SubjectId,
    /// Change it after its verification, before the result is returned.
    while_proving: AtomicBool,
    /// Change it when the user is loaded.
    while_opening: AtomicBool,
}

impl Changing {
    async fn change(&self, at: &AtomicBool) {
        if at.swap(false, Ordering::SeqCst) {
            let (id, new) = (
                self.who.as_str().parse().unwrap(),
                Password::new(NEW).unwrap(),
            );
            assert_eq!(
                self.accounts
                    .set_password(&self.who, id, &new, ApiKeyAction::Revoke)
                    .await
                    .unwrap(),
                PasswordResetOutcome::Changed
            );
        }
    }
}

#[async_trait]
impl Authenticator for Changing {
    async fn authenticate(
        &self,
        email: &str,
        password: &Password,
        address: Option<IpAddr>,
    ) -> Result<AuthenticationOutcome, StorageError> {
        let verdict = self.accounts.authenticate(email, password, address).await;
        self.change(&self.while_proving).await;
        verdict
    }

    async fn subject(&self, id: &SubjectId) -> Result<Option<Subject>, StorageError> {
        self.change(&self.while_opening).await;
        self.accounts.subject(id).await
    }

    fn accounts(&self) -> Option<&Accounts> {
        Some(&self.accounts)
    }
}

async fn harness() -> (Harness, Arc<Changing>) {
    let harness = Harness::new().await;
    let person = harness.person.clone();
    changing_harness(harness, person).await
}

/// A harness in which this account's password changes.
async fn changing_harness(harness: Harness, who: SubjectId) -> (Harness, Arc<Changing>) {
    let (while_proving, while_opening) = (AtomicBool::new(false), AtomicBool::new(false));
    let changing = Changing {
        accounts: harness.accounts.clone(),
        who,
        while_proving,
        while_opening,
    };
    let changing = Arc::new(changing);
    let auth = AuthServer::builder(
        harness.store.clone(),
        "https://school.example/auth",
        lyceum::testing::master_key(3),
    )
    .clock(Arc::new(harness.clock.clone()))
    .authenticator(changing.clone())
    .branding(Branding::new("Haneul <High> School").unwrap())
    .api_keys(harness.store.clone())
    .signing_algorithm(SigningAlgorithm::Es256);
    let auth = auth.build().await.unwrap();
    let console = Console::builder(auth.management(), ADDRESS)
        .build()
        .unwrap();
    (
        Harness {
            console,
            auth,
            ..harness
        },
        changing,
    )
}

async fn administrator_harness() -> (Harness, Arc<Changing>) {
    let harness = Harness::new().await;
    let admin = harness
        .store
        .account_by_email(&ADMIN.parse().unwrap())
        .await
        .unwrap()
        .unwrap();
    changing_harness(harness, admin.id.into()).await
}

// Proves: threats 23
/// Fails if an old password opens a session, which no later change would end.
#[tokio::test]
async fn a_password_that_changes_while_it_is_proven_opens_nothing() {
    let (harness, changing) = harness().await;
    changing.while_proving.store(true, Ordering::SeqCst);
    let mut browser = harness.browser();
    assert_eq!(
        browser.sign_in(EMAIL, PASSWORD).await.status,
        StatusCode::UNAUTHORIZED
    );
    assert!(browser.session().is_none());
    assert_eq!(
        browser.sign_in(EMAIL, NEW).await.status,
        StatusCode::SEE_OTHER
    );
}

// Proves: threats 23
/// Fails if the password is checked only before the session is opened.
#[tokio::test]
async fn a_password_that_changes_while_a_session_is_opened_opens_nothing() {
    let (harness, changing) = harness().await;
    // Another user has a session in this browser; the sign-in ends it first.
    let mut browser = harness.browser();
    let page = browser.get("/sign-in").await.body;
    let visit = browser.cookies.clone();
    browser.sign_in(ADMIN, PASSWORD).await;
    browser.cookies.extend(visit);
    changing.while_opening.store(true, Ordering::SeqCst);
    let fields = [
        ("form_token", &*form_token(&page)),
        ("email", EMAIL),
        ("password", PASSWORD),
        ("next", "/"),
    ];
    let answer = browser.post("/sign-in", &fields).await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{answer:?}");
    assert!(answer.cookies().is_empty() && !answer.header("retry-after").is_empty());
    let sessions = harness
        .store
        .user_sessions_of(&harness.person, 30 * MINUTE, START)
        .await
        .unwrap();
    assert!(sessions.is_empty(), "{sessions:?}");
    assert_eq!(
        harness.browser().sign_in(EMAIL, NEW).await.status,
        StatusCode::SEE_OTHER
    );
}

/// Fails if the session is checked only before a record is created.
#[tokio::test]
async fn a_creation_during_a_password_change_is_undone_and_redirects_to_sign_in() {
    let client = [
        ("name", "Club app"),
        ("policy", "secret"),
        ("redirect_uris", "https://club.example/callback"),
    ];
    let key = [("description", "Lunch"), ("scopes", "NEIS_READ")];
    for (path, fields) in [
        ("/keys/new", &key[..]),
        ("/clients/new", &client),
        ("/applications/new", &client[..1]),
    ] {
        let (harness, changing) = harness().await;
        let mut browser = harness.browser_of(EMAIL).await;
        let token = form_token(&browser.get(path).await.body);
        changing.while_opening.store(true, Ordering::SeqCst);
        let answer = browser
            .post(path, &[&[("form_token", &*token)], fields].concat())
            .await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{path}: {answer:?}");
        assert!(
            answer.location().starts_with("/console/sign-in"),
            "{path}: {answer:?}"
        );
        let answer = browser.get("/").await;
        assert!(
            answer.location().starts_with("/console/sign-in"),
            "{path}: the session goes on: {answer:?}"
        );
        let page = PageRequest::new(0, 9).unwrap();
        let keys = harness
            .store
            .api_keys(Some(&harness.person), page)
            .await
            .unwrap();
        assert!(
            keys.items.iter().all(|key| key.revoked_at.is_some()),
            "{path}: {keys:?}"
        );
        let clients = harness
            .store
            .clients(Some(&harness.person).into(), page)
            .await
            .unwrap();
        let applications = harness
            .store
            .applications(Some(&harness.person), page)
            .await
            .unwrap();
        assert_eq!((clients.total, applications.total), (0, 0), "{path}");
    }
}

/// Fails if an account that was created with an administrator's stolen session stays after the
/// session ends.
#[tokio::test]
async fn an_account_created_during_its_administrators_sign_out_is_undone() {
    let (harness, changing) = administrator_harness().await;
    let mut browser = harness.browser_of(ADMIN).await;
    let token = form_token(&browser.get("/admin/people/new").await.body);
    changing.while_opening.store(true, Ordering::SeqCst);
    let fields = [
        ("form_token", &*token),
        ("email", "new@school.example"),
        ("role", "ADMIN"),
    ];
    let answer = browser.post("/admin/people/new", &fields).await;
    assert!(
        answer.location().starts_with("/console/sign-in"),
        "{answer:?}"
    );
    assert!(
        harness
            .store
            .account_by_email(&"new@school.example".parse().unwrap())
            .await
            .unwrap()
            .is_none()
    );
}

/// Fails if the school's name is reserved for passwords only, not for clients and applications.
#[tokio::test]
async fn the_name_of_the_school_that_accounts_know_is_reserved_for_administrators() {
    let harness = Harness::new().await;
    let school = "Star High School";
    let accounts = Accounts::builder(harness.store.clone())
        .clock(Arc::new(harness.clock.clone()))
        .hashing_cost(8, 1);
    let accounts = accounts
        .school_name(school.parse().unwrap())
        .build()
        .unwrap();
    let auth = AuthServer::builder(
        harness.store.clone(),
        "https://school.example/auth",
        lyceum::testing::master_key(3),
    )
    .clock(Arc::new(harness.clock.clone()))
    .authenticator(Arc::new(accounts))
    .signing_algorithm(SigningAlgorithm::Es256);
    let auth = auth.build().await.unwrap();
    let console = Console::builder(auth.management(), ADDRESS)
        .build()
        .unwrap();
    let harness = Harness {
        console,
        auth,
        ..harness
    };
    let mut browser = harness.browser_of(EMAIL).await;
    let token = form_token(&browser.get("/applications/new").await.body);
    let answer = browser
        .post(
            "/applications/new",
            &[("form_token", &token), ("name", school)],
        )
        .await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{answer:?}");
    assert_eq!(
        harness
            .store
            .applications(Some(&harness.person), PageRequest::new(0, 9).unwrap())
            .await
            .unwrap()
            .total,
        0
    );
}

/// Fails if the creation of the first first-party client is not undone because the last one cannot
/// be deleted.
#[tokio::test]
async fn a_first_party_client_created_during_sign_out_is_undone() {
    let (harness, changing) = administrator_harness().await;
    let mut browser = harness.browser_of(ADMIN).await;
    let token = form_token(&browser.get("/clients/new").await.body);
    changing.while_opening.store(true, Ordering::SeqCst);
    let fields = [
        ("form_token", &*token),
        ("name", "Portal"),
        ("policy", "secret"),
        ("redirect_uris", "https://portal.example/callback"),
        ("scopes", "service:manage"),
        ("first_party", "true"),
    ];
    let answer = browser.post("/clients/new", &fields).await;
    assert!(
        answer.location().starts_with("/console/sign-in"),
        "{answer:?}"
    );
    assert_eq!(
        harness
            .store
            .clients(None.into(), PageRequest::new(0, 9).unwrap())
            .await
            .unwrap()
            .total,
        0
    );
}
