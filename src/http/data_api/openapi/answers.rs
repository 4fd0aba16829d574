use http::StatusCode;
use serde_json::{Value, json};

use super::{examples, headers};
use crate::directory::Definition;
use crate::http::data_api::format::Format;
use crate::http::data_api::wire::Problem;
use crate::http::openapi::{Answer, Operation, Schemas, enveloped, page_of};
use crate::http::wire::ErrorBody;

/// What the addresses answer, as far as they have it in common.
pub(super) struct Answers {
    error: Value,
    problem: Value,
    limits: bool,
}

/// A reason, and when it is given.
type Reason = (&'static str, &'static str);

impl Answers {
    /// With or without what a limit on keys brings.
    pub(super) fn new(schemas: &mut Schemas, limits: bool) -> Self {
        Self { error: schemas.of::<ErrorBody<'static>>(), problem: schemas.of::<Problem<'static>>(), limits }
    }

    /// The records that were asked for.
    pub(super) fn found(&self, definition: &Definition, record: &Value) -> Answer {
        let field = definition.name;
        let data = if definition.is_paged() {
            page_or_changes(field, record)
        } else {
            json!({ "type": "object", "properties": { field: { "type": "array", "items": record } }, "required": [field] })
        };
        let json = Format::Json.media_type();
        let answer = self.after_key(Answer::new("What was found.")).headers(["ETag"]);
        let answer = answer.body_such_as(json, enveloped(Some(data)), examples::found(definition));
        if !definition.is_paged() {
            return answer;
        }
        // A table and lines have no schema as a whole.
        let rows = [Format::Csv, Format::Lines];
        let answer = rows.iter().fold(answer, |answer, format| answer.body(format.media_type(), json!({ "type": "string" })));
        answer.headers(["Link", "X-Total-Count"])
    }

    /// The operation with every refusal of an address that needs a key.
    pub(super) fn of_keyed(&self, operation: Operation, definition: &Definition) -> Operation {
        let is_personal = definition.parameters.iter().any(|parameter| parameter.personal.is_some());
        let forbidden = if is_personal { "SchoolForbiddenPeople" } else { "SchoolForbidden" };
        operation
            .answers_as(StatusCode::NOT_MODIFIED, "SchoolNotModified")
            .answers_as(StatusCode::BAD_REQUEST, "SchoolBadRequest")
            .answers_as(StatusCode::UNAUTHORIZED, "SchoolUnauthorized")
            .answers_as(StatusCode::FORBIDDEN, forbidden)
            .answers_as(StatusCode::NOT_ACCEPTABLE, "SchoolNotAcceptable")
            .answers_as(StatusCode::PRECONDITION_FAILED, "SchoolPreconditionFailed")
            .answers_as(StatusCode::TOO_MANY_REQUESTS, "SchoolTooManyRequests")
            .answers_as(StatusCode::INTERNAL_SERVER_ERROR, "SchoolFailed")
            .answers_as(StatusCode::SERVICE_UNAVAILABLE, "SchoolUnavailable")
    }

    /// What the operations have in common, under the names that they give it.
    pub(super) fn shared(&self) -> [(&'static str, Value); 10] {
        let not_modified = Answer::new("Nothing is new: one of the tags in `If-None-Match` is still right.").headers(["ETag"]);
        let limited = if self.limits { &TOO_MANY_REQUESTS[..] } else { &TOO_MANY_REQUESTS[1..] };
        let refusal = |status, reasons| self.refusal(status, reasons);
        [
            ("SchoolNotModified", self.after_key(not_modified)),
            ("SchoolBadRequest", self.after_key(refusal(StatusCode::BAD_REQUEST, &BAD_REQUEST))),
            ("SchoolUnauthorized", refusal(StatusCode::UNAUTHORIZED, &UNAUTHORIZED).headers(["WWW-Authenticate"])),
            ("SchoolForbidden", self.after_key(refusal(StatusCode::FORBIDDEN, &FORBIDDEN[..1]))),
            ("SchoolForbiddenPeople", self.after_key(refusal(StatusCode::FORBIDDEN, &FORBIDDEN))),
            ("SchoolNotAcceptable", self.after_key(refusal(StatusCode::NOT_ACCEPTABLE, &NOT_ACCEPTABLE))),
            ("SchoolPreconditionFailed", self.after_key(refusal(StatusCode::PRECONDITION_FAILED, &PRECONDITION))),
            ("SchoolTooManyRequests", refusal(StatusCode::TOO_MANY_REQUESTS, limited).headers(["Retry-After"])),
            ("SchoolFailed", refusal(StatusCode::INTERNAL_SERVER_ERROR, &FAILED)),
            ("SchoolUnavailable", refusal(StatusCode::SERVICE_UNAVAILABLE, &UNAVAILABLE).headers(["Retry-After"])),
        ]
        .map(|(name, answer)| (name, answer.into()))
    }

    fn refusal(&self, status: StatusCode, reasons: &[Reason]) -> Answer {
        let example = reasons.first().map_or("", |(reason, _)| reason);
        Answer::refusal(reasons)
            .body_such_as("application/json", self.error.clone(), examples::error(status, example))
            .body("application/problem+json", self.problem.clone())
            .headers(["X-Request-Id", "Cache-Control"])
    }

    /// An answer to somebody with a good key, which tells of the key and its limit.
    fn after_key(&self, answer: Answer) -> Answer {
        let answer = answer.headers(["Cache-Control", "Vary", "X-API-Key-Expires"]);
        if self.limits { answer.headers(headers::LIMIT) } else { answer }
    }
}

/// A page of a list, or with `updatedSince` some of what changed in it.
fn page_or_changes(field: &str, record: &Value) -> Value {
    let mut data = page_of(field, record.clone());
    data["properties"]["cursor"] = json!({ "type": "string", "description": "What `updatedSince` says the next time." });
    data["properties"]["more"] = json!({ "type": "boolean", "description": "Whether more has changed that is not here." });
    data["properties"]["deleted"] = json!({
        "type": "array",
        "items": { "type": "integer" },
        "description": "The ids of records that changed and are gone, or that the filters do not match: not all of them were in a copy before.",
    });
    data["dependentRequired"] = json!({ "cursor": ["more", "deleted"], "more": ["cursor", "deleted"], "deleted": ["cursor", "more"] });
    data
}

const BAD_REQUEST: [Reason; 5] = [
    ("parameter_invalid", "a value breaks its rule, which the message says"),
    ("parameter_unknown", "the address has no such parameter; the message lists those that it has"),
    ("parameter_repeated", "a parameter, or a parameter and its other name, is given twice"),
    ("updated_since_unknown", "`updatedSince` is of a state that is not known here; start again from `0`"),
    ("query_malformed", "the query has a broken percent escape, is not UTF-8, or has a value without a name"),
];

const UNAUTHORIZED: [Reason; 4] = [
    ("api_key_missing", "no `X-API-KEY`"),
    ("api_key_repeated", "two of them"),
    ("api_key_invalid", "not a UUID, unknown, or revoked"),
    ("api_key_expired", "30 days have passed, or the overlap after a renewal"),
];

const FORBIDDEN: [Reason; 2] = [
    ("scope_missing", "the key lacks the scope of the address"),
    ("field_hidden", "a filter or order by a field that the key does without"),
];

const NOT_ACCEPTABLE: [Reason; 1] = [("not_acceptable", "`Accept` wants none of the formats, which the message lists")];

const PRECONDITION: [Reason; 1] = [("precondition_failed", "`If-Match` with anything but `*`")];

/// The first one where keys are limited.
const TOO_MANY_REQUESTS: [Reason; 2] =
    [("rate_limited", "the key has used up its limit"), ("bad_keys_limited", "too many keys that are not valid came from this network")];

const FAILED: [Reason; 1] = [("internal_error", "our fault; the cause is in the host's log only")];

const UNAVAILABLE: [Reason; 1] = [("service_unavailable", "the storage does not answer")];
