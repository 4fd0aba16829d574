//! OpenAPI description of the data API.

mod examples;
mod headers;
mod parameters;
mod responses;

use http::StatusCode;
use serde_json::{Value, json};

use super::DataApi;
use super::calendars;
use super::route::{FIXED_PATHS, Route};
use crate::directory::ResourceDefinition;
use crate::http::openapi::{ApiDescription, Operation, Response, Schemas, envelope};
use crate::http::protected_resource::ResourceDocument;
use responses::Responses;

const ABOUT: &str = "Every JSON response of these paths is one object with `status`, `code` and `message`. A success has `data`; an error has `reason`, `requestId` and \
sometimes `parameter`. Clients that send `Accept: application/problem+json` get errors in the format of RFC 9457.\n\n\
All query parameters are optional and combined with AND. An empty value counts as absent. Unknown and repeated parameters are refused.\n\n\
HEAD responds like GET without the body, and OPTIONS responds with `Allow`.";

impl DataApi {
    /// Describes this service as it is configured: its endpoints, the school's grades and classes,
    /// and its limits.
    ///
    /// The server URL is the public URL. Without one it is relative to the document, which then has
    /// to be mounted beside the service.
    pub fn openapi(&self) -> ApiDescription {
        let settings = &self.0.settings;
        let mut schemas = Schemas::new();
        let responses = Responses::new(&mut schemas, self.0.rate_limits.limits_keys());
        // Relative to the document, which is two levels below the root of the service.
        let mut description = ApiDescription::new(settings.public_url().unwrap_or(".."), ABOUT);
        description.tag(
            "School",
            "Students, clubs and projects, in pages. Each list needs a key with its scope.",
        );
        description.tag(
            "School information",
            "Meals, events and lessons by day, from the portal of the ministry.",
        );
        description.tag("Service", "Public information about the service.");
        for definition in self.0.lists.definitions() {
            description.operation(
                definition.path,
                "get",
                read(definition, &mut schemas, &responses),
            );
        }
        if self.0.calendars.is_some() {
            description.tag("Calendars", "The school information for calendar programs, which subscribe to an address with the token of a feed.");
            for (path, id, summary) in calendars::PATHS {
                description.operation(path, "get", responses.calendar(id, summary, path));
            }
        }
        for (path, route) in FIXED_PATHS {
            let operation = match route {
                Route::Health => health("health", "Check that the service runs"),
                Route::Readiness => health(
                    "readiness",
                    "Check that the service and its storage respond",
                )
                .response_ref(StatusCode::SERVICE_UNAVAILABLE, "SchoolUnavailable"),
                Route::List(_) | Route::Calendar(_) | Route::ResourceMetadata => continue,
            };
            description.operation(path, "get", operation);
        }
        if settings.resource.is_some() {
            description.operation(
                "/.well-known/oauth-protected-resource",
                "get",
                resource(&mut schemas),
            );
        }
        description.components("headers", headers::all());
        description.components("responses", responses.shared());
        description.components("securitySchemes", [("ApiKey", api_key())]);
        description.schemas(schemas);
        description
    }
}

fn api_key() -> Value {
    let about = "An API key, a UUID. It is valid for 30 days, and can be renewed.";
    json!({ "type": "apiKey", "in": "header", "name": "X-API-KEY", "description": about })
}

/// Describes how a list is read.
fn read(
    definition: &ResourceDefinition,
    schemas: &mut Schemas,
    responses: &Responses,
) -> Operation {
    let id = format!(
        "list{}{}",
        definition.name[..1].to_ascii_uppercase(),
        &definition.name[1..]
    );
    let tag = if definition.is_paged() {
        "School"
    } else {
        "School information"
    };
    let record = schemas.object(&definition.record);
    let operation = Operation::new(&id, tag, definition.title)
        .about(format!(
            "Needs a key with the scope `{}`.",
            definition.scope
        ))
        .security(&[("ApiKey", &[])])
        .parameters(parameters::for_list(definition, schemas));
    responses.with_errors(
        operation.response(StatusCode::OK, responses.found(definition, &record)),
        definition,
    )
}

fn health(id: &str, summary: &str) -> Operation {
    let alive = Response::new("It does.")
        .body("application/json", envelope(None))
        .headers(["Cache-Control"]);
    Operation::new(id, "Service", summary).response(StatusCode::OK, alive)
}

fn resource(schemas: &mut Schemas) -> Operation {
    let found = Response::new("The description.")
        .body(
            "application/json",
            schemas.for_type::<ResourceDocument<'static>>(),
        )
        .headers(["Cache-Control"]);
    Operation::new(
        "protectedResource",
        "Service",
        "Get the metadata of this resource, with its authorization server (RFC 9728)",
    )
    .response(StatusCode::OK, found)
}
