//! Sessions of signed-in users in their browsers. The console opens them, and so do the
//! authorization pages if they have the console's origin.

use std::sync::Arc;
use std::time::Duration;

use http::HeaderMap;

use super::{Authenticator, LoginService, user_agent};
use crate::crypto::Entropy;
use crate::domain::{Subject, SubjectId, Timestamp, UserSession, UserSessionId, UserSessionToken};
use crate::http::cookie;
use crate::store::{StorageError, UserSessionStore};

/// How much longer than a session the browser keeps its cookie, so that a form that is sent after
/// the session has ended is still kept.
const COOKIE_OUTLIVES: Duration = Duration::from_secs(24 * 60 * 60);

/// Maximum interval between updates of a session's last use.
const TOUCH_INTERVAL: Duration = Duration::from_secs(60);

/// The sessions of one origin: their store, lifetimes and cookie.
#[derive(Debug)]
pub(crate) struct UserSessions {
    pub(crate) store: Arc<dyn UserSessionStore>,
    /// The lifetimes of sessions that end with the browser.
    pub(crate) unkept: SessionLifetimes,
    /// The lifetimes of sessions that users keep, which are no shorter.
    pub(crate) kept: SessionLifetimes,
    /// Whether the origin's scheme is `https`.
    pub(crate) is_secure: bool,
}

/// How long sessions last, in whole seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SessionLifetimes {
    /// Time without a request after which a session ends.
    pub(crate) idle: Duration,
    /// Total time of a session.
    pub(crate) absolute: Duration,
}

#[cfg(feature = "console")]
impl SessionLifetimes {
    pub(crate) const fn in_seconds(idle: Duration, absolute: Duration) -> Self {
        Self {
            idle: Duration::from_secs(idle.as_secs()),
            absolute: Duration::from_secs(absolute.as_secs()),
        }
    }

    /// The longer one of each two.
    pub(crate) fn max(self, other: Self) -> Self {
        Self {
            idle: self.idle.max(other.idle),
            absolute: self.absolute.max(other.absolute),
        }
    }
}

/// Time after a sign-in for which the session alone allows what outlasts it, such as a new secret.
/// Later, the console asks for the password again.
#[cfg(feature = "console")]
pub(crate) const RECENT_SIGN_IN: Duration = Duration::from_secs(60 * 60);

/// The signed-in user of a request.
pub(crate) struct SignedInUser {
    pub(crate) token: UserSessionToken,
    pub(crate) session: UserSession,
    /// The user with the current role.
    pub(crate) subject: Subject,
}

#[cfg(feature = "console")]
impl SignedInUser {
    /// Whether the user has typed the password recently.
    pub(crate) fn signed_in_recently(&self, now: Timestamp) -> bool {
        now < self.session.created_at.plus(RECENT_SIGN_IN)
    }
}

/// A new session, and the `Set-Cookie` value of its token.
pub(crate) struct OpenedSession {
    pub(crate) id: UserSessionId,
    pub(crate) cookie: String,
}

/// Whether a user stays signed in when the browser is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeepSignedIn {
    /// The browser forgets the session, as computers that people share require.
    No,
    /// The session lasts longer.
    Yes,
}

impl KeepSignedIn {
    /// Name of the check box on the sign-in forms.
    pub(crate) const FIELD: &'static str = "keep";

    /// Whether the check box is ticked.
    pub(crate) fn from_field(value: Option<&str>) -> Self {
        match value {
            Some("true") => Self::Yes,
            _ => Self::No,
        }
    }
}

impl UserSessions {
    /// The session token that the browser presents.
    pub(crate) fn token(&self, headers: &HeaderMap) -> Option<UserSessionToken> {
        UserSessionToken::parse(cookie::unique_value(headers, self.cookie_name())?).ok()
    }

    /// The user of the session that the browser presents, if the session is live and the user still
    /// exists.
    ///
    /// # Errors
    /// When the store or the user directory could not answer.
    pub(crate) async fn user(
        &self,
        authenticator: &dyn Authenticator,
        headers: &HeaderMap,
        now: Timestamp,
    ) -> Result<Option<SignedInUser>, StorageError> {
        let Some(token) = self.token(headers) else {
            return Ok(None);
        };
        let Some(session) = self.live(&token, now).await? else {
            return Ok(None);
        };
        let subject = authenticator.subject(&session.subject).await?;
        Ok(subject.map(|subject| SignedInUser {
            token,
            session,
            subject,
        }))
    }

    /// Whether the user's session is still live.
    ///
    /// # Errors
    /// When the store could not answer.
    pub(crate) async fn is_live(
        &self,
        user: &SignedInUser,
        now: Timestamp,
    ) -> Result<bool, StorageError> {
        Ok(self.live(&user.token, now).await?.is_some())
    }

    /// The session of a token, if it is live.
    async fn live(
        &self,
        token: &UserSessionToken,
        now: Timestamp,
    ) -> Result<Option<UserSession>, StorageError> {
        let digest = token.digest();
        let found = self.store.user_session(&digest, self.kept.idle, now);
        Ok(found.await?.filter(|session| self.is_in_use(session, now)))
    }

    /// The user's live sessions, the last used first.
    ///
    /// # Errors
    /// When the store could not answer.
    #[cfg(feature = "console")]
    pub(crate) async fn sessions_of(
        &self,
        user: &SubjectId,
        now: Timestamp,
    ) -> Result<Vec<UserSession>, StorageError> {
        let found = self.store.user_sessions_of(user, self.kept.idle, now);
        let mut sessions = found.await?;
        sessions.retain(|session| self.is_in_use(session, now));
        Ok(sessions)
    }

    /// Whether the session, which the store has found by the longer idle time, is within its own.
    fn is_in_use(&self, session: &UserSession, now: Timestamp) -> bool {
        now < session.last_used_at.plus(self.idle_of(session))
    }

    /// Time without a request after which this session ends.
    pub(crate) fn idle_of(&self, session: &UserSession) -> Duration {
        self.lifetimes(self.choice_of(session)).idle
    }

    /// Whether the user keeps the session: then it lasts longer in total than others.
    pub(crate) fn choice_of(&self, session: &UserSession) -> KeepSignedIn {
        if session.created_at.plus(self.unkept.absolute) < session.expires_at {
            KeepSignedIn::Yes
        } else {
            KeepSignedIn::No
        }
    }

    const fn lifetimes(&self, keep: KeepSignedIn) -> SessionLifetimes {
        match keep {
            KeepSignedIn::No => self.unkept,
            KeepSignedIn::Yes => self.kept,
        }
    }

    /// Records that the session is used.
    ///
    /// # Errors
    /// When the store could not answer.
    pub(crate) async fn touch(
        &self,
        session: &UserSession,
        now: Timestamp,
    ) -> Result<(), StorageError> {
        let idle = self.idle_of(session);
        // Short enough that an active user stays signed in with any idle lifetime.
        if session.last_used_at.plus(TOUCH_INTERVAL.min(idle / 4)) <= now {
            self.store
                .touch_user_sessions(vec![(session.id, now)], idle)
                .await?;
        }
        Ok(())
    }

    /// Opens a session of an authenticated user under a new token, which prevents session fixation,
    /// and ends the browser's previous session.
    ///
    /// # Errors
    /// When the store or the user directory could not answer.
    pub(crate) async fn open(
        &self,
        login: &LoginService,
        entropy: &dyn Entropy,
        headers: &HeaderMap,
        user: &SubjectId,
        keep: KeepSignedIn,
        now: Timestamp,
    ) -> Result<OpenedSession, StorageError> {
        if let Some(previous) = self.user(&*login.authenticator, headers, now).await? {
            self.store
                .end_user_session(&previous.subject.id, previous.session.id)
                .await?;
        }
        let absolute = self.lifetimes(keep).absolute;
        let token = UserSessionToken::from_random(entropy.bytes());
        let id = UserSessionId::from_random(entropy.bytes());
        let session = UserSession {
            id,
            subject: user.clone(),
            browser: user_agent::describe(headers),
            created_at: now,
            last_used_at: now,
            expires_at: now.plus(absolute),
        };
        self.store
            .open_user_session(token.digest(), session)
            .await?;
        let max_age = (keep == KeepSignedIn::Yes).then_some(absolute + COOKIE_OUTLIVES);
        let name = self.cookie_name();
        let cookie = cookie::set_cookie_value(name, token.expose(), max_age, self.is_secure);
        Ok(OpenedSession { id, cookie })
    }

    /// `Set-Cookie` value that removes the session's token from the browser.
    pub(crate) fn clear_cookie(&self) -> String {
        let max_age = Some(Duration::ZERO);
        cookie::set_cookie_value(self.cookie_name(), "", max_age, self.is_secure)
    }

    /// Name of the cookie. Browsers accept a `__Host-` cookie only from the host itself over TLS (RFC
    /// 6265bis §4.1.3.2), so a subdomain cannot set one. On loopback without TLS, browsers would reject
    /// it.
    fn cookie_name(&self) -> &'static str {
        if self.is_secure {
            "__Host-lyceum-console"
        } else {
            "lyceum-console"
        }
    }
}
