//! The demo's application, clients, keys and accounts, with derived ids and secrets.

use lyceum::domain::{
    ApiKey, ApiKeyId, ApiKeySecret, ApiScopes, Application, ApplicationId, Client, ClientId,
    ClientPolicy, ClientSecret, PageRequest, Password, RegisteredSecret, Role, Scope,
    ScopeDefinition, ScopeId, ScopeRequest, ScopeRequestState, ScopeSet, ShortText, SubjectId,
    Timestamp, Translations, Verification,
};
use lyceum::http::auth_server::Accounts;
use lyceum::store::{Creation, ScopeRequestFilter, Storage};

use super::KeyFile;
use super::report::{DemoAccount, DemoClient};
use crate::BoxError;

pub const CONSOLE: &str = "Demo console";
pub const WEB_CLIENT: &str = "Demo web client";
pub const NATIVE_CLIENT: &str = "Demo native client";
pub const SERVICE_CLIENT: &str = "Demo service";
/// The client of the second developer.
pub const WAITING_CLIENT: &str = "Attendance sheet";
/// The name of the scope for which clients of other owners need an approval.
const RESTRICTED_SCOPE: &str = "club_members";

/// Context for creating the records.
pub struct SeedContext<'a, S> {
    pub store: &'a S,
    pub keys: &'a KeyFile,
    pub base_url: &'a str,
    pub now: Timestamp,
}

/// The demo's application.
pub struct DemoApplication {
    pub id: ApplicationId,
    /// The scopes that every client may list.
    pub scopes: ScopeSet,
    /// The scope for which clients of other owners need an approval.
    pub restricted_scope: ScopeId,
}

pub async fn application(
    context: &SeedContext<'_, impl Storage>,
    owner: &SubjectId,
) -> Result<DemoApplication, BoxError> {
    let id = ApplicationId::from_random(context.keys.derive("application"));
    let name = ShortText::from_static("Club portal");
    let name_translations = Translations::from_pairs([("ko", "동아리 포털")])?;
    // Existing records stay unchanged.
    let _ = context
        .store
        .create_application(Application {
            id,
            name: name.clone(),
            name_translations: name_translations.clone(),
            owner: owner.clone(),
            created_at: context.now,
        })
        .await?;
    let mut scopes = ScopeSet::default();
    for (scope, description, in_korean) in [
        (
            "profile",
            "See your name and your class",
            "이름과 학급 보기",
        ),
        (
            "clubs",
            "See which clubs you belong to",
            "가입한 동아리 보기",
        ),
        (
            "clubs_write",
            "Join and leave clubs for you",
            "동아리 가입 및 탈퇴",
        ),
        (
            RESTRICTED_SCOPE,
            "See who is in your clubs",
            "동아리 부원 보기",
        ),
    ] {
        let approval_required = scope == RESTRICTED_SCOPE;
        let definition = ScopeDefinition {
            id: ScopeId::from_random(context.keys.derive(scope)),
            scope: Scope {
                application: id,
                name: scope.parse()?,
            },
            description: description.parse()?,
            description_translations: Translations::from_pairs([("ko", in_korean)])?,
            application_name: name.clone(),
            application_name_translations: name_translations.clone(),
            approval_required,
        };
        if !approval_required {
            scopes.insert(definition.scope.clone());
        }
        let _ = context.store.create_scope(definition).await?;
    }
    Ok(DemoApplication {
        id,
        scopes,
        restricted_scope: ScopeId::from_random(context.keys.derive(RESTRICTED_SCOPE)),
    })
}

/// A client of the demo.
pub struct NewClient<'a> {
    pub name: &'static str,
    pub policy: ClientPolicy,
    /// The path on the demo to which it redirects. Without one it has no users and uses the client
    /// credentials grant.
    pub path: Option<&'static str>,
    pub scopes: &'a ScopeSet,
    pub owner: &'a SubjectId,
    pub verification: Verification,
}

/// Creates a client, unless an earlier start did.
pub async fn client(
    context: &SeedContext<'_, impl Storage>,
    new: NewClient<'_>,
) -> Result<DemoClient, BoxError> {
    let NewClient {
        name,
        policy,
        path,
        scopes,
        owner,
        verification,
    } = new;
    let id = ClientId::from_random(context.keys.derive(name));
    let secret = (policy != ClientPolicy::Public)
        .then(|| ClientSecret::from_random(context.keys.derive(&format!("{name} secret"))));
    let client = Client {
        id,
        name: ShortText::from_static(name),
        owner: owner.clone(),
        policy,
        secrets: secret
            .iter()
            .map(|secret| RegisteredSecret::new(secret, context.now))
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
        policy_uri: None,
        verification,
        created_at: context.now,
        suspended_at: None,
    };
    let _ = context.store.create_client(client).await?;
    let redirect_uri = path.map(|path| format!("{}{path}", context.base_url));
    Ok(DemoClient {
        id,
        secret,
        redirect_uri: redirect_uri.unwrap_or_default(),
    })
}

/// The first derived key that is valid. It changes every 30 days.
pub async fn api_key(
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

/// Asks for the approval of a scope for a client. A client that has asked for any keeps what became
/// of it.
pub async fn scope_request(
    context: &SeedContext<'_, impl Storage>,
    scope: ScopeId,
    client: ClientId,
    asked_by: SubjectId,
) -> Result<(), BoxError> {
    let one = PageRequest::new(0, 1)?;
    let filter = ScopeRequestFilter::Of(client);
    if context.store.scope_requests(filter, one).await?.total > 0 {
        return Ok(());
    }
    let request = ScopeRequest {
        scope,
        client,
        asked_by,
        reason: ShortText::from_static("To call the roll at club meetings"),
        asked_at: context.now,
        state: ScopeRequestState::Waiting,
    };
    let _ = context.store.request_scope(request, 1).await?;
    Ok(())
}

/// Creates an account with a password derived from the label, unless an earlier start did.
pub async fn account(
    accounts: &Accounts,
    context: &SeedContext<'_, impl Storage>,
    email: &str,
    role: Role,
    label: &str,
) -> Result<(DemoAccount, SubjectId), BoxError> {
    let password = ClientSecret::from_random(context.keys.derive(&format!("{label} password")))
        .expose()[..16]
        .to_owned();
    let address = email.parse()?;
    let mut account = context.store.account_by_email(&address).await?;
    if account.is_none() {
        let password = Password::new(&password)?;
        let _ = accounts.create(address.clone(), &password, role).await?;
        account = context.store.account_by_email(&address).await?;
    }
    let account = account.ok_or("a demo account was removed")?;
    Ok((
        DemoAccount {
            email: email.to_owned(),
            password,
        },
        SubjectId::from(account.id),
    ))
}
