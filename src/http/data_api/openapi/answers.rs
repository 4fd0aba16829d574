use http::StatusCode;
use serde_json::{Value, json};

use super::{examples, headers};
use crate::http::data_api::format::Format;
use crate::http::data_api::route::Resource;
use crate::http::data_api::wire::Problem;
use crate::http::openapi::{Answer, Operation, Schemas};
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
    pub(super) fn found(&self, resource: Resource, field: &str, record: Value) -> Answer {
        let is_paged = resource.formats().len() > 1;
        let mut answer = self.after_key(Answer::new("What was found."));
        for format in resource.formats() {
            answer = match format {
                Format::Json => {
                    answer.body_such_as(format.media_type(), envelope(is_paged, field, record.clone()), examples::found(resource))
                }
                // A table and lines have no schema as a whole.
                Format::Csv | Format::Lines => answer.body(format.media_type(), json!({ "type": "string" })),
            };
        }
        let answer = answer.headers(["ETag"]);
        if is_paged { answer.headers(["Link", "X-Total-Count"]) } else { answer }
    }

    /// Every refusal of an address that needs a key.
    pub(super) fn of_keyed(&self, operation: Operation, resource: Resource) -> Operation {
        let not_modified = self.after_key(Answer::new("Nothing is new: one of the tags in `If-None-Match` is still right.")).headers(["ETag"]);
        let mut forbidden = vec![("scope_missing", "the key lacks the scope of the address")];
        if resource == Resource::Students {
            forbidden.push(("field_hidden", "a filter or order by a field that the key does without"));
        }
        let mut limited = vec![("bad_keys_limited", "too many keys that are not valid came from this network")];
        if self.limits {
            limited.push(("rate_limited", "the key has used up its limit"));
        }
        let operation = operation
            .answers(StatusCode::NOT_MODIFIED, not_modified)
            .answers(StatusCode::BAD_REQUEST, self.after_key(self.refusal(StatusCode::BAD_REQUEST, &BAD_REQUEST)))
            .answers(StatusCode::UNAUTHORIZED, self.refusal(StatusCode::UNAUTHORIZED, &UNAUTHORIZED).headers(["WWW-Authenticate"]))
            .answers(StatusCode::FORBIDDEN, self.after_key(self.refusal(StatusCode::FORBIDDEN, &forbidden)))
            .answers(StatusCode::NOT_ACCEPTABLE, self.after_key(self.refusal(StatusCode::NOT_ACCEPTABLE, &NOT_ACCEPTABLE)))
            .answers(StatusCode::PRECONDITION_FAILED, self.after_key(self.refusal(StatusCode::PRECONDITION_FAILED, &PRECONDITION)))
            .answers(StatusCode::TOO_MANY_REQUESTS, self.refusal(StatusCode::TOO_MANY_REQUESTS, &limited).headers(["Retry-After"]));
        operation
            .answers(StatusCode::INTERNAL_SERVER_ERROR, self.failed())
            .answers(StatusCode::SERVICE_UNAVAILABLE, self.unavailable())
    }

    /// 500.
    pub(super) fn failed(&self) -> Answer {
        self.refusal(StatusCode::INTERNAL_SERVER_ERROR, &[("internal_error", "our fault; the cause is in the host's log only")])
    }

    /// 503.
    pub(super) fn unavailable(&self) -> Answer {
        self.refusal(StatusCode::SERVICE_UNAVAILABLE, &[("service_unavailable", "the storage does not answer")]).headers(["Retry-After"])
    }

    fn refusal(&self, status: StatusCode, reasons: &[Reason]) -> Answer {
        let lines: Vec<String> = reasons.iter().map(|(reason, when)| format!("* `{reason}`: {when}")).collect();
        let (reason, _) = reasons[0];
        Answer::new(format!("Refused, for one of these reasons:\n\n{}", lines.join("\n")))
            .body_such_as("application/json", self.error.clone(), examples::error(status, reason))
            .body("application/problem+json", self.problem.clone())
            .headers(["X-Request-Id"])
    }

    /// An answer to somebody with a good key, which tells of the key and its limit.
    fn after_key(&self, answer: Answer) -> Answer {
        let answer = answer.headers(["Cache-Control", "Vary", "X-API-Key-Expires"]);
        if self.limits { answer.headers(headers::LIMIT) } else { answer }
    }
}

const BAD_REQUEST: [Reason; 4] = [
    ("parameter_invalid", "a value breaks its rule, which the message says"),
    ("parameter_unknown", "the address has no such parameter; the message lists those that it has"),
    ("parameter_repeated", "a parameter, or a parameter and its other name, is given twice"),
    ("query_malformed", "the query has a broken percent escape, is not UTF-8, or has a value without a name"),
];

const UNAUTHORIZED: [Reason; 4] = [
    ("api_key_missing", "no `X-API-KEY`"),
    ("api_key_repeated", "two of them"),
    ("api_key_invalid", "not a UUID, unknown, or revoked"),
    ("api_key_expired", "30 days have passed, or the overlap after a renewal"),
];

const NOT_ACCEPTABLE: [Reason; 1] = [("not_acceptable", "`Accept` wants none of the formats, which the message lists")];

const PRECONDITION: [Reason; 1] = [("precondition_failed", "`If-Match` with anything but `*`")];

/// The success envelope without anything in it.
pub(super) fn alive() -> Answer {
    Answer::new("It does.").body("application/json", enveloped(None))
}

/// The success envelope around records, with the totals of all pages if there are such.
fn envelope(is_paged: bool, field: &str, record: Value) -> Value {
    let mut data = json!({
        "type": "object",
        "properties": { field: { "type": "array", "items": record } },
        "required": [field],
    });
    if is_paged {
        data["properties"]["totalPages"] = json!({ "type": "integer", "minimum": 0 });
        data["properties"]["totalElements"] = json!({ "type": "integer", "minimum": 0 });
        data["required"] = json!(["totalPages", "totalElements", field]);
    }
    enveloped(Some(data))
}

fn enveloped(data: Option<Value>) -> Value {
    let mut schema = json!({
        "type": "object",
        "properties": { "status": { "const": "OK" }, "code": { "const": 200 }, "message": { "const": "OK" } },
        "required": ["status", "code", "message"],
    });
    if let Some(data) = data {
        schema["properties"]["data"] = data;
        schema["required"] = json!(["status", "code", "message", "data"]);
    }
    schema
}
