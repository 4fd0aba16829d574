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
        "description": such_as(short_text(), "Join and leave clubs for you"),
        "descriptionTranslations": translations("동아리 가입 및 탈퇴"),
        "approvalRequired": { "type": "boolean", "description": "Whether clients of other users need the approval of the owner." },
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
        "pkceRequired": flag("Whether PKCE is required."),
        "firstParty": flag("Whether it is a first-party client. Only for administrators."),
        "clientCredentialsAllowed": flag("Whether it can get tokens without a user. Only for administrators."),
        "issOmitted": flag("Whether redirects to it omit `iss` (RFC 9207), for clients that do not accept it."),
        "policyUri": policy_uri,
        "verified": flag("Whether an administrator has verified it. Only for administrators. A change to `true` contains the reviewed `name`, `redirectUris` and, if it has one, `policyUri`."),
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
    let requested = json!({ "type": "array", "items": schemas.for_type::<PersonalField>(), "description": "Hidden fields to request access to from an administrator." });
    let hidden = json!({ "type": "array", "items": schemas.for_type::<PersonalField>(), "description": "Fields that are hidden from the key." });
    let number = |most: u32, about: &str| json!({ "type": "integer", "minimum": 1, "maximum": most, "description": about });
    let mut schema = object(
        json!({
            "description": such_as(short_text(), "The lunch board"),
            "scopes": { "type": "array", "minItems": 1, "items": schemas.for_type::<ApiScope>() },
            "hiddenFields": hidden,
            "requestedFields": requested,
            "rateLimit": number(MOST_CALLS, "Requests that it may make in a window. Only for administrators."),
            "rateWindowSeconds": number(LONGEST_WINDOW, "Length of the window. By default 60."),
            "rateBurst": number(u32::MAX, "Requests that it may make at once. By default the limit."),
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
        "description": "Seconds that the old value stays valid, at most until it expires.",
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
