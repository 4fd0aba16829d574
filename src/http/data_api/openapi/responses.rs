use http::StatusCode;
use serde_json::{Value, json};

use super::{examples, headers};
use crate::directory::ResourceDefinition;
use crate::http::data_api::format::Format;
use crate::http::data_api::wire::Problem;
use crate::http::openapi::{Operation, Response, Schemas, envelope, page_envelope};
use crate::http::wire::ErrorBody;

/// Responses that the endpoints share.
pub(super) struct Responses {
    error: Value,
    problem: Value,
    limits_keys: bool,
}

/// A reason, and when it occurs.
type Reason = (&'static str, &'static str);

impl Responses {
    /// Creates the shared responses, with those about rate limits if keys are limited.
    pub(super) fn new(schemas: &mut Schemas, limits_keys: bool) -> Self {
        Self {
            error: schemas.for_type::<ErrorBody<'static>>(),
            problem: schemas.for_type::<Problem<'static>>(),
            limits_keys,
        }
    }

    /// Success response with the selected records.
    pub(super) fn found(&self, definition: &ResourceDefinition, record: &Value) -> Response {
        let field = definition.name;
        let data = if definition.is_paged() {
            page_or_changes(field, record)
        } else {
            json!({ "type": "object", "properties": { field: { "type": "array", "items": record } }, "required": [field] })
        };
        let json = Format::Json.media_type();
        let response = self
            .after_key(Response::new("What was found."))
            .headers(["ETag"]);
        let response =
            response.body_with_example(json, envelope(Some(data)), examples::found(definition));
        if !definition.is_paged() {
            return response;
        }
        // CSV and NDJSON bodies have no schema.
        let rows = [Format::Csv, Format::Ndjson];
        let response = rows.iter().fold(response, |response, format| {
            response.body(format.media_type(), json!({ "type": "string" }))
        });
        response.headers(["Link", "X-Total-Count"])
    }

    /// Adds every error response of an endpoint that needs a key.
    pub(super) fn with_errors(
        &self,
        operation: Operation,
        definition: &ResourceDefinition,
    ) -> Operation {
        let is_personal = definition
            .parameters
            .iter()
            .any(|parameter| parameter.personal.is_some());
        let forbidden = if is_personal {
            "SchoolForbiddenPeople"
        } else {
            "SchoolForbidden"
        };
        operation
            .response_ref(StatusCode::NOT_MODIFIED, "SchoolNotModified")
            .response_ref(StatusCode::BAD_REQUEST, "SchoolBadRequest")
            .response_ref(StatusCode::UNAUTHORIZED, "SchoolUnauthorized")
            .response_ref(StatusCode::FORBIDDEN, forbidden)
            .response_ref(StatusCode::NOT_ACCEPTABLE, "SchoolNotAcceptable")
            .response_ref(StatusCode::PRECONDITION_FAILED, "SchoolPreconditionFailed")
            .response_ref(StatusCode::TOO_MANY_REQUESTS, "SchoolTooManyRequests")
            .response_ref(StatusCode::INTERNAL_SERVER_ERROR, "SchoolFailed")
            .response_ref(StatusCode::SERVICE_UNAVAILABLE, "SchoolUnavailable")
    }

    /// Shared responses by component name.
    pub(super) fn shared(&self) -> [(&'static str, Value); 10] {
        let not_modified =
            Response::new("Nothing is new: one of the tags in `If-None-Match` is still right.")
                .headers(["ETag"]);
        let limited = if self.limits_keys {
            &TOO_MANY_REQUESTS[..]
        } else {
            &TOO_MANY_REQUESTS[1..]
        };
        let error = |status, reasons| self.error(status, reasons);
        [
            ("SchoolNotModified", self.after_key(not_modified)),
            (
                "SchoolBadRequest",
                self.after_key(error(StatusCode::BAD_REQUEST, &BAD_REQUEST)),
            ),
            (
                "SchoolUnauthorized",
                error(StatusCode::UNAUTHORIZED, &UNAUTHORIZED).headers(["WWW-Authenticate"]),
            ),
            (
                "SchoolForbidden",
                self.after_key(error(StatusCode::FORBIDDEN, &FORBIDDEN[..1])),
            ),
            (
                "SchoolForbiddenPeople",
                self.after_key(error(StatusCode::FORBIDDEN, &FORBIDDEN)),
            ),
            (
                "SchoolNotAcceptable",
                self.after_key(error(StatusCode::NOT_ACCEPTABLE, &NOT_ACCEPTABLE)),
            ),
            (
                "SchoolPreconditionFailed",
                self.after_key(error(StatusCode::PRECONDITION_FAILED, &PRECONDITION)),
            ),
            (
                "SchoolTooManyRequests",
                error(StatusCode::TOO_MANY_REQUESTS, limited).headers(["Retry-After"]),
            ),
            (
                "SchoolFailed",
                error(StatusCode::INTERNAL_SERVER_ERROR, &FAILED),
            ),
            (
                "SchoolUnavailable",
                error(StatusCode::SERVICE_UNAVAILABLE, &UNAVAILABLE).headers(["Retry-After"]),
            ),
        ]
        .map(|(name, response)| (name, response.into()))
    }

    fn error(&self, status: StatusCode, reasons: &[Reason]) -> Response {
        let example = reasons.first().map_or("", |(reason, _)| reason);
        Response::error(reasons)
            .body_with_example(
                "application/json",
                self.error.clone(),
                examples::error(status, example),
            )
            .body("application/problem+json", self.problem.clone())
            .headers(["X-Request-Id", "Cache-Control"])
    }

    /// Adds the headers of responses to a valid key.
    fn after_key(&self, response: Response) -> Response {
        let response = response.headers(["Cache-Control", "Vary", "X-API-Key-Expires"]);
        if self.limits_keys {
            response.headers(headers::LIMIT)
        } else {
            response
        }
    }
}

/// Schema of a page of a list, or with `updatedSince` of some of its changes.
fn page_or_changes(field: &str, record: &Value) -> Value {
    let mut data = page_envelope(field, record.clone());
    data["properties"]["cursor"] =
        json!({ "type": "string", "description": "What `updatedSince` says the next time." });
    data["properties"]["more"] =
        json!({ "type": "boolean", "description": "Whether more has changed that is not here." });
    data["properties"]["deleted"] = json!({
        "type": "array",
        "items": { "type": "integer" },
        "description": "The ids of records that changed and are gone, or that the filters do not match: not all of them were in a copy before.",
    });
    data["dependentRequired"] = json!({ "cursor": ["more", "deleted"], "more": ["cursor", "deleted"], "deleted": ["cursor", "more"] });
    data
}

const BAD_REQUEST: [Reason; 5] = [
    (
        "parameter_invalid",
        "a value breaks its rule, which the message says",
    ),
    (
        "parameter_unknown",
        "the address has no such parameter; the message lists those that it has",
    ),
    (
        "parameter_repeated",
        "a parameter, or a parameter and its other name, is given twice",
    ),
    (
        "updated_since_unknown",
        "`updatedSince` is of a state that is not known here; start again from `0`",
    ),
    (
        "query_malformed",
        "the query has a broken percent escape, is not UTF-8, or has a value without a name",
    ),
];

const UNAUTHORIZED: [Reason; 4] = [
    ("api_key_missing", "no `X-API-KEY`"),
    ("api_key_repeated", "two of them"),
    ("api_key_invalid", "not a UUID, unknown, or revoked"),
    (
        "api_key_expired",
        "30 days have passed, or the overlap after a renewal",
    ),
];

const FORBIDDEN: [Reason; 2] = [
    ("scope_missing", "the key lacks the scope of the address"),
    (
        "field_hidden",
        "a filter or order by a field that the key does without",
    ),
];

const NOT_ACCEPTABLE: [Reason; 1] = [(
    "not_acceptable",
    "`Accept` wants none of the formats, which the message lists",
)];

const PRECONDITION: [Reason; 1] = [("precondition_failed", "`If-Match` with anything but `*`")];

/// The first reason applies only where keys are limited.
const TOO_MANY_REQUESTS: [Reason; 2] = [
    ("rate_limited", "the key has used up its limit"),
    (
        "bad_keys_limited",
        "too many keys that are not valid came from this network",
    ),
];

const FAILED: [Reason; 1] = [(
    "internal_error",
    "our fault; the cause is in the host's log only",
)];

const UNAVAILABLE: [Reason; 1] = [("service_unavailable", "the storage does not answer")];
