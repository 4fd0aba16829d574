use clap::{Args, Subcommand};
use lyceum::domain::{
    ApiKey, ApiKeyId, ApiKeySecret, ApiScope, ApiScopes, HiddenFields, PersonalField, Role,
    ShortText, SubjectId,
};
use lyceum::http::audit::{Change, ManagedObject};
use lyceum::store::{ApiKeyStore, Creation};

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
    /// List the keys that are not revoked
    List {
        /// E-mail address of the owner; all keys otherwise
        #[arg(long, value_name = "EMAIL")]
        owner: Option<String>,
    },
    /// Issue a key and print it; it works for 30 days unless it is renewed
    Issue {
        /// What the key is for
        #[arg(long, value_name = "TEXT")]
        description: ShortText,
        /// A scope such as CLUB_READ; may be repeated
        #[arg(long = "scope", value_name = "SCOPE", required = true)]
        scopes: Vec<ApiScope>,
        /// E-mail address of the owner; the service itself otherwise
        #[arg(long, value_name = "EMAIL")]
        owner: Option<String>,
    },
    /// Confirm a key that a restoration suspended
    Confirm {
        #[arg(required_unless_present = "all")]
        key: Option<ApiKeyId>,
        /// All suspended keys
        #[arg(long, conflicts_with = "key")]
        all: bool,
    },
    /// Set the fields that keys of users hide, once they are created or renewed, until an administrator
    /// approves them; without a field, none are hidden. A server reads them when it starts
    Protect {
        /// A field such as EMAIL or DORMITORY
        #[arg(value_name = "FIELD")]
        fields: Vec<PersonalField>,
    },
    /// Revoke a key
    Revoke { key: ApiKeyId },
}

pub async fn run<B: Backend>(options: Options<B::Options>) -> Result<(), BoxError> {
    let school = open_without_addresses::<B>(options.store).await?;
    let outcome = perform(&school, options.action).await;
    school.close().await?;
    outcome
}

async fn perform(school: &School, action: Action) -> Result<(), BoxError> {
    let store = &school.store;
    match action {
        Action::List { owner: email } => {
            let owner = match &email {
                Some(email) => Some(owner(school, Some(email)).await?),
                None => None,
            };
            let suspended = store.suspended_api_keys().await?;
            for key in all_pages(async |page| store.api_keys(owner.as_ref(), page).await).await? {
                let state = if suspended.iter().any(|other| other.id == key.id) {
                    "suspended since"
                } else if key.expires_at <= school.now() {
                    "expired"
                } else {
                    "works until"
                };
                let owner = key.owner.as_ref().map_or("", SubjectId::as_str);
                println!(
                    "{}  {state} {}  {owner}  {}",
                    key.id, key.expires_at, key.description
                );
            }
            Ok(())
        }
        Action::Issue {
            description,
            scopes,
            owner: email,
        } => {
            let scopes: ApiScopes = scopes.into_iter().collect();
            if let Some(unknown) = scopes
                .iter()
                .find(|scope| !ApiScopes::built_in().contains(scope))
            {
                return Err(
                    format!("--scope takes {:?}, not {unknown}", ApiScopes::built_in()).into(),
                );
            }
            issue(
                school,
                description,
                scopes,
                owner(school, email.as_deref()).await?,
            )
            .await
        }
        Action::Confirm { key: Some(key), .. } => {
            if !confirm(school, key).await? {
                return Err(format!("there is no suspended API key {key}").into());
            }
            println!("The key {key} is confirmed.");
            Ok(())
        }
        Action::Confirm { key: None, .. } => {
            let mut confirmed = 0;
            for key in store.suspended_api_keys().await? {
                confirmed += u32::from(confirm(school, key.id).await?);
            }
            println!("Confirmed: {confirmed} API keys.");
            Ok(())
        }
        Action::Protect { fields } => {
            let fields: HiddenFields = fields.into_iter().collect();
            store.set_protected_fields(Role::User, fields).await?;
            let named = if fields.is_empty() {
                "nothing".to_owned()
            } else {
                fields.to_string()
            };
            println!(
                "Keys that users create or renew hide {named}, once the servers are restarted."
            );
            Ok(())
        }
        Action::Revoke { key } => {
            if !store.revoke_api_key(key, school.now()).await? {
                return Err(format!("there is no API key {key}, or it is revoked").into());
            }
            school.record(ManagedObject::ApiKey(key), Change::Deleted);
            println!("The key {key} is revoked.");
            Ok(())
        }
    }
}

/// Confirms a key, and returns whether it was suspended.
async fn confirm(school: &School, key: ApiKeyId) -> Result<bool, BoxError> {
    let is_confirmed = school.store.confirm_api_key(key).await?;
    if is_confirmed {
        school.record(ManagedObject::ApiKey(key), Change::Confirmed);
    }
    Ok(is_confirmed)
}

async fn issue(
    school: &School,
    description: ShortText,
    scopes: ApiScopes,
    owner: SubjectId,
) -> Result<(), BoxError> {
    let secret = ApiKeySecret::from_random(random());
    let id = ApiKeyId::from_random(random());
    let key = ApiKey {
        owner: Some(owner),
        // What the command shows counts as approved, so that a renewal hides nothing.
        requested: HiddenFields::all(),
        ..ApiKey::new(id, &secret, description, scopes, school.now())
    };
    match school.store.create_api_key(key).await? {
        Creation::Created => {}
        Creation::AlreadyExists => return Err("the new key's id was taken: try again".into()),
    }
    school.record(ManagedObject::ApiKey(id), Change::Created);
    println!("The key {id}, shown only once:\n{}", secret.expose());
    Ok(())
}
