use crate::domain::string_enum;

string_enum! {
    /// The name of an event kind in the JSON.
    #[non_exhaustive]
    EventName {
        /// [`EventKind::SignedIn`](super::EventKind::SignedIn).
        SignedIn = "signed_in",
        /// [`EventKind::SignInRefused`](super::EventKind::SignInRefused).
        SignInRefused = "sign_in_refused",
        /// [`EventKind::SignInLimited`](super::EventKind::SignInLimited).
        SignInLimited = "sign_in_limited",
        /// [`EventKind::SignedOut`](super::EventKind::SignedOut).
        SignedOut = "signed_out",
        /// [`EventKind::ConsentAsked`](super::EventKind::ConsentAsked).
        ConsentAsked = "consent_asked",
        /// [`EventKind::ConsentGiven`](super::EventKind::ConsentGiven).
        ConsentGiven = "consent_given",
        /// [`EventKind::ConsentRemembered`](super::EventKind::ConsentRemembered).
        ConsentRemembered = "consent_remembered",
        /// [`EventKind::ConsentDenied`](super::EventKind::ConsentDenied).
        ConsentDenied = "consent_denied",
        /// [`EventKind::CodeIssued`](super::EventKind::CodeIssued).
        CodeIssued = "code_issued",
        /// [`EventKind::TokensIssued`](super::EventKind::TokensIssued).
        TokensIssued = "tokens_issued",
        /// [`EventKind::Refreshed`](super::EventKind::Refreshed).
        Refreshed = "refreshed",
        /// [`EventKind::RefreshRepeated`](super::EventKind::RefreshRepeated).
        RefreshRepeated = "refresh_repeated",
        /// [`EventKind::ClientTokenIssued`](super::EventKind::ClientTokenIssued).
        ClientTokenIssued = "client_token_issued",
        /// [`EventKind::ReuseDetected`](super::EventKind::ReuseDetected).
        ReuseDetected = "reuse_detected",
        /// [`EventKind::Revoked`](super::EventKind::Revoked).
        Revoked = "revoked",
        /// [`EventKind::RevokedWithUser`](super::EventKind::RevokedWithUser).
        RevokedWithUser = "revoked_with_user",
        /// [`EventKind::GrantReplaced`](super::EventKind::GrantReplaced).
        GrantReplaced = "grant_replaced",
        /// [`EventKind::GrantWithdrawn`](super::EventKind::GrantWithdrawn).
        GrantWithdrawn = "grant_withdrawn",
        /// [`EventKind::ConsentWithdrawn`](super::EventKind::ConsentWithdrawn).
        ConsentWithdrawn = "consent_withdrawn",
        /// [`EventKind::SignedOutEverywhere`](super::EventKind::SignedOutEverywhere).
        SignedOutEverywhere = "signed_out_everywhere",
        /// [`EventKind::SigningKeyInstalled`](super::EventKind::SigningKeyInstalled).
        SigningKeyInstalled = "signing_key_installed",
        /// [`EventKind::SigningKeyRevoked`](super::EventKind::SigningKeyRevoked).
        SigningKeyRevoked = "signing_key_revoked",
        /// [`EventKind::SigningKeysRemoved`](super::EventKind::SigningKeysRemoved).
        SigningKeysRemoved = "signing_keys_removed",
        /// [`EventKind::BackupRestored`](super::EventKind::BackupRestored).
        BackupRestored = "backup_restored",
        /// [`EventKind::Imported`](super::EventKind::Imported).
        Imported = "imported",
        /// [`EventKind::Synced`](super::EventKind::Synced).
        Synced = "synced",
        /// [`EventKind::Edited`](super::EventKind::Edited).
        Edited = "edited",
        /// [`EventKind::YearTurned`](super::EventKind::YearTurned).
        YearTurned = "year_turned",
        /// [`EventKind::YearTurnUndone`](super::EventKind::YearTurnUndone).
        YearTurnUndone = "year_turn_undone",
        /// [`EventKind::PersonErased`](super::EventKind::PersonErased).
        PersonErased = "person_erased",
        /// [`EventKind::LeaversRemoved`](super::EventKind::LeaversRemoved).
        LeaversRemoved = "leavers_removed",
        /// [`EventKind::DataViewed`](super::EventKind::DataViewed).
        DataViewed = "data_viewed",
        /// [`EventKind::Managed`](super::EventKind::Managed).
        Managed = "managed",
        /// [`EventKind::Refused`](super::EventKind::Refused).
        Refused = "refused",
    }
}

string_enum! {
    /// The type of a managed object in the JSON.
    #[non_exhaustive]
    ManagedObjectType {
        /// [`ManagedObject::Application`](super::ManagedObject::Application).
        Application = "application",
        /// [`ManagedObject::Scope`](super::ManagedObject::Scope).
        Scope = "scope",
        /// [`ManagedObject::Client`](super::ManagedObject::Client).
        Client = "client",
        /// [`ManagedObject::ClientSecret`](super::ManagedObject::ClientSecret).
        ClientSecret = "client_secret",
        /// [`ManagedObject::ScopeApproval`](super::ManagedObject::ScopeApproval).
        ScopeApproval = "scope_approval",
        /// [`ManagedObject::ScopeRequest`](super::ManagedObject::ScopeRequest).
        ScopeRequest = "scope_request",
        /// [`ManagedObject::ApiKey`](super::ManagedObject::ApiKey).
        ApiKey = "api_key",
        /// [`ManagedObject::CalendarFeed`](super::ManagedObject::CalendarFeed).
        CalendarFeed = "calendar_feed",
        /// [`ManagedObject::Account`](super::ManagedObject::Account).
        Account = "account",
        /// [`ManagedObject::Password`](super::ManagedObject::Password).
        Password = "password",
        /// [`ManagedObject::Sessions`](super::ManagedObject::Sessions).
        Sessions = "sessions",
    }
}
