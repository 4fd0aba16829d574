use std::fmt;

use fluent_uri::pct_enc::EStr;
use fluent_uri::pct_enc::encoder::Query;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

use super::tls::Trusted;

/// Where the server is and how it is spoken to, from a URL.
pub(super) struct Address {
    /// Everything that the driver knows itself.
    pub(super) config: Config,
    /// Who may vouch for the server.
    pub(super) trusted: Trusted,
}

/// Hides the password, as the driver does.
impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Address").field(&self.name()).finish()
    }
}

impl Address {
    /// Reads a URL. What is wrong with one is told without repeating it.
    pub(super) fn parse(url: &str) -> Result<Self, String> {
        if !["postgres://", "postgresql://"].iter().any(|scheme| url.starts_with(scheme)) {
            return Err("its URL does not begin with postgres://".to_owned());
        }
        // A question mark before this belongs to the password.
        let credentials = url.find('@').unwrap_or_default();
        let query = url[credentials..].find('?').map(|at| credentials + at);
        let (place, query) = query.map_or((url, ""), |at| (&url[..at], &url[at + 1..]));
        let (mut trusted, mut kept) = (Trusted::System, Vec::new());
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            match name {
                "sslrootcert" if value == "system" => trusted = Trusted::System,
                "sslrootcert" => trusted = Trusted::File(decoded(value)?.into()),
                // What these ask for beyond `require` is always done.
                "sslmode" if matches!(value, "verify-ca" | "verify-full") => kept.push("sslmode=require"),
                _ => kept.push(pair),
            }
        }
        let config: Config = format!("{place}?{}", kept.join("&")).parse().map_err(|error| fault(&error))?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            return Err("its URL names no host".to_owned());
        }
        if config.get_ssl_mode() == SslMode::Disable {
            trusted = Trusted::Nobody;
        }
        Ok(Self { config, trusted })
    }

    /// The hosts and the database's name, for people.
    pub(super) fn name(&self) -> String {
        let hosts = self.config.get_hosts().iter().map(|host| match host {
            Host::Tcp(name) => name.clone(),
            #[cfg(unix)]
            Host::Unix(path) => path.to_string_lossy().into_owned(),
        });
        let addresses = self.config.get_hostaddrs().iter().map(ToString::to_string);
        let hosts = if self.config.get_hosts().is_empty() { addresses.collect::<Vec<_>>() } else { hosts.collect() };
        let database = self.config.get_dbname().or(self.config.get_user()).unwrap_or_default();
        let ports = self.config.get_ports().iter().map(|port| format!(":{port}"));
        format!("{}{}/{database}", hosts.join(","), ports.collect::<Vec<_>>().join(","))
    }
}

fn decoded(value: &str) -> Result<String, String> {
    let decoded = EStr::<Query>::new(value).and_then(|value| value.decode().to_string().ok());
    decoded.map(Into::into).ok_or("its URL is not percent-encoded UTF-8".to_owned())
}

/// What the driver says of a URL. It names a parameter, but never a value.
fn fault(error: &tokio_postgres::Error) -> String {
    let cause = std::error::Error::source(error).map(|cause| format!(": {cause}")).unwrap_or_default();
    format!("its URL cannot be read{cause}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_driver_does_not_know_is_read_here() {
        let address = Address::parse(
            "postgres://kim:a?b%40c@db.school.example:6432/lyceum?sslmode=verify-full&sslrootcert=%2Fetc%2Fca.pem&connect_timeout=3",
        );
        let address = address.unwrap();
        assert_eq!(address.config.get_ssl_mode(), SslMode::Require);
        assert_eq!(address.trusted, Trusted::File("/etc/ca.pem".into()));
        assert_eq!(address.config.get_password(), Some(&b"a?b@c"[..]));
        assert_eq!(address.config.get_connect_timeout().map(|timeout| timeout.as_secs()), Some(3));
        assert_eq!(address.name(), "db.school.example:6432/lyceum");
        assert_eq!(Address::parse("postgres://h/d").unwrap().config.get_ssl_mode(), SslMode::Prefer);
    }

    #[test]
    fn s26_no_password_is_ever_repeated() {
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
        ] {
            match Address::parse(url) {
                Ok(address) => assert!(!format!("{address:?} {}", address.name()).contains(secret)),
                Err(reason) => assert!(!reason.contains(secret), "{reason}"),
            }
        }
        let address = Address::parse("postgres://kim:correct-horse@h/d").unwrap();
        assert!(!format!("{address:?} {:?} {}", address.config, address.name()).contains(secret));
    }
}
