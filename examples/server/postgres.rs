//! A school on PostgreSQL: the data API, the authorization service and the web interface. Any
//! number of these servers can share a database.
//!
//! ```sh
//! DATABASE_URL=postgresql://lyceum:password@127.0.0.1/lyceum cargo run --release -p lyceum-server --features postgres --example postgres -- --migrate
//! cargo run --release -p lyceum-server --features postgres --example postgres -- help
//! ```

use std::process::ExitCode;

fn main() -> ExitCode {
    lyceum_server::run::<lyceum_server::Postgres>()
}
