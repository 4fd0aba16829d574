use http::StatusCode;
use serde_json::{Value, json};

use super::{examples, headers};
use crate::directory::ResourceDefinition;
use crate::http::data_api::ErrorReason;
use crate::http::data_api::format::Format;
use crate::http::data_api::wire::Problem;
use crate::http::openapi::{
    Operation, Parameter, Response, Schemas, envelope, integer, page_envelope,
};
use crate::http::wire::ErrorBody;

/// Responses that the endpoints share.
pub(super) struct Responses {
    error: Value,
    problem: Value,
    limits_keys: bool,
}

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
            .after_key(Response::new("The records."))
            .headers(["ETag", "X-Data-As-Of"]);
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

    /// Describes how a calendar is read.
    pub(super) fn calendar(&self, id: &str, summary: &str, path: &str) -> Operation {
        let found = self
            .after_key(Response::new("The calendar (RFC 5545)."))
            .body(Format::ICalendar.media_type(), json!({ "type": "string" }))
            .headers(["ETag"]);
        let token = json!({ "type": "string", "pattern": "^cal_[A-Za-z0-9_-]{43}$" });
        let about = "The token of a calendar feed, created on the page of an API key.";
        let mut parameters = vec![Parameter::path("token", token, about)];
        if path.contains("{grade}") {
            let grade = Parameter::path("grade", integer(1, 12), "The grade.");
            let class = Parameter::path("classNum", integer(1, 99), "The class inside the grade.");
            parameters.extend([grade, class]);
        }
        Operation::new(id, "Calendars", summary)
            .about("Needs no API key. The token belongs to a key with the scope `NEIS_READ` and is valid as long as the key.")
            .parameters(parameters)
            .response(StatusCode::OK, found)
            .response_ref(StatusCode::NOT_MODIFIED, "SchoolNotModified")
            .response(
                StatusCode::NOT_FOUND,
                self.error(StatusCode::NOT_FOUND, None),
            )
            .response_ref(StatusCode::PRECONDITION_FAILED, "SchoolPreconditionFailed")
            .response_ref(StatusCode::TOO_MANY_REQUESTS, "SchoolTooManyRequests")
            .response_ref(StatusCode::INTERNAL_SERVER_ERROR, "SchoolFailed")
            .response_ref(StatusCode::SERVICE_UNAVAILABLE, "SchoolUnavailable")
    }

    /// Shared responses by component name.
    pub(super) fn shared(&self) -> [(&'static str, Value); 10] {
        let not_modified = Response::new("Not modified: a tag in `If-None-Match` still matches.")
            .headers(["ETag", "X-Data-As-Of"]);
        let error = |status| self.error(status, None);
        let without = |reason: ErrorReason| self.error(reason.status(), Some(reason));
        let limited = if self.limits_keys {
            error(StatusCode::TOO_MANY_REQUESTS)
        } else {
            without(ErrorReason::RateLimited)
        };
        [
            ("SchoolNotModified", self.after_key(not_modified)),
            (
                "SchoolBadRequest",
                self.after_key(error(StatusCode::BAD_REQUEST)),
            ),
            (
                "SchoolUnauthorized",
                error(StatusCode::UNAUTHORIZED).headers(["WWW-Authenticate"]),
            ),
            (
                "SchoolForbidden",
                self.after_key(without(ErrorReason::FieldHidden)),
            ),
            (
                "SchoolForbiddenPeople",
                self.after_key(error(StatusCode::FORBIDDEN)),
            ),
            (
                "SchoolNotAcceptable",
                self.after_key(error(StatusCode::NOT_ACCEPTABLE)),
            ),
            (
                "SchoolPreconditionFailed",
                self.after_key(error(StatusCode::PRECONDITION_FAILED)),
            ),
            ("SchoolTooManyRequests", limited.headers(["Retry-After"])),
            ("SchoolFailed", error(StatusCode::INTERNAL_SERVER_ERROR)),
            (
                "SchoolUnavailable",
                error(StatusCode::SERVICE_UNAVAILABLE).headers(["Retry-After"]),
            ),
        ]
        .map(|(name, response)| (name, response.into()))
    }

    /// The errors of a status, without the reason that does not apply.
    fn error(&self, status: StatusCode, omitted: Option<ErrorReason>) -> Response {
        let reasons: Vec<_> = ErrorReason::ALL
            .iter()
            .filter(|reason| reason.status() == status && Some(**reason) != omitted)
            .map(|reason| (reason.as_str(), reason.condition()))
            .collect();
        let example = reasons.first().map_or("", |(reason, _)| reason);
        Response::error(&reasons)
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
    data["properties"]["cursor"] = json!({ "type": "string", "description": "The value of `updatedSince` for the next request." });
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
