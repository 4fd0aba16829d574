//! The demo on PostgreSQL.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use lexopt::ValueExt;
use lyceum::http::data_api::LeasedLimiter;
use lyceum::store::sql::{OpenError, SqlStore};

use super::Options;
use crate::BoxError;

const HELP: &str = "  \
  --database-url URL   the database; others on this machine see it in the list of processes, so put a URL with a
                       password into the environment variable DATABASE_URL instead
  --patience SECONDS   how long a request waits for the database before its status is 503 [5]
  --migrate            make the tables, or bring them up to date, first
  --key-file PATH      the master key of this database, made with its tables; every server on it needs the same [lyceum.key]\n";

pub async fn run() -> Result<(), BoxError> {
    let (mut url, mut migrate, mut key_file) = (None, false, PathBuf::from("lyceum.key"));
    let mut timeout = Duration::from_secs(5);
    let options = Options::from_arguments("postgres", HELP, |name, arguments| {
        match name {
            "database-url" => {
                url = Some(
                    arguments
                        .value()?
                        .string()
                        .map_err(|_| "--database-url takes text")?,
                )
            }
            "patience" => timeout = seconds(&arguments.value()?)?,
            "migrate" => migrate = true,
            "key-file" => key_file = arguments.value()?.into(),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let Some(options) = options else {
        return Ok(());
    };
    if key_file.as_os_str().is_empty() {
        return Err("--key-file takes the path of a file".into());
    }
    let url = url.map_or_else(url_of_the_environment, Ok)?;
    let (listener, base_url) = super::listen(options.listen).await?;
    let store = SqlStore::postgres(&url)
        .migrate(migrate)
        .timeout(timeout)
        .open()
        .await
        .map_err(|error| match error {
            OpenError::NotMigrated { .. } => format!("{error} (--migrate)"),
            _ => error.to_string(),
        })?;
    let store = Arc::new(store);
    // Servers on the same database share the rate limits of API keys.
    let limiter = Arc::new(LeasedLimiter::new(store.clone()));
    super::run(
        store,
        Some(limiter),
        &key_file,
        listener,
        &base_url,
        options,
    )
    .await
}

fn seconds(value: &OsStr) -> Result<Duration, BoxError> {
    let seconds = value
        .to_str()
        .and_then(|value| value.parse().ok())
        .filter(|seconds| (1..=3600).contains(seconds));
    seconds
        .map(Duration::from_secs)
        .ok_or_else(|| format!("--patience takes 1 to 3600 seconds, not {value:?}").into())
}

#[allow(
    clippy::disallowed_methods,
    reason = "a program may read the environment; the library does not"
)]
fn url_of_the_environment() -> Result<String, BoxError> {
    let url = std::env::var("DATABASE_URL")
        .ok()
        .filter(|url| !url.is_empty());
    url.ok_or_else(|| {
        "name the database with --database-url URL or in the environment variable DATABASE_URL"
            .into()
    })
}
