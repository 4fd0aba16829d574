use std::borrow::Cow;

use super::error::Error;
use crate::domain::{ApiScope, InvalidValue, PersonalField};
use crate::http::error_reasons::error_reasons;

error_reasons! {
    /// Why the data API refuses a request: `reason` in its responses, log lines and metrics.
    ErrorReason for Error {
        ParameterInvalid = "parameter_invalid", BAD_REQUEST, "a value is not valid; the message says why" {
            ParameterInvalid parameter_invalid(name: &'static str, violation: InvalidValue) "The parameter {name} {violation}." at name;
        }
        ParameterUnknown = "parameter_unknown", BAD_REQUEST, "the parameter is unknown; the message lists the known ones" {
            ParameterUnknown parameter_unknown(name: String, known: String) "The parameter {name} is unknown; known are {known}." at name;
        }
        ParameterRepeated = "parameter_repeated", BAD_REQUEST, "a parameter is repeated, or given under both its names" {
            ParameterRepeated parameter_repeated(name: Cow<'static, str>) "The parameter {name} is repeated." at name;
        }
        UpdatedSinceUnknown = "updated_since_unknown", BAD_REQUEST, "`updatedSince` belongs to a state that is not known here; start again from `0`" {
            UpdatedSinceUnknown updated_since_unknown(name: &'static str) "The parameter {name} is of a state that is not known here; start again from 0." at name;
        }
        QueryMalformed = "query_malformed", BAD_REQUEST, "the query is not percent-encoded UTF-8, or has a value without a name" {
            QueryMalformed query_malformed() "The query is not percent-encoded UTF-8, or a value in it has no name.";
        }
        ApiKeyMissing = "api_key_missing", UNAUTHORIZED, "the header `X-API-KEY` is missing" {
            ApiKeyMissing key_missing() "The header X-API-KEY with an API key is missing.";
        }
        ApiKeyRepeated = "api_key_repeated", UNAUTHORIZED, "the header `X-API-KEY` is repeated" {
            ApiKeyRepeated key_repeated() "The header X-API-KEY was sent more than once.";
        }
        ApiKeyInvalid = "api_key_invalid", UNAUTHORIZED, "not a UUID, unknown, or revoked" {
            ApiKeyInvalid key_invalid() "The API key is not valid.";
            ApiKeyOwnerGone key_owner_gone() "The API key is not valid.";
        }
        ApiKeyExpired = "api_key_expired", UNAUTHORIZED, "the key has expired, or was renewed and the overlap has ended" {
            ApiKeyExpired key_expired() "The API key has expired and must be renewed.";
        }
        ScopeMissing = "scope_missing", FORBIDDEN, "the key lacks the scope of the address" {
            ScopeMissing scope_missing(scope: &ApiScope) "The API key lacks the scope {scope}.";
        }
        FieldHidden = "field_hidden", FORBIDDEN, "a filter or sort by a field that is hidden from the key" {
            FieldHidden field_hidden(name: &'static str, field: PersonalField) "The field {field} is hidden from the API key, so the parameter {name} cannot use it." at name;
        }
        NotFound = "not_found", NOT_FOUND, "there is no such address or valid calendar feed" {
            NotFound not_found() "There is nothing at this address.";
            CalendarFeedInvalid calendar_feed_invalid() "There is nothing at this address.";
        }
        MethodNotAllowed = "method_not_allowed", METHOD_NOT_ALLOWED, "neither GET, HEAD nor OPTIONS" {
            MethodNotAllowed method_not_allowed() "This address supports only GET, HEAD and OPTIONS.";
        }
        NotAcceptable = "not_acceptable", NOT_ACCEPTABLE, "`Accept` accepts none of the formats that the message lists" {
            NotAcceptable not_acceptable(offered: String) "The header Accept accepts none of the formats of this address: {offered}.";
        }
        PreconditionFailed = "precondition_failed", PRECONDITION_FAILED, "`If-Match` with anything but `*`" {
            PreconditionFailed precondition_failed() "The header If-Match does not match the current state.";
        }
        RateLimited = "rate_limited", TOO_MANY_REQUESTS, "the key has reached its rate limit" {
            RateLimited rate_limited() "The API key has made too many requests; try again after the time in Retry-After.";
        }
        BadKeysLimited = "bad_keys_limited", TOO_MANY_REQUESTS, "too many requests with an invalid key came from this network" {
            BadKeysLimited bad_keys_limited() "Too many requests with an invalid API key came from this network; try again later.";
        }
        InternalError = "internal_error", INTERNAL_SERVER_ERROR, "internal error; the cause is in the log of the server" {
            Failed failed() "Something went wrong on our side.";
        }
        ServiceUnavailable = "service_unavailable", SERVICE_UNAVAILABLE, "the storage is unavailable" {
            StorageUnavailable unavailable() "The service is temporarily unavailable; try again later.";
            ServerStopping server_stopping() "The service is temporarily unavailable; try again later.";
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crypto::SystemEntropy;
    use crate::http::audit::{RefusalRule, RequestId};
    use crate::http::data_api::error;

    /// Fails if a response or a log line has the rule of a refusal instead of its public reason.
    #[test]
    fn answers_and_log_lines_have_the_reason_and_never_the_rule_behind_it() {
        for reason in ErrorReason::ALL {
            for rule in reason.rules() {
                for prefers_problem in [false, true] {
                    let refused =
                        Error::from_row(reason.status(), reason.as_str(), *rule, Cow::Borrowed(""));
                    let response =
                        refused.into_response(RequestId::new(&SystemEntropy), prefers_problem);
                    assert_eq!(response.extensions().get(), Some(rule));
                    let answer = format!(
                        "{:?} {}",
                        response.headers(),
                        String::from_utf8_lossy(response.body().as_bytes())
                    );
                    assert!(
                        answer.contains(&format!("\"reason\":\"{reason}\"")),
                        "{answer}"
                    );
                    assert!(
                        rule.as_str() == reason.as_str() || !answer.contains(rule.as_str()),
                        "{rule}: {answer}"
                    );
                }
                assert_eq!(error::reason(*rule), reason.as_str(), "{rule}");
            }
        }
    }

    /// Fails if a row has its rule's word as the reason, so that clients learn that the owner of a
    /// key is gone, or the cause of a failure.
    #[test]
    fn some_rules_have_another_word_in_answers() {
        let hidden = ErrorReason::ALL.iter().flat_map(|reason| {
            let has_other_word = |rule: &&RefusalRule| rule.as_str() != reason.as_str();
            reason.rules().iter().filter(has_other_word)
        });
        let hidden: Vec<_> = hidden.copied().collect();
        assert_eq!(
            hidden,
            [
                RefusalRule::ApiKeyOwnerGone,
                RefusalRule::CalendarFeedInvalid,
                RefusalRule::Failed,
                RefusalRule::StorageUnavailable,
                RefusalRule::ServerStopping
            ]
        );
    }
}
