use http::Uri;

use crate::http::pages::texts::Texts;

/// Notice about the preceding action, shown by the next page. It travels in the query and can be
/// forged, so no notice contains anything to act on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flash {
    SignedOut,
    SessionExpired,
    SessionExpiredFormLost,
    SignInRequired,
    PasswordRequired,
    PasswordRequiredFormLost,
    Confirmed,
    ConsentWithdrawn,
    PasswordChanged,
    OtherSessionEnded,
    KeyRevoked,
    FieldsShown,
    FieldsRefused,
    CalendarFeedRevoked,
    CalendarFeedLimitReached,
    CalendarFeedKeyExpired,
    Saved,
    Created,
    CreatedBefore,
    Deleted,
    SecretShownBefore,
    Approved,
    ScopeWithdrawn,
    SecretRemoved,
    RoleChanged,
    PasswordSet,
    AccountRemoved,
    Verified,
    Unverified,
    ClientTransferred,
    SyncStarted,
    SyncRunning,
    Imported,
    YearTurned,
    YearTurnUndone,
    NothingToUndo,
    RequestSent,
    RequestRefused,
    RequestWithdrawn,
    TheirSessionsEnded,
    InvitedBefore,
}

impl Flash {
    const ALL: [Self; 41] = [
        Self::SignedOut,
        Self::SessionExpired,
        Self::SessionExpiredFormLost,
        Self::SignInRequired,
        Self::PasswordRequired,
        Self::PasswordRequiredFormLost,
        Self::Confirmed,
        Self::ConsentWithdrawn,
        Self::PasswordChanged,
        Self::OtherSessionEnded,
        Self::KeyRevoked,
        Self::FieldsShown,
        Self::FieldsRefused,
        Self::CalendarFeedRevoked,
        Self::CalendarFeedLimitReached,
        Self::CalendarFeedKeyExpired,
        Self::Saved,
        Self::Created,
        Self::CreatedBefore,
        Self::Deleted,
        Self::SecretShownBefore,
        Self::Approved,
        Self::ScopeWithdrawn,
        Self::SecretRemoved,
        Self::RoleChanged,
        Self::PasswordSet,
        Self::AccountRemoved,
        Self::Verified,
        Self::Unverified,
        Self::ClientTransferred,
        Self::SyncStarted,
        Self::SyncRunning,
        Self::Imported,
        Self::YearTurned,
        Self::YearTurnUndone,
        Self::NothingToUndo,
        Self::RequestSent,
        Self::RequestRefused,
        Self::RequestWithdrawn,
        Self::TheirSessionsEnded,
        Self::InvitedBefore,
    ];

    /// Parses the notice in the query.
    pub(crate) fn from_query(uri: &Uri) -> Option<Self> {
        let code = uri
            .query()?
            .split('&')
            .find_map(|pair| pair.strip_prefix("done="))?;
        Self::ALL.into_iter().find(|flash| flash.code() == code)
    }

    /// Whether the sign-in page asks a signed-in user for the password.
    pub(crate) const fn asks_for_password(self) -> bool {
        matches!(
            self,
            Self::PasswordRequired | Self::PasswordRequiredFormLost
        )
    }

    /// The notice in place of this one if the session has ended meanwhile.
    pub(crate) const fn without_session(self) -> Self {
        match self {
            Self::PasswordRequiredFormLost => Self::SessionExpiredFormLost,
            _ => Self::SessionExpired,
        }
    }

    /// Code in the query.
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::SignedOut => "out",
            Self::SessionExpired => "ended",
            Self::SessionExpiredFormLost => "ended-form",
            Self::SignInRequired => "first",
            Self::PasswordRequired => "confirm",
            Self::PasswordRequiredFormLost => "confirm-form",
            Self::Confirmed => "confirmed",
            Self::ConsentWithdrawn => "withdrawn",
            Self::PasswordChanged => "password",
            Self::OtherSessionEnded => "session",
            Self::KeyRevoked => "key-revoked",
            Self::FieldsShown => "fields-shown",
            Self::FieldsRefused => "fields-refused",
            Self::CalendarFeedRevoked => "calendar-revoked",
            Self::CalendarFeedLimitReached => "calendar-limit",
            Self::CalendarFeedKeyExpired => "calendar-key",
            Self::Saved => "saved",
            Self::Created => "created",
            Self::CreatedBefore => "created-before",
            Self::Deleted => "deleted",
            Self::SecretShownBefore => "shown-before",
            Self::Approved => "approved",
            Self::ScopeWithdrawn => "scope-withdrawn",
            Self::SecretRemoved => "secret-removed",
            Self::RoleChanged => "role",
            Self::PasswordSet => "password-set",
            Self::AccountRemoved => "account-removed",
            Self::Verified => "verified",
            Self::Unverified => "unverified",
            Self::ClientTransferred => "client-given",
            Self::SyncStarted => "sync-started",
            Self::SyncRunning => "sync-running",
            Self::Imported => "imported",
            Self::YearTurned => "year-turned",
            Self::YearTurnUndone => "year-undone",
            Self::NothingToUndo => "nothing-to-undo",
            Self::RequestSent => "request-sent",
            Self::RequestRefused => "request-refused",
            Self::RequestWithdrawn => "request-withdrawn",
            Self::TheirSessionsEnded => "sessions-ended",
            Self::InvitedBefore => "invited-before",
        }
    }

    /// Text of the notice.
    pub(crate) const fn text(self, texts: &'static Texts) -> &'static str {
        match self {
            Self::SignedOut => texts.done_signed_out,
            Self::SessionExpired => texts.done_session_expired,
            Self::SessionExpiredFormLost => texts.done_session_expired_form,
            Self::SignInRequired => texts.done_sign_in_first,
            Self::PasswordRequired => texts.done_password_first,
            Self::PasswordRequiredFormLost => texts.done_password_first_form,
            Self::Confirmed => texts.done_confirmed,
            Self::ConsentWithdrawn => texts.done_withdrawn,
            Self::PasswordChanged => texts.done_password,
            Self::OtherSessionEnded => texts.done_session_ended,
            Self::KeyRevoked => texts.done_key_revoked,
            Self::FieldsShown => texts.done_fields_approved,
            Self::FieldsRefused => texts.done_fields_denied,
            Self::CalendarFeedRevoked => texts.calendars.done_revoked,
            Self::CalendarFeedLimitReached => texts.calendars.done_limit,
            Self::CalendarFeedKeyExpired => texts.calendars.done_key_expired,
            Self::Saved => texts.done_saved,
            Self::Created => texts.done_created,
            Self::CreatedBefore => texts.done_created_before,
            Self::Deleted => texts.done_deleted,
            Self::SecretShownBefore => texts.done_shown_before,
            Self::Approved => texts.done_approved,
            Self::ScopeWithdrawn => texts.done_scope_removed,
            Self::SecretRemoved => texts.done_secret_removed,
            Self::RoleChanged => texts.done_role,
            Self::PasswordSet => texts.done_password_set,
            Self::AccountRemoved => texts.done_account_removed,
            Self::Verified => texts.review.done_verified,
            Self::Unverified => texts.review.done_unverified,
            Self::ClientTransferred => texts.removal.done_transferred,
            Self::SyncStarted => texts.sync.done_started,
            Self::SyncRunning => texts.sync.done_running,
            Self::Imported => texts.editor.done_imported,
            Self::YearTurned => texts.year.done_turned,
            Self::YearTurnUndone => texts.year.done_undone,
            Self::NothingToUndo => texts.year.done_nothing_to_undo,
            Self::RequestSent => texts.approvals.done_sent,
            Self::RequestRefused => texts.approvals.done_denied,
            Self::RequestWithdrawn => texts.approvals.done_withdrawn,
            Self::TheirSessionsEnded => texts.done_their_sessions_ended,
            Self::InvitedBefore => texts.done_invited_before,
        }
    }
}
