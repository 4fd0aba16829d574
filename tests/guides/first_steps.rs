use std::error::Error;
use std::sync::Arc;

use lyceum::crypto::{Entropy, SystemEntropy};
use lyceum::domain::{
    ApiKey, ApiKeyId, ApiKeySecret, ApiScopes, Application, ApplicationId, Client, ClientId,
    ClientPolicy, ClientSecret, Password, RegisteredSecret, Role, Scope, ScopeDefinition, ScopeId,
    ScopeSet, ShortText, SubjectId, Translations, Verification,
};
use lyceum::http::auth_server::{AccountCreationOutcome, Accounts};
use lyceum::http::{Clock, SystemClock};
use lyceum::store::{ClientCreation, Creation, ScopeCreation, Storage};

/// Ids and secrets for the clients' operators. The store keeps only digests, so the secrets cannot be
/// read again.
pub struct Handed {
    pub console: (ClientId, ClientSecret),
    pub portal: (ClientId, ClientSecret),
    pub api_key: ApiKeySecret,
}

pub async fn first_steps(
    store: Arc<impl Storage>,
    email: &str,
    password: &str,
) -> Result<Handed, Box<dyn Error>> {
    // The first user, an administrator.
    let accounts = Accounts::new(store.clone())?;
    let AccountCreationOutcome::Created(account) = accounts
        .create(email.parse()?, &Password::new(password)?, Role::Admin)
        .await?
    else {
        return Err("the address has an account already".into());
    };

    // An application, with a scope that its clients may request.
    let (owner, now) = (SubjectId::from(account), SystemClock.now());
    let application = Application {
        id: ApplicationId::from_random(random()),
        name: "Club portal".parse()?,
        name_translations: Translations::default(),
        owner,
        created_at: now,
    };
    let definition = ScopeDefinition {
        id: ScopeId::from_random(random()),
        scope: Scope {
            application: application.id,
            name: "clubs".parse()?,
        },
        description: "See which clubs you belong to".parse()?,
        description_translations: Translations::default(),
        application_name: application.name.clone(),
        application_name_translations: Translations::default(),
        approval_required: false,
    };
    let (owner, scope) = (application.owner.clone(), definition.scope.clone());
    if store.create_application(application).await? != Creation::Created
        || store.create_scope(definition).await? != ScopeCreation::Created
    {
        return Err("the application is there already".into());
    }

    // One of the service's own clients, which may manage the rest over HTTP, and one of the
    // application's.
    let new = |name: ShortText, back: &str, scopes: ScopeSet| {
        let (id, secret) = (
            ClientId::from_random(random()),
            ClientSecret::from_random(random()),
        );
        let client = Client {
            id,
            name,
            owner: owner.clone(),
            policy: ClientPolicy::Secret,
            secrets: vec![RegisteredSecret::new(&secret, now)],
            redirect_uris: vec![back.parse()?],
            first_party: scopes.contains(&Scope::manage()),
            allowed_scopes: scopes,
            plain_pkce_allowed: false,
            pkce_required: true,
            client_credentials_allowed: false,
            iss_omitted: false,
            policy_uri: None,
            verification: Verification::Assumed,
            created_at: now,
            suspended_at: None,
        };
        Ok::<_, Box<dyn Error>>((client, (id, secret)))
    };
    let manage = ScopeSet::from_iter([Scope::self_read(), Scope::manage()]);
    let (client, console) = new(
        "Console".parse()?,
        "https://console.school.example/callback",
        manage,
    )?;
    created(store.create_client(client).await?)?;
    let asks_for = ScopeSet::from_iter([Scope::self_read(), scope]);
    let (client, portal) = new(
        "Club portal".parse()?,
        "https://clubs.school.example/callback",
        asks_for,
    )?;
    created(store.create_client(client).await?)?;

    // A key for the data API, which works for 30 days.
    let api_key = ApiKeySecret::from_random(random());
    let key = ApiKey::new(
        ApiKeyId::from_random(random()),
        &api_key,
        "Club portal".parse()?,
        ApiScopes::built_in(),
        now,
    );
    let key = ApiKey {
        owner: Some(account.into()),
        ..key
    };
    if store.create_api_key(key).await? != Creation::Created {
        return Err("the key is there already".into());
    }
    Ok(Handed {
        console,
        portal,
        api_key,
    })
}

fn created(creation: ClientCreation) -> Result<(), Box<dyn Error>> {
    if creation == ClientCreation::Created {
        Ok(())
    } else {
        Err(format!("the client was refused: {creation:?}").into())
    }
}

/// Returns unpredictable bytes, from which ids and secrets are made.
fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    SystemEntropy.fill(&mut bytes);
    bytes
}
