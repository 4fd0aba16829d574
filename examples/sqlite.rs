//! A whole school on one SQLite file: the data API and the sign-in service on one port.
//!
//! ```sh
//! cargo run --release --example sqlite -- --listen 127.0.0.1:8080 --database lyceum.db
//! ```

mod demo;

use std::sync::Arc;

use lyceum::store::sql::SqlStore;

#[tokio::main]
async fn main() -> std::process::ExitCode {
    demo::exit(run().await)
}

async fn run() -> Result<(), demo::Failure> {
    let Some(options) = demo::Options::from_arguments("sqlite", "lyceum.db")? else {
        return Ok(());
    };
    let (listener, base_url) = demo::listen(options.listen).await?;
    demo::KeyFile::prepare(&options.database)?;
    let store = Arc::new(SqlStore::sqlite(&options.database)?);
    let keys = demo::KeyFile::beside(&options.database)?;
    demo::run(store, keys, listener, &base_url, options.json).await
}
