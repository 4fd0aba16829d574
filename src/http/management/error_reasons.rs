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
        NameCharacters = "name_characters", BAD_REQUEST, "a name has characters that cannot be seen, or mixes scripts whose letters look alike" {
            NameCharacters name_characters(violation: InvalidValue) "The field name {violation}." at "name";
            NameCharacters translated_name_characters(violation: InvalidValue) "A text in nameTranslations {violation}." at "nameTranslations";
        }
        TextCharacters = "text_characters", BAD_REQUEST, "a description has characters that cannot be seen, or that turn the direction of text" {
            TextCharacters text_characters(violation: InvalidValue) "The field description {violation}." at "description";
            TextCharacters translated_text_characters(violation: InvalidValue) "A text in descriptionTranslations {violation}." at "descriptionTranslations";
        }
        NameReserved = "name_reserved", BAD_REQUEST, "a name is or contains one of the service or the school, or looks like one; administrators may give it" {
            NameReserved name_reserved() "The field name is or has in it a name of the service or the school, or looks like one; only an administrator may give it." at "name";
            NameReserved translated_name_reserved() "A text in nameTranslations is or has in it a name of the service or the school, or looks like one; only an administrator may give it." at "nameTranslations";
        }
        OwnerUnknown = "owner_unknown", BAD_REQUEST, "the new owner of a client is neither the id of a user nor `service`" {
            OwnerUnknown owner_unknown() "The field owner must be the id of a user, or service." at "owner";
        }
        FieldMissing = "field_missing", BAD_REQUEST, "a field that has to be there is not" {
            FieldMissing missing(name: &'static str) "The field {name} is missing." at name;
        }
        FieldUnknown = "field_unknown", BAD_REQUEST, "the address has no such field; the message lists those that it has" {
            FieldUnknown no_fields() "The body must have no fields.";
            FieldUnknown field_unknown(known: String) "The field is not known here; known are {known}.";
        }
        FieldRepeated = "field_repeated", BAD_REQUEST, "a field is there twice" {
            FieldRepeated field_repeated() "The field is given more than once.";
        }
        ScopeUnknown = "scope_unknown", BAD_REQUEST, "one of the scopes does not exist" {
            ScopeUnknown scope_unknown() "A scope in allowedScopes does not exist; GET /v1/clients/available-scopes lists those that do." at "allowedScopes";
            ScopeUnknown api_scope_unknown(known: String) "Each of the scopes must be one of {known}." at "scopes";
        }
        InvalidRequest = "invalid_request", BAD_REQUEST, "the body is no JSON object, too long or of another type; the query is broken" {
            BodyType body_type() "The Content-Type must be application/json, in UTF-8.";
            BodyMalformed body_malformed() "The body is not a well-formed JSON object.";
            BodyTooLong body_too_long(limit: usize) "The body is longer than {limit} bytes.";
            BodyBroken body_broken() "The body ended before it was whole.";
            ParametersMalformed parameters_malformed() "The parameters are not properly encoded.";
            ParameterRepeated parameter_repeated() "A parameter is repeated.";
            BearerPlace bearer_misplaced() "The access token must be in one Authorization header and nowhere else.";
        }
        ParameterInvalid = "parameter_invalid", BAD_REQUEST, "`page` or `size` is out of its range, or another parameter has a value that it does not take" {
            ParameterInvalid parameter_invalid(name: &'static str, violation: &InvalidValue) "The parameter {name} {violation}." at name;
        }
        ParameterUnknown = "parameter_unknown", BAD_REQUEST, "the address has no such query parameter" {
            ParameterUnknown no_parameters() "This address takes no parameters.";
            ParameterUnknown parameter_unknown(known: String) "The parameter is not known here; known are {known}.";
        }
        InvalidToken = "invalid_token", UNAUTHORIZED, "no access token, or one that is malformed, expired, revoked or for another service" {
            BearerMissing bearer_missing() "An access token is required, as Authorization: Bearer.";
            BearerInvalid | BearerWithoutUser | BearerAudience | BearerRevoked | ClientSuspended | UserGone bearer_invalid() "The access token is malformed, expired, revoked or for another service.";
        }
        NotOwner = "not_owner", FORBIDDEN, "it belongs to somebody else, and the user is no administrator" {
            NotOwner not_owner() "This belongs to somebody else, and you are not an administrator.";
        }
        InsufficientScope = "insufficient_scope", FORBIDDEN, "a token without `service:manage`" {
            BearerScope bearer_scope() "The access token lacks the scope.";
        }
        FirstPartyOnly = "first_party_only", FORBIDDEN, "the client of the token may not ask for `service:manage` any more" {
            FirstPartyOnly first_party_only() "The client that asks is not one of the service's own any more, or may not manage any more.";
        }
        AdministratorsOnly = "administrators_only", FORBIDDEN, "a field or client that only an administrator changes" {
            AdministratorsOnly administrators_only(may: &'static str) "Only an administrator {may}.";
        }
        OfTheService = "of_the_service", FORBIDDEN, "the service's own application and scopes stay as they are" {
            OfTheService service_owned() "The service's own application and scopes stay as they are.";
        }
        ScopeNotAllowed = "scope_not_allowed", FORBIDDEN, "the host does not allow a scope to API keys of the user's role" {
            ScopeNotAllowed api_scope_not_allowed() "The scopes have one that keys of your role may not have." at "scopes";
        }
        ApprovalRequired = "approval_required", FORBIDDEN, "a scope that its application's owner has to approve first" {
            ApprovalRequired approval_required() "A scope in allowedScopes has to be approved for this client by the owner of its application first." at "allowedScopes";
        }
        NotFound = "not_found", NOT_FOUND, "there is nothing with this id" {
            NotFound not_found() "There is nothing with this id.";
            NotFound no_older_secret() "The client has no older secret.";
        }
        MethodNotAllowed = "method_not_allowed", METHOD_NOT_ALLOWED, "the address does not answer the method" {
            MethodNotAllowed method_not_allowed() "This address does not answer that method.";
        }
        ScopeNameTaken = "scope_name_taken", CONFLICT, "the application has a scope of this name" {
            ScopeNameTaken scope_name_taken() "The application has a scope of this name." at "scopeName";
        }
        ChangedMeanwhile = "changed_meanwhile", CONFLICT, "somebody changed the client or key at the same moment; nothing of this change was kept" {
            ChangedMeanwhile changed_meanwhile() "Somebody changed the client at the same moment. Nothing of this change was kept; read the client and try again.";
            ChangedMeanwhile key_changed_meanwhile() "Somebody changed the key at the same moment. Nothing of this change was kept; read the key and try again.";
            ChangedMeanwhile other_than_reviewed() "The client has another name, other redirectUris or another policyUri than the ones that are to be verified. Nothing of this change was kept; read the client, review it and try again, and leave verified out to change them.";
        }
        TooManyApiKeys = "too_many_api_keys", CONFLICT, "the user has as many API keys as the host allows" {
            TooManyApiKeys too_many_api_keys(limit: u32) "You have all the API keys that one user may have, which are {limit}. A deleted one counts for a day.";
        }
        TooManyKeyValues = "too_many_key_values", CONFLICT, "the API key has five values that work, which is as many as one key may have" {
            TooManyKeyValues too_many_key_values(limit: usize) "The API key has {limit} values that work, which is the most. Renew it without an overlap, or when one has ended.";
        }
        TooManyApplications = "too_many_applications", CONFLICT, "the user has as many applications as the host allows" {
            TooManyApplications too_many_applications(limit: u32) "You have all the applications that one user may have, which are {limit}.";
        }
        TooManyDefinedScopes = "too_many_defined_scopes", CONFLICT, "the application has as many scopes as the host allows" {
            TooManyDefinedScopes too_many_defined_scopes(limit: u32) "The application has all the scopes that one may have, which are {limit}.";
        }
        TooManyClients = "too_many_clients", CONFLICT, "the user has as many clients as the host allows" {
            TooManyClients too_many_clients(limit: u32) "You have all the clients that one user may have, which are {limit}.";
        }
        TooManyRedirectUris = "too_many_redirect_uris", CONFLICT, "more redirect URIs than the host allows a client, or longer ones together" {
            TooManyRedirectUris too_many_redirect_uris(number: u32, bytes: u32) "A client may have {number} redirect URIs of {bytes} bytes together." at "redirectUris";
        }
        PublicClient = "public_client", CONFLICT, "a secret for a client whose policy is `none`" {
            PublicClient public_client() "A client whose policy is none has no secrets.";
        }
        LastFirstParty = "last_first_party", CONFLICT, "the last of the service's own clients, or the last that may ask for `service:manage`, cannot be deleted" {
            LastFirstParty last_first_party() "This is the last of the service's own clients, or the last that may ask for service:manage. To delete it, first take service:manage from its allowedScopes and set its firstParty to false.";
        }
        ManagementLimited = "management_limited", TOO_MANY_REQUESTS, "the user has made many changes in a short time" {
            ManagementLimited management_limited() "You have made many changes in a short time. Try again later.";
        }
        ServerError = "server_error", INTERNAL_SERVER_ERROR, "our fault; the cause is in the host's log only" {
            Failed failed() "Something went wrong on our side.";
        }
        TemporarilyUnavailable = "temporarily_unavailable", SERVICE_UNAVAILABLE, "the storage or the host's users do not answer" {
            StorageUnavailable unavailable() "The service is busy. Try again soon.";
        }
    }
}
