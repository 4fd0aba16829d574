//! The demo on one SQLite file.

use std::path::PathBuf;
use std::sync::Arc;

use lyceum::store::sql::SqlStore;

use super::Options;
use crate::BoxError;

const HELP: &str = "  --database PATH      the database, made if there is none; its master key is beside it, in PATH.key [lyceum.db]\n";

pub async fn run() -> Result<(), BoxError> {
    let mut database = PathBuf::from("lyceum.db");
    let options = Options::from_arguments("sqlite", HELP, |name, arguments| {
        if name == "database" {
            database = arguments.value()?.into();
        }
        Ok(name == "database")
    })?;
    let Some(options) = options else {
        return Ok(());
    };
    if database.as_os_str().is_empty() {
        return Err("--database takes the path of a file".into());
    }
    let (listener, base_url) = super::listen(options.listen).await?;
    let store = Arc::new(SqlStore::sqlite(&database)?);
    let mut key_file = database.into_os_string();
    key_file.push(".key");
    // Only this process uses the file, so rate limits are counted in memory, without writes per
    // request.
    super::run(store, None, key_file.as_ref(), listener, &base_url, options).await
}
