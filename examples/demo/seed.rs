//! The sample school, its accounts, an application, clients and keys.
//!
//! Ids and secrets are derived from the key file. A second start therefore finds the same records
//! and can print their secrets, although the store contains only digests.

use std::sync::Arc;

use lyceum::directory::{Directory, DirectoryChange, WriteOutcome};
use lyceum::domain::{
    ApiKey, ApiKeyId, ApiKeySecret, ApiScope, ApiScopes, Application, ApplicationId, Client,
    ClientId, ClientPolicy, ClientSecret, Date, PageRequest, Password, RegisteredSecret, Role,
    Scope, ScopeDefinition, ScopeId, ScopeSet, ShortText, SubjectId, Timestamp, Verification,
};
use lyceum::http::auth_server::Accounts;
use lyceum::http::{Clock, SystemClock};
use lyceum::store::{ClientFilter, Creation, Storage, StorageError};
use lyceum::testing::sample_data::SampleSchool;

use super::report::{Demo, DemoAccount, DemoClient};
use super::{BoxError, KeyFile};

/// Context for creating the records.
struct SeedContext<'a, S> {
    store: &'a S,
    keys: &'a KeyFile,
    now: Timestamp,
}

/// State of the database before this start.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum DatabaseState {
    /// Without school records, accounts, applications, clients and API keys.
    Nothing,
    /// Contains records of an earlier start of the demo.
    Demo,
    /// Contains other records; the demo adds none.
    Records,
}

impl DatabaseState {
    /// The name for programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::Nothing => "was_empty",
            Self::Demo => "is_demo",
            Self::Records => "has_records",
        }
    }

    /// A sentence for people.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Nothing => "was empty and now holds the invented school",
            Self::Demo => {
                "holds the invented school from an earlier start; meals, events and lessons moved on to today"
            }
            Self::Records => {
                "has records of its own, so the demo added nothing: no school, accounts, clients or API keys"
            }
        }
    }
}

/// Inspects the database without changing it.
pub async fn inspect(store: &impl Storage, keys: &KeyFile) -> Result<DatabaseState, BoxError> {
    let few = PageRequest::new(0, 2)?;
    let is_empty = store.directory_version().await?.number == 0
        && store.accounts(None, few).await?.total == 0
        && store.clients(ClientFilter::All, few).await?.total == 0
        && store.api_keys(None, few).await?.total == 0
        && store
            .applications(None, few)
            .await?
            .items
            .iter()
            .all(|application| application.id == ApplicationId::Service);
    if is_empty {
        return Ok(DatabaseState::Nothing);
    }
    // Checked last, because another server that seeds the database creates the first of these
    // before anything else.
    for name in [CONSOLE, WEB_CLIENT, NATIVE_CLIENT, SERVICE_CLIENT] {
        if store
            .client(ClientId::from_random(keys.derive(name)))
            .await?
            .is_some()
        {
            return Ok(DatabaseState::Demo);
        }
    }
    Ok(DatabaseState::Records)
}

const CONSOLE: &str = "Demo console";
const WEB_CLIENT: &str = "Demo web client";
const NATIVE_CLIENT: &str = "Demo native client";
const SERVICE_CLIENT: &str = "Demo service";

/// Creates missing records and returns their credentials.
pub async fn seed<S: Storage>(
    store: &Arc<S>,
    directory: &Directory,
    keys: &KeyFile,
    base_url: &str,
) -> Result<Demo, BoxError> {
    let now = SystemClock.now();
    let context = SeedContext {
        store: &**store,
        keys,
        now,
    };
    let back = |path: &'static str| Some((base_url, path));
    // Created first, so that a later start recognizes the demo even if this one is killed halfway.
    let console_scopes = [Scope::self_read(), Scope::manage()].into_iter().collect();
    let console = client(
        &context,
        CONSOLE,
        ClientPolicy::Secret,
        back("/demo/console"),
        &console_scopes,
        &SubjectId::service(),
    )
    .await?;
    let seoul = jiff::tz::TimeZone::get("Asia/Seoul")?;
    let mut changes = SampleSchool::new(20, Date::from_timestamp(now, &seoul)).changes();
    if store.directory_version().await?.number > 0 {
        // Students, clubs and projects exist and may have been edited. Only meals, events and
        // lessons are updated to the current date.
        changes.retain(is_calendar_change);
    }
    match directory.write(changes).await? {
        WriteOutcome::Written(_) => {}
        WriteOutcome::Rejected { index, reason } => {
            return Err(
                format!("the demo school's change {index} was rejected: {reason:?}").into(),
            );
        }
        WriteOutcome::Contended => {
            return Err(StorageError::unavailable(
                "the demo school",
                "others wrote again and again",
            )
            .into());
        }
    }
    let accounts = Accounts::new(store.clone())?;
    let (user, owner) = account(
        &accounts,
        &context,
        &some_student(directory).await?,
        Role::User,
    )
    .await?;
    let (admin, _) = account(&accounts, &context, "admin@school.example", Role::Admin).await?;
    let (application, scopes) = application(&context, &owner).await?;
    let user_scopes = scopes.union(&[Scope::self_read()].into_iter().collect());
    Ok(Demo {
        base_url: base_url.to_owned(),
        api_key: api_key(
            &context,
            "an API key with every scope",
            ApiScopes::built_in(),
            &owner,
        )
        .await?,
        limited_api_key: api_key(
            &context,
            "an API key for clubs",
            [ApiScope::CLUB_READ].into_iter().collect(),
            &owner,
        )
        .await?,
        client: client(
            &context,
            WEB_CLIENT,
            ClientPolicy::SecretOrPkce,
            back("/demo/callback"),
            &user_scopes,
            &owner,
        )
        .await?,
        public_client: client(
            &context,
            NATIVE_CLIENT,
            ClientPolicy::Public,
            back("/demo/native"),
            &user_scopes,
            &owner,
        )
        .await?,
        console,
        service_client: client(
            &context,
            SERVICE_CLIENT,
            ClientPolicy::Secret,
            None,
            &scopes,
            &owner,
        )
        .await?,
        application_id: application,
        scopes,
        user,
        admin,
    })
}

fn is_calendar_change(change: &DirectoryChange) -> bool {
    matches!(
        change,
        DirectoryChange::PutMeal(_) | DirectoryChange::PutEvent(_) | DirectoryChange::PutLesson(_)
    )
}

async fn application(
    context: &SeedContext<'_, impl Storage>,
    owner: &SubjectId,
) -> Result<(ApplicationId, ScopeSet), BoxError> {
    let id = ApplicationId::from_random(context.keys.derive("application"));
    let name = ShortText::from_static("Club portal");
    // Existing records stay unchanged.
    let _ = context
        .store
        .create_application(Application {
            id,
            name: name.clone(),
            owner: owner.clone(),
            created_at: context.now,
        })
        .await?;
    let mut scopes = ScopeSet::default();
    for (scope, description) in [
        ("profile", "See your name and your class"),
        ("clubs", "See which clubs you belong to"),
        ("clubs_write", "Sign you up for clubs and out of them"),
    ] {
        let definition = ScopeDefinition {
            id: ScopeId::from_random(context.keys.derive(scope)),
            scope: Scope {
                application: id,
                name: scope.parse()?,
            },
            description: description.parse()?,
            application_name: name.clone(),
            approval_required: false,
        };
        scopes.insert(definition.scope.clone());
        let _ = context.store.create_scope(definition).await?;
    }
    Ok((id, scopes))
}

/// Creates a client that redirects to the demo. Without a redirect path it has no users and uses
/// the client credentials grant.
async fn client(
    context: &SeedContext<'_, impl Storage>,
    name: &'static str,
    policy: ClientPolicy,
    back: Option<(&str, &'static str)>,
    scopes: &ScopeSet,
    owner: &SubjectId,
) -> Result<DemoClient, BoxError> {
    let id = ClientId::from_random(context.keys.derive(name));
    let secret = (policy != ClientPolicy::Public)
        .then(|| ClientSecret::from_random(context.keys.derive(&format!("{name} secret"))));
    let path = back.map(|(_, path)| path);
    let client = Client {
        id,
        name: ShortText::from_static(name),
        owner: owner.clone(),
        policy,
        secrets: secret
            .iter()
            .map(|secret| RegisteredSecret {
                digest: secret.digest(),
                created_at: context.now,
            })
            .collect(),
        // Both loopback addresses, because a later start may use the other one. The port may differ
        // anyway.
        redirect_uris: match path {
            Some(path) => vec![
                format!("http://127.0.0.1{path}").parse()?,
                format!("http://[::1]{path}").parse()?,
            ],
            None => Vec::new(),
        },
        allowed_scopes: scopes.clone(),
        plain_pkce_allowed: false,
        pkce_required: false,
        first_party: scopes.contains(&Scope::manage()),
        client_credentials_allowed: path.is_none(),
        iss_omitted: false,
        verification: Verification::Assumed,
        created_at: context.now,
        suspended_at: None,
    };
    let _ = context.store.create_client(client).await?;
    let redirect_uri = back.map(|(base_url, path)| format!("{base_url}{path}"));
    Ok(DemoClient {
        id,
        secret,
        redirect_uri: redirect_uri.unwrap_or_default(),
    })
}

/// The first derived key that is valid. It changes every 30 days.
async fn api_key(
    context: &SeedContext<'_, impl Storage>,
    label: &'static str,
    scopes: ApiScopes,
    owner: &SubjectId,
) -> Result<ApiKeySecret, BoxError> {
    for attempt in 0_u32.. {
        let secret = ApiKeySecret::from_random(context.keys.derive(&format!("{label} {attempt}")));
        let key = ApiKey::new(
            ApiKeyId::from_random(context.keys.derive(&format!("{label} {attempt} id"))),
            &secret,
            ShortText::from_static(label),
            scopes.clone(),
            context.now,
        );
        let works = match context
            .store
            .create_api_key(ApiKey {
                owner: Some(owner.clone()),
                ..key
            })
            .await?
        {
            Creation::Created => true,
            Creation::AlreadyExists => context
                .store
                .api_key(&secret.digest())
                .await?
                .is_some_and(|key| key.is_valid(&secret.digest(), context.now)),
        };
        if works {
            return Ok(secret);
        }
    }
    Err("no API key could be made".into())
}

async fn account(
    accounts: &Accounts,
    context: &SeedContext<'_, impl Storage>,
    email: &str,
    role: Role,
) -> Result<(DemoAccount, SubjectId), BoxError> {
    let password = ClientSecret::from_random(context.keys.derive(&format!("{role} password")))
        .expose()[..16]
        .to_owned();
    let _ = accounts
        .create(email.parse()?, &Password::new(&password)?, role)
        .await?;
    let account = context
        .store
        .account_by_email(&email.parse()?)
        .await?
        .ok_or("a demo account was removed")?;
    Ok((
        DemoAccount {
            email: email.to_owned(),
            password,
        },
        SubjectId::from(account.id),
    ))
}

/// The e-mail address of the enrolled student with the smallest id.
async fn some_student(directory: &Directory) -> Result<String, BoxError> {
    let school = directory.snapshot().await?;
    let students = school.students();
    let first = students.page(&students.query(&[("size", "1")])?);
    let student = first.values().next().ok_or("the school has no students")?;
    Ok(student.student.email.to_string())
}
