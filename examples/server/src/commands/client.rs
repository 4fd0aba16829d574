use std::sync::Arc;

use clap::{Args, Subcommand};
use lyceum::domain::{
    Client, ClientId, ClientPolicy, ClientSecret, ClientSettings, RedirectUri, RegisteredSecret,
    Scope, ShortText, SubjectId, Verification,
};
use lyceum::http::audit::{Change, ManagedObject};
use lyceum::store::{
    ClientCreation, ClientFilter, ClientLookup, ClientRegistry, ClientUpdate, SecretAddition,
};

use super::{all_pages, open_without_addresses, owner};
use crate::backend::Backend;
use crate::services::School;
use crate::settings::StoreOptions;
use crate::{BoxError, random};

#[derive(Debug, Args)]
#[command(arg_required_else_help = false)]
pub struct Options<O: Args> {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    store: StoreOptions<O>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the clients
    List,
    /// Register a client, and print its id and its secret
    Create(NewClient),
    /// Add a secret, which works beside the present one
    NewSecret { client: ClientId },
    /// Confirm a client that a restoration suspended, which keeps its owner and its secrets
    Confirm { client: ClientId },
    /// Mark a client's name, owner and redirect URIs as reviewed
    Verify { client: ClientId },
    /// Take the mark back
    Unverify { client: ClientId },
}

#[derive(Debug, Args)]
struct NewClient {
    /// Name shown to users
    #[arg(long)]
    name: ShortText,
    /// Where sign-ins end; may be repeated
    #[arg(long = "redirect-uri", value_name = "URI")]
    redirect_uris: Vec<RedirectUri>,
    /// A scope such as service:self_read; may be repeated
    #[arg(long = "scope", value_name = "SCOPE")]
    scopes: Vec<Scope>,
    /// Without a secret, for programs on users' machines
    #[arg(long)]
    public: bool,
    /// The school's own, which may ask for service:manage
    #[arg(long)]
    first_party: bool,
    /// May have tokens without a user
    #[arg(long)]
    client_credentials: bool,
    /// E-mail address of the owner; the service itself otherwise
    #[arg(long, value_name = "EMAIL")]
    owner: Option<String>,
}

pub async fn run<B: Backend>(options: Options<B::Options>) -> Result<(), BoxError> {
    let school = open_without_addresses::<B>(options.store).await?;
    let outcome = perform(&school, options.action).await;
    school.close().await?;
    outcome
}

async fn perform(school: &School, action: Action) -> Result<(), BoxError> {
    match action {
        Action::List => {
            let store = &school.store;
            let clients =
                all_pages(async |page| store.clients(ClientFilter::All, page).await).await?;
            for client in clients {
                let state = match (client.suspended_at, &client.verification) {
                    (Some(_), _) => "suspended",
                    (None, Verification::Unverified) => "unverified",
                    (None, _) => "verified",
                };
                let owner = client.owner.as_str();
                println!("{}  {state:10}  {owner}  {}", client.id, client.name);
            }
            Ok(())
        }
        Action::Create(new) => create(school, new).await,
        Action::NewSecret { client } => add_secret(school, client).await,
        Action::Confirm { client } => {
            if !school.store.confirm_client(client).await? {
                return Err(format!("there is no suspended client {client}").into());
            }
            school.record(ManagedObject::Client(client), Change::Confirmed);
            println!("The client {client} is confirmed.");
            Ok(())
        }
        Action::Verify { client } => {
            let by = SubjectId::service();
            let at = school.now();
            set_verification(school, client, Verification::Verified { by, at }).await
        }
        Action::Unverify { client } => {
            set_verification(school, client, Verification::Unverified).await
        }
    }
}

async fn create(school: &School, new: NewClient) -> Result<(), BoxError> {
    let secret = (!new.public).then(|| ClientSecret::from_random(random()));
    let (id, now) = (ClientId::from_random(random()), school.now());
    let client = Client {
        id,
        name: new.name,
        owner: owner(school, new.owner.as_deref()).await?,
        policy: if new.public {
            ClientPolicy::Public
        } else {
            ClientPolicy::Secret
        },
        secrets: secret
            .iter()
            .map(|secret| registered(school, secret))
            .collect(),
        redirect_uris: new.redirect_uris,
        allowed_scopes: new.scopes.into_iter().collect(),
        plain_pkce_allowed: false,
        pkce_required: new.public,
        first_party: new.first_party,
        client_credentials_allowed: new.client_credentials,
        iss_omitted: false,
        policy_uri: None,
        verification: Verification::Assumed,
        created_at: now,
        suspended_at: None,
    };
    match school.store.create_client(client).await? {
        ClientCreation::Created => {}
        ClientCreation::Invalid(fault) => return Err(fault.to_string().into()),
        ClientCreation::UnknownScope(scope) => {
            return Err(format!("--scope takes a scope that exists, not {scope}").into());
        }
        ClientCreation::NeedsApproval(scope) => {
            return Err(format!("the owner of {scope} has to approve the client first").into());
        }
        _ => return Err("the client could not be created: try again".into()),
    }
    school.record(ManagedObject::Client(id), Change::Created);
    println!("The client {id} is registered.");
    if let Some(secret) = secret {
        println!("Its secret, shown only once:\n{}", secret.expose());
    }
    Ok(())
}

async fn add_secret(school: &School, id: ClientId) -> Result<(), BoxError> {
    let secret = ClientSecret::from_random(random());
    let added = school
        .store
        .add_client_secret(id, registered(school, &secret))
        .await?;
    match added {
        SecretAddition::Added => {}
        SecretAddition::Public => return Err(format!("the client {id} is public").into()),
        SecretAddition::NotFound => return Err(unknown(id)),
    }
    school.record(ManagedObject::ClientSecret(id), Change::Created);
    println!("The secret, shown only once:\n{}", secret.expose());
    Ok(())
}

async fn set_verification(
    school: &School,
    id: ClientId,
    verification: Verification,
) -> Result<(), BoxError> {
    let client: Arc<Client> = school.store.client(id).await?.ok_or_else(|| unknown(id))?;
    let settings = client.settings();
    let new = ClientSettings {
        verification,
        ..settings.clone()
    };
    match school.store.update_client(id, &settings, new).await? {
        ClientUpdate::Updated => {}
        ClientUpdate::NotFound => return Err(unknown(id)),
        _ => return Err("the client changed meanwhile: look at it again".into()),
    }
    school.record(ManagedObject::Client(id), Change::Changed);
    println!("The client {} ({id}) is changed.", client.name);
    Ok(())
}

fn registered(school: &School, secret: &ClientSecret) -> RegisteredSecret {
    RegisteredSecret::new(secret, school.now())
}

fn unknown(id: ClientId) -> BoxError {
    format!("there is no client {id}").into()
}
