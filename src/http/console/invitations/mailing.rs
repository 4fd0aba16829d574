//! Mails one-time links within a time.

use std::fmt;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::time::Duration;

use crate::domain::InvitationState;
use crate::http::console::Console;
use crate::http::console::invitations::{Invitation, InvitationOptions};
use crate::http::console::server::Shared;
use crate::http::mailer::{Mail, MailError, MailPurpose, Mailer};
use crate::http::pages::DisplayTime;

/// Messages that are sent at the same time.
const SENT_AT_ONCE: usize = 8;

/// Time in which a page, or a call that makes links, mails them. It is less than proxies wait for a
/// response, and than a stopping server waits for requests.
const MAIL_TIME: Duration = Duration::from_secs(20);

type Pause = Box<dyn Fn(Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// The host's mailer, and its timer.
pub(crate) struct Mailing {
    mailer: Arc<dyn Mailer>,
    pause: Pause,
}

impl Mailing {
    pub(crate) fn new<P: Future<Output = ()> + Send + 'static>(
        mailer: Arc<dyn Mailer>,
        pause: impl Fn(Duration) -> P + Send + Sync + 'static,
    ) -> Self {
        Self {
            mailer,
            pause: Box::new(move |time| Box::pin(pause(time))),
        }
    }
}

impl fmt::Debug for Mailing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mailing")
            .field("mailer", &self.mailer)
            .finish_non_exhaustive()
    }
}

impl Console {
    /// Mails the links that were made without [mail](InvitationOptions::mailed), in the language of
    /// the options, and sets the results. It takes as long as the
    /// [`Mailer`](crate::http::console::ConsoleBuilder::mailer) does. Does nothing without one.
    pub async fn mail_links(&self, invitations: &mut [Invitation], options: &InvitationOptions) {
        self.shared.mail_links(invitations, options).await;
    }
}

impl Shared {
    /// Mails the links until the time is over. The others are not mailed, and the administrator
    /// passes them on.
    pub(crate) async fn mail_links_in_time(
        &self,
        invitations: &mut [Invitation],
        options: &InvitationOptions,
    ) {
        let Some(mailing) = &self.mailing else {
            return;
        };
        run_until(
            self.mail_links(invitations, options),
            (mailing.pause)(MAIL_TIME),
        )
        .await;
        for invitation in invitations.iter_mut() {
            if invitation.link.is_some() && invitation.mail.is_none() {
                invitation.mail = Some(Err(MailError::out_of_time()));
            }
        }
        let is_failed = |one: &&Invitation| matches!(one.mail, Some(Err(_)));
        let failed = invitations.iter().filter(is_failed).count();
        if failed > 0 {
            tracing::warn!(
                target: "lyceum::console",
                failed,
                links = invitations.len(),
                "one-time links were not mailed; the administrator was shown which"
            );
        }
    }

    async fn mail_links(&self, invitations: &mut [Invitation], options: &InvitationOptions) {
        let Some(Mailing { mailer, .. }) = &self.mailing else {
            return;
        };
        let waiting = invitations.iter_mut().filter(|one| one.mail.is_none());
        let waiting = Mutex::new(waiting);
        let next = || {
            let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
            waiting.next()
        };
        let senders = (0..SENT_AT_ONCE).map(async |_| {
            while let Some(invitation) = next() {
                if let Some(link) = &invitation.link {
                    let mail = self.mail(invitation, link, options);
                    invitation.mail = Some(mailer.send(mail).await);
                }
            }
        });
        run_all(senders).await;
    }

    fn mail(&self, invitation: &Invitation, link: &str, options: &InvitationOptions) -> Mail {
        let (text, school) = (options.text, self.management.assets.branding().name());
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

/// Runs futures together until all have ended.
async fn run_all<F: Future<Output = ()>>(futures: impl Iterator<Item = F>) {
    let mut running: Vec<Pin<Box<F>>> = futures.map(Box::pin).collect();
    poll_fn(|context| {
        running.retain_mut(|future| future.as_mut().poll(context).is_pending());
        if running.is_empty() {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
}

/// Runs the work until it has ended, or drops it at the end of the other future.
async fn run_until(work: impl Future<Output = ()>, end: impl Future<Output = ()>) {
    let (mut work, mut end) = (pin!(work), pin!(end));
    poll_fn(|context| match work.as_mut().poll(context) {
        Poll::Ready(()) => Poll::Ready(()),
        Poll::Pending => end.as_mut().poll(context),
    })
    .await;
}
