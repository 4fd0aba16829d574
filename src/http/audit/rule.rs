use crate::domain::vocabulary;

vocabulary! {
    /// By which rule a request was refused. It is for the log and for events alone: often the answer must not tell one from another, or it
    /// would tell strangers which clients, codes and accounts there are.
    #[non_exhaustive]
    Rule {
        /// There is nothing at the address.
        NotFound = "not_found",
        /// The address does not answer the method.
        MethodNotAllowed = "method_not_allowed",
        /// The body is longer than the endpoint reads.
        BodyTooLong = "body_too_long",
        /// The body ended early, or did not come in time.
        BodyBroken = "body_broken",
        /// The body has another content type, several, or another charset.
        BodyType = "body_type",
        /// The body is not what its content type says, or not of the fields that are asked for.
        BodyMalformed = "body_malformed",
        /// A query or form is not percent-encoded UTF-8.
        ParametersMalformed = "parameters_malformed",
        /// What belongs into the body is in the query.
        ParametersInQuery = "parameters_in_query",
        /// A parameter is there twice.
        ParameterRepeated = "parameter_repeated",
        /// A parameter is a list that must not be one.
        ParameterIsList = "parameter_is_list",
        /// A parameter that is required is missing; the answer says which.
        ParameterMissing = "parameter_missing",
        /// The form belongs to another session, or to none.
        FormToken = "form_token",
        /// The form has a field that it was not given.
        FormField = "form_field",
        /// The decision is none of those that the consent page offers.
        Decision = "decision",
        /// The request has no session token, two, or one that cannot be one.
        SessionMissing = "session_missing",
        /// The session is unknown: it expired, was answered, or moved to another token at a sign-in.
        SessionEnded = "session_ended",
        /// Nobody has signed in to the session.
        SessionNotSignedIn = "session_not_signed_in",
        /// The session was for a client that is gone.
        SessionClientGone = "session_client_gone",
        /// The client has given up the redirect URI that the session would end at.
        SessionRedirectGone = "session_redirect_gone",
        /// A scope that the session asks for is gone, or the client may not ask for it any more.
        SessionScopeGone = "session_scope_gone",
        /// What is remembered of the user's consent no longer covers the request.
        ConsentGone = "consent_gone",
        /// The e-mail address or the password is wrong.
        Credentials = "credentials",
        /// Too many attempts to sign in have failed.
        SignInLimited = "sign_in_limited",
        /// More passwords are waiting than can be checked.
        SignInBusy = "sign_in_busy",
        /// Too many sessions were opened from the address.
        AuthorizeLimited = "authorize_limited",
        /// The client has made too many requests.
        ClientLimited = "client_limited",
        /// Too many requests without a client that authenticates came from the network.
        FailedClientsLimited = "failed_clients_limited",
        /// There is no such client.
        ClientUnknown = "client_unknown",
        /// The client is suspended, because its owner has left.
        ClientSuspended = "client_suspended",
        /// The client's id or its credentials cannot be read.
        ClientMalformed = "client_malformed",
        /// The client authenticates in two ways at once.
        ClientTwice = "client_twice",
        /// The id in the header is not the one in the body.
        ClientDiffers = "client_differs",
        /// The client must send its secret and did not.
        SecretMissing = "secret_missing",
        /// The client's secret is another one.
        SecretWrong = "secret_wrong",
        /// The client is public and sent a secret.
        SecretUnexpected = "secret_unexpected",
        /// The client proved itself neither by a secret nor by a verifier, or by less than at the exchange.
        ClientUnproven = "client_unproven",
        /// The client has not registered the redirect URI.
        RedirectUnregistered = "redirect_unregistered",
        /// The response type is not `code`.
        ResponseType = "response_type",
        /// The `prompt` contradicts itself, or allows no page where one is needed.
        Prompt = "prompt",
        /// The `state` is too long, or has a character that cannot be kept.
        State = "state",
        /// The scope is not a list of scopes.
        ScopeMalformed = "scope_malformed",
        /// The client may not ask for the scope, or an API key of the user's role may not have it.
        ScopeNotAllowed = "scope_not_allowed",
        /// The scope goes beyond what was granted.
        ScopeNotGranted = "scope_not_granted",
        /// There is no scope that could be granted, or none is left.
        ScopeNone = "scope_none",
        /// More scopes are asked for than one access token can carry.
        ScopeTooMany = "scope_too_many",
        /// A client that must use PKCE sent no challenge.
        ChallengeMissing = "challenge_missing",
        /// The challenge cannot have been made by its method.
        ChallengeMalformed = "challenge_malformed",
        /// The challenge's method is missing, unknown, not allowed, or has no challenge.
        ChallengeMethod = "challenge_method",
        /// The user said no.
        UserDenied = "user_denied",
        /// The user has left.
        UserGone = "user_gone",
        /// The grant type is not served.
        GrantType = "grant_type",
        /// The client may not have tokens of its own.
        GrantTypeNotAllowed = "grant_type_not_allowed",
        /// There is no such code.
        CodeUnknown = "code_unknown",
        /// The code came too late.
        CodeExpired = "code_expired",
        /// The code had been redeemed before. Its grant is revoked.
        CodeReplayed = "code_replayed",
        /// The code was issued to another client.
        CodeOfOther = "code_of_other",
        /// The redirect URI is not the one that the code went to.
        RedirectDiffers = "redirect_differs",
        /// The code has a challenge, and no verifier was sent.
        VerifierMissing = "verifier_missing",
        /// The verifier is malformed, or not the one of the challenge.
        VerifierWrong = "verifier_wrong",
        /// A verifier was sent, and the code has no challenge.
        VerifierUnexpected = "verifier_unexpected",
        /// The refresh token was never issued here, or its grant is swept.
        RefreshUnknown = "refresh_unknown",
        /// The refresh token was issued to another client.
        RefreshOfOther = "refresh_of_other",
        /// The refresh token was replaced too long ago. Its grant is revoked.
        RefreshReused = "refresh_reused",
        /// The grant has expired, idle or altogether.
        GrantExpired = "grant_expired",
        /// The grant was revoked before.
        GrantRevoked = "grant_revoked",
        /// A token of a client itself cannot be revoked.
        TokenIrrevocable = "token_irrevocable",
        /// There is no access token.
        BearerMissing = "bearer_missing",
        /// The access token is in the query, or there twice.
        BearerPlace = "bearer_place",
        /// The access token was not issued here, is damaged or has expired.
        BearerInvalid = "bearer_invalid",
        /// The access token is for another service.
        BearerAudience = "bearer_audience",
        /// The access token has no user.
        BearerWithoutUser = "bearer_without_user",
        /// The access token's grant does not live any more.
        BearerRevoked = "bearer_revoked",
        /// The access token lacks the scope.
        BearerScope = "bearer_scope",
        /// A field of the body is there twice.
        FieldRepeated = "field_repeated",
        /// A field of the body is missing.
        FieldMissing = "field_missing",
        /// A field of the body is not as it has to be.
        FieldInvalid = "field_invalid",
        /// A name has characters that cannot be seen, or that are mixed to look like others.
        NameCharacters = "name_characters",
        /// A text that users read has characters that cannot be seen or that turn its direction.
        TextCharacters = "text_characters",
        /// A name is reserved for the service or the school, or looks like one that is.
        NameReserved = "name_reserved",
        /// The body has a field that the endpoint does not know.
        FieldUnknown = "field_unknown",
        /// The query has a parameter that the endpoint does not know.
        ParameterUnknown = "parameter_unknown",
        /// A parameter is not as it has to be.
        ParameterInvalid = "parameter_invalid",
        /// The client of the access token may not manage any more.
        FirstPartyOnly = "first_party_only",
        /// It belongs to somebody else, and the user is no administrator.
        NotOwner = "not_owner",
        /// Only an administrator may change it.
        AdministratorsOnly = "administrators_only",
        /// It is the service's own, and stays as it is.
        OfTheService = "of_the_service",
        /// A client is to list a scope, or an API key to have one, that does not exist.
        ScopeUnknown = "scope_unknown",
        /// A client is to list a scope that its application's owner has not approved.
        ApprovalRequired = "approval_required",
        /// The application has a scope of that name.
        ScopeNameTaken = "scope_name_taken",
        /// The client is public, and has no secrets.
        PublicClient = "public_client",
        /// The client is the last of the service's own.
        LastFirstParty = "last_first_party",
        /// The new owner of a client is not a user.
        OwnerUnknown = "owner_unknown",
        /// The user has as many API keys as one may have.
        TooManyApiKeys = "too_many_api_keys",
        /// The API key has as many values that work as one key may have.
        TooManyKeyValues = "too_many_key_values",
        /// The user has as many applications as one may have.
        TooManyApplications = "too_many_applications",
        /// The application has as many scopes as one may have.
        TooManyDefinedScopes = "too_many_defined_scopes",
        /// The user has as many clients as one may have.
        TooManyClients = "too_many_clients",
        /// A client is to have more redirect URIs than one may have, or longer ones.
        TooManyRedirectUris = "too_many_redirect_uris",
        /// The user has made too many changes in a short time.
        ManagementLimited = "management_limited",
        /// An account with the e-mail address is there already.
        EmailTaken = "email_taken",
        /// Administrators neither change their own role nor remove themselves.
        OwnAccount = "own_account",
        /// Nobody else is an administrator, and somebody has to be.
        LastAdministrator = "last_administrator",
        /// Somebody else changed it at the same moment.
        ChangedMeanwhile = "changed_meanwhile",
        /// There is no API key in the header `X-API-KEY`.
        ApiKeyMissing = "api_key_missing",
        /// The header `X-API-KEY` was sent more than once.
        ApiKeyRepeated = "api_key_repeated",
        /// There is no such API key, or it is revoked.
        ApiKeyInvalid = "api_key_invalid",
        /// The API key has expired.
        ApiKeyExpired = "api_key_expired",
        /// The owner of the API key is no user any more.
        ApiKeyOwnerGone = "api_key_owner_gone",
        /// Too many requests with an API key that does not work came from the network.
        BadKeysLimited = "bad_keys_limited",
        /// The API key has made as many requests as it may.
        RateLimited = "rate_limited",
        /// The API key lacks the scope that the address asks for.
        ScopeMissing = "scope_missing",
        /// The API key does without the field that a parameter asks about.
        FieldHidden = "field_hidden",
        /// The query is not percent-encoded UTF-8, or a value in it has no name.
        QueryMalformed = "query_malformed",
        /// The time that changes are asked since is of a state that is not known here.
        UpdatedSinceUnknown = "updated_since_unknown",
        /// The address answers in no format that was asked for.
        NotAcceptable = "not_acceptable",
        /// The header `If-Match` names no present state of the answer.
        PreconditionFailed = "precondition_failed",
        /// The storage cannot answer at the moment.
        StorageUnavailable = "storage_unavailable",
        /// Something broke here; the cause is in the same line.
        Failed = "failed",
    }
}
