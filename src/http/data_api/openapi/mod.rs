//! What the data API says of itself.

mod answers;
mod examples;
mod headers;
mod parameters;

use http::StatusCode;
use serde_json::{Value, json};

use super::DataApi;
use super::route::{ADDRESSES, Route};
use crate::directory::Definition;
use crate::http::openapi::{Answer, ApiDescription, Operation, Schemas, enveloped};
use crate::http::wire::ResourceDocument;
use answers::Answers;

const ABOUT: &str = "Every answer but tables and lines of records is one object: `status`, `code`, `message`, and `data` where it succeeds, \
`reason`, `requestId` and sometimes `parameter` where it does not. Who prefers `application/problem+json` gets errors as RFC 9457 has them.\n\n\
All query parameters are optional, an empty value is an absent one, and several are ANDed. A name that the address does not know is refused, \
and so is one that is given twice.\n\n\
HEAD is answered as GET is, without the body, and OPTIONS with `Allow`.";

impl DataApi {
    /// Describes this service as it is configured: the addresses it has, its school's grades and classes, its limits.
    ///
    /// The addresses are below the public URL. Without one they are where the description is: it then has to be mounted beside the service.
    pub fn openapi(&self) -> ApiDescription {
        let settings = &self.0.settings;
        let mut schemas = Schemas::new();
        let answers = Answers::new(&mut schemas, self.0.limits.is_of_keys());
        // Relative to where the document is, which is two levels below the root of the service.
        let mut description = ApiDescription::new(settings.public_url().unwrap_or(".."), ABOUT);
        description.tag("School", "Students, clubs and projects, by the page. Each needs a key with the scope that is named.");
        description.tag("School information", "Meals, events and lessons by days, as the ministry's portal has them.");
        description.tag("Service", "What the service tells of itself, to anyone.");
        for definition in self.0.lists.definitions() {
            description.operation(definition.path, "get", read(definition, &mut schemas, &answers));
        }
        for (path, route) in ADDRESSES {
            let operation = match route {
                Route::Health => health("health", "Whether the service runs"),
                Route::Readiness => health("readiness", "Whether the service and its storage answer")
                    .answers_as(StatusCode::SERVICE_UNAVAILABLE, "SchoolUnavailable"),
                Route::Read(_) | Route::Description | Route::Methods => continue,
            };
            description.operation(path, "get", operation);
        }
        if settings.resource.is_some() {
            description.operation("/.well-known/oauth-protected-resource", "get", resource(&mut schemas));
        }
        description.components("headers", headers::all());
        description.components("responses", answers.shared());
        description.components("securitySchemes", [("ApiKey", api_key())]);
        description.schemas(schemas);
        description
    }
}

fn api_key() -> Value {
    let about = "An API key, a UUID. It is good for 30 days, and a renewed value for as long again.";
    json!({ "type": "apiKey", "in": "header", "name": "X-API-KEY", "description": about })
}

/// How a list is read.
fn read(definition: &Definition, schemas: &mut Schemas, answers: &Answers) -> Operation {
    let id = format!("list{}{}", definition.name[..1].to_ascii_uppercase(), &definition.name[1..]);
    let tag = if definition.is_paged() { "School" } else { "School information" };
    let record = schemas.object(&definition.record);
    let operation = Operation::new(&id, tag, definition.title)
        .about(format!("Needs a key with the scope `{}`.", definition.scope))
        .secured(&[("ApiKey", &[])])
        .parameters(parameters::of(definition, schemas));
    answers.of_keyed(operation.answers(StatusCode::OK, answers.found(definition, &record)), definition)
}

fn health(id: &str, summary: &str) -> Operation {
    let alive = Answer::new("It does.").body("application/json", enveloped(None)).headers(["Cache-Control"]);
    Operation::new(id, "Service", summary).answers(StatusCode::OK, alive)
}

fn resource(schemas: &mut Schemas) -> Operation {
    let found =
        Answer::new("The description.").body("application/json", schemas.of::<ResourceDocument<'static>>()).headers(["Cache-Control"]);
    Operation::new("protectedResource", "Service", "Which authorization service belongs to this one (RFC 9728)")
        .answers(StatusCode::OK, found)
}
