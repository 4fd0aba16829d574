//! The commands, a file for each.

mod account;
mod backup;
mod client;
mod completions;
mod doctor;
mod erasures;
mod export;
mod import;
mod init;
mod invite;
mod key;
mod person;
mod plan;
mod restore;
mod serve;
mod signing_key;
mod sync;
mod year;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Parser, Subcommand};
use lyceum::crypto::MasterKey;
use lyceum::domain::{PageRequest, SubjectId};
use lyceum::store::{AccountStore, Paged, StorageError};

use crate::backend::{Backend, OpenMode, path};
use crate::listen::InheritedSockets;
use crate::services::School;
use crate::settings::{
    Addresses, COMMON, FORMER_KEY_FILE, KEY_FILE, NEXT_KEY_FILE, OptionValues, SchoolBounds,
    Settings, StoreOptions,
};
use crate::{BoxError, master_key_file};

/// A school's server. Without a command it is a demo with options of its own: see --help.
#[derive(Debug, Parser)]
pub struct Cli<O: Args> {
    #[command(subcommand)]
    pub command: Command<O>,
}

#[derive(Debug, Subcommand)]
pub enum Command<O: Args> {
    /// Make the database, its master key and the first administrator
    Init(init::Options<O>),
    /// Serve the database that init made
    Serve(Box<serve::Options<O>>),
    /// Accounts of users and administrators
    Account(account::Options<O>),
    /// Keys of the data API
    Key(key::Options<O>),
    /// OAuth clients
    Client(client::Options<O>),
    /// Show what a file of students, clubs or projects would change, and apply it
    Import(import::Options<O>),
    /// Print all students, clubs or projects as a file
    Export(export::Options<O>),
    /// Turn the school year, undo that, and print who was in which class
    Year(year::Options<O>),
    /// Export or erase what is stored about one person
    Person(person::Options<O>),
    /// Write a backup of the database, also while it is served
    Backup(backup::Options<O>),
    /// Restore a backup, and suspend what may have changed since
    Restore(restore::Options<O>),
    /// Read this academic year's meals, events and timetables from NEIS
    Sync(Box<sync::Options<O>>),
    /// Check settings, database, keys, certificates and backups
    Doctor(Box<doctor::Options<O>>),
    /// Publish the next signing key, which signs a day later
    RotateSigningKey(signing_key::RotateOptions<O>),
    /// Revoke a signing key at once
    RevokeSigningKey(signing_key::RevokeOptions<O>),
    /// Print the completions for a shell
    Completions(completions::Options),
}

/// Runs a command. `sockets` are those that systemd passes.
pub async fn run<B: Backend>(
    command: Command<B::Options>,
    sockets: InheritedSockets,
) -> Result<ExitCode, BoxError> {
    match command {
        Command::Doctor(options) => return doctor::run::<B>(*options).await,
        Command::Sync(options) => return sync::run::<B>(*options).await,
        Command::Init(options) => init::run::<B>(options).await,
        Command::Serve(options) => serve::run::<B>(*options, sockets).await,
        Command::Account(options) => account::run::<B>(options).await,
        Command::Key(options) => key::run::<B>(options).await,
        Command::Client(options) => client::run::<B>(options).await,
        Command::Import(options) => import::run::<B>(options).await,
        Command::Export(options) => export::run::<B>(options).await,
        Command::Year(options) => year::run::<B>(options).await,
        Command::Person(options) => person::run::<B>(options).await,
        Command::Backup(options) => backup::run::<B>(options).await,
        Command::Restore(options) => restore::run::<B>(options).await,
        Command::RotateSigningKey(options) => signing_key::rotate::<B>(options).await,
        Command::RevokeSigningKey(options) => signing_key::revoke::<B>(options).await,
        Command::Completions(options) => completions::run::<B>(&options),
    }?;
    Ok(ExitCode::SUCCESS)
}

/// A sentence for wrong options: the first paragraph of the usage error.
pub fn usage_error(error: &clap::Error) -> BoxError {
    let text = error.to_string();
    let lines = text.lines().map(str::trim);
    let first: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    let sentence = first.join(" ");
    let sentence = sentence.strip_prefix("error: ").unwrap_or(&sentence);
    format!("{sentence} (see --help)").into()
}

/// Collects the settings of a command.
fn settings<B: Backend>(
    store: StoreOptions<B::Options>,
    options: Vec<(&'static str, Option<String>)>,
) -> Result<Settings, BoxError> {
    let known = COMMON.iter().chain(B::SETTINGS).copied().collect();
    let config = store.config.clone();
    let options = store.values().into_iter().chain(options).collect();
    let mut settings = Settings::load(known, options, config)?;
    B::set_dependent_defaults(&mut settings);
    Ok(settings)
}

/// Opens the school that `init` made.
async fn open<B: Backend>(
    settings: &Settings,
    mode: OpenMode,
    addresses: Addresses,
) -> Result<School, BoxError> {
    let bounds = SchoolBounds::from_settings(settings)?;
    // The key first: it tells a demo's database, which must stay as it is.
    let master_key = master_key(settings)?;
    let store = B::open(settings, mode).await?;
    Ok(School::new(Arc::new(store), master_key, addresses, bounds))
}

/// Checks the settings of the master key, and reads the files that are there: before `init` there is
/// none.
fn check_master_key(settings: &Settings) -> Result<(), BoxError> {
    match settings.parse(&KEY_FILE, path)?.exists() {
        true => master_key(settings).map(drop),
        false => key_files(settings).map(drop),
    }
}

/// The master key, with the one that replaces it or that it replaced.
fn master_key(settings: &Settings) -> Result<MasterKey, BoxError> {
    let read = |file: Option<PathBuf>| file.map(|file| master_key_file::read(&file)).transpose();
    let KeyFiles {
        current,
        next,
        former,
    } = key_files(settings)?;
    let mut key = master_key_file::read(&current)?;
    if let Some(next) = read(next)? {
        key = key.with_next(next);
    }
    if let Some(former) = read(former)? {
        key = key.with_former(former);
    }
    Ok(key)
}

/// The files of master keys, of which at most one is beside the current one.
struct KeyFiles {
    current: PathBuf,
    next: Option<PathBuf>,
    former: Option<PathBuf>,
}

fn key_files(settings: &Settings) -> Result<KeyFiles, BoxError> {
    let files = KeyFiles {
        current: settings.parse(&KEY_FILE, path)?,
        next: settings.optional(&NEXT_KEY_FILE, path)?,
        former: settings.optional(&FORMER_KEY_FILE, path)?,
    };
    if files.next.is_some() && files.former.is_some() {
        return Err("next-key-file and former-key-file exclude each other: remove one".into());
    }
    Ok(files)
}

/// Opens the school for a command that prints no address.
async fn open_without_addresses<B: Backend>(
    store: StoreOptions<B::Options>,
) -> Result<School, BoxError> {
    let settings = settings::<B>(store, Vec::new())?;
    let addresses = Addresses::without_public_url(&settings)?;
    open::<B>(&settings, OpenMode::Use, addresses).await
}

/// The id of the account with an e-mail address.
async fn account_id(school: &School, email: &str) -> Result<lyceum::domain::AccountId, BoxError> {
    let address = email
        .parse()
        .map_err(|_| format!("an account has an e-mail address, not {email:?}"))?;
    match school.store.account_by_email(&address).await? {
        Some(account) => Ok(account.id),
        None => Err(format!("no account has the address {email}").into()),
    }
}

/// The owner of a new record: an account, or the service itself.
async fn owner(school: &School, email: Option<&str>) -> Result<SubjectId, BoxError> {
    match email {
        Some(email) => Ok(account_id(school, email).await?.into()),
        None => Ok(SubjectId::service()),
    }
}

/// All items of a paged list.
async fn all_pages<T>(
    mut page: impl AsyncFnMut(PageRequest) -> Result<Paged<T>, StorageError>,
) -> Result<Vec<T>, BoxError> {
    const SIZE: u32 = 100;
    let mut items = Vec::new();
    for number in 0.. {
        let found = page(PageRequest::new(number, SIZE)?).await?;
        let is_last = found.items.len() < SIZE as usize;
        items.extend(found.items);
        if is_last {
            break;
        }
    }
    Ok(items)
}
