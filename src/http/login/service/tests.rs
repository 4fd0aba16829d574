use std::sync::Mutex;

use async_trait::async_trait;
use http::Extensions;

use super::*;
use crate::crypto::SystemEntropy;
use crate::domain::{Quota, Role, SubjectId};
use crate::http::SystemClock;
use crate::http::login::{AccountCreationOutcome, Accounts};
use crate::http::request_metrics::RequestMetrics;
use crate::http::service::{Endpoint, ServiceContext};
use crate::store::memory::MemoryStore;

#[derive(Debug)]
struct NoUsers;

#[async_trait]
impl Authenticator for NoUsers {
    async fn authenticate(
        &self,
        _: &str,
        _: &Password,
        _: Option<IpAddr>,
    ) -> Result<AuthenticationOutcome, StorageError> {
        Ok(AuthenticationOutcome::InvalidCredentials)
    }

    async fn subject(&self, _: &SubjectId) -> Result<Option<Subject>, StorageError> {
        Ok(None)
    }
}

/// The users of a host. Its directory looks up the owner of an address, or does not respond.
#[derive(Debug)]
struct HostUsers;

#[async_trait]
impl Authenticator for HostUsers {
    async fn authenticate(
        &self,
        email: &str,
        password: &Password,
        address: Option<IpAddr>,
    ) -> Result<AuthenticationOutcome, StorageError> {
        NoUsers.authenticate(email, password, address).await
    }

    async fn subject(&self, id: &SubjectId) -> Result<Option<Subject>, StorageError> {
        NoUsers.subject(id).await
    }

    async fn email_owner(&self, email: &str) -> Result<EmailOwner, StorageError> {
        match email {
            "kim@school.example" => Ok(EmailOwner::User("1234".parse().unwrap())),
            "away@school.example" => Err(StorageError::unavailable("asking", "planted")),
            _ => Ok(EmailOwner::NoUser),
        }
    }
}

/// Built-in accounts, and the users of a host beside them.
#[derive(Debug)]
struct AccountsAndHostUsers {
    accounts: Accounts,
    /// `None` if the authenticator cannot look up the owner of an address.
    host: Option<HostUsers>,
}

#[async_trait]
impl Authenticator for AccountsAndHostUsers {
    async fn authenticate(
        &self,
        email: &str,
        password: &Password,
        address: Option<IpAddr>,
    ) -> Result<AuthenticationOutcome, StorageError> {
        self.accounts.authenticate(email, password, address).await
    }

    async fn subject(&self, id: &SubjectId) -> Result<Option<Subject>, StorageError> {
        self.accounts.subject(id).await
    }

    async fn email_owner(&self, email: &str) -> Result<EmailOwner, StorageError> {
        match &self.host {
            Some(host) => host.email_owner(email).await,
            None => NoUsers.email_owner(email).await,
        }
    }

    fn accounts(&self) -> Option<&Accounts> {
        Some(&self.accounts)
    }
}

#[derive(Debug, Default)]
struct Log(Mutex<Vec<EventKind>>);

impl AuditLog for Log {
    fn record(&self, event: &Event) {
        self.0.lock().unwrap().push(event.kind.clone());
    }
}

/// A request whose events are in the log.
fn context(log: &Arc<Log>) -> RequestContext {
    let service = ServiceContext {
        metrics: Arc::new(RequestMetrics::new("test")),
        clock: Arc::new(SystemClock),
        entropy: Arc::new(SystemEntropy),
        audit: Some(log.clone()),
        always_sends_request_id: true,
    };
    let endpoint = Endpoint {
        name: "test",
        exists: true,
        methods: "POST",
        cors: None,
    };
    RequestContext::new(&Arc::new(service), endpoint, &Extensions::new())
}

#[tokio::test]
async fn all_login_forms_share_their_attempts_and_are_distinguished_in_events() {
    let two_a_day = Quota::new(2, Duration::from_secs(86_400), 2).unwrap();
    let limits = LoginLimits {
        per_account_and_address: two_a_day,
        per_account: two_a_day,
        per_address: two_a_day,
    };
    let log = Arc::new(Log::default());
    let login_service = LoginService::new(
        Arc::new(NoUsers),
        limits,
        Arc::new(SystemClock),
        log.clone(),
    );
    let context = context(&log);
    let client = Some(ClientId::from_random([1; 16]));
    for (door, is_limited) in [(client, false), (None, false), (client, true), (None, true)] {
        let outcome = login_service
            .authenticate("kim@school.example", "wrong", door, &context)
            .await
            .unwrap();
        assert_eq!(
            matches!(outcome, LoginOutcome::TooManyAttempts { .. }),
            is_limited,
            "{outcome:?}"
        );
    }
    let refused = |client| EventKind::SignInRefused {
        client,
        email_owner: EmailOwner::NotLookedUp,
    };
    let limited = |client| EventKind::SignInLimited { client };
    let json = Event::new(context.origin(), SystemClock.now(), refused(None)).to_json();
    for absent in ["client", "id\"", "unknownEmail"] {
        assert!(!json.contains(absent), "{json}");
    }
    assert_eq!(
        *log.0.lock().unwrap(),
        [
            refused(client),
            refused(None),
            limited(client),
            limited(None)
        ]
    );
}

/// Fails if an unavailable directory fails the sign-in, or the typed address is recorded.
#[tokio::test]
async fn the_directory_of_a_host_says_whose_address_was_refused() {
    let log = Arc::new(Log::default());
    let login_service = LoginService::new(
        Arc::new(HostUsers),
        LoginLimits::standard().unwrap(),
        Arc::new(SystemClock),
        log.clone(),
    );
    let context = context(&log);
    for (email, owner, json) in [
        (
            "kim@school.example",
            EmailOwner::User("1234".parse().unwrap()),
            "\"object\":\"account\",\"id\":\"1234\"}",
        ),
        (
            "lee@school.example",
            EmailOwner::NoUser,
            "\"unknownEmail\":true}",
        ),
        ("away@school.example", EmailOwner::NotLookedUp, ""),
    ] {
        let outcome = login_service.authenticate(email, "wrong", None, &context);
        let outcome = outcome.await.unwrap();
        assert!(
            matches!(outcome, LoginOutcome::InvalidCredentials),
            "{outcome:?}"
        );
        let kind = log.0.lock().unwrap().pop().unwrap();
        let expected = EventKind::SignInRefused {
            client: None,
            email_owner: owner,
        };
        assert_eq!(kind, expected);
        let line = Event::new(context.origin(), SystemClock.now(), kind).to_json();
        assert!(line.ends_with(json) && !line.contains('@'), "{line}");
    }
}

/// Fails if the authenticator's answer hides a built-in account, or it is not asked for others.
#[tokio::test]
async fn refused_sign_ins_name_the_owner_among_built_in_accounts_and_host_users() {
    let of_host = EmailOwner::User("1234".parse().unwrap());
    for (host, kim, others) in [
        (
            Some(HostUsers),
            of_host,
            [EmailOwner::NoUser, EmailOwner::NoUser],
        ),
        (
            None,
            EmailOwner::NotLookedUp,
            [EmailOwner::NotLookedUp, EmailOwner::NotLookedUp],
        ),
    ] {
        let accounts = Accounts::builder(Arc::new(MemoryStore::new())).hashing_cost(8, 1);
        let accounts = accounts.build().unwrap();
        let mut ids = Vec::new();
        // The first is unknown to the host's directory; for the second, that does not respond.
        for email in ["park@school.example", "away@school.example"] {
            let password = Password::new("a long password").unwrap();
            let created = accounts.create(email.parse().unwrap(), &password, Role::User);
            let AccountCreationOutcome::Created(id) = created.await.unwrap() else {
                panic!("{email} was not created")
            };
            ids.push(EmailOwner::User(id.into()));
        }
        let log = Arc::new(Log::default());
        let login_service = LoginService::new(
            Arc::new(AccountsAndHostUsers { accounts, host }),
            LoginLimits::standard().unwrap(),
            Arc::new(SystemClock),
            log.clone(),
        );
        let [lee, gone] = others;
        for (email, expected) in [
            ("park@school.example", ids[0].clone()),
            ("away@school.example", ids[1].clone()),
            ("kim@school.example", kim),
            ("lee@school.example", lee),
            ("nothing", gone),
        ] {
            let _ = login_service
                .authenticate(email, "wrong", None, &context(&log))
                .await
                .unwrap();
            let kind = log.0.lock().unwrap().pop();
            let expected = EventKind::SignInRefused {
                client: None,
                email_owner: expected,
            };
            assert_eq!(kind, Some(expected), "{email}");
        }
    }
}
