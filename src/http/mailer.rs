//! E-mail that the host sends for the services.

use std::error::Error;
use std::fmt;

use async_trait::async_trait;

use crate::domain::{Email, string_enum};

string_enum! {
    /// What a message is for.
    MailPurpose {
        /// A link to set the first password of a new account.
        Invitation = "invitation",
        /// A link to set a password in place of a lost one.
        PasswordReset = "password_reset",
    }
}

/// A message to one person, as plain text. Its text has a one-time link: do not log it.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mail {
    /// The recipient.
    pub to: Email,
    /// What the message is for.
    pub purpose: MailPurpose,
    /// The language of the message, as in BCP 47.
    pub language: &'static str,
    /// The subject, one line.
    pub subject: String,
    /// The text, lines that end with `\n`.
    pub text: String,
}

impl fmt::Debug for Mail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mail")
            .field("purpose", &self.purpose)
            .field("language", &self.language)
            .finish_non_exhaustive()
    }
}

/// Sends e-mail.
#[async_trait]
pub trait Mailer: fmt::Debug + Send + Sync + 'static {
    /// Hands a message over for delivery. Up to eight calls run at the same time. A page drops the
    /// future after 20 seconds, and the message then counts as not sent, although it may arrive.
    /// Give up on a server that does not respond after a few seconds.
    ///
    /// # Errors
    /// When the message was not accepted. The link that it has stays valid, and is shown to the
    /// administrator.
    async fn send(&self, mail: Mail) -> Result<(), MailError>;
}

/// Why a message was not sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailError(Reason);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Reason {
    Mailer(String),
    OutOfTime,
}

impl MailError {
    /// Creates an error from a reason: one line for administrators, without passwords, links and
    /// addresses.
    pub fn new(reason: impl fmt::Display) -> Self {
        Self(Reason::Mailer(reason.to_string()))
    }

    pub(super) const fn out_of_time() -> Self {
        Self(Reason::OutOfTime)
    }

    /// Whether the message was not accepted in the time that a page has for mail. It may arrive all
    /// the same.
    pub fn is_out_of_time(&self) -> bool {
        self.0 == Reason::OutOfTime
    }
}

impl fmt::Display for MailError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match &self.0 {
            Reason::Mailer(reason) => reason,
            Reason::OutOfTime => "the time for mail was over",
        })
    }
}

impl Error for MailError {}
