//! A school on one SQLite file: the data API, the authorization service and the web interface.
//!
//! ```sh
//! cargo run --release -p lyceum-server --example sqlite -- --listen 127.0.0.1:8080 --database lyceum.db
//! cargo run --release -p lyceum-server --example sqlite -- help
//! ```

use std::process::ExitCode;

fn main() -> ExitCode {
    lyceum_server::run::<lyceum_server::Sqlite>()
}
