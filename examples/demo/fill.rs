//! The invented school, its accounts, an application, clients and keys.
//!
//! Ids and secrets are derived from the key file, so that a second start finds what the first one made and can print it again, although
//! the store holds only digests.

use std::sync::Arc;

use lyceum::directory::{Directory, DirectoryChange, Writing};
use lyceum::domain::{
    ApiKey, ApiKeyId, ApiKeySecret, ApiScope, ApiScopes, Application, ApplicationId, Client, ClientId, ClientPolicy, ClientSecret, Date,
    Line, PageRequest, Password, RegisteredSecret, Role, Scope, ScopeDefinition, ScopeId, ScopeSet, SubjectId, Timestamp, Verification,
};
use lyceum::http::auth_server::Accounts;
use lyceum::http::{Clock, SystemClock};
use lyceum::store::{ClientFilter, Creation, Storage, StorageError};
use lyceum::testing::school::DemoSchool;

use super::report::{Demo, DemoAccount, DemoClient};
use super::{Failure, KeyFile};

/// What everything is made from.
struct Given<'a, S> {
    store: &'a S,
    keys: &'a KeyFile,
    now: Timestamp,
}

/// What a database held before this start.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// No records of a school, no accounts, applications, clients or API keys.
    Nothing,
    /// What the demo had put there before.
    Demo,
    /// Records of its own, to which the demo adds nothing.
    Records,
}

impl Found {
    /// The words for programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::Nothing => "was_empty",
            Self::Demo => "is_demo",
            Self::Records => "has_records",
        }
    }

    /// One sentence for people.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Nothing => "was empty and now holds the invented school",
            Self::Demo => "holds the invented school from an earlier start; meals, events and lessons moved on to today",
            Self::Records => "has records of its own, so the demo added nothing: no school, accounts, clients or API keys",
        }
    }
}

/// Looks at what a database holds, without changing it.
pub async fn look(store: &impl Storage, keys: &KeyFile) -> Result<Found, Failure> {
    let few = PageRequest::new(0, 2)?;
    let is_empty = store.directory_version().await?.number == 0
        && store.accounts(None, few).await?.total == 0
        && store.clients(ClientFilter::All, few).await?.total == 0
        && store.api_keys(None, few).await?.total == 0
        && store.applications(None, few).await?.items.iter().all(|application| application.id == ApplicationId::Service);
    if is_empty {
        return Ok(Found::Nothing);
    }
    // Looked for last: another server that fills the database at this moment creates the first of these before anything else.
    for name in [CONSOLE, WEB_CLIENT, NATIVE_CLIENT, SERVICE_CLIENT] {
        if store.client(ClientId::from_random(keys.derive(name))).await?.is_some() {
            return Ok(Found::Demo);
        }
    }
    Ok(Found::Records)
}

const CONSOLE: &str = "Demo console";
const WEB_CLIENT: &str = "Demo web client";
const NATIVE_CLIENT: &str = "Demo native client";
const SERVICE_CLIENT: &str = "Demo service";

/// Puts everything that is not there yet, and says what there is.
pub async fn fill<S: Storage>(store: &Arc<S>, directory: &Directory, keys: &KeyFile, base_url: &str) -> Result<Demo, Failure> {
    let now = SystemClock.now();
    let given = Given { store: &**store, keys, now };
    let back = |path: &'static str| Some((base_url, path));
    // The first of all, by which a later start knows the database as the demo's, also when this one is killed halfway.
    let console_scopes = [Scope::self_read(), Scope::manage()].into_iter().collect();
    let console = client(&given, CONSOLE, ClientPolicy::Secret, back("/demo/console"), &console_scopes, &SubjectId::service()).await?;
    let seoul = jiff::tz::TimeZone::get("Asia/Seoul")?;
    let mut changes = DemoSchool::new(20, Date::at(now, &seoul)).changes();
    if store.directory_version().await?.number > 0 {
        // The people are there, and perhaps somebody has changed them. Meals, events and lessons move on with the days.
        changes.retain(is_of_the_calendar);
    }
    match directory.write(changes).await? {
        Writing::Written(_) => {}
        Writing::Refused { index, refusal } => return Err(format!("the demo school's change {index} was refused: {refusal:?}").into()),
        Writing::Contended => return Err(StorageError::unavailable("the demo school", "others wrote again and again").into()),
    }
    let accounts = Accounts::new(store.clone())?;
    let (user, owner) = account(&accounts, &given, &some_student(directory).await?, Role::User).await?;
    let (admin, _) = account(&accounts, &given, "admin@school.example", Role::Admin).await?;
    let (application, scopes) = application(&given, &owner).await?;
    let user_scopes = scopes.union(&[Scope::self_read()].into_iter().collect());
    Ok(Demo {
        base_url: base_url.to_owned(),
        api_key: api_key(&given, "an API key with every scope", ApiScopes::built_in(), &owner).await?,
        limited_api_key: api_key(&given, "an API key for clubs", [ApiScope::CLUB_READ].into_iter().collect(), &owner).await?,
        client: client(&given, WEB_CLIENT, ClientPolicy::SecretOrPkce, back("/demo/callback"), &user_scopes, &owner).await?,
        public_client: client(&given, NATIVE_CLIENT, ClientPolicy::Public, back("/demo/native"), &user_scopes, &owner).await?,
        console,
        service_client: client(&given, SERVICE_CLIENT, ClientPolicy::Secret, None, &scopes, &owner).await?,
        application_id: application,
        scopes,
        user,
        admin,
    })
}

fn is_of_the_calendar(change: &DirectoryChange) -> bool {
    matches!(change, DirectoryChange::PutMeal(_) | DirectoryChange::PutEvent(_) | DirectoryChange::PutLesson(_))
}

async fn application(given: &Given<'_, impl Storage>, owner: &SubjectId) -> Result<(ApplicationId, ScopeSet), Failure> {
    let id = ApplicationId::from_random(given.keys.derive("application"));
    let name = Line::literal("Club portal");
    // What is there already stays as it is.
    let _ = given.store.create_application(Application { id, name: name.clone(), owner: owner.clone(), created_at: given.now }).await?;
    let mut scopes = ScopeSet::default();
    for (scope, description) in [
        ("profile", "See your name and your class"),
        ("clubs", "See which clubs you belong to"),
        ("clubs_write", "Sign you up for clubs and out of them"),
    ] {
        let definition = ScopeDefinition {
            id: ScopeId::from_random(given.keys.derive(scope)),
            scope: Scope { application: id, name: scope.parse()? },
            description: description.parse()?,
            application_name: name.clone(),
            approval_required: false,
        };
        scopes.insert(definition.scope.clone());
        let _ = given.store.create_scope(definition).await?;
    }
    Ok((id, scopes))
}

/// A client whose users come back to the demo; without a place to come back to it has no users, and gets tokens of its own.
async fn client(
    given: &Given<'_, impl Storage>,
    name: &'static str,
    policy: ClientPolicy,
    back: Option<(&str, &'static str)>,
    scopes: &ScopeSet,
    owner: &SubjectId,
) -> Result<DemoClient, Failure> {
    let id = ClientId::from_random(given.keys.derive(name));
    let secret = (policy != ClientPolicy::Public).then(|| ClientSecret::from_random(given.keys.derive(&format!("{name} secret"))));
    let path = back.map(|(_, path)| path);
    let client = Client {
        id,
        name: Line::literal(name),
        owner: owner.clone(),
        policy,
        secrets: secret.iter().map(|secret| RegisteredSecret { digest: secret.digest(), created_at: given.now }).collect(),
        // Both loopback addresses, for a later start may be on the other one; the port may be another anyway.
        redirect_uris: match path {
            Some(path) => vec![format!("http://127.0.0.1{path}").parse()?, format!("http://[::1]{path}").parse()?],
            None => Vec::new(),
        },
        allowed_scopes: scopes.clone(),
        plain_pkce_allowed: false,
        pkce_required: false,
        first_party: scopes.contains(&Scope::manage()),
        client_credentials_allowed: path.is_none(),
        iss_omitted: false,
        verification: Verification::Assumed,
        created_at: given.now,
        suspended_at: None,
    };
    let _ = given.store.create_client(client).await?;
    let redirect_uri = back.map(|(base_url, path)| format!("{base_url}{path}"));
    Ok(DemoClient { id, secret, redirect_uri: redirect_uri.unwrap_or_default() })
}

/// The first derived key that works, which is another one every 30 days.
async fn api_key(
    given: &Given<'_, impl Storage>,
    label: &'static str,
    scopes: ApiScopes,
    owner: &SubjectId,
) -> Result<ApiKeySecret, Failure> {
    for attempt in 0_u32.. {
        let secret = ApiKeySecret::from_random(given.keys.derive(&format!("{label} {attempt}")));
        let key = ApiKey::issued(
            ApiKeyId::from_random(given.keys.derive(&format!("{label} {attempt} id"))),
            &secret,
            Line::literal(label),
            scopes.clone(),
            given.now,
        );
        let works = match given.store.create_api_key(ApiKey { owner: Some(owner.clone()), ..key }).await? {
            Creation::Created => true,
            Creation::Taken => given.store.api_key(&secret.digest()).await?.is_some_and(|key| key.works(&secret.digest(), given.now)),
        };
        if works {
            return Ok(secret);
        }
    }
    Err("no API key could be made".into())
}

async fn account(
    accounts: &Accounts,
    given: &Given<'_, impl Storage>,
    email: &str,
    role: Role,
) -> Result<(DemoAccount, SubjectId), Failure> {
    let password = ClientSecret::from_random(given.keys.derive(&format!("{role} password"))).expose()[..16].to_owned();
    let _ = accounts.create(email.parse()?, &Password::new(&password)?, role).await?;
    let account = given.store.account_by_email(&email.parse()?).await?.ok_or("a demo account was removed")?;
    Ok((DemoAccount { email: email.to_owned(), password }, SubjectId::from(account.id)))
}

/// The address of the enrolled student with the smallest id.
async fn some_student(directory: &Directory) -> Result<String, Failure> {
    let school = directory.snapshot().await?;
    let students = school.students();
    let first = students.page(&students.query(&[("size", "1")])?);
    let student = first.values().next().ok_or("the school has no students")?;
    Ok(student.student.email.to_string())
}
