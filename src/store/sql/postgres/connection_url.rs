use std::fmt;
use std::net::IpAddr;

use fluent_uri::pct_enc::EStr;
use fluent_uri::pct_enc::encoder::Query;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

use super::tls::TrustRoots;

/// Server address and connection settings, from a URL.
pub(super) struct ConnectionUrl {
    /// The driver's configuration.
    pub(super) config: Config,
    /// The certificate authorities to trust.
    pub(super) trusted: TrustRoots,
}

/// Hides the password, as the driver does.
impl fmt::Debug for ConnectionUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ConnectionUrl").field(&self.name()).finish()
    }
}

impl ConnectionUrl {
    /// Parses a URL. Error messages do not repeat it.
    pub(super) fn parse(url: &str) -> Result<Self, String> {
        let Some(rest) = ["postgres://", "postgresql://"]
            .iter()
            .find_map(|scheme| url.strip_prefix(scheme))
        else {
            return Err("its URL does not begin with postgres://".to_owned());
        };
        // The driver takes the text after the first @ for a host, so an error could show the end of
        // a password.
        let (authority, others) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        if authority.matches('@').count() > 1 || others.contains('@') {
            return Err("its URL has an @ too many: percent-encode @ as %40, and / ? # in a password as %2F %3F %23".to_owned());
        }
        let (place, query) = url.split_once('?').unwrap_or((url, ""));
        let (mut trusted, mut parameters, mut has_mode) = (None, Vec::new(), false);
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            has_mode |= name == "sslmode";
            match name {
                "sslrootcert" if value == "system" => trusted = Some(TrustRoots::System),
                "sslrootcert" => trusted = Some(TrustRoots::File(decoded(value)?.into())),
                // Their additional checks are always made.
                "sslmode" if matches!(value, "verify-ca" | "verify-full") => {
                    parameters.push("sslmode=require")
                }
                _ => parameters.push(pair),
            }
        }
        let has_password = query.split('&').any(|pair| pair.starts_with("password="));
        let parsed = format!("{place}?{}", parameters.join("&")).parse();
        let mut config: Config = parsed.map_err(|error| {
            if has_password {
                UNREADABLE.to_owned()
            } else {
                error_message(&error)
            }
        })?;
        check_hosts(&config)?;
        if !has_mode {
            config.ssl_mode(if trusted.is_none() && is_local(&config) {
                SslMode::Disable
            } else {
                SslMode::Require
            });
        }
        let trusted = if config.get_ssl_mode() == SslMode::Disable {
            TrustRoots::None
        } else {
            trusted.unwrap_or(TrustRoots::System)
        };
        Ok(Self { config, trusted })
    }

    /// The hosts and the database's name, for messages.
    pub(super) fn name(&self) -> String {
        let hosts = self.config.get_hosts().iter().map(|host| match host {
            Host::Tcp(name) => name.clone(),
            #[cfg(unix)]
            Host::Unix(path) => path.to_string_lossy().into_owned(),
        });
        let addresses = self.config.get_hostaddrs().iter().map(ToString::to_string);
        let hosts = if self.config.get_hosts().is_empty() {
            addresses.collect::<Vec<_>>()
        } else {
            hosts.collect()
        };
        let database = self
            .config
            .get_dbname()
            .or(self.config.get_user())
            .unwrap_or_default();
        let ports = self
            .config
            .get_ports()
            .iter()
            .map(|port| format!(":{port}"));
        format!(
            "{}{}/{database}",
            hosts.join(","),
            ports.collect::<Vec<_>>().join(",")
        )
    }
}

fn decoded(value: &str) -> Result<String, String> {
    let decoded = EStr::<Query>::new(value).and_then(|value| value.decode().to_string().ok());
    decoded
        .map(Into::into)
        .ok_or("its URL is not percent-encoded UTF-8".to_owned())
}

/// Each host has its own address and port, or all have the same port.
fn check_hosts(config: &Config) -> Result<(), String> {
    let (hosts, addresses, ports) = (
        config.get_hosts().len(),
        config.get_hostaddrs().len(),
        config.get_ports().len(),
    );
    let count = hosts.max(addresses);
    if count == 0 {
        return Err("its URL names no host".to_owned());
    }
    if ![0, count].contains(&hosts)
        || ![0, count].contains(&addresses)
        || ![0, 1, count].contains(&ports)
    {
        return Err("its URL has different numbers of hosts, addresses and ports".to_owned());
    }
    Ok(())
}

/// Whether all traffic stays on this machine, so that encryption adds nothing.
fn is_local(config: &Config) -> bool {
    let is_local = |host: &Host| match host {
        Host::Tcp(name) => {
            name == "localhost"
                || name
                    .parse()
                    .is_ok_and(|address: IpAddr| address.is_loopback())
        }
        #[cfg(unix)]
        Host::Unix(_) => true,
    };
    // With addresses, the names are used only to verify certificates.
    match config.get_hostaddrs() {
        [] => config.get_hosts().iter().all(is_local),
        addresses => addresses.iter().all(IpAddr::is_loopback),
    }
}

const UNREADABLE: &str = "its URL cannot be read";

/// The driver's message about a URL. It names a parameter, but never a value. A password among the
/// parameters may be split into several.
fn error_message(error: &tokio_postgres::Error) -> String {
    let cause = std::error::Error::source(error)
        .map(|cause| format!(": {cause}"))
        .unwrap_or_default();
    format!("{UNREADABLE}{cause}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_unknown_to_the_driver_are_parsed_here() {
        let address = ConnectionUrl::parse(
            "postgres://kim:a%3Fb%40c@db.school.example:6432/lyceum?sslmode=verify-full&sslrootcert=%2Fetc%2Fca.pem&connect_timeout=3",
        );
        let address = address.unwrap();
        assert_eq!(address.config.get_ssl_mode(), SslMode::Require);
        assert_eq!(address.trusted, TrustRoots::File("/etc/ca.pem".into()));
        assert_eq!(address.config.get_password(), Some(&b"a?b@c"[..]));
        assert_eq!(
            address
                .config
                .get_connect_timeout()
                .map(|timeout| timeout.as_secs()),
            Some(3)
        );
        assert_eq!(address.name(), "db.school.example:6432/lyceum");
    }

    // Proves: threats 26
    #[test]
    fn tls_is_required_unless_all_hosts_are_local_or_the_url_disables_it() {
        let mode = |url: &str| ConnectionUrl::parse(url).unwrap().config.get_ssl_mode();
        for local in [
            "localhost",
            "127.0.0.1:6432",
            "[::1]",
            "%2Frun%2Fpostgresql",
            "localhost,127.0.0.1",
            "db.example/d?hostaddr=127.0.0.1",
        ] {
            assert_eq!(
                mode(&format!("postgres://{local}")),
                SslMode::Disable,
                "{local}"
            );
        }
        for remote in [
            "db.example",
            "192.0.2.1",
            "localhost,db.example",
            "localhost/d?hostaddr=192.0.2.1",
            "localhost/d?sslrootcert=system",
        ] {
            assert_eq!(
                mode(&format!("postgres://{remote}")),
                SslMode::Require,
                "{remote}"
            );
        }
        assert_eq!(
            mode("postgres://db.example/d?sslmode=prefer"),
            SslMode::Prefer
        );
        assert_eq!(
            mode("postgres://db.example/d?sslmode=disable"),
            SslMode::Disable
        );
        assert_eq!(
            mode("postgres://localhost/d?sslmode=verify-full"),
            SslMode::Require
        );
    }

    #[test]
    fn hosts_addresses_and_ports_belong_together() {
        for url in [
            "postgres://a,b/d?hostaddr=127.0.0.1",
            "postgres:///d?host=a&host=b&host=c&port=1,2",
            "postgres:///d",
        ] {
            assert!(ConnectionUrl::parse(url).is_err(), "{url}");
        }
        drop(ConnectionUrl::parse("postgres:///d?host=a&host=b&port=1").unwrap());
    }

    // Proves: threats 26
    #[test]
    fn no_password_is_ever_repeated() {
        let secret = "correct-horse";
        for url in [
            "mysql://kim:correct-horse@h/d",
            "postgres://kim:correct-horse@h:port/d",
            "postgres://kim:correct-horse@h/d?sslmode=correct-horse",
            "postgres://kim:correct-horse@h/d?sslrootcert=%zz",
            "postgres://kim:correct-horse@h/d?connect_timeout=correct-horse",
            "postgres://kim:correct-horse@",
            "postgres://kim:correct-horse%zz@h/d",
            "correct-horse",
            "postgres://kim:battery@correct-horse@127.0.0.1/t1",
            "postgres://kim:battery?@correct-horse@127.0.0.1/t1",
            "postgres://kim:battery/correct-horse@127.0.0.1/t1",
            "postgres://kim:battery@b/correct-horse@127.0.0.1/t1",
            "postgres://127.0.0.1/t1?user=kim&password=battery@correct-horse",
            "postgres://?user=kim&password=correct-horse@127.0.0.1",
            "postgres://127.0.0.1/t1?user=kim&password=battery&correct-horse=1",
        ] {
            match ConnectionUrl::parse(url) {
                Ok(address) => assert!(!format!("{address:?} {}", address.name()).contains(secret)),
                Err(reason) => assert!(!reason.contains(secret), "{reason}"),
            }
        }
        for url in [
            "postgres://kim:correct@horse-battery@127.0.0.1/t1",
            "postgres://h/d?user=kim&password=sec@ret",
        ] {
            let reason = ConnectionUrl::parse(url).unwrap_err();
            assert!(
                reason.contains("percent-encode @ as %40")
                    && !reason.contains("horse")
                    && !reason.contains("ret"),
                "{reason}"
            );
        }
        let address = ConnectionUrl::parse("postgres://kim:correct-horse@h/d").unwrap();
        assert!(!format!("{address:?} {:?} {}", address.config, address.name()).contains(secret));
    }
}
