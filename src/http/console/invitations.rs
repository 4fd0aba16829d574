//! Invitations: accounts that are created in bulk, with a one-time link for each.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use super::Console;
use super::server::Shared;
use crate::domain::{Account, AccountId, Email, InvitationState, SubjectId};
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
            text: &EN,
        }
    }
}

impl fmt::Debug for InvitationOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InvitationOptions")
            .field("lifetime", &self.lifetime)
            .field("again", &self.again)
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
        let found = self.shared.management.invite(by, addresses).await?;
        match found {
            Some(found) => Ok(Some(self.shared.invitations(found, options).await)),
            None => Ok(None),
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

    /// Makes and mails the links of invited accounts.
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
                    let sent = self.send_link(account, options).await;
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
        let token = self.management.link_token(account, options.lifetime);
        let link = format!("{}/password-link?token={token}", self.address.as_str());
        let is_new = account.password_hash.is_none();
        let mail = match &self.mailer {
            Some(mailer) => {
                let mail = self.mail(account, &link, is_new, options);
                Some(mailer.send(mail).await)
            }
            None => None,
        };
        Invitation {
            email: account.email.clone(),
            state: if is_new {
                InvitationState::Invited
            } else {
                InvitationState::HasPassword
            },
            link: Some(link),
            mail,
        }
    }

    fn mail(
        &self,
        account: &Account,
        link: &str,
        is_new: bool,
        options: &InvitationOptions,
    ) -> Mail {
        let (text, school) = (options.text, &self.site_name);
        let (address, email) = (self.address.as_str(), &account.email);
        let until = self.management.clock.now().plus(options.lifetime);
        let until = DisplayTime::from_timestamp(until, &self.zone).text;
        let (purpose, subject, text) = if is_new {
            (
                MailPurpose::Invitation,
                text.mail_invitation_subject(school),
                text.mail_invitation(school, email, until, link, address),
            )
        } else {
            (
                MailPurpose::PasswordReset,
                text.mail_reset_subject(school),
                text.mail_reset(school, email, until, link, address),
            )
        };
        Mail {
            to: account.email.clone(),
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
