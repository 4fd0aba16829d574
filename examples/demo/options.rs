use std::net::SocketAddr;
use std::path::PathBuf;

use lexopt::ValueExt;

use super::Failure;

/// What the command line says.
pub struct Options {
    pub listen: SocketAddr,
    pub database: PathBuf,
    pub json: bool,
}

impl Options {
    /// The options of an example, or `None` after it has printed its help.
    pub fn from_arguments(example: &str, database: &str) -> Result<Option<Self>, Failure> {
        let mut options = Self { listen: SocketAddr::from(([127, 0, 0, 1], 8080)), database: database.into(), json: false };
        let mut arguments = lexopt::Parser::from_env();
        while let Some(argument) = arguments.next()? {
            match argument {
                lexopt::Arg::Long("listen") => {
                    let address = arguments.value()?.string()?;
                    options.listen =
                        address.parse().map_err(|_| format!("--listen takes an address such as 127.0.0.1:8080, not {address:?}"))?;
                }
                lexopt::Arg::Long("database") => options.database = arguments.value()?.into(),
                lexopt::Arg::Long("json") => options.json = true,
                lexopt::Arg::Long("help") | lexopt::Arg::Short('h') => {
                    println!("usage: {example} [--listen ADDR] [--database PATH] [--json]");
                    return Ok(None);
                }
                other => return Err(other.unexpected().into()),
            }
        }
        if options.database.as_os_str().is_empty() {
            return Err("--database takes the path of a file".into());
        }
        Ok(Some(options))
    }
}
