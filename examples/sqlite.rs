//! A school on one SQLite file: the data API and the authorization service on one port.
//!
//! ```sh
//! cargo run --release --example sqlite -- --listen 127.0.0.1:8080 --database lyceum.db
//! ```

mod demo;

use std::path::PathBuf;
use std::sync::Arc;

use lyceum::store::sql::SqlStore;

const HELP: &str = "  --database PATH      the database, made if there is none; its master key is beside it, in PATH.key [lyceum.db]\n";

#[tokio::main]
async fn main() -> std::process::ExitCode {
    demo::exit_code(run().await)
}

async fn run() -> Result<(), demo::BoxError> {
    let mut database = PathBuf::from("lyceum.db");
    let options = demo::Options::from_arguments("sqlite", HELP, |name, arguments| {
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
    let (listener, base_url) = demo::listen(options.listen).await?;
    let store = Arc::new(SqlStore::sqlite(&database)?);
    let mut key_file = database.into_os_string();
    key_file.push(".key");
    // Only this process uses the file, so rate limits are counted in memory, without writes per
    // request.
    demo::run(store, None, key_file.as_ref(), listener, &base_url, options).await
}
