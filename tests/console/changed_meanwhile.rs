//! Passwords that become others while somebody signs in by them, or makes something.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use http::StatusCode;
use lyceum::domain::{PageRequest, Password, SigningAlgorithm, Subject, SubjectId};
use lyceum::http::auth_server::{Accounts, AuthServer, Authenticator, PasswordReset, SignInVerdict};
use lyceum::http::console::Console;
use lyceum::store::{OwnedApiKeys, StorageError};

use crate::harness::*;

const NEW: &str = "another horse";

/// Accounts of which one gets another password at a bad moment.
#[derive(Debug)]
struct Changing {
    accounts: Arc<Accounts>,
    who: SubjectId,
    /// Between the proof and the word that it is one.
    while_proving: AtomicBool,
    /// Between that and the session.
    while_opening: AtomicBool,
}

impl Changing {
    async fn change(&self, at: &AtomicBool) {
        if at.swap(false, Ordering::SeqCst) {
            let (id, new) = (self.who.as_str().parse().unwrap(), Password::new(NEW).unwrap());
            assert_eq!(self.accounts.set_password(&self.who, id, &new, OwnedApiKeys::Revoke).await.unwrap(), PasswordReset::Done);
        }
    }
}

#[async_trait]
impl Authenticator for Changing {
    async fn authenticate(&self, email: &str, password: &Password, address: Option<IpAddr>) -> Result<SignInVerdict, StorageError> {
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

async fn world() -> (World, Arc<Changing>) {
    let world = World::new().await;
    let person = world.person.clone();
    world_where(world, person).await
}

/// A world in which this account gets another password.
async fn world_where(world: World, who: SubjectId) -> (World, Arc<Changing>) {
    let (while_proving, while_opening) = (AtomicBool::new(false), AtomicBool::new(false));
    let changing = Changing { accounts: world.accounts.clone(), who, while_proving, while_opening };
    let changing = Arc::new(changing);
    let auth = AuthServer::builder(world.store.clone(), "https://school.example/auth", lyceum::testing::master_key(3))
        .clock(Arc::new(world.clock.clone()))
        .authenticator(changing.clone())
        .api_keys(world.store.clone())
        .signing_algorithm(SigningAlgorithm::Es256);
    let auth = auth.build().await.unwrap();
    let console = Console::builder(auth.office(), ADDRESS).site("Haneul <High> School").unwrap().build().unwrap();
    (World { console, auth, ..world }, changing)
}

async fn world_of_administrator() -> (World, Arc<Changing>) {
    let world = World::new().await;
    let admin = world.store.account_by_email(&ADMIN.parse().unwrap()).await.unwrap().unwrap();
    world_where(world, admin.id.into()).await
}

/// Fails if a password that is no more opens a session, which nothing would end.
#[tokio::test]
async fn s23_a_password_that_changes_while_it_is_proven_opens_nothing() {
    let (world, changing) = world().await;
    changing.while_proving.store(true, Ordering::SeqCst);
    let mut browser = world.browser();
    assert_eq!(browser.sign_in(EMAIL, PASSWORD).await.status, StatusCode::UNAUTHORIZED);
    assert!(browser.session().is_none());
    assert_eq!(browser.sign_in(EMAIL, NEW).await.status, StatusCode::SEE_OTHER);
}

/// Fails if the password is only asked for before the session is there.
#[tokio::test]
async fn s23_a_password_that_changes_while_a_session_is_opened_opens_nothing() {
    let (world, changing) = world().await;
    // Another person has signed in here before, whose session ends first.
    let mut browser = world.browser();
    let page = browser.get("/sign-in").await.body;
    let visit = browser.cookies.clone();
    browser.sign_in(ADMIN, PASSWORD).await;
    browser.cookies.extend(visit);
    changing.while_opening.store(true, Ordering::SeqCst);
    let fields = [("form_token", &*form_token(&page)), ("email", EMAIL), ("password", PASSWORD), ("next", "/")];
    let answer = browser.post("/sign-in", &fields).await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{answer:?}");
    assert!(answer.cookies().is_empty() && !answer.header("retry-after").is_empty());
    let sessions = world.store.user_sessions_of(&world.person, 30 * MINUTE, START).await.unwrap();
    assert!(sessions.is_empty(), "{sessions:?}");
    assert_eq!(world.browser().sign_in(EMAIL, NEW).await.status, StatusCode::SEE_OTHER);
}

/// Fails if a session is looked at only before something is made in its name.
#[tokio::test]
async fn what_is_made_while_the_password_changes_is_taken_back_and_leads_to_the_sign_in_page() {
    let client = [("name", "Club app"), ("policy", "secret"), ("redirect_uris", "https://club.example/callback")];
    let key = [("description", "Lunch"), ("scopes", "NEIS_READ")];
    for (path, fields) in [("/keys/new", &key[..]), ("/clients/new", &client), ("/applications/new", &client[..1])] {
        let (world, changing) = world().await;
        let mut browser = world.browser_of(EMAIL).await;
        let token = form_token(&browser.get(path).await.body);
        changing.while_opening.store(true, Ordering::SeqCst);
        let answer = browser.post(path, &[&[("form_token", &*token)], fields].concat()).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{path}: {answer:?}");
        assert!(answer.location().starts_with("/console/sign-in"), "{path}: {answer:?}");
        assert!(browser.session().is_none(), "{path}: the browser keeps its cookie");
        let page = PageRequest::new(0, 9).unwrap();
        let keys = world.store.api_keys(Some(&world.person), page).await.unwrap();
        assert!(keys.items.iter().all(|key| key.revoked_at.is_some()), "{path}: {keys:?}");
        let clients = world.store.clients(Some(&world.person).into(), page).await.unwrap();
        let applications = world.store.applications(Some(&world.person), page).await.unwrap();
        assert_eq!((clients.total, applications.total), (0, 0), "{path}");
    }
}

/// Fails if an account that an administrator's stolen session creates outlives the session.
#[tokio::test]
async fn an_account_that_is_created_while_its_administrator_signs_out_is_taken_back() {
    let (world, changing) = world_of_administrator().await;
    let mut browser = world.browser_of(ADMIN).await;
    let token = form_token(&browser.get("/admin/people/new").await.body);
    changing.while_opening.store(true, Ordering::SeqCst);
    let fields = [("form_token", &*token), ("email", "new@school.example"), ("password", "a stranger's choice"), ("role", "ADMIN")];
    let answer = browser.post("/admin/people/new", &fields).await;
    assert!(answer.location().starts_with("/console/sign-in"), "{answer:?}");
    assert!(world.store.account_by_email(&"new@school.example".parse().unwrap()).await.unwrap().is_none());
}

/// Fails if the school's name is known where passwords are set, and not where clients and applications get their names.
#[tokio::test]
async fn the_name_of_the_school_that_accounts_know_is_reserved_for_administrators() {
    let world = World::new().await;
    let school = "Star High School";
    let accounts = Accounts::builder(world.store.clone()).clock(Arc::new(world.clock.clone())).hashing_cost(8, 1);
    let accounts = accounts.school_name(school.parse().unwrap()).build().unwrap();
    let auth = AuthServer::builder(world.store.clone(), "https://school.example/auth", lyceum::testing::master_key(3))
        .clock(Arc::new(world.clock.clone()))
        .authenticator(Arc::new(accounts))
        .signing_algorithm(SigningAlgorithm::Es256);
    let auth = auth.build().await.unwrap();
    let console = Console::builder(auth.office(), ADDRESS).build().unwrap();
    let world = World { console, auth, ..world };
    let mut browser = world.browser_of(EMAIL).await;
    let token = form_token(&browser.get("/applications/new").await.body);
    let answer = browser.post("/applications/new", &[("form_token", &token), ("name", school)]).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{answer:?}");
    assert_eq!(world.store.applications(Some(&world.person), PageRequest::new(0, 9).unwrap()).await.unwrap().total, 0);
}

/// Fails if the first of the service's own clients is kept because the last of them cannot be deleted.
#[tokio::test]
async fn the_first_of_the_services_own_clients_is_taken_back_too() {
    let (world, changing) = world_of_administrator().await;
    let mut browser = world.browser_of(ADMIN).await;
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
    assert!(answer.location().starts_with("/console/sign-in"), "{answer:?}");
    assert_eq!(world.store.clients(None.into(), PageRequest::new(0, 9).unwrap()).await.unwrap().total, 0);
}
