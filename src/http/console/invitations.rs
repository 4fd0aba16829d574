//! Invitations: accounts that are created in bulk, with a one-time link for each.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use super::Console;
use super::server::Shared;
use crate::domain::{Account, AccountId, Email, InvitationState, SubjectId, Timestamp};
use crate::http::mailer::{Mail, MailError, MailPurpose};
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::{EN, LANGUAGES, Texts};
use crate::store::StorageError;

/// Messages that are sent at the same time.
const SENT_AT_ONCE: usize = 8;

/// Options of [`Console::invite`].
#[derive(Clone)]
pub struct InvitationOptions {
    lifetime: Duration,
    again: bool,
    is_mailed: bool,
    text: &'static Texts,
}

impl InvitationOptions {
    /// The default lifetime of a link: 7 days.
    pub const LIFETIME: Duration = Duration::from_secs(7 * 24 * 60 * 60);

    /// Sets how long a link is valid.
    #[must_use]
    pub fn lifetime(mut self, lifetime: Duration) -> Self {
        self.lifetime = lifetime;
        self
    }

    /// Makes a link for accounts that were invited before and have no password yet, too.
    #[must_use]
    pub fn again(mut self, again: bool) -> Self {
        self.again = again;
        self
    }

    /// Sets whether [`Console::invite`] mails the links at once, if there is a
    /// [`Mailer`](crate::http::Mailer); it does by default. To keep the links before they are mailed,
    /// pass `false`, and call [`Console::mail_links`] afterwards.
    #[must_use]
    pub fn mailed(mut self, is_mailed: bool) -> Self {
        self.is_mailed = is_mailed;
        self
    }

    /// Sets the language of the messages by its tag, `en` or `ko`; English by default and for any
    /// other tag.
    #[must_use]
    pub fn language(mut self, tag: &str) -> Self {
        let found = LANGUAGES.iter().find(|text| text.language_code == tag);
        self.text = found.copied().unwrap_or(&EN);
        self
    }

    pub(super) fn in_language_of(mut self, text: &'static Texts) -> Self {
        self.text = text;
        self
    }
}

impl Default for InvitationOptions {
    fn default() -> Self {
        Self {
            lifetime: Self::LIFETIME,
            again: false,
            is_mailed: true,
            text: &EN,
        }
    }
}

impl fmt::Debug for InvitationOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InvitationOptions")
            .field("lifetime", &self.lifetime)
            .field("again", &self.again)
            .field("is_mailed", &self.is_mailed)
            .field("language", &self.text.language_code)
            .finish()
    }
}

/// Result of an invitation to one address.
#[derive(Clone)]
#[non_exhaustive]
pub struct Invitation {
    /// The address.
    pub email: Email,
    /// What was found there.
    pub state: InvitationState,
    /// The one-time link, if there is a new one. It is stored nowhere.
    pub link: Option<String>,
    /// Whether the link was mailed; `None` without a link or a
    /// [`Mailer`](crate::http::Mailer).
    pub mail: Option<Result<(), MailError>>,
    /// When the link ends.
    expires_at: Timestamp,
}

impl fmt::Debug for Invitation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Invitation")
            .field("state", &self.state)
            .field("has_link", &self.link.is_some())
            .field("mail", &self.mail)
            .finish_non_exhaustive()
    }
}

impl Invitation {
    /// The invitations as CSV with the columns `email`, `state`, `link` and `mail`. Spreadsheet
    /// programs take no cell for a formula.
    pub fn to_csv(invitations: &[Self]) -> String {
        let mut lines = "email,state,link,mail\n".to_owned();
        for Self {
            email,
            state,
            link,
            mail,
            ..
        } in invitations
        {
            let mail = match mail {
                None => String::new(),
                Some(Ok(())) => "sent".to_owned(),
                Some(Err(error)) => format!("failed: {error}"),
            };
            let (email, mail) = (cell(email.as_str()), cell(&mail));
            let link = link.as_deref().unwrap_or_default();
            lines += &format!("{email},{state},{link},{mail}\n");
        }
        lines
    }
}

/// A cell of CSV that is no formula.
fn cell(text: &str) -> String {
    let apostrophe = if text.starts_with(['=', '+', '-', '@']) {
        "'"
    } else {
        ""
    };
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{apostrophe}{}\"", text.replace('"', "\"\""))
    } else {
        format!("{apostrophe}{text}")
    }
}

impl Console {
    /// Invites the owners of these addresses: creates the accounts that are missing, with the role
    /// `USER` and no password, and a one-time link for each, by which its owner sets one. With a
    /// [`Mailer`](super::ConsoleBuilder::mailer) the links are mailed. `by` is the administrator.
    /// `None` if the users are not the built-in accounts.
    ///
    /// The results are in the order of the addresses. A call that failed can be repeated; links of
    /// accounts that it had created are made by [`again`](InvitationOptions::again).
    ///
    /// # Errors
    /// When the storage could not answer.
    pub async fn invite(
        &self,
        by: &SubjectId,
        addresses: &[Email],
        options: &InvitationOptions,
    ) -> Result<Option<Vec<Invitation>>, StorageError> {
        let found = self
            .shared
            .management
            .invite(by, addresses, options.again)
            .await?;
        match found {
            Some(found) => Ok(Some(self.shared.invitations(found, options).await)),
            None => Ok(None),
        }
    }

    /// Mails the links that were made without [mail](InvitationOptions::mailed), in the language of
    /// the options, and sets the results. Does nothing without a
    /// [`Mailer`](super::ConsoleBuilder::mailer).
    pub async fn mail_links(&self, invitations: &mut [Invitation], options: &InvitationOptions) {
        for invitations in invitations.chunks_mut(SENT_AT_ONCE) {
            let sending = invitations.iter_mut().map(|invitation| async move {
                if invitation.mail.is_none() {
                    invitation.mail = self.shared.mail_link(invitation, options).await;
                }
            });
            join_all(sending).await;
        }
    }

    /// Makes a one-time link for one account, as [`password_link`](Self::password_link) does, and
    /// mails it if there is a [`Mailer`](super::ConsoleBuilder::mailer).
    ///
    /// # Errors
    /// When the storage could not answer.
    pub async fn send_password_link(
        &self,
        account: AccountId,
        options: &InvitationOptions,
    ) -> Result<Option<Invitation>, StorageError> {
        let Some(accounts) = self.shared.accounts() else {
            return Ok(None);
        };
        let found = accounts.store().account(account).await?;
        let found = found.filter(|account| account.password_hash.left_at().is_none());
        Ok(match found {
            Some(account) => Some(self.shared.send_link(&account, options).await),
            None => None,
        })
    }
}

impl Shared {
    pub(super) fn accounts(&self) -> Option<&crate::http::login::Accounts> {
        self.management.login_service.authenticator.accounts()
    }

    /// Makes the links of invited accounts, and mails them unless the options say otherwise.
    pub(super) async fn invitations(
        &self,
        found: Vec<(InvitationState, Account)>,
        options: &InvitationOptions,
    ) -> Vec<Invitation> {
        let has_link = |state| match state {
            InvitationState::New => true,
            InvitationState::Invited => options.again,
            InvitationState::HasPassword | InvitationState::Suspended => false,
        };
        let mut invitations = Vec::new();
        for found in found.chunks(SENT_AT_ONCE) {
            let sending = found.iter().map(|(state, account)| async move {
                if has_link(*state) {
                    let sent = if options.is_mailed {
                        self.send_link(account, options).await
                    } else {
                        self.make_link(account, options)
                    };
                    return Invitation {
                        state: *state,
                        ..sent
                    };
                }
                Invitation {
                    email: account.email.clone(),
                    state: *state,
                    link: None,
                    mail: None,
                    expires_at: self.management.clock.now(),
                }
            });
            invitations.extend(join_all(sending).await);
        }
        invitations
    }

    /// Makes a link for the account, and mails it if there is a mailer.
    pub(super) async fn send_link(
        &self,
        account: &Account,
        options: &InvitationOptions,
    ) -> Invitation {
        let mut invitation = self.make_link(account, options);
        invitation.mail = self.mail_link(&invitation, options).await;
        invitation
    }

    fn make_link(&self, account: &Account, options: &InvitationOptions) -> Invitation {
        let token = self.management.link_token(account, options.lifetime);
        Invitation {
            email: account.email.clone(),
            state: if account.password_hash.is_none() {
                InvitationState::Invited
            } else {
                InvitationState::HasPassword
            },
            link: Some(format!(
                "{}/password-link?token={token}",
                self.address.as_str()
            )),
            mail: None,
            expires_at: self.management.clock.now().plus(options.lifetime),
        }
    }

    /// Mails the link, if there is one and a mailer.
    async fn mail_link(
        &self,
        invitation: &Invitation,
        options: &InvitationOptions,
    ) -> Option<Result<(), MailError>> {
        let (mailer, link) = (self.mailer.as_ref()?, invitation.link.as_deref()?);
        Some(mailer.send(self.mail(invitation, link, options)).await)
    }

    fn mail(&self, invitation: &Invitation, link: &str, options: &InvitationOptions) -> Mail {
        let (text, school) = (options.text, &self.site_name);
        let (address, email) = (self.address.as_str(), &invitation.email);
        let until = DisplayTime::from_timestamp(invitation.expires_at, &self.zone).text;
        let (purpose, subject, text) = match invitation.state {
            InvitationState::New | InvitationState::Invited => (
                MailPurpose::Invitation,
                text.mail_invitation_subject(school),
                text.mail_invitation(school, email, until, link, address),
            ),
            InvitationState::HasPassword | InvitationState::Suspended => (
                MailPurpose::PasswordReset,
                text.mail_reset_subject(school),
                text.mail_reset(school, email, until, link, address),
            ),
        };
        Mail {
            to: invitation.email.clone(),
            purpose,
            language: options.text.language_code,
            subject,
            text: text + "\n",
        }
    }
}

/// Runs futures together and returns their results in the order of the futures.
async fn join_all<F: Future>(futures: impl Iterator<Item = F>) -> Vec<F::Output> {
    let mut futures: Vec<Pin<Box<F>>> = futures.map(Box::pin).collect();
    let mut outputs: Vec<Option<F::Output>> = futures.iter().map(|_| None).collect();
    poll_fn(|context| {
        let mut is_done = true;
        for (future, output) in futures.iter_mut().zip(&mut outputs) {
            if output.is_none() {
                match future.as_mut().poll(context) {
                    Poll::Ready(ready) => *output = Some(ready),
                    Poll::Pending => is_done = false,
                }
            }
        }
        if is_done {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
    outputs.into_iter().flatten().collect()
}
