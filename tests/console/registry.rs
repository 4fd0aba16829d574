//! Applications, scopes, clients and grants to look at, and forms that are filled in. Numbers tell things of one kind apart.

use std::time::Duration;

use http::StatusCode;
use lyceum::domain::{
    Application, ApplicationId, AuthorizationCodeDigest, AuthorizationSession, Client, ClientId, ClientPolicy, ClientProof, GrantId,
    Password, Role, ScopeDefinition, ScopeId, ScopeSet, SessionDigest, Subject, SubjectId, Verification,
};
use lyceum::http::auth_server::AccountCreation;
use lyceum::store::{Approval, ApprovalCaps, ApprovalOutcome, Assent, ClientCreation, Creation, Redemption, ScopeCreation, TokenLifetimes};

use crate::harness::*;

/// A user beside [`EMAIL`], who owns other things.
pub const OTHER: &str = "lee.minjun@school.example";
pub const HOSTILE: &str = "\"><b>x</b>'&amp;{{7*7}}";

pub async fn other(world: &World) -> SubjectId {
    let created = world.accounts.create(OTHER.parse().unwrap(), &Password::new(PASSWORD).unwrap(), Role::User).await.unwrap();
    let AccountCreation::Created(id) = created else { panic!("{created:?}") };
    id.into()
}

pub async fn application(world: &World, number: u8, owner: &SubjectId, name: &str) -> Application {
    let id = ApplicationId::from_random([number; 16]);
    let application = Application { id, name: name.parse().unwrap(), owner: owner.clone(), created_at: START };
    assert_eq!(world.store.create_application(application.clone()).await.unwrap(), Creation::Created);
    application
}

pub async fn scope(world: &World, number: u8, of: &Application, name: &str) -> ScopeDefinition {
    let definition = ScopeDefinition {
        id: ScopeId::from_random([number ^ 0x80; 16]),
        scope: format!("{}:{name}", of.id).parse().unwrap(),
        description: "Read <b>points</b>".parse().unwrap(),
        application_name: of.name.clone(),
        approval_required: false,
    };
    assert_eq!(world.store.create_scope(definition.clone()).await.unwrap(), ScopeCreation::Created);
    definition
}

pub async fn client(world: &World, number: u8, owner: &SubjectId, name: &str, scopes: &[&ScopeDefinition]) -> ClientId {
    let client = Client {
        id: ClientId::from_random([number; 16]),
        name: name.parse().unwrap(),
        owner: owner.clone(),
        policy: ClientPolicy::Public,
        secrets: Vec::new(),
        redirect_uris: vec!["https://app.example/callback".parse().unwrap()],
        allowed_scopes: set(scopes),
        plain_pkce_allowed: false,
        pkce_required: true,
        first_party: false,
        client_credentials_allowed: false,
        iss_omitted: false,
        verification: Verification::Assumed,
        created_at: START,
        suspended_at: None,
    };
    let id = client.id;
    assert_eq!(world.store.create_client(client).await.unwrap(), ClientCreation::Created);
    id
}

/// A live grant of a client, by whoever has [`EMAIL`].
pub async fn live_grant(world: &World, number: u8, client: ClientId, scopes: &[&ScopeDefinition]) -> GrantId {
    let (session, code) = (SessionDigest::from_bytes([number; 32]), AuthorizationCodeDigest::from_bytes([number; 32]));
    let grant = GrantId::from_random([number; 16]);
    let now = lyceum::http::Clock::now(&world.clock);
    let subject = Subject { id: world.person.clone(), email: EMAIL.parse().unwrap(), role: Role::User, number: None };
    let pending = AuthorizationSession {
        client,
        redirect_uri: "https://app.example/callback".to_owned(),
        state: None,
        scopes: set(scopes),
        challenge: None,
        ask_again: false,
        subject: Some(subject),
        created_at: now,
        expires_at: now.plus(MINUTE),
    };
    world.store.open_session(session, pending).await.unwrap();
    let approval = Approval { grant, code, code_expires_at: now.plus(MINUTE), assent: Assent::Once, caps: ApprovalCaps::NONE };
    let outcome = world.store.approve_session(&session, approval, now).await.unwrap();
    assert!(matches!(outcome, ApprovalOutcome::Approved(_)), "{outcome:?}");
    let month = Duration::from_secs(30 * 24 * 60 * 60);
    let lifetimes = TokenLifetimes { idle: month, absolute: 6 * month, retry_window: Duration::from_secs(30) };
    let redeemed = world.store.redeem_authorization_code(&code, ClientProof::Pkce, lifetimes, now).await.unwrap();
    assert!(matches!(redeemed, Redemption::Redeemed(_)), "{redeemed:?}");
    grant
}

pub fn set(scopes: &[&ScopeDefinition]) -> ScopeSet {
    scopes.iter().map(|definition| definition.scope.clone()).collect()
}

pub fn page_of(application: &Application) -> String {
    format!("/applications/{}", application.id)
}

pub fn page_of_scope(definition: &ScopeDefinition) -> String {
    format!("/applications/{}/scopes/{}", definition.scope.application, definition.id)
}

/// Looks at the page of a form, and sends the form with what it sends along.
pub async fn fill_in(browser: &mut Browser, path: &str, fields: &[(&str, &str)]) -> Answer {
    let page = browser.get(path).await;
    assert_eq!(page.status, StatusCode::OK, "{page:?}");
    send(browser, &page, path, fields).await
}

/// Sends the form of a page that was looked at.
pub async fn send(browser: &mut Browser, page: &Answer, path: &str, fields: &[(&str, &str)]) -> Answer {
    let (token, seen) = (form_token(&page.body), hidden(&page.body, "seen"));
    let mut all = vec![("form_token", &*token)];
    all.extend(seen.as_deref().map(|seen| ("seen", seen)));
    all.extend(fields);
    browser.post(path, &all).await
}

fn hidden(page: &str, name: &str) -> Option<String> {
    let rest = page.split(&format!("type=\"hidden\" name=\"{name}\" value=\"")).nth(1)?;
    rest.split('"').next().map(str::to_owned)
}

/// Follows an answer that leads somewhere after a form.
pub async fn done(browser: &mut Browser, answer: &Answer, location: &str) -> Answer {
    assert_eq!((answer.status, answer.location()), (StatusCode::SEE_OTHER, &*format!("/console{location}")), "{answer:?}");
    let page = browser.follow().await;
    assert_eq!(page.status, StatusCode::OK, "{page:?}");
    page
}

/// Fails unless the page says all of it.
pub fn assert_says(page: &Answer, texts: &[&str]) {
    for text in texts {
        assert!(page.body.contains(text), "{text} is missing in {}", page.body);
    }
}
