use clap::{Args, Subcommand};
use lyceum::domain::{AccountId, SubjectId};
use lyceum::domain::{Email, Role};
use lyceum::http::audit::{Change, ManagedObject};
use lyceum::http::auth_server::AccountCreationOutcome;
use lyceum::http::console::{Console, InvitationOptions};
use lyceum::store::{AccountChange, AccountStore, ApiKeyStore};

use super::{OpenMode, account_id, all_pages, invite};
use crate::BoxError;
use crate::backend::Backend;
use crate::services::School;
use crate::settings::{
    AddressOptions, Addresses, MailOptions, OptionValues, Settings, StoreOptions,
};
use crate::smtp;

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
        #[command(flatten)]
        link: LinkOptions,
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
    Reset {
        email: String,
        #[command(flatten)]
        link: LinkOptions,
    },
}

#[derive(Debug, Args)]
struct LinkOptions {
    /// Also mail the link, by the mail server of the settings
    #[arg(long)]
    mail: bool,
    /// Language of the message: ko or en
    #[arg(long, requires = "mail", default_value = "ko", value_parser = ["ko", "en"])]
    language: String,
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

/// Hides the fields that are protected for a role in the API keys of an account. Returns the number
/// of keys that have changed.
async fn hide_protected_fields(
    school: &School,
    id: AccountId,
    role: Role,
) -> Result<usize, BoxError> {
    let protected = school.store.protected_fields().await?;
    let of_role = protected.into_iter().find(|(of, _)| *of == role);
    let Some((_, fields)) = of_role else {
        return Ok(0);
    };
    Ok(school.store.hide_fields_of(&id.into(), fields).await?.len())
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
        Action::Create { email, role, link } => {
            let link = OneLink::new(school, settings, &link).await?;
            create(school, email, role, link).await
        }
        Action::Invite(options) => invite::run(school, settings, options).await,
        Action::Role { email, role } => {
            let id = account_id(school, &email).await?;
            let by = SubjectId::service();
            changed(school.accounts()?.set_role(&by, id, role).await?)?;
            let hidden = hide_protected_fields(school, id, role).await?;
            println!("{email} is {role} now; links made before are void.");
            if hidden > 0 {
                println!("{hidden} of their API keys hide the fields protected for {role} now.");
            }
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
        Action::Reset { email, link } => {
            let link = OneLink::new(school, settings, &link).await?;
            link.make(account_id(school, &email).await?).await
        }
    }
}

async fn create(school: &School, email: Email, role: Role, link: OneLink) -> Result<(), BoxError> {
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
    link.make(id).await
}

/// Confirms an account, and returns whether it was suspended.
async fn confirm(school: &School, id: AccountId) -> Result<bool, BoxError> {
    let is_confirmed = school.store.confirm_account(id).await?;
    if is_confirmed {
        school.record(ManagedObject::Account(id), Change::Confirmed);
    }
    Ok(is_confirmed)
}

/// What makes the link of one account.
struct OneLink {
    console: Console,
    options: InvitationOptions,
    is_mailed: bool,
}

impl OneLink {
    /// Before anything changes: fails if the link cannot be mailed.
    async fn new(
        school: &School,
        settings: &Settings,
        options: &LinkOptions,
    ) -> Result<Self, BoxError> {
        if options.mail && smtp::mailer(settings, &school.addresses)?.is_none() {
            return Err("--mail needs a mail server: set smtp-url and mail-from".into());
        }
        Ok(Self {
            console: invite::console(school, settings).await?,
            options: InvitationOptions::default()
                .lifetime(Console::PASSWORD_LINK_LIFETIME)
                .mailed(false)
                .language(&options.language),
            is_mailed: options.mail,
        })
    }

    /// Prints a new link before it is mailed, so that it is not lost.
    async fn make(self, id: AccountId) -> Result<(), BoxError> {
        let by = SubjectId::service();
        let made = self.console.password_link(&by, id, &self.options).await?;
        let mut made = made.ok_or("the account was removed, or its owner has left")?;
        print_link(&made.email, made.link.as_deref().unwrap_or_default());
        if self.is_mailed {
            let one = std::slice::from_mut(&mut made);
            self.console.mail_links(one, &self.options).await;
            if let Some(Err(error)) = made.mail {
                return Err(format!("the link was not mailed: {error}").into());
            }
            println!("The link is mailed.");
        }
        Ok(())
    }
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
