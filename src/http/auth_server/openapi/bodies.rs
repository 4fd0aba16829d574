//! Schemas of the management API's request bodies.

use serde_json::{Value, json};

use crate::domain::{ApiKey, ApiScope, ClientPolicy, PersonalField, PolicyUri, Translations};
use crate::http::openapi::{Schemas, short_text};

/// Maximum requests for each second of a rate limit's window: one per microsecond.
const MOST_CALLS: u32 = 1_000_000;

/// Maximum window of a rate limit, in seconds.
const LONGEST_WINDOW: u32 = 366 * 24 * 60 * 60;

/// Body that creates or changes an application.
pub(super) fn application(required: &[&str]) -> Value {
    object(
        json!({
            "name": such_as(short_text(), "Club portal"),
            "nameTranslations": translations("동아리 포털"),
        }),
        required,
    )
}

/// Body that creates a scope.
pub(super) fn new_scope() -> Value {
    let mut properties = scope_properties();
    let name =
        json!({ "type": "string", "minLength": 1, "maxLength": 100, "pattern": "^[a-z0-9_-]+$" });
    properties["scopeName"] = such_as(name, "clubs_write");
    object(properties, &["scopeName", "description"])
}

/// Body that changes a scope, without its name.
pub(super) fn scope() -> Value {
    object(scope_properties(), &[])
}

fn scope_properties() -> Value {
    json!({
        "description": such_as(short_text(), "Sign you up for clubs and out of them"),
        "descriptionTranslations": translations("동아리 가입과 탈퇴"),
        "approvalRequired": { "type": "boolean", "description": "Whether clients of other owners need the owner's approval to list it." },
    })
}

/// Body with the new owner of a client.
pub(super) fn owner() -> Value {
    let id = json!({ "type": "string", "minLength": 1, "maxLength": 255, "description": "The id of a user, or `service` for the service itself." });
    object(json!({ "owner": id }), &["owner"])
}

/// Body that creates or changes a client.
pub(super) fn client(schemas: &mut Schemas, required: &[&str]) -> Value {
    let flag = |about: &str| json!({ "type": "boolean", "description": about });
    let uris = json!({
        "type": "array", "items": { "type": "string", "minLength": 1, "format": "uri" }, "examples": [["https://club.example/callback"]],
        "description": "Absolute and without a fragment: `https`, `http` on loopback, or a private-use scheme with a dot.",
    });
    let scopes = json!({
        "type": "array", "items": { "type": "string", "minLength": 1 }, "maxItems": 200, "examples": [["service:self_read"]],
        "description": "Scopes that exist, each as `{applicationId}:{scopeName}`.",
    });
    let policy_uri = json!({
        "type": ["string", "null"], "minLength": 1, "maxLength": PolicyUri::MAX_LENGTH, "format": "uri", "examples": ["https://club.example/privacy"],
        "description": "The address of its privacy policy, to which the consent page links: `https`, or `http` on loopback. `null` for none.",
    });
    let properties = json!({
        "name": such_as(short_text(), "Club portal"),
        "policy": schemas.for_type::<ClientPolicy>(),
        "redirectUris": uris,
        "allowedScopes": scopes,
        "plainPkceAllowed": flag("Whether it may use the PKCE method `plain`."),
        "pkceRequired": flag("Whether it gets a code only with a challenge."),
        "firstParty": flag("Whether it is one of the service's own; for administrators to say."),
        "clientCredentialsAllowed": flag("Whether it may have tokens of its own; for administrators to say."),
        "issOmitted": flag("Whether redirects to it omit `iss` (RFC 9207), for clients that fail at it."),
        "policyUri": policy_uri,
        "verified": flag("Whether an administrator has verified it; for administrators to say. A change to `true` names the reviewed `name`, `redirectUris` and, if it has one, `policyUri`."),
    });
    let mut schema = object(properties, required);
    // A public client has no credentials for the client credentials grant.
    schema["not"] = json!({
        "required": ["policy", "clientCredentialsAllowed"],
        "properties": { "policy": { "const": ClientPolicy::Public.as_str() }, "clientCredentialsAllowed": { "const": true } },
    });
    schema
}

/// Body that creates or changes a key of the data API.
pub(super) fn api_key(schemas: &mut Schemas, required: &[&str]) -> Value {
    let requested = json!({ "type": "array", "items": schemas.for_type::<PersonalField>(), "description": "Which of the fields that keys of the role hide an administrator is asked to show." });
    let hidden = json!({ "type": "array", "items": schemas.for_type::<PersonalField>(), "description": "What the key does without." });
    let number = |most: u32, about: &str| json!({ "type": "integer", "minimum": 1, "maximum": most, "description": about });
    let mut schema = object(
        json!({
            "description": such_as(short_text(), "The lunch board"),
            "scopes": { "type": "array", "minItems": 1, "items": schemas.for_type::<ApiScope>() },
            "hiddenFields": hidden,
            "requestedFields": requested,
            "rateLimit": number(MOST_CALLS, "How many requests it may make in a window; for administrators to say."),
            "rateWindowSeconds": number(LONGEST_WINDOW, "How long the window is; 60 if nothing is said."),
            "rateBurst": number(u32::MAX, "How many requests it may make at once; the limit if nothing is said."),
        }),
        required,
    );
    schema["dependentRequired"] =
        json!({ "rateWindowSeconds": ["rateLimit"], "rateBurst": ["rateLimit"] });
    schema
}

/// Body that renews a key.
pub(super) fn renewal() -> Value {
    let overlap = json!({
        "type": "integer", "minimum": 0, "maximum": ApiKey::VALIDITY.as_secs(), "default": ApiKey::DEFAULT_OVERLAP.as_secs(),
        "description": "For how many seconds the old value goes on, never past its own end.",
    });
    object(json!({ "overlapSeconds": overlap }), &[])
}

fn object(properties: Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

/// Texts by language tag, with an example in Korean.
fn translations(example: &str) -> Value {
    json!({
        "type": "object", "maxProperties": Translations::MAX_LANGUAGES, "additionalProperties": short_text(), "examples": [{ "ko": example }],
        "propertyNames": { "pattern": "^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$", "maxLength": Translations::MAX_TAG_LENGTH },
        "description": "The text in other languages, by language tag (BCP 47). Pages show the one in the reader's language. A change replaces all of them.",
    })
}

fn such_as(mut schema: Value, example: &str) -> Value {
    schema["examples"] = json!([example]);
    schema
}
