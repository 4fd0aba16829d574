use std::sync::Arc;

use clap::Args;
use lyceum::domain::{Email, PageRequest, PersonalField, Role, SubjectId};
use lyceum::http::audit::{Change, ManagedObject};
use lyceum::http::auth_server::AccountCreationOutcome;
use lyceum::http::console::{Console, InvitationOptions};
use lyceum::store::AccountStore;

use super::{OpenMode, account};
use crate::backend::{Backend, path};
use crate::services::School;
use crate::settings::{
    AddressOptions, Addresses, KEY_FILE, OptionValues, SchoolBounds, StoreOptions,
};
use crate::{BoxError, master_key_file};

/// What keys of users hide in a new database until an administrator shows it.
const PROTECTED_FIELDS: [PersonalField; 2] = [PersonalField::Email, PersonalField::Dormitory];

#[derive(Debug, Args)]
pub struct Options<O: Args> {
    /// E-mail address of the first administrator
    #[arg(long, value_name = "EMAIL")]
    admin: Email,
    #[command(flatten)]
    store: StoreOptions<O>,
    #[command(flatten)]
    addresses: AddressOptions,
}

/// Makes the database, the master key and the first administrator. Repeated after a failure halfway
/// it uses what is there.
pub async fn run<B: Backend>(options: Options<B::Options>) -> Result<(), BoxError> {
    let settings = super::settings::<B>(options.store, options.addresses.values())?;
    let addresses = Addresses::from_settings(&settings)?;
    let key_file = settings.parse(&KEY_FILE, path)?;
    if key_file.exists() {
        // A demo's key, and with it its database, stays as it is.
        master_key_file::read(&key_file)?;
    }
    let store = B::open(&settings, OpenMode::Create).await?;
    let accounts = store.accounts(None, PageRequest::new(0, 1)?).await?;
    if accounts.total > 0 {
        return Err("the database has accounts already: `account create --role ADMIN EMAIL` adds an administrator".into());
    }
    if !key_file.exists() {
        let keys = lyceum::store::SigningKeyStore::signing_keys(&store).await?;
        if !keys.is_empty() {
            return Err(format!(
                "the database was made with a master key that is not in {}",
                key_file.display()
            )
            .into());
        }
        master_key_file::create(&key_file)?;
    }
    store
        .set_protected_fields(Role::User, PROTECTED_FIELDS.into_iter().collect())
        .await?;
    let school = School::new(
        Arc::new(store),
        master_key_file::read(&key_file)?,
        addresses,
        SchoolBounds::from_settings(&settings)?,
    );
    let link = first_link(&school, options.admin.clone()).await;
    school.close().await?;
    let link = link?;
    println!(
        "The database is ready. Its master key is in {}: keep a copy apart from the database's, because neither is of use without the other.",
        key_file.display()
    );
    account::print_link(&options.admin, &link);
    Ok(())
}

/// Creates the administrator and the first signing key.
async fn first_link(school: &School, email: Email) -> Result<String, BoxError> {
    let auth = school.auth_server().build().await?;
    let accounts = school.accounts()?;
    let created = accounts.create_without_password(email, Role::Admin).await?;
    let AccountCreationOutcome::Created(id) = created else {
        return Err("the administrator could not be created: try again".into());
    };
    school.record(ManagedObject::Account(id), Change::Created);
    let link = InvitationOptions::default().lifetime(Console::PASSWORD_LINK_LIFETIME);
    let made = school
        .console(&auth)?
        .password_link(&SubjectId::service(), id, &link)
        .await?;
    let link = made.and_then(|made| made.link);
    link.ok_or_else(|| "the administrator was removed".into())
}
