use http::StatusCode;
use serde_json::{Value, json};

use super::answers::COMMON_HEADERS;
use super::bodies;
use crate::domain::{ApiScope, ApiScopes, PageRequest, Scope};
use crate::http::auth_server::management::clients::{AWAITING, REVIEW};
use crate::http::auth_server::management::wire::{
    ApiKeyBody, ApplicationBody, AvailableScope, ClientBody, GrantBody, ScopeBody, ScopeClientBody,
};
use crate::http::openapi::{
    ApiDescription, Operation, Parameter, Response, Schemas, envelope, integer, page_envelope, uuid,
};

/// The parts of the management API that have a store.
#[derive(Clone, Copy)]
pub(super) struct Managed<'a> {
    /// Applications, scopes and clients.
    pub(super) registry: bool,
    /// API keys, with the scopes that they can have.
    pub(super) api_scopes: Option<&'a ApiScopes>,
    /// Users' grants.
    pub(super) grants: bool,
}

impl Managed<'_> {
    /// Whether the server manages anything.
    pub(super) fn has_any(&self) -> bool {
        self.registry || self.api_scopes.is_some() || self.grants
    }
}

/// Describes the management API.
pub(super) fn describe(
    description: &mut ApiDescription,
    schemas: &mut Schemas,
    managed: Managed<'_>,
) {
    if managed.registry {
        description.tag("Applications", "Applications and the scopes that they define. New ones belong to the user of the token.");
        description.tag(
            "Clients",
            "Clients, which request scopes, and their secrets.",
        );
        applications(description, schemas);
        scopes(description, schemas);
        clients(description, schemas);
    }
    if let Some(api_scopes) = managed.api_scopes {
        description.tag("API keys", "Keys of the data API.");
        keys(description, schemas);
        // Comes after the types that refer to it, because it replaces their placeholder.
        schemas.string_enum(
            "ApiScope",
            &api_scopes.iter().map(ApiScope::as_str).collect::<Vec<_>>(),
        );
    }
    if managed.grants {
        grants(description, schemas);
    }
}

fn grants(description: &mut ApiDescription, schemas: &mut Schemas) {
    description.tag(
        "Grants",
        "Clients that have access to the account of the user.",
    );
    let grants = json!({ "type": "object", "properties": { "grants": { "type": "array", "items": schemas.for_type::<GrantBody>() } },
        "required": ["grants"] });
    description.operation(
        "/v1/grants",
        "get",
        read_operation(
            "listGrants",
            "Grants",
            "List the clients with access, at most 200",
            &[],
        )
        .shows(grants),
    );
    description.operation(
        "/v1/grants/{id}",
        "delete",
        read_operation("withdrawGrant", "Grants", "Revoke a grant", &[ID]).done(),
    );
}

fn applications(description: &mut ApiDescription, schemas: &mut Schemas) {
    const TAG: &str = "Applications";
    let one = schemas.for_type::<ApplicationBody>();
    let list = read_operation(
        "listApplications",
        TAG,
        "List applications: your own, or all for an administrator",
        &[],
    );
    description.operation("/v1/applications", "get", list.pages("applications", &one));
    let create = write_operation("createApplication", TAG, "Create an application", &[])
        .takes(bodies::application(&["name"]))
        .conflicts();
    let next = [
        "showApplication",
        "changeApplication",
        "deleteApplication",
        "listScopes",
        "createScope",
    ];
    description.operation(
        "/v1/applications",
        "post",
        create.leads_to(&next, SHOWN).shows(one.clone()),
    );
    const PATH: &str = "/v1/applications/{id}";
    let show = read_operation(
        "showApplication",
        TAG,
        "Get an application with its first thousand scopes",
        &[APPLICATION],
    );
    description.operation(PATH, "get", show.shows(one.clone()));
    let change = write_operation(
        "changeApplication",
        TAG,
        "Rename an application",
        &[APPLICATION],
    )
    .takes(bodies::application(&[]));
    description.operation(PATH, "patch", change.shows(one));
    let delete = write_operation(
        "deleteApplication",
        TAG,
        "Delete an application with its scopes",
        &[APPLICATION],
    );
    description.operation(PATH, "delete", delete.done());
}

fn scopes(description: &mut ApiDescription, schemas: &mut Schemas) {
    const TAG: &str = "Applications";
    let one = schemas.for_type::<ScopeBody>();
    const PATH: &str = "/v1/applications/{id}/scopes";
    description.operation(
        PATH,
        "get",
        read_operation(
            "listScopes",
            TAG,
            "List the scopes of an application",
            &[APPLICATION],
        )
        .pages("scopes", &one),
    );
    let create = write_operation("createScope", TAG, "Create a scope", &[APPLICATION])
        .takes(bodies::new_scope())
        .conflicts();
    let shown = [
        ("id", "$request.path.id"),
        ("scopeId", "$response.body#/data/id"),
    ];
    let create = create.leads_to(&["changeScope", "deleteScope", "listScopeClients"], &shown);
    description.operation(PATH, "post", create.shows(one.clone()));
    const SCOPE: (&str, &str) = ("scopeId", "The id of the scope.");
    let path = "/v1/applications/{id}/scopes/{scopeId}";
    let change = write_operation(
        "changeScope",
        TAG,
        "Update a scope. Its name cannot change",
        &[APPLICATION, SCOPE],
    )
    .takes(bodies::scope());
    description.operation(path, "patch", change.shows(one));
    description.operation(
        path,
        "delete",
        write_operation("deleteScope", TAG, "Delete a scope", &[APPLICATION, SCOPE]).done(),
    );
    let path = "/v1/applications/{id}/scopes/{scopeId}/clients";
    let list = read_operation(
        "listScopeClients",
        TAG,
        "List the clients that use a scope or are approved for it",
        &[APPLICATION, SCOPE],
    );
    description.operation(
        path,
        "get",
        list.pages("clients", &schemas.for_type::<ScopeClientBody>()),
    );
    const CLIENT: (&str, &str) = ("clientId", "The id of the client.");
    let path = "/v1/applications/{id}/scopes/{scopeId}/clients/{clientId}";
    let approve = write_operation(
        "approveScopeClient",
        TAG,
        "Approve a client for a scope",
        &[APPLICATION, SCOPE, CLIENT],
    );
    description.operation(path, "put", approve.done());
    let withdraw = write_operation(
        "withdrawScopeClient",
        TAG,
        "Remove a scope from a client",
        &[APPLICATION, SCOPE, CLIENT],
    );
    description.operation(path, "delete", withdraw.done());
}

fn clients(description: &mut ApiDescription, schemas: &mut Schemas) {
    const TAG: &str = "Clients";
    let one = schemas.for_type::<ClientBody>();
    let mut list = read_operation(
        "listClients",
        TAG,
        "List clients: your own, or all for an administrator",
        &[],
    );
    let about = "Only for administrators: `awaiting` selects the clients that no administrator has verified, including those that count as verified.";
    list.parameters.push(Parameter::query(
        REVIEW,
        json!({ "type": "string", "enum": [AWAITING] }),
        about,
    ));
    description.operation("/v1/clients", "get", list.pages("clients", &one));
    let body = bodies::client(schemas, &["name", "redirectUris", "allowedScopes"]);
    let create = write_operation(
        "createClient",
        TAG,
        "Register a client. Its secret is only in this response",
        &[],
    )
    .takes(body)
    .conflicts();
    let next = [
        "showClient",
        "changeClient",
        "deleteClient",
        "addClientSecret",
        "removeOlderSecret",
    ];
    description.operation(
        "/v1/clients",
        "post",
        create.leads_to(&next, SHOWN).shows(one.clone()),
    );
    let available = read_operation("listAvailableScopes", TAG, "List all scopes", &[]);
    description.operation(
        "/v1/clients/available-scopes",
        "get",
        available.pages("scopes", &schemas.for_type::<AvailableScope>()),
    );
    const PATH: &str = "/v1/clients/{id}";
    description.operation(
        PATH,
        "get",
        read_operation("showClient", TAG, "A client", &[ID]).shows(one.clone()),
    );
    let change = write_operation("changeClient", TAG, "Update a client", &[ID])
        .takes(bodies::client(schemas, &[]));
    description.operation(PATH, "patch", change.conflicts().shows(one.clone()));
    description.operation(
        PATH,
        "delete",
        write_operation(
            "deleteClient",
            TAG,
            "Delete a client with its grants",
            &[ID],
        )
        .conflicts()
        .done(),
    );
    let give = write_operation(
        "setClientOwner",
        TAG,
        "Transfer a client to another owner and end its suspension. Only for administrators",
        &[ID],
    );
    description.operation(
        "/v1/clients/{id}/owner",
        "post",
        give.takes(bodies::owner()).shows(one.clone()),
    );
    let add = write_operation(
        "addClientSecret",
        TAG,
        "Create a client secret. It is only in this response, and a third removes the oldest",
        &[ID],
    );
    description.operation(
        "/v1/clients/{id}/secrets",
        "post",
        add.conflicts().shows(one),
    );
    let older = read_operation(
        "removeOlderSecret",
        TAG,
        "Delete the older client secret",
        &[ID],
    );
    description.operation("/v1/clients/{id}/secrets/older", "delete", older.done());
}

fn keys(description: &mut ApiDescription, schemas: &mut Schemas) {
    const TAG: &str = "API keys";
    let one = schemas.for_type::<ApiKeyBody>();
    let list = read_operation(
        "listApiKeys",
        TAG,
        "List API keys: your own, or all for an administrator",
        &[],
    );
    description.operation("/v1/api-keys", "get", list.pages("apiKeys", &one));
    let issue = write_operation(
        "issueApiKey",
        TAG,
        "Create an API key. Its value is only in this response",
        &[],
    )
    .takes(bodies::api_key(schemas, &["description", "scopes"]));
    let issue = issue
        .conflicts()
        .leads_to(&["renewApiKey", "revokeApiKey"], SHOWN);
    description.operation("/v1/api-keys", "post", issue.shows(one.clone()));
    let change = write_operation(
        "changeApiKey",
        TAG,
        "Update an API key. Owners can only reduce its access",
        &[ID],
    )
    .takes(bodies::api_key(schemas, &[]));
    description.operation(
        "/v1/api-keys/{id}",
        "patch",
        change.conflicts().shows(one.clone()),
    );
    let revoke = read_operation(
        "revokeApiKey",
        TAG,
        "Revoke an API key with all its values",
        &[ID],
    );
    description.operation("/v1/api-keys/{id}", "delete", revoke.done());
    let renew = write_operation(
        "renewApiKey",
        TAG,
        "Renew an API key. Its new value is only in this response",
        &[ID],
    )
    .may_take(bodies::renewal());
    description.operation("/v1/api-keys/{id}/renew", "post", renew.shows(one));
}

/// Link from a response to operations on the returned object, by its id.
const SHOWN: &[(&str, &str)] = &[("id", "$response.body#/data/id")];

const ID: (&str, &str) = ("id", "The id.");

/// An application's id; the service's own application has a different kind of id.
const APPLICATION: (&str, &str) = ("id", "The id of the application, a UUID or `service`.");

/// A management operation without its response body.
struct ManagementOperation {
    operation: Operation,
    parameters: Vec<Parameter>,
    success: Response,
}

fn read_operation(
    id: &str,
    tag: &str,
    summary: &str,
    path: &[(&str, &str)],
) -> ManagementOperation {
    let mut operation = Operation::new(id, tag, summary)
        .security(&[("OAuth2", &[&Scope::manage().to_string()])])
        .response_ref(StatusCode::BAD_REQUEST, "ManagedBadRequest")
        .response_ref(StatusCode::UNAUTHORIZED, "ManagedUnauthorized")
        .response_ref(StatusCode::FORBIDDEN, "ManagedForbidden")
        .response_ref(StatusCode::INTERNAL_SERVER_ERROR, "ManagedFailed")
        .response_ref(StatusCode::SERVICE_UNAVAILABLE, "ManagedUnavailable");
    if !path.is_empty() {
        operation = operation.response_ref(StatusCode::NOT_FOUND, "ManagedNotFound");
    }
    let id_schema = |name: &(&str, &str)| {
        if *name == APPLICATION {
            json!({ "type": "string" })
        } else {
            uuid()
        }
    };
    let parameters = path
        .iter()
        .map(|named| Parameter::path(named.0, id_schema(named), named.1))
        .collect();
    ManagementOperation {
        operation,
        parameters,
        success: Response::new("Success.").headers(COMMON_HEADERS),
    }
}

/// A write operation, which is rate limited.
fn write_operation(
    id: &str,
    tag: &str,
    summary: &str,
    path: &[(&str, &str)],
) -> ManagementOperation {
    let base = read_operation(id, tag, summary, path);
    ManagementOperation {
        operation: base
            .operation
            .response_ref(StatusCode::TOO_MANY_REQUESTS, "ManagedTooManyRequests"),
        ..base
    }
}

impl ManagementOperation {
    fn takes(self, body: Value) -> Self {
        Self {
            operation: self
                .operation
                .request_body(true, &[("application/json", body)]),
            ..self
        }
    }

    /// An optional body.
    fn may_take(self, body: Value) -> Self {
        Self {
            operation: self
                .operation
                .request_body(false, &[("application/json", body)]),
            ..self
        }
    }

    fn conflicts(self) -> Self {
        Self {
            operation: self
                .operation
                .response_ref(StatusCode::CONFLICT, "ManagedConflict"),
            ..self
        }
    }

    /// Adds links to operations on the returned object.
    fn leads_to(self, operations: &[&str], parameters: &[(&str, &str)]) -> Self {
        let success = operations.iter().fold(self.success, |success, operation| {
            success.link(operation, parameters)
        });
        Self { success, ..self }
    }

    /// Adds a success response with data in the envelope.
    fn shows(self, data: Value) -> Operation {
        let success = self.success.body("application/json", envelope(Some(data)));
        self.operation
            .parameters(self.parameters)
            .response(StatusCode::OK, success)
    }

    /// Adds a success response without data.
    fn done(self) -> Operation {
        self.shows(json!({ "type": "object" }))
    }

    /// Adds a success response with a page of records.
    fn pages(mut self, field: &str, record: &Value) -> Operation {
        let mut sizes = integer(1, i64::from(PageRequest::MAX_SIZE));
        sizes["default"] = json!(100);
        self.parameters.push(Parameter::query(
            "page",
            integer(0, i64::from(i32::MAX)),
            "The page, counted from 0.",
        ));
        self.parameters
            .push(Parameter::query("size", sizes, "Records per page."));
        self.shows(page_envelope(field, record.clone()))
    }
}
