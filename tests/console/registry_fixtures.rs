//! Applications, scopes, clients and grants in the store, and forms that are filled in. Numbers
//! distinguish records of one kind.

use std::time::Duration;

use http::StatusCode;
use lyceum::domain::{
    Application, ApplicationId, AuthorizationCodeDigest, AuthorizationSession, Client, ClientId,
    ClientProof, GrantId, Role, ScopeDefinition, ScopeId, ScopeSet, SessionDigest, Subject,
    SubjectId, Translations,
};
use lyceum::store::{
    Approval, ApprovalLimits, ApprovalOutcome, ConsentMode, Creation, Redemption, ScopeCreation,
    TokenLifetimes,
};

use crate::fixtures::{keep_client, new_client};
use crate::harness::*;

/// A user beside [`EMAIL`], who owns other records.
pub const OTHER: &str = "lee.minjun@school.example";
/// Another user, who is no student, as users see them.
pub const DEVELOPER: &str = "A developer of this school";
pub const HOSTILE: &str = "\"><b>x</b>'&amp;{{7*7}}";

pub async fn other(harness: &Harness) -> SubjectId {
    create_account(&harness.accounts, OTHER, Role::User).await
}

pub async fn application(
    harness: &Harness,
    number: u8,
    owner: &SubjectId,
    name: &str,
) -> Application {
    let id = ApplicationId::from_random([number; 16]);
    let application = Application {
        id,
        name: name.parse().unwrap(),
        name_translations: Translations::default(),
        owner: owner.clone(),
        created_at: START,
    };
    assert_eq!(
        harness
            .store
            .create_application(application.clone())
            .await
            .unwrap(),
        Creation::Created
    );
    application
}

pub async fn scope(harness: &Harness, number: u8, of: &Application, name: &str) -> ScopeDefinition {
    let definition = ScopeDefinition {
        id: ScopeId::from_random([number ^ 0x80; 16]),
        scope: format!("{}:{name}", of.id).parse().unwrap(),
        description: "Read <b>points</b>".parse().unwrap(),
        application_name: of.name.clone(),
        description_translations: Translations::default(),
        application_name_translations: Translations::default(),
        approval_required: false,
    };
    assert_eq!(
        harness
            .store
            .create_scope(definition.clone())
            .await
            .unwrap(),
        ScopeCreation::Created
    );
    definition
}

pub async fn client(
    harness: &Harness,
    number: u8,
    owner: &SubjectId,
    name: &str,
    scopes: &[&ScopeDefinition],
) -> ClientId {
    let client = Client {
        owner: owner.clone(),
        allowed_scopes: scope_set(scopes),
        ..new_client(number, name)
    };
    keep_client(harness, client).await
}

/// A live grant of a client by the user with [`EMAIL`].
pub async fn live_grant(
    harness: &Harness,
    number: u8,
    client: ClientId,
    scopes: &[&ScopeDefinition],
) -> GrantId {
    let (session, code) = (
        SessionDigest::from_bytes([number; 32]),
        AuthorizationCodeDigest::from_bytes([number; 32]),
    );
    let grant = GrantId::from_random([number; 16]);
    let now = lyceum::http::Clock::now(&harness.clock);
    let subject = Subject {
        id: harness.person.clone(),
        email: EMAIL.parse().unwrap(),
        role: Role::User,
        numeric_id: None,
        student: None,
    };
    let pending = AuthorizationSession {
        client,
        redirect_uri: "https://app.example/callback".to_owned(),
        state: None,
        scopes: scope_set(scopes),
        challenge: None,
        prompt: lyceum::domain::Prompt::default(),
        subject: Some(subject),
        created_at: now,
        expires_at: now.plus(MINUTE),
    };
    harness.store.open_session(session, pending).await.unwrap();
    let approval = Approval {
        grant,
        code,
        code_expires_at: now.plus(MINUTE),
        consent_mode: ConsentMode::Once,
        limits: ApprovalLimits::UNLIMITED,
    };
    let outcome = harness
        .store
        .approve_session(&session, approval, now)
        .await
        .unwrap();
    assert!(
        matches!(outcome, ApprovalOutcome::Approved(_)),
        "{outcome:?}"
    );
    let month = Duration::from_secs(30 * 24 * 60 * 60);
    let lifetimes = TokenLifetimes {
        idle: month,
        absolute: 6 * month,
        retry_window: Duration::from_secs(30),
    };
    let redeemed = harness
        .store
        .redeem_authorization_code(&code, ClientProof::Pkce, lifetimes, now)
        .await
        .unwrap();
    assert!(matches!(redeemed, Redemption::Redeemed(_)), "{redeemed:?}");
    grant
}

pub fn scope_set(scopes: &[&ScopeDefinition]) -> ScopeSet {
    scopes
        .iter()
        .map(|definition| definition.scope.clone())
        .collect()
}

pub fn application_path(application: &Application) -> String {
    format!("/applications/{}", application.id)
}

pub fn scope_path(definition: &ScopeDefinition) -> String {
    format!(
        "/applications/{}/scopes/{}",
        definition.scope.application, definition.id
    )
}

/// Requests the page of a form, and submits the form with its hidden fields.
pub async fn fill_in(browser: &mut Browser, path: &str, fields: &[(&str, &str)]) -> TestResponse {
    let page = browser.get(path).await;
    assert_eq!(page.status, StatusCode::OK, "{page:?}");
    send(browser, &page, path, fields).await
}

/// Submits the form of a page with this action, or its first one.
pub async fn send(
    browser: &mut Browser,
    page: &TestResponse,
    path: &str,
    fields: &[(&str, &str)],
) -> TestResponse {
    let action = format!("{path}\"");
    let is_its = |form: &&str| form.split('>').next().unwrap().contains(&action);
    let form = page.body.split("<form ").skip(1).find(is_its);
    let form = form.map(|form| form.split("</form>").next().unwrap());
    let (token, seen) = (
        form_token(&page.body),
        hidden(form.unwrap_or(&page.body), "seen"),
    );
    let mut all = vec![("form_token", &*token)];
    all.extend(seen.as_deref().map(|seen| ("seen", seen)));
    all.extend(fields);
    browser.post(path, &all).await
}

fn hidden(page: &str, name: &str) -> Option<String> {
    let rest = page
        .split(&format!("type=\"hidden\" name=\"{name}\" value=\""))
        .nth(1)?;
    rest.split('"').next().map(str::to_owned)
}

/// Follows a redirect after a form.
pub async fn done(browser: &mut Browser, answer: &TestResponse, location: &str) -> TestResponse {
    assert_eq!(
        (answer.status, answer.location()),
        (StatusCode::SEE_OTHER, &*format!("/console{location}")),
        "{answer:?}"
    );
    let page = browser.follow().await;
    assert_eq!(page.status, StatusCode::OK, "{page:?}");
    page
}

/// Asserts that a page contains all texts.
pub fn assert_says(page: &TestResponse, texts: &[&str]) {
    // An address may break after @ and dots.
    let body = page.body.replace("<wbr>", "");
    for text in texts {
        assert!(body.contains(text), "{text} is missing in {body}");
    }
}
