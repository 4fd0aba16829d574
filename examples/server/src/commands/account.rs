use clap::{Args, Subcommand};
use lyceum::domain::{AccountId, SubjectId};
use lyceum::domain::{Email, Role};
use lyceum::http::audit::{Change, ManagedObject};
use lyceum::http::auth_server::AccountCreationOutcome;
use lyceum::http::console::Console;
use lyceum::store::{AccountChange, AccountStore};

use super::{OpenMode, account_id, all_pages, invite};
use crate::BoxError;
use crate::backend::Backend;
use crate::services::School;
use crate::settings::{
    AddressOptions, Addresses, MailOptions, OptionValues, Settings, StoreOptions,
};

#[derive(Debug, Args)]
#[command(arg_required_else_help = false)]
pub struct Options<O: Args> {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    store: StoreOptions<O>,
    #[command(flatten)]
    addresses: AddressOptions,
    #[command(flatten)]
    mail: MailOptions,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the accounts
    List,
    /// Create an account, and print a one-time link by which its owner sets a password
    Create {
        email: Email,
        /// USER or ADMIN
        #[arg(long, default_value = "USER")]
        role: Role,
    },
    /// Show whom an invitation would give an account, and create the accounts with one-time links
    Invite(invite::Options),
    /// Change a role
    Role {
        email: String,
        /// USER or ADMIN
        role: Role,
    },
    /// Remove an account with its sessions, grants and API keys
    Remove { email: String },
    /// Confirm an account that a restoration suspended: its password is right again
    Confirm {
        #[arg(required_unless_present = "all")]
        email: Option<String>,
        /// All suspended accounts
        #[arg(long, conflicts_with = "email")]
        all: bool,
    },
    /// Print a one-time link by which the owner sets a password in place of a lost one
    Reset { email: String },
}

pub async fn run<B: Backend>(options: Options<B::Options>) -> Result<(), BoxError> {
    let given = options.addresses.values().into_iter();
    let given = given.chain(options.mail.values()).collect();
    let settings = super::settings::<B>(options.store, given)?;
    let addresses = match options.action {
        Action::Create { .. } | Action::Reset { .. } | Action::Invite(_) => {
            Addresses::from_settings(&settings)?
        }
        _ => Addresses::without_public_url(&settings)?,
    };
    let school = super::open::<B>(&settings, OpenMode::Use, addresses).await?;
    let outcome = perform(&school, &settings, options.action).await;
    school.close().await?;
    outcome
}

async fn perform(school: &School, settings: &Settings, action: Action) -> Result<(), BoxError> {
    match action {
        Action::List => {
            for account in all_pages(async |page| school.store.accounts(None, page).await).await? {
                let hash = &account.password_hash;
                let state = match (hash.left_at(), hash.is_suspended(), hash.is_none()) {
                    (Some(_), ..) => "  left",
                    (None, true, _) => "  suspended",
                    (None, false, true) => "  invited",
                    (None, false, false) => "",
                };
                println!(
                    "{}  {:5}  {}{state}",
                    account.id,
                    account.role.as_str(),
                    account.email
                );
            }
            Ok(())
        }
        Action::Create { email, role } => create(school, email, role).await,
        Action::Invite(options) => invite::run(school, settings, options).await,
        Action::Role { email, role } => {
            let id = account_id(school, &email).await?;
            let by = SubjectId::service();
            changed(school.accounts()?.set_role(&by, id, role).await?)?;
            println!("{email} is {role} now; links made before are void.");
            Ok(())
        }
        Action::Remove { email } => {
            let id = account_id(school, &email).await?;
            let by = SubjectId::service();
            changed(school.accounts()?.remove(&by, id).await?)?;
            println!("{email} is removed.");
            Ok(())
        }
        Action::Confirm {
            email: Some(email), ..
        } => {
            let id = account_id(school, &email).await?;
            if !confirm(school, id).await? {
                return Err(
                    format!("the account {email} is not suspended by a restoration").into(),
                );
            }
            println!("{email} is confirmed.");
            Ok(())
        }
        Action::Confirm { email: None, .. } => {
            let mut confirmed = 0;
            for account in all_pages(async |page| school.store.accounts(None, page).await).await? {
                confirmed += u32::from(confirm(school, account.id).await?);
            }
            println!("Confirmed: {confirmed} accounts.");
            Ok(())
        }
        Action::Reset { email } => {
            let id = account_id(school, &email).await?;
            let link = link(school, id).await?;
            print_link(&email.parse()?, &link);
            Ok(())
        }
    }
}

async fn create(school: &School, email: Email, role: Role) -> Result<(), BoxError> {
    let accounts = school.accounts()?;
    let id = match accounts
        .create_without_password(email.clone(), role)
        .await?
    {
        AccountCreationOutcome::Created(id) => id,
        AccountCreationOutcome::EmailTaken => {
            return Err(format!("an account has the address {email} already").into());
        }
        _ => return Err("the account could not be created: try again".into()),
    };
    school.record(ManagedObject::Account(id), Change::Created);
    print_link(&email, &link(school, id).await?);
    Ok(())
}

/// Confirms an account, and returns whether it was suspended.
async fn confirm(school: &School, id: AccountId) -> Result<bool, BoxError> {
    let is_confirmed = school.store.confirm_account(id).await?;
    if is_confirmed {
        school.record(ManagedObject::Account(id), Change::Confirmed);
    }
    Ok(is_confirmed)
}

async fn link(school: &School, id: AccountId) -> Result<String, BoxError> {
    let auth = school.auth_server().build().await?;
    let link = school
        .console(&auth)?
        .password_link(id, Console::PASSWORD_LINK_LIFETIME)
        .await?;
    link.ok_or_else(|| "the account was removed, or its owner has left".into())
}

/// Prints a link once; it is stored nowhere.
pub fn print_link(email: &Email, link: &str) {
    let hours = Console::PASSWORD_LINK_LIFETIME.as_secs() / 3600;
    println!("{email} sets a password here, once and within {hours} hours:\n{link}");
}

fn changed(change: AccountChange) -> Result<(), BoxError> {
    match change {
        AccountChange::Done => Ok(()),
        AccountChange::LastAdministrator => {
            Err("it is the only administrator, and a school needs one".into())
        }
        AccountChange::NotFound => Err("the account was removed".into()),
    }
}
