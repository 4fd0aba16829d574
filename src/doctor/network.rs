//! Checks of the connections to a school: clocks, proxies and certificates.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use ipnet::IpNet;

use super::{Answer, Check, Finding, ProbeError};
use crate::domain::Timestamp;
use crate::http::{CertificateError, Certificates, TrustedProxies};
use crate::store::retention::CLOCK_SKEW;

/// Difference of clocks that a request and its whole seconds explain.
const PRECISION: Duration = Duration::from_secs(5);

/// Longest time before its end at which a certificate should have been renewed. Clients of ACME renew
/// one of 90 days 30 days before.
const RENEWAL: Duration = Duration::from_secs(21 * 24 * 60 * 60);

/// Share of its validity in which a certificate should have been renewed, if that is shorter: some
/// are valid for days.
const RENEWAL_SHARE: u32 = 4;

/// Compares this machine's clock with another one, named such as "the database".
pub fn clock(here: Timestamp, there: Timestamp, name: &str) -> Finding {
    let (ahead, behind) = (here.since(there), there.since(here));
    let (offset, direction) = if ahead > behind {
        (ahead, "ahead of")
    } else {
        (behind, "behind")
    };
    let text = format!(
        "{} seconds {direction} {name}: synchronize both clocks by NTP",
        offset.as_secs()
    );
    if offset > CLOCK_SKEW {
        Finding::failure(
            Check::Clock,
            format!("{text}; until then tokens have wrong times, and no expired rows are deleted"),
        )
    } else if offset > PRECISION {
        Finding::warning(Check::Clock, text)
    } else {
        Finding::ok(Check::Clock, format!("agrees with {name}"))
    }
}

/// The settings that decide which address of a client is believed.
#[derive(Debug, Clone, Copy)]
pub struct ProxySettings<'a> {
    /// The address in browsers, such as `https://school.example`.
    pub public_url: &'a str,
    /// Where the server listens: an address with a port, `unix:` and a path, or another word for a
    /// socket that is passed to it.
    pub listen: &'a str,
    /// Whether the server terminates TLS itself.
    pub has_certificate: bool,
    /// The proxies whose forwarding header is believed.
    pub trusted: &'a TrustedProxies,
}

impl ProxySettings<'_> {
    /// Whether a forwarding header from this peer is believed.
    pub fn trusts(&self, peer: IpAddr) -> bool {
        self.trusted.trusts(peer)
    }

    /// Whether a proxy in front of the server terminates TLS.
    fn has_proxy(&self) -> bool {
        self.public_url.starts_with("https://") && !self.has_certificate
    }

    /// Whether a proxy that connects from this machine may be trusted.
    fn trusts_this_machine(&self) -> bool {
        let loopback: [IpAddr; 2] = [Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()];
        loopback.iter().any(|peer| self.trusts(*peer))
            || self
                .trusted
                .networks()
                .iter()
                .any(|network| network.addr().is_loopback())
    }

    /// Checks what the settings alone tell: that a proxy on this machine is trusted, and that no
    /// client is. [`recorded_address`](Self::recorded_address) checks the rest.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut warn = |text: &str| findings.push(Finding::warning(Check::Proxies, text));
        let address = self.listen.parse().ok().map(|at: SocketAddr| at.ip());
        let is_local =
            self.listen.starts_with("unix:") || address.is_some_and(|ip| ip.is_loopback());
        let has_proxy = self.has_proxy();
        let networks = self.trusted.networks();
        if has_proxy && networks.is_empty() {
            warn(
                "a proxy terminates TLS, and trusted-proxies is empty: all clients count as one, so that one of them can keep the others from signing in; name the address of the proxy",
            );
        } else if has_proxy && is_local && !self.trusts_this_machine() {
            warn(
                "the proxy connects from this machine, and trusted-proxies has no 127.0.0.1: all clients count as one; name it",
            );
        }
        if has_proxy && address.is_some_and(|ip| !ip.is_loopback()) {
            findings.push(Finding::advice(
                Check::Proxies,
                format!(
                    "plain HTTP is served at {}: let only the proxy reach it",
                    self.listen
                ),
            ));
        }
        for network in networks {
            let narrowest = match network {
                IpNet::V4(_) => 8,
                IpNet::V6(_) => 16,
            };
            if network.prefix_len() < narrowest {
                findings.push(Finding::failure(
                    Check::Proxies,
                    format!("trusted-proxies has {network}: every client in it can forge its address; name the proxies alone"),
                ));
            }
        }
        if findings.is_empty() {
            let text = match (has_proxy, networks) {
                (false, []) => "no proxy is trusted, and none is needed",
                _ => "the networks of the proxies are narrow",
            };
            findings.push(Finding::ok(Check::Proxies, text));
        }
        findings
    }

    /// Checks the address that the server recorded for a request of this machine to the public URL
    /// with a forged forwarding header. `answer` is the response.
    ///
    /// It shows which peer the server has, which the settings do not tell of a socket that is passed
    /// to it, or of a proxy on another machine: a proxy that is not trusted is recorded in place of
    /// its clients.
    pub fn recorded_address(&self, recorded: IpAddr, forged: IpAddr, answer: &Answer) -> Finding {
        let (local, proxy) = (answer.local_address, answer.peer_address);
        if recorded == forged && !self.trusts(local) {
            return Finding::failure(
                Check::Proxies,
                "the server believed a forged X-Forwarded-For: a network in trusted-proxies has clients in it, or the proxy passes the header on as it came; let the proxy append the address of its peer",
            );
        }
        let is_proxy_here = answer.is_of_this_machine();
        let is_of_proxy = if recorded == local {
            // A proxy on this machine may have the same address, and another one of it is trusted
            // if the header was read.
            self.has_proxy() && is_proxy_here && !self.trusts(local) && !self.trusts_this_machine()
        } else {
            recorded == proxy || recorded.is_loopback()
        };
        if is_of_proxy {
            return Finding::warning(
                Check::Proxies,
                format!(
                    "the server takes {recorded}, the address of a proxy, for the address of all clients, so that one of them can keep the others from signing in: name it in trusted-proxies, and let the proxy append the address of its peer"
                ),
            );
        }
        if self.trusts(local) && (recorded == forged || self.trusts(recorded)) {
            return Finding::advice(
                Check::Proxies,
                "whether the server believes a forged X-Forwarded-For could not be checked, because this machine is in trusted-proxies: run `doctor` also on a machine that is not",
            );
        }
        if recorded == local || !self.has_proxy() {
            return Finding::ok(
                Check::Proxies,
                "the server believed no forged X-Forwarded-For at the public URL",
            );
        }
        Finding::warning(
            Check::Proxies,
            format!(
                "the server recorded {recorded} for a request from {local}: if a proxy has that address, all clients count as one, so name it in trusted-proxies; if a router translates the addresses of this machine, run `doctor` on another one"
            ),
        )
    }
}

/// Checks that the metadata at the public URL are those of this service. A certificate that is not
/// trusted is reported by [`served_certificate`] alone.
pub fn issuer(url: &str, answer: &Result<Answer, ProbeError>, issuer: &str) -> Option<Finding> {
    let failure = |text: String| Some(Finding::failure(Check::PublicUrl, text));
    match answer {
        Err(ProbeError::Certificate(_) | ProbeError::Authorities(_)) => None,
        Err(error) => Some(Finding::warning(
            Check::PublicUrl,
            format!("{url}: {error}; nothing that needs it was checked"),
        )),
        Ok(answer) if answer.status != 200 => failure(format!(
            "{url} responds with {}, and not with the metadata of the authorization service: look at the proxy's routes and at public-url",
            answer.status
        )),
        Ok(answer) => match answer.json_text("issuer") {
            Some(found) if found == issuer => Some(Finding::ok(
                Check::PublicUrl,
                format!("{url} has the issuer {issuer}"),
            )),
            Some(found) => failure(format!(
                "{url} has the issuer {found:?} instead of {issuer}: another service or other settings respond there"
            )),
            None => failure(format!(
                "{url} has no issuer: something else than the authorization service responds there"
            )),
        },
    }
}

/// Checks the certificate at a URL: that this machine trusts it, and that it does not end soon.
/// `None` if the URL has none, or could not be reached.
pub fn served_certificate(
    url: &str,
    answer: &Result<Answer, ProbeError>,
    at: Timestamp,
) -> Option<Finding> {
    match answer {
        Err(error @ ProbeError::Authorities(_)) => {
            Some(Finding::failure(Check::Tls, error.to_string()))
        }
        Err(ProbeError::Certificate(reason)) => Some(Finding::failure(
            Check::Tls,
            format!(
                "the certificate of {url} is not trusted ({reason}): look at its name, its end, and whether the whole chain is served"
            ),
        )),
        Ok(Answer {
            certificate_validity: Some(validity @ [_, end]),
            ..
        }) => {
            Some(ending(url, *validity, at).unwrap_or_else(|| {
                Finding::ok(Check::Tls, format!("{url} is trusted until {end}"))
            }))
        }
        _ => None,
    }
}

/// Checks the certificate files of a server for a host. Without a host, their names are not checked:
/// a proxy may connect by any.
pub fn certificates(
    loaded: &Result<Certificates, CertificateError>,
    host: Option<&str>,
    at: Timestamp,
) -> Vec<Finding> {
    let loaded = match loaded {
        Ok(loaded) => loaded,
        Err(error) => return vec![Finding::failure(Check::Tls, error.to_string())],
    };
    let mut findings: Vec<Finding> = ending(
        "tls-certificate",
        [loaded.not_before(), loaded.not_after()],
        at,
    )
    .into_iter()
    .collect();
    if let Some(host) = host
        && !loaded.is_valid_for(host)
    {
        findings.push(Finding::failure(
            Check::Tls,
            format!("tls-certificate is not valid for {host}: obtain one with that name"),
        ));
    }
    if !loaded.is_chain_complete() {
        findings.push(Finding::warning(
            Check::Tls,
            "tls-certificate lacks the certificates that signed it, and many clients do not trust it: use the file with the whole chain",
        ));
    }
    if findings.is_empty() {
        let name = host.map(|host| format!(" for {host}"));
        let text = format!(
            "tls-certificate is valid{} until {}",
            name.unwrap_or_default(),
            loaded.not_after()
        );
        findings.push(Finding::ok(Check::Tls, text));
    }
    findings
}

/// A warning if a certificate ends soon.
fn ending(name: &str, [start, end]: [Timestamp; 2], at: Timestamp) -> Option<Finding> {
    let renewal = RENEWAL.min(end.since(start) / RENEWAL_SHARE);
    (end.since(at) < renewal).then(|| {
        Finding::warning(
            Check::Tls,
            format!("the certificate of {name} ends at {end}: look why it was not renewed"),
        )
    })
}
