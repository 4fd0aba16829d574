use std::net::SocketAddr;

use lexopt::ValueExt;
use lyceum::domain::Quota;
use lyceum::http::TrustedProxies;

use crate::BoxError;
use crate::settings;

/// Command line options of all examples.
pub struct Options {
    pub listen: SocketAddr,
    pub json: bool,
    /// Rate limit of API keys, and of detailed errors for invalid keys.
    pub limit: Quota,
    /// The proxies whose `X-Forwarded-For` is trusted.
    pub proxies: TrustedProxies,
}

impl Options {
    /// Parses the command line, or prints the help and returns `None`. `take` reads the value of an
    /// option that only this example has, and returns false for an unknown option; `help` describes
    /// these options.
    pub fn from_arguments(
        example: &str,
        help: &str,
        mut take: impl FnMut(&str, &mut lexopt::Parser) -> Result<bool, BoxError>,
    ) -> Result<Option<Self>, BoxError> {
        let (mut listen, mut json, mut limit, mut proxies) = (
            SocketAddr::from(([127, 0, 0, 1], 8080)),
            false,
            Quota::DEFAULT_FOR_API_KEY,
            Vec::new(),
        );
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
                "listen" => listen = address(&mut arguments)?,
                "json" => json = true,
                "limit" => limit = per_minute(&mut arguments)?,
                "trusted-proxy" => proxies.push(arguments.value()?.string()?),
                "help" => {
                    print_help(example, help);
                    return Ok(None);
                }
                name if take(name, &mut arguments)? => {}
                name => return Err(lexopt::Arg::Long(name).unexpected().into()),
            }
        }
        let proxies: Vec<&str> = proxies.iter().map(String::as_str).collect();
        let proxies = TrustedProxies::x_forwarded_for(&proxies)
            .map_err(|rule| format!("the values of --trusted-proxy {rule}"))?;
        Ok(Some(Self {
            listen,
            json,
            limit,
            proxies,
        }))
    }
}

fn address(arguments: &mut lexopt::Parser) -> Result<SocketAddr, BoxError> {
    let address = arguments.value()?.string()?;
    address.parse().map_err(|_| {
        format!("--listen takes an address such as 127.0.0.1:8080, not {address:?}").into()
    })
}

fn per_minute(arguments: &mut lexopt::Parser) -> Result<Quota, BoxError> {
    let text = arguments.value()?.string()?;
    settings::per_minute(&text).ok_or_else(|| {
        format!("--limit takes a number of requests from 1 to 60000000, not {text:?}").into()
    })
}

fn print_help(example: &str, help: &str) {
    println!(
        "usage: {example} [OPTIONS]\n\
         \n\
         Serves an invented school: the data API and the sign-in service on one port.\n\
         \n  \
         --listen ADDR        where to listen: 127.0.0.1, [::1] or 0.0.0.0, and a port [127.0.0.1:8080]\n\
         {help}  \
         --limit NUMBER       how many requests an API key may make in a minute, how many with keys that do not work, and how many changes a user [100]\n  \
         --trusted-proxy CIDR a proxy, or a network of them, whose X-Forwarded-For says who the client is; may be repeated\n  \
         --json               print addresses, keys and accounts as one line of JSON\n  \
         -h, --help           print this\n\
         \n\
         For a school of your own: {example} init, serve, account, key, client, backup, restore, sync, doctor, rotate-signing-key, revoke-signing-key, completions\n\
         ({example} help)"
    );
}
