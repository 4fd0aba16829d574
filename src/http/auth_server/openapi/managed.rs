use http::StatusCode;
use serde_json::{Value, json};

use super::answers::EVERY;
use super::bodies;
use crate::domain::{ApiScope, ApiScopes, PageRequest, Scope};
use crate::http::auth_server::manage::clients::{AWAITING, REVIEW};
use crate::http::auth_server::manage::wire::{
    ApiKeyBody, ApplicationBody, AvailableScope, ClientBody, GrantBody, ScopeBody, ScopeClientBody,
};
use crate::http::openapi::{Answer, ApiDescription, Operation, Parameter, Schemas, enveloped, page_of, uuid, whole_number};

/// Describes what consoles manage; keys of the data API only where they are, with the scopes that they can have.
pub(super) fn describe(description: &mut ApiDescription, schemas: &mut Schemas, api_scopes: Option<&ApiScopes>) {
    description.tag("Applications", "Applications and the scopes that they define. What is made belongs to the user of the token.");
    description.tag("Clients", "Clients, which ask for scopes, and their secrets.");
    applications(description, schemas);
    scopes(description, schemas);
    clients(description, schemas);
    if let Some(api_scopes) = api_scopes {
        description.tag("API keys", "Keys of the data API.");
        keys(description, schemas);
        // After the types that refer to it, whose placeholder it replaces.
        schemas.words("ApiScope", &api_scopes.iter().map(ApiScope::as_str).collect::<Vec<_>>());
    }
    description.tag("Grants", "What has access in the name of the user.");
    let grants = json!({ "type": "object", "properties": { "grants": { "type": "array", "items": schemas.of::<GrantBody>() } },
        "required": ["grants"] });
    description.operation("/v1/grants", "get", managed("listGrants", "Grants", "What has access, at most 200", &[]).shows(grants));
    description.operation("/v1/grants/{id}", "delete", managed("withdrawGrant", "Grants", "Ends a grant", &[ID]).done());
}

fn applications(description: &mut ApiDescription, schemas: &mut Schemas) {
    const TAG: &str = "Applications";
    let one = schemas.of::<ApplicationBody>();
    let list = managed("listApplications", TAG, "One's own applications; an administrator sees everybody's", &[]);
    description.operation("/v1/applications", "get", list.pages("applications", &one));
    let create = changing("createApplication", TAG, "Registers an application", &[]).takes(bodies::application(&["name"])).conflicts();
    let next = ["showApplication", "changeApplication", "deleteApplication", "listScopes", "createScope"];
    description.operation("/v1/applications", "post", create.leads_to(&next, SHOWN).shows(one.clone()));
    const PATH: &str = "/v1/applications/{id}";
    let show = managed("showApplication", TAG, "An application, with the first thousand of its scopes", &[APPLICATION]);
    description.operation(PATH, "get", show.shows(one.clone()));
    let change = changing("changeApplication", TAG, "Renames an application", &[APPLICATION]).takes(bodies::application(&[]));
    description.operation(PATH, "patch", change.shows(one));
    let delete = changing("deleteApplication", TAG, "Deletes an application with its scopes", &[APPLICATION]);
    description.operation(PATH, "delete", delete.done());
}

fn scopes(description: &mut ApiDescription, schemas: &mut Schemas) {
    const TAG: &str = "Applications";
    let one = schemas.of::<ScopeBody>();
    const PATH: &str = "/v1/applications/{id}/scopes";
    description.operation(PATH, "get", managed("listScopes", TAG, "Its scopes", &[APPLICATION]).pages("scopes", &one));
    let create = changing("createScope", TAG, "Adds a scope", &[APPLICATION]).takes(bodies::new_scope()).conflicts();
    let shown = [("id", "$request.path.id"), ("scopeId", "$response.body#/data/id")];
    let create = create.leads_to(&["changeScope", "deleteScope", "listScopeClients"], &shown);
    description.operation(PATH, "post", create.shows(one.clone()));
    const SCOPE: (&str, &str) = ("scopeId", "The id of the scope.");
    let path = "/v1/applications/{id}/scopes/{scopeId}";
    let change = changing("changeScope", TAG, "Changes a scope; its name stays", &[APPLICATION, SCOPE]).takes(bodies::scope());
    description.operation(path, "patch", change.shows(one));
    description.operation(path, "delete", changing("deleteScope", TAG, "Deletes a scope", &[APPLICATION, SCOPE]).done());
    let path = "/v1/applications/{id}/scopes/{scopeId}/clients";
    let list = managed("listScopeClients", TAG, "The clients that list the scope or were approved for it", &[APPLICATION, SCOPE]);
    description.operation(path, "get", list.pages("clients", &schemas.of::<ScopeClientBody>()));
    const CLIENT: (&str, &str) = ("clientId", "The id of the client.");
    let path = "/v1/applications/{id}/scopes/{scopeId}/clients/{clientId}";
    let approve = changing("approveScopeClient", TAG, "Approves a client for the scope", &[APPLICATION, SCOPE, CLIENT]);
    description.operation(path, "put", approve.done());
    let withdraw = changing("withdrawScopeClient", TAG, "Takes the scope from a client", &[APPLICATION, SCOPE, CLIENT]);
    description.operation(path, "delete", withdraw.done());
}

fn clients(description: &mut ApiDescription, schemas: &mut Schemas) {
    const TAG: &str = "Clients";
    let one = schemas.of::<ClientBody>();
    let mut list = managed("listClients", TAG, "One's own clients; an administrator sees everybody's", &[]);
    let about =
        "For administrators: `awaiting` selects the clients that none has verified, those that count as verified without that included.";
    list.parameters.push(Parameter::query(REVIEW, json!({ "type": "string", "enum": [AWAITING] }), about));
    description.operation("/v1/clients", "get", list.pages("clients", &one));
    let body = bodies::client(schemas, &["name", "redirectUris", "allowedScopes"]);
    let create = changing("createClient", TAG, "Registers a client, whose secret is in this answer alone", &[]).takes(body).conflicts();
    let next = ["showClient", "changeClient", "deleteClient", "addClientSecret", "removeOlderSecret"];
    description.operation("/v1/clients", "post", create.leads_to(&next, SHOWN).shows(one.clone()));
    let available = managed("listAvailableScopes", TAG, "Every scope there is", &[]);
    description.operation("/v1/clients/available-scopes", "get", available.pages("scopes", &schemas.of::<AvailableScope>()));
    const PATH: &str = "/v1/clients/{id}";
    description.operation(PATH, "get", managed("showClient", TAG, "A client", &[ID]).shows(one.clone()));
    let change = changing("changeClient", TAG, "Changes what the body names of a client", &[ID]).takes(bodies::client(schemas, &[]));
    description.operation(PATH, "patch", change.conflicts().shows(one.clone()));
    description.operation(PATH, "delete", changing("deleteClient", TAG, "Deletes a client with its grants", &[ID]).conflicts().done());
    let give = changing("setClientOwner", TAG, "Gives a client to another owner and lifts its suspension; for administrators", &[ID]);
    description.operation("/v1/clients/{id}/owner", "post", give.takes(bodies::owner()).shows(one.clone()));
    let add = changing("addClientSecret", TAG, "Makes a new secret, in this answer alone; a third pushes out the oldest", &[ID]);
    description.operation("/v1/clients/{id}/secrets", "post", add.conflicts().shows(one));
    let older = managed("removeOlderSecret", TAG, "Leaves only the newest secret", &[ID]);
    description.operation("/v1/clients/{id}/secrets/older", "delete", older.done());
}

fn keys(description: &mut ApiDescription, schemas: &mut Schemas) {
    const TAG: &str = "API keys";
    let one = schemas.of::<ApiKeyBody>();
    let list = managed("listApiKeys", TAG, "One's own keys; an administrator sees everybody's", &[]);
    description.operation("/v1/api-keys", "get", list.pages("apiKeys", &one));
    let issue = changing("issueApiKey", TAG, "Issues a key, which is in this answer alone", &[]).takes(bodies::new_api_key(schemas));
    let issue = issue.conflicts().leads_to(&["renewApiKey", "revokeApiKey"], SHOWN);
    description.operation("/v1/api-keys", "post", issue.shows(one.clone()));
    let revoke = managed("revokeApiKey", TAG, "Ends a key with both its values", &[ID]);
    description.operation("/v1/api-keys/{id}", "delete", revoke.done());
    let renew = changing("renewApiKey", TAG, "Gives a key a new value, which is in this answer alone", &[ID]).may_take(bodies::renewal());
    description.operation("/v1/api-keys/{id}/renew", "post", renew.shows(one));
}

/// Where the id of what is shown stands.
const SHOWN: &[(&str, &str)] = &[("id", "$response.body#/data/id")];

const ID: (&str, &str) = ("id", "The id.");

/// The service's own application has another kind of id.
const APPLICATION: (&str, &str) = ("id", "The id of the application, a UUID or `service`.");

/// An operation of what is managed, before it is known what it shows.
struct Managed {
    operation: Operation,
    parameters: Vec<Parameter>,
    success: Answer,
}

fn managed(id: &str, tag: &str, summary: &str, path: &[(&str, &str)]) -> Managed {
    let mut operation = Operation::new(id, tag, summary)
        .secured(&[("OAuth2", &[&Scope::manage().to_string()])])
        .answers_as(StatusCode::BAD_REQUEST, "ManagedBadRequest")
        .answers_as(StatusCode::UNAUTHORIZED, "ManagedUnauthorized")
        .answers_as(StatusCode::FORBIDDEN, "ManagedForbidden")
        .answers_as(StatusCode::INTERNAL_SERVER_ERROR, "ManagedFailed")
        .answers_as(StatusCode::SERVICE_UNAVAILABLE, "ManagedUnavailable");
    if !path.is_empty() {
        operation = operation.answers_as(StatusCode::NOT_FOUND, "ManagedNotFound");
    }
    let id_schema = |name: &(&str, &str)| if *name == APPLICATION { json!({ "type": "string" }) } else { uuid() };
    let parameters = path.iter().map(|named| Parameter::path(named.0, id_schema(named), named.1)).collect();
    Managed { operation, parameters, success: Answer::new("Success.").headers(EVERY) }
}

/// The same, of which each user may do only so many in a time.
fn changing(id: &str, tag: &str, summary: &str, path: &[(&str, &str)]) -> Managed {
    let managed = managed(id, tag, summary, path);
    Managed { operation: managed.operation.answers_as(StatusCode::TOO_MANY_REQUESTS, "ManagedTooManyRequests"), ..managed }
}

impl Managed {
    fn takes(self, body: Value) -> Self {
        Self { operation: self.operation.takes(true, &[("application/json", body)]), ..self }
    }

    /// No body at all says nothing.
    fn may_take(self, body: Value) -> Self {
        Self { operation: self.operation.takes(false, &[("application/json", body)]), ..self }
    }

    fn conflicts(self) -> Self {
        Self { operation: self.operation.answers_as(StatusCode::CONFLICT, "ManagedConflict"), ..self }
    }

    /// Success leads on to these operations on what is shown.
    fn leads_to(self, operations: &[&str], parameters: &[(&str, &str)]) -> Self {
        let success = operations.iter().fold(self.success, |success, operation| success.leads_to(operation, parameters));
        Self { success, ..self }
    }

    /// Success with this in its envelope.
    fn shows(self, data: Value) -> Operation {
        let success = self.success.body("application/json", enveloped(Some(data)));
        self.operation.parameters(self.parameters).answers(StatusCode::OK, success)
    }

    /// Success that has nothing to show.
    fn done(self) -> Operation {
        self.shows(json!({ "type": "object" }))
    }

    /// Success with a page of records.
    fn pages(mut self, field: &str, record: &Value) -> Operation {
        let mut sizes = whole_number(1, i64::from(PageRequest::MAX_SIZE));
        sizes["default"] = json!(100);
        self.parameters.push(Parameter::query("page", whole_number(0, i64::from(i32::MAX)), "The page, counted from 0."));
        self.parameters.push(Parameter::query("size", sizes, "How many records a page has."));
        self.shows(page_of(field, record.clone()))
    }
}
