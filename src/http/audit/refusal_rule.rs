use crate::domain::string_enum;

string_enum! {
    /// The rule by which a request was refused. For logs and events only: responses often must not
    /// distinguish rules, or they would reveal which clients, codes and accounts exist.
    #[non_exhaustive]
    RefusalRule {
        /// No endpoint has this path, or no object has this id.
        NotFound = "not_found",
        /// The endpoint does not support the method.
        MethodNotAllowed = "method_not_allowed",
        /// The body exceeds the endpoint's limit.
        BodyTooLong = "body_too_long",
        /// The body ended early or did not arrive in time.
        BodyBroken = "body_broken",
        /// The body has an unsupported content type, several of them, or another charset.
        BodyType = "body_type",
        /// The body does not match its content type or the expected fields.
        BodyMalformed = "body_malformed",
        /// A query or form is not percent-encoded UTF-8.
        ParametersMalformed = "parameters_malformed",
        /// Parameters that belong in the body are in the query.
        ParametersInQuery = "parameters_in_query",
        /// A parameter is repeated.
        ParameterRepeated = "parameter_repeated",
        /// A parameter is a list but must not be.
        ParameterIsList = "parameter_is_list",
        /// A required parameter is missing; the response names it.
        ParameterMissing = "parameter_missing",
        /// The form token belongs to another session or is missing.
        FormToken = "form_token",
        /// The form has an unexpected field.
        FormField = "form_field",
        /// The decision is not one that the consent page offers.
        Decision = "decision",
        /// The request has no session token, two of them, or a malformed one.
        SessionMissing = "session_missing",
        /// The session does not exist: it expired, was completed, or got another token at a
        /// sign-in.
        SessionEnded = "session_ended",
        /// No user has signed in to the session.
        SessionNotSignedIn = "session_not_signed_in",
        /// The client of the session was deleted.
        SessionClientGone = "session_client_gone",
        /// The redirect URI of the session is no longer registered.
        SessionRedirectGone = "session_redirect_gone",
        /// A scope of the session was deleted, or the client may no longer request it.
        SessionScopeGone = "session_scope_gone",
        /// The remembered consent no longer covers the request.
        ConsentGone = "consent_gone",
        /// The e-mail address or the password is wrong.
        Credentials = "credentials",
        /// The token of a one-time link is damaged, expired or used.
        LinkInvalid = "link_invalid",
        /// Too many login attempts have failed.
        SignInLimited = "sign_in_limited",
        /// The queue of the hashing threads is full.
        SignInBusy = "sign_in_busy",
        /// Too many sessions were opened from the address.
        AuthorizeLimited = "authorize_limited",
        /// The client exceeded its request limit.
        ClientLimited = "client_limited",
        /// Too many requests that failed client authentication came from the network.
        FailedClientsLimited = "failed_clients_limited",
        /// The client does not exist.
        ClientUnknown = "client_unknown",
        /// The client is suspended, because its owner was removed.
        ClientSuspended = "client_suspended",
        /// The client id or the credentials are malformed.
        ClientMalformed = "client_malformed",
        /// The client uses two authentication methods at once.
        ClientTwice = "client_twice",
        /// The client ids in header and body differ.
        ClientDiffers = "client_differs",
        /// The client did not send its required secret.
        SecretMissing = "secret_missing",
        /// The client secret is wrong.
        SecretWrong = "secret_wrong",
        /// A public client sent a secret.
        SecretUnexpected = "secret_unexpected",
        /// The client authenticated neither by a secret nor by a verifier, or by a weaker method
        /// than at the exchange.
        ClientUnproven = "client_unproven",
        /// The redirect URI is not registered.
        RedirectUnregistered = "redirect_unregistered",
        /// The response type is not `code`.
        ResponseType = "response_type",
        /// The `prompt` contradicts itself, or allows no page where one is needed.
        Prompt = "prompt",
        /// The `state` is too long, or contains a character that cannot be stored.
        State = "state",
        /// The scope parameter is malformed.
        ScopeMalformed = "scope_malformed",
        /// The client may not request the scope, or keys of the user's role may not have it.
        ScopeNotAllowed = "scope_not_allowed",
        /// The scope exceeds the grant.
        ScopeNotGranted = "scope_not_granted",
        /// No scope can be granted, or none is left.
        ScopeNone = "scope_none",
        /// More scopes are requested than fit in one access token.
        ScopeTooMany = "scope_too_many",
        /// A client that must use PKCE sent no challenge.
        ChallengeMissing = "challenge_missing",
        /// The challenge is malformed for its method.
        ChallengeMalformed = "challenge_malformed",
        /// The challenge method is missing, unknown, not allowed, or sent without a challenge.
        ChallengeMethod = "challenge_method",
        /// The user denied consent.
        UserDenied = "user_denied",
        /// The user no longer exists.
        UserGone = "user_gone",
        /// The grant type is not supported.
        GrantType = "grant_type",
        /// The client may not use the client credentials grant.
        GrantTypeNotAllowed = "grant_type_not_allowed",
        /// The code does not exist.
        CodeUnknown = "code_unknown",
        /// The code has expired.
        CodeExpired = "code_expired",
        /// The code was redeemed before. Its grant is revoked.
        CodeReplayed = "code_replayed",
        /// The code was issued to another client.
        CodeOfOther = "code_of_other",
        /// The redirect URI differs from the one of the authorization request.
        RedirectDiffers = "redirect_differs",
        /// The code has a challenge, but no verifier was sent.
        VerifierMissing = "verifier_missing",
        /// The verifier is malformed or does not match the challenge.
        VerifierWrong = "verifier_wrong",
        /// A verifier was sent, but the code has no challenge.
        VerifierUnexpected = "verifier_unexpected",
        /// The refresh token was not issued here, or its grant has been deleted.
        RefreshUnknown = "refresh_unknown",
        /// The refresh token was issued to another client.
        RefreshOfOther = "refresh_of_other",
        /// The refresh token was replaced before the retry window. Its grant is revoked.
        RefreshReused = "refresh_reused",
        /// The grant has expired, by its idle or absolute lifetime.
        GrantExpired = "grant_expired",
        /// The grant was revoked.
        GrantRevoked = "grant_revoked",
        /// An access token of a client itself cannot be revoked.
        TokenIrrevocable = "token_irrevocable",
        /// The access token is missing.
        BearerMissing = "bearer_missing",
        /// The access token is in the query or sent twice.
        BearerPlace = "bearer_place",
        /// The access token was not issued here, is damaged or has expired.
        BearerInvalid = "bearer_invalid",
        /// The access token is for another service.
        BearerAudience = "bearer_audience",
        /// The access token has no user.
        BearerWithoutUser = "bearer_without_user",
        /// The access token's grant is revoked or expired.
        BearerRevoked = "bearer_revoked",
        /// The access token lacks the scope.
        BearerScope = "bearer_scope",
        /// A field of the body is repeated.
        FieldRepeated = "field_repeated",
        /// A field of the body is missing.
        FieldMissing = "field_missing",
        /// A field of the body is invalid.
        FieldInvalid = "field_invalid",
        /// A name has invisible characters, or characters mixed to look like others.
        NameCharacters = "name_characters",
        /// A text that users read has invisible characters or bidirectional controls.
        TextCharacters = "text_characters",
        /// The name is reserved for the service or the school, or looks like one that is.
        NameReserved = "name_reserved",
        /// The body has an unknown field.
        FieldUnknown = "field_unknown",
        /// The query has an unknown parameter.
        ParameterUnknown = "parameter_unknown",
        /// A parameter is invalid.
        ParameterInvalid = "parameter_invalid",
        /// The client of the access token is no longer allowed to manage.
        FirstPartyOnly = "first_party_only",
        /// The object belongs to another user, and the user is not an administrator.
        NotOwner = "not_owner",
        /// Only an administrator may change it.
        AdministratorsOnly = "administrators_only",
        /// The object belongs to the service itself and cannot be changed.
        OfTheService = "of_the_service",
        /// A scope for a client or an API key does not exist.
        ScopeUnknown = "scope_unknown",
        /// A scope for a client lacks the approval of its application's owner.
        ApprovalRequired = "approval_required",
        /// The application already has a scope with that name.
        ScopeNameTaken = "scope_name_taken",
        /// A public client has no secrets.
        PublicClient = "public_client",
        /// The client is the last first-party client.
        LastFirstParty = "last_first_party",
        /// The new owner of a client does not exist.
        OwnerUnknown = "owner_unknown",
        /// The user has reached the maximum number of API keys.
        TooManyApiKeys = "too_many_api_keys",
        /// The API key has reached the maximum number of valid values.
        TooManyKeyValues = "too_many_key_values",
        /// The user has reached the maximum number of applications.
        TooManyApplications = "too_many_applications",
        /// The application has reached the maximum number of scopes.
        TooManyDefinedScopes = "too_many_defined_scopes",
        /// The user has reached the maximum number of clients.
        TooManyClients = "too_many_clients",
        /// The redirect URIs of a client exceed the maximum number or length.
        TooManyRedirectUris = "too_many_redirect_uris",
        /// The user exceeded the limit on changes.
        ManagementLimited = "management_limited",
        /// An account with this e-mail address already exists.
        EmailTaken = "email_taken",
        /// Administrators may not change their own role, reset their own password or remove
        /// themselves.
        OwnAccount = "own_account",
        /// The account is the last administrator.
        LastAdministrator = "last_administrator",
        /// The object was changed concurrently.
        ChangedMeanwhile = "changed_meanwhile",
        /// The header `X-API-KEY` is missing.
        ApiKeyMissing = "api_key_missing",
        /// The header `X-API-KEY` was sent more than once.
        ApiKeyRepeated = "api_key_repeated",
        /// The API key does not exist or is revoked.
        ApiKeyInvalid = "api_key_invalid",
        /// The API key has expired.
        ApiKeyExpired = "api_key_expired",
        /// The owner of the API key is no longer a user.
        ApiKeyOwnerGone = "api_key_owner_gone",
        /// The calendar feed does not exist, has expired or was revoked, or its API key does not work
        /// or lacks the scope.
        CalendarFeedInvalid = "calendar_feed_invalid",
        /// Too many requests with invalid API keys came from the network.
        BadKeysLimited = "bad_keys_limited",
        /// The API key exceeded its rate limit.
        RateLimited = "rate_limited",
        /// The API key lacks the endpoint's scope.
        ScopeMissing = "scope_missing",
        /// A parameter refers to a field that is hidden from the API key.
        FieldHidden = "field_hidden",
        /// The query is not percent-encoded UTF-8, or has a value without a name.
        QueryMalformed = "query_malformed",
        /// The given state for changes is not known here.
        UpdatedSinceUnknown = "updated_since_unknown",
        /// No requested format is available.
        NotAcceptable = "not_acceptable",
        /// The header `If-Match` does not match the current state.
        PreconditionFailed = "precondition_failed",
        /// The storage is temporarily unavailable.
        StorageUnavailable = "storage_unavailable",
        /// The process is about to stop, so it is not ready any more.
        ServerStopping = "server_stopping",
        /// An internal error; the same log line has its cause.
        Failed = "failed",
    }
}
