//! Invitations: accounts that are created in bulk, with a one-time link for each.

pub(crate) mod mailing;
pub(crate) mod password_link;

use std::fmt;
use std::time::Duration;

use crate::directory::escape_formula;
use crate::domain::{Account, Email, InvitationState, SubjectId, Timestamp};
use crate::http::console::Console;
use crate::http::console::server::Shared;
use crate::http::mailer::MailError;
use crate::http::pages::texts::{EN, LANGUAGES, Texts};
use crate::store::StorageError;

/// Options of [`Console::invite`].
#[derive(Clone)]
pub struct InvitationOptions {
    lifetime: Duration,
    again: bool,
    is_mailed: bool,
    pub(crate) text: &'static Texts,
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

    /// Sets whether the links are mailed at once, if there is a [`Mailer`](crate::http::Mailer); they
    /// are by default, as many as it accepts within 20 seconds. To keep the links before they are
    /// mailed, or to mail all of them however long it takes, pass `false`, and call
    /// [`Console::mail_links`] afterwards.
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

    pub(crate) fn in_language_of(mut self, text: &'static Texts) -> Self {
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
    pub(crate) expires_at: Timestamp,
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
            let (email, mail) = (csv_cell(email.as_str()), csv_cell(&mail));
            let link = link.as_deref().unwrap_or_default();
            lines += &format!("{email},{state},{link},{mail}\n");
        }
        lines
    }
}

/// A cell of CSV that is no formula.
pub(crate) fn csv_cell(text: &str) -> String {
    let text = escape_formula(text.to_owned());
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

impl Console {
    /// Invites the owners of these addresses: creates the accounts that are missing, with the role
    /// `USER` and no password, and a one-time link for each, by which its owner sets one. With a
    /// [`Mailer`](super::ConsoleBuilder::mailer) the links are
    /// [mailed](InvitationOptions::mailed). `by` is the administrator.
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
}

impl Shared {
    /// Makes the links of invited accounts, and mails them unless the options say otherwise.
    pub(crate) async fn invitations(
        &self,
        found: Vec<(InvitationState, Account)>,
        options: &InvitationOptions,
    ) -> Vec<Invitation> {
        let has_link = |state| match state {
            InvitationState::New => true,
            InvitationState::Invited => options.again,
            InvitationState::HasPassword | InvitationState::Suspended => false,
        };
        let invitation = |(state, account): (InvitationState, Account)| {
            if has_link(state) {
                return Invitation {
                    state,
                    ..self.make_link(&account, options)
                };
            }
            Invitation {
                email: account.email,
                state,
                link: None,
                mail: None,
                expires_at: self.management.clock.now(),
            }
        };
        let mut invitations: Vec<Invitation> = found.into_iter().map(invitation).collect();
        if options.is_mailed {
            self.mail_links_in_time(&mut invitations, options).await;
        }
        invitations
    }

    /// Makes a link for the account, and mails it unless the options say otherwise.
    pub(crate) async fn send_link(
        &self,
        account: &Account,
        options: &InvitationOptions,
    ) -> Invitation {
        let mut invitation = self.make_link(account, options);
        if options.is_mailed {
            let one = std::slice::from_mut(&mut invitation);
            self.mail_links_in_time(one, options).await;
        }
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
}
