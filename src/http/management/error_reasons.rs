use super::Rejection;
use crate::domain::InvalidValue;
use crate::http::error_reasons::error_reasons;

error_reasons! {
    /// Why the management API refuses a request: `reason` in its responses. The refusals of the
    /// access token, the query and the body, and failures, are also those of the other endpoints of
    /// the authorization service.
    ErrorReason for Rejection {
        FieldInvalid = "field_invalid", BAD_REQUEST, "a field has a wrong type, pattern or length" {
            FieldInvalid invalid(name: &'static str, violation: &InvalidValue) "The field {name} {violation}." at name;
        }
        NameCharacters = "name_characters", BAD_REQUEST, "a name has invisible characters, or mixes scripts whose letters look alike" {
            NameCharacters name_characters(violation: InvalidValue) "The field name {violation}." at "name";
            NameCharacters translated_name_characters(violation: InvalidValue) "A text in nameTranslations {violation}." at "nameTranslations";
        }
        TextCharacters = "text_characters", BAD_REQUEST, "a description has characters that are invisible or change the direction of text" {
            TextCharacters text_characters(violation: InvalidValue) "The field description {violation}." at "description";
            TextCharacters translated_text_characters(violation: InvalidValue) "A text in descriptionTranslations {violation}." at "descriptionTranslations";
        }
        NameReserved = "name_reserved", BAD_REQUEST, "a name is, contains or looks like a name of the service or the school; only administrators may use it" {
            NameReserved name_reserved() "The field name is, contains or looks like a name of the service or the school; only an administrator may use it." at "name";
            NameReserved translated_name_reserved() "A text in nameTranslations is, contains or looks like a name of the service or the school; only an administrator may use it." at "nameTranslations";
        }
        OwnerUnknown = "owner_unknown", BAD_REQUEST, "the new owner of a client is neither the id of a user nor `service`" {
            OwnerUnknown owner_unknown() "The field owner must be the id of a user, or service." at "owner";
        }
        FieldMissing = "field_missing", BAD_REQUEST, "a required field is missing" {
            FieldMissing missing(name: &'static str) "The field {name} is missing." at name;
        }
        FieldUnknown = "field_unknown", BAD_REQUEST, "the field is unknown; the message lists the known ones" {
            FieldUnknown no_fields() "The body must have no fields.";
            FieldUnknown field_unknown(known: String) "The field is unknown; known are {known}.";
        }
        FieldRepeated = "field_repeated", BAD_REQUEST, "a field is repeated" {
            FieldRepeated field_repeated() "The field is repeated.";
        }
        ScopeUnknown = "scope_unknown", BAD_REQUEST, "one of the scopes does not exist" {
            ScopeUnknown scope_unknown() "A scope in allowedScopes does not exist; GET /v1/clients/available-scopes lists those that do." at "allowedScopes";
            ScopeUnknown api_scope_unknown(known: String) "Each of the scopes must be one of {known}." at "scopes";
        }
        InvalidRequest = "invalid_request", BAD_REQUEST, "the body is not a JSON object, too long or of another type, or the query is malformed" {
            BodyType body_type() "The Content-Type must be application/json, in UTF-8.";
            BodyMalformed body_malformed() "The body is not a well-formed JSON object.";
            BodyTooLong body_too_long(limit: usize) "The body is longer than {limit} bytes.";
            BodyBroken body_broken() "The body ended before it was whole.";
            ParametersMalformed parameters_malformed() "The parameters are not properly encoded.";
            ParameterRepeated parameter_repeated() "A parameter is repeated.";
            BearerPlace bearer_misplaced() "The access token must be in one Authorization header and nowhere else.";
        }
        ParameterInvalid = "parameter_invalid", BAD_REQUEST, "a parameter is out of its range or not valid" {
            ParameterInvalid parameter_invalid(name: &'static str, violation: &InvalidValue) "The parameter {name} {violation}." at name;
        }
        ParameterUnknown = "parameter_unknown", BAD_REQUEST, "the address has no such query parameter" {
            ParameterUnknown no_parameters() "This address takes no parameters.";
            ParameterUnknown parameter_unknown(known: String) "The parameter is unknown; known are {known}.";
        }
        InvalidToken = "invalid_token", UNAUTHORIZED, "no access token, or one that is malformed, expired, revoked or for another service" {
            BearerMissing bearer_missing() "An access token is required, as Authorization: Bearer.";
            BearerInvalid | BearerWithoutUser | BearerAudience | BearerRevoked | ClientSuspended | UserGone bearer_invalid() "The access token is malformed, expired, revoked or for another service.";
        }
        NotOwner = "not_owner", FORBIDDEN, "it belongs to another user, and the user is not an administrator" {
            NotOwner not_owner() "This belongs to another user, and you are not an administrator.";
        }
        InsufficientScope = "insufficient_scope", FORBIDDEN, "a token without `service:manage`" {
            BearerScope bearer_scope() "The access token lacks the scope.";
        }
        FirstPartyOnly = "first_party_only", FORBIDDEN, "the client of the token can no longer request `service:manage`" {
            FirstPartyOnly first_party_only() "The client of the access token is no longer a first-party client, or can no longer manage.";
        }
        AdministratorsOnly = "administrators_only", FORBIDDEN, "only administrators can change the field or client" {
            AdministratorsOnly administrators_only(may: &'static str) "Only an administrator {may}.";
        }
        OfTheService = "of_the_service", FORBIDDEN, "the application and the scopes of the service cannot be changed" {
            OfTheService service_owned() "The application and the scopes of the service cannot be changed.";
        }
        ScopeNotAllowed = "scope_not_allowed", FORBIDDEN, "the host does not allow a scope to API keys of the user's role" {
            ScopeNotAllowed api_scope_not_allowed() "Keys of your role cannot have one of the scopes." at "scopes";
        }
        ApprovalRequired = "approval_required", FORBIDDEN, "a scope needs the approval of the owner of its application" {
            ApprovalRequired approval_required() "A scope in allowedScopes first needs the approval of the owner of its application for this client." at "allowedScopes";
        }
        NotFound = "not_found", NOT_FOUND, "there is nothing with this id" {
            NotFound not_found() "There is nothing with this id.";
            NotFound no_older_secret() "The client has no older secret.";
        }
        MethodNotAllowed = "method_not_allowed", METHOD_NOT_ALLOWED, "the address does not support the method" {
            MethodNotAllowed method_not_allowed() "This address does not support that method.";
        }
        ScopeNameTaken = "scope_name_taken", CONFLICT, "the application already has a scope with this name" {
            ScopeNameTaken scope_name_taken() "The application already has a scope with this name." at "scopeName";
        }
        ChangedMeanwhile = "changed_meanwhile", CONFLICT, "another request changed the client or key at the same time, and this change was not stored" {
            ChangedMeanwhile changed_meanwhile() "Another request changed the client at the same time, so this change was not stored. Read the client and try again.";
            ChangedMeanwhile key_changed_meanwhile() "Another request changed the key at the same time, so this change was not stored. Read the key and try again.";
            ChangedMeanwhile other_than_reviewed() "The name, redirectUris or policyUri of the client are not the reviewed ones, so this change was not stored. Read the client, review it and try again; to change them, leave verified out.";
        }
        TooManyApiKeys = "too_many_api_keys", CONFLICT, "the user has reached the limit of API keys" {
            TooManyApiKeys too_many_api_keys(limit: u32) "You have reached the limit of {limit} API keys. A deleted one counts for a day.";
        }
        TooManyKeyValues = "too_many_key_values", CONFLICT, "the API key already has five valid values" {
            TooManyKeyValues too_many_key_values(limit: usize) "The API key already has {limit} valid values, which is the limit. Renew it without an overlap, or when one has expired.";
        }
        TooManyApplications = "too_many_applications", CONFLICT, "the user has reached the limit of applications" {
            TooManyApplications too_many_applications(limit: u32) "You have reached the limit of {limit} applications.";
        }
        TooManyDefinedScopes = "too_many_defined_scopes", CONFLICT, "the application has reached the limit of scopes" {
            TooManyDefinedScopes too_many_defined_scopes(limit: u32) "The application has reached the limit of {limit} scopes.";
        }
        TooManyClients = "too_many_clients", CONFLICT, "the user has reached the limit of clients" {
            TooManyClients too_many_clients(limit: u32) "You have reached the limit of {limit} clients.";
        }
        TooManyRedirectUris = "too_many_redirect_uris", CONFLICT, "too many redirect URIs, or too long ones together" {
            TooManyRedirectUris too_many_redirect_uris(number: u32, bytes: u32) "A client can have at most {number} redirect URIs of {bytes} bytes together." at "redirectUris";
        }
        PublicClient = "public_client", CONFLICT, "a secret for a client whose policy is `none`" {
            PublicClient public_client() "A client whose policy is none has no secrets.";
        }
        LastFirstParty = "last_first_party", CONFLICT, "the last first-party client, or the last client that may request `service:manage`, cannot be deleted" {
            LastFirstParty last_first_party() "This is the last first-party client, or the last that may request service:manage. To delete it, first remove service:manage from its allowedScopes and set firstParty to false.";
        }
        ManagementLimited = "management_limited", TOO_MANY_REQUESTS, "the user has made too many changes in a short time" {
            ManagementLimited management_limited() "You have made too many changes in a short time. Try again later.";
        }
        ServerError = "server_error", INTERNAL_SERVER_ERROR, "internal error; the cause is in the log of the server" {
            Failed failed() "Something went wrong on our side.";
        }
        TemporarilyUnavailable = "temporarily_unavailable", SERVICE_UNAVAILABLE, "the storage or the user directory is unavailable" {
            StorageUnavailable unavailable() "The service is busy. Try again soon.";
        }
    }
}
