//! Mail through the school's mail server.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use lettre::message::Mailbox;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::extension::ClientId;
use lettre::transport::smtp::{AsyncSmtpTransportBuilder, Error};
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use lyceum::crypto::{Entropy, SystemEntropy};
use lyceum::http::{Mail, MailError, Mailer};

use crate::BoxError;
use crate::backend::path;
use crate::settings::{
    Addresses, MAIL_FROM, SMTP_PASSWORD, SMTP_PASSWORD_FILE, SMTP_URL, SMTP_USER, Settings,
};

/// Time that the mail server has for each answer.
const TIMEOUT: Duration = Duration::from_secs(10);

type Transport = AsyncSmtpTransport<Tokio1Executor>;

/// A mail server.
#[derive(Debug)]
struct SmtpMailer {
    transport: Transport,
    from: Mailbox,
    /// The host of the ids of messages.
    host: String,
}

/// The mail server of the settings, if there is one.
pub fn mailer(
    settings: &Settings,
    addresses: &Addresses,
) -> Result<Option<Arc<dyn Mailer>>, BoxError> {
    let server = settings.optional(&SMTP_URL, transport)?;
    let from = settings.optional(&MAIL_FROM, |text| text.parse::<Mailbox>().ok())?;
    let credentials = credentials(settings)?;
    let (server, from) = match (server, from) {
        (None, None) => return Ok(None),
        (Some(server), Some(from)) => (server, from),
        _ => {
            return Err("smtp-url and mail-from belong together: set both, or neither".into());
        }
    };
    let mut server = server
        .timeout(Some(TIMEOUT))
        .hello_name(ClientId::Domain(addresses.host().to_owned()));
    if let Some(credentials) = credentials {
        server = server.credentials(credentials);
    }
    Ok(Some(Arc::new(SmtpMailer {
        transport: server.build(),
        from,
        host: addresses.host().to_owned(),
    })))
}

/// `smtps://HOST` has TLS from the start, and `smtp://HOST` switches to it, except on this machine.
fn transport(url: &str) -> Option<AsyncSmtpTransportBuilder> {
    let (scheme, server) = url.split_once("://")?;
    let server = server.strip_suffix('/').unwrap_or(server);
    let (host, port) = match server.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port.parse::<u16>().ok()?)),
        _ => (server, None),
    };
    if host.is_empty() || host.contains(['/', '@', '?', '#']) {
        return None;
    }
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let is_loopback = |address: IpAddr| address.is_loopback();
    let is_local = bare == "localhost" || bare.parse().is_ok_and(is_loopback);
    let builder = match scheme {
        "smtps" => Transport::relay(bare).ok()?,
        "smtp" if is_local => Transport::builder_dangerous(bare),
        "smtp" => Transport::starttls_relay(bare).ok()?,
        _ => return None,
    };
    Some(match port {
        Some(port) => builder.port(port),
        None => builder,
    })
}

/// The user and the password, which errors do not show.
fn credentials(settings: &Settings) -> Result<Option<Credentials>, BoxError> {
    let user = settings.optional(&SMTP_USER, |text| Some(text.to_owned()))?;
    let given = settings.optional(&SMTP_PASSWORD, |text| Some(text.to_owned()))?;
    let password = match (given, settings.optional(&SMTP_PASSWORD_FILE, path)?) {
        (Some(_), Some(_)) => {
            return Err(
                "smtp-password and smtp-password-file exclude each other: remove one".into(),
            );
        }
        (given, None) => given,
        (None, Some(path)) => {
            let text = std::fs::read_to_string(&path).map_err(|error| {
                format!("cannot read smtp-password-file {}: {error}", path.display())
            })?;
            Some(text.trim_end_matches(['\r', '\n']).to_owned())
        }
    };
    match (user, password) {
        (None, None) => Ok(None),
        (Some(user), Some(password)) => Ok(Some(Credentials::new(user, password))),
        _ => Err(
            "smtp-user belongs together with smtp-password or smtp-password-file: set both, or neither"
                .into(),
        ),
    }
}

#[async_trait]
impl Mailer for SmtpMailer {
    async fn send(&self, mail: Mail) -> Result<(), MailError> {
        let refused = |_| MailError::new("the address cannot be written in a message");
        let to = mail.to.as_str().parse().map_err(refused)?;
        let message = Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .subject(mail.subject)
            .message_id(Some(self.message_id()))
            .raw_header(automatic())
            .header(ContentType::TEXT_PLAIN)
            .body(mail.text)
            .map_err(|_| MailError::new("the message cannot be written"))?;
        self.transport.send(message).await.map(drop).map_err(reason)
    }
}

impl SmtpMailer {
    /// A new id of a message, which some mail servers require.
    fn message_id(&self) -> String {
        let mut random = [0; 16];
        SystemEntropy.fill(&mut random);
        format!("<{:032x}@{}>", u128::from_be_bytes(random), self.host)
    }
}

/// Asks mail programs not to reply automatically (RFC 3834).
fn automatic() -> HeaderValue {
    let name = HeaderName::new_from_ascii_str("Auto-Submitted");
    HeaderValue::new(name, "auto-generated".to_owned())
}

/// The error without the server's own words, which may have addresses.
fn reason(error: Error) -> MailError {
    if let Some(code) = error.status() {
        let later = if error.is_transient() {
            ": try again later"
        } else {
            ""
        };
        return MailError::new(format!("the mail server answered {code}{later}"));
    }
    MailError::new(if error.is_timeout() {
        "the mail server did not answer in time"
    } else if error.is_tls() {
        "TLS with the mail server failed: check its certificate, and smtp:// or smtps:// in smtp-url"
    } else if error.is_client() || error.is_response() {
        "the mail server rejected the session: check smtp-url, smtp-user and the password"
    } else {
        "the mail server cannot be reached: check smtp-url and the network"
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_server_is_a_url_without_a_password() {
        for url in [
            "smtps://mail.school.example",
            "smtp://mail.school.example:587",
            "smtp://127.0.0.1:2525",
            "smtp://[::1]:2525/",
            "smtp://localhost",
        ] {
            assert!(transport(url).is_some(), "{url} was refused");
        }
        for url in [
            "",
            "mail.school.example",
            "https://mail.school.example",
            "smtp://",
            "smtp://:25",
            "smtp://user:secret@mail.school.example",
            "smtp://mail.school.example:x",
            "smtp://mail.school.example/path",
        ] {
            assert!(transport(url).is_none(), "{url} was accepted");
        }
    }
}
