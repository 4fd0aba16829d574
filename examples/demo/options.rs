use std::net::SocketAddr;
use std::time::Duration;

use lexopt::ValueExt;
use lyceum::domain::Quota;

use super::Failure;

/// What the command line of every example says.
pub struct Options {
    pub listen: SocketAddr,
    pub json: bool,
    /// How much an API key may do, and how often keys that do not work are told why.
    pub limit: Quota,
}

impl Options {
    /// Reads the command line, or prints the help and gives `None`. `take` reads the value of an option that only this example has, and
    /// says no to one that it does not know; `help` has their lines.
    pub fn from_arguments(
        example: &str,
        help: &str,
        mut take: impl FnMut(&str, &mut lexopt::Parser) -> Result<bool, Failure>,
    ) -> Result<Option<Self>, Failure> {
        let mut options = Self { listen: SocketAddr::from(([127, 0, 0, 1], 8080)), json: false, limit: Quota::OF_A_KEY };
        let mut arguments = lexopt::Parser::from_env();
        while let Some(argument) = arguments.next()? {
            let lexopt::Arg::Long(name) = argument else {
                if argument == lexopt::Arg::Short('h') {
                    print_help(example, help);
                    return Ok(None);
                }
                return Err(argument.unexpected().into());
            };
            match name.to_owned().as_str() {
                "listen" => options.listen = address(&mut arguments)?,
                "json" => options.json = true,
                "limit" => options.limit = per_minute(&mut arguments)?,
                "help" => {
                    print_help(example, help);
                    return Ok(None);
                }
                name if take(name, &mut arguments)? => {}
                name => return Err(lexopt::Arg::Long(name).unexpected().into()),
            }
        }
        Ok(Some(options))
    }
}

fn address(arguments: &mut lexopt::Parser) -> Result<SocketAddr, Failure> {
    let address = arguments.value()?.string()?;
    address.parse().map_err(|_| format!("--listen takes an address such as 127.0.0.1:8080, not {address:?}").into())
}

fn per_minute(arguments: &mut lexopt::Parser) -> Result<Quota, Failure> {
    const MINUTE: Duration = Duration::from_secs(60);
    let text = arguments.value()?.string()?;
    let quota = text.parse().ok().and_then(|requests| Quota::new(requests, MINUTE, requests).ok());
    quota.ok_or_else(|| format!("--limit takes a number of requests above 0, not {text:?}").into())
}

fn print_help(example: &str, help: &str) {
    println!(
        "usage: {example} [OPTIONS]\n\
         \n\
         Serves an invented school: the data API and the sign-in service on one port.\n\
         \n  \
         --listen ADDR        where to listen: 127.0.0.1, [::1] or 0.0.0.0, and a port [127.0.0.1:8080]\n\
         {help}  \
         --limit NUMBER       how many requests an API key may make in a minute [100]\n  \
         --json               print addresses, keys and accounts as one line of JSON\n  \
         -h, --help           print this"
    );
}
