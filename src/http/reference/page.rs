use askama::Template;
use base64ct::{Base64UrlUnpadded, Encoding};
use http::Uri;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::labels::Labels;
use super::schema::{self, Member, TypePart};
use super::text::{self, Block, TextRun};
use super::try_it::TryIt;

const STYLESHEET: &str = concat!(
    include_str!("../../../templates/styles/colours.css"),
    include_str!("../../../templates/reference.css")
);

/// Returns the stylesheet and its file name, which contains its digest so that browsers can cache
/// it indefinitely.
pub(super) fn stylesheet() -> (String, &'static str) {
    let digest = Base64UrlUnpadded::encode_string(&Sha256::digest(STYLESHEET));
    (format!("style-{}.css", &digest[..16]), STYLESHEET)
}

const SCRIPT: &str = include_str!("../../../assets/reference.js");

/// Returns the script and its file name, as [`stylesheet`] does.
pub(super) fn script() -> (String, &'static str) {
    let digest = Base64UrlUnpadded::encode_string(&Sha256::digest(SCRIPT));
    (format!("script-{}.js", &digest[..16]), SCRIPT)
}

/// The page loads its stylesheet and script, and the script sends requests to the described
/// services. It must not be framed.
pub(super) fn security_policy(document: &Value) -> String {
    let mut origins: Vec<String> = servers(document)
        .iter()
        .filter_map(|url| origin(url))
        .collect();
    origins.sort_unstable();
    origins.dedup();
    let origins: String = origins.iter().map(|origin| format!(" {origin}")).collect();
    format!(
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'{origins}; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
    )
}

/// The addresses of the services: of all, or of each path.
fn servers(document: &Value) -> Vec<String> {
    let of_paths = members(&document["paths"]).map(|(_, methods)| methods);
    std::iter::once(document)
        .chain(of_paths)
        .map(|owner| words(&owner["servers"][0]["url"]))
        .collect()
}

/// Scheme, host and port of an address, if it has them.
fn origin(url: &str) -> Option<String> {
    let uri: Uri = url.parse().ok()?;
    Some(format!("{}://{}", uri.scheme_str()?, uri.authority()?))
}

/// The names of the page's files.
pub(super) struct Assets<'a> {
    pub(super) stylesheet: &'a str,
    pub(super) script: &'a str,
    /// Whether the page is beside its files, and not above them.
    pub(super) is_below_docs: bool,
}

/// Renders the document as a page. Its links are relative, so that it can be mounted anywhere.
pub(super) fn render(
    document: &Value,
    labels: &Labels,
    assets: &Assets<'_>,
) -> Result<String, askama::Error> {
    let operations = operations(document, labels);
    let (files, above) = if assets.is_below_docs {
        ("", "../")
    } else {
        ("docs/", "")
    };
    let other = if assets.is_below_docs {
        "../docs".to_owned()
    } else {
        format!("docs/{}", labels.other.0)
    };
    let sections = items(&document["tags"]).map(|tag| Section {
        name: words(&tag["name"]),
        about: text::blocks(&words(&tag["description"])),
        operations: operations
            .iter()
            .filter(|operation| operation.tag == tag["name"])
            .collect(),
    });
    let responses = members(&document["components"]["responses"]);
    let schemas = members(&document["components"]["schemas"]);
    let headers = members(&document["components"]["headers"]);
    let schemes = members(&document["components"]["securitySchemes"]);
    Page {
        title: words(&document["info"]["title"]),
        version: words(&document["info"]["version"]),
        labels,
        stylesheet: format!("{files}{}", assets.stylesheet),
        script: format!("{files}{}", assets.script),
        document: format!("{above}openapi.json"),
        other,
        about: text::blocks(&words(&document["info"]["description"])),
        sections: sections.collect(),
        schemes: schemes
            .map(|(name, scheme)| SecurityScheme::from_json(name, scheme))
            .collect(),
        responses: responses
            .map(|(name, response)| Response::from_json(name, response, labels))
            .collect(),
        headers: headers
            .map(|(name, header)| header_member(name, header, labels))
            .collect(),
        schemas: schemas
            .map(|(name, schema)| Schema::from_json(name, schema, labels))
            .collect(),
    }
    .render()
}

#[derive(Template)]
#[template(path = "reference.html")]
struct Page<'a> {
    title: String,
    version: String,
    labels: &'a Labels,
    stylesheet: String,
    script: String,
    /// Link to the OpenAPI document.
    document: String,
    /// Link to the page in the other language.
    other: String,
    about: Vec<Block>,
    sections: Vec<Section<'a>>,
    schemes: Vec<SecurityScheme>,
    responses: Vec<Response>,
    headers: Vec<Member>,
    schemas: Vec<Schema>,
}

/// Operations with the same tag.
struct Section<'a> {
    name: String,
    about: Vec<Block>,
    operations: Vec<&'a Operation>,
}

struct Operation {
    id: String,
    tag: String,
    method: String,
    path: String,
    summary: String,
    about: Vec<Block>,
    /// Alternative security requirements.
    security: Vec<String>,
    parameters: Vec<Parameter>,
    bodies: Vec<Content>,
    responses: Vec<Response>,
    try_it: Option<TryIt>,
}

struct Parameter {
    location: String,
    member: Member,
}

/// A security scheme.
struct SecurityScheme {
    name: String,
    kind: String,
    about: Vec<TextRun>,
}

/// A response by status, or by component name if several operations share it.
struct Response {
    name: String,
    /// Component name of the shared response that this one refers to.
    reference: String,
    about: Vec<Block>,
    headers: Vec<String>,
    bodies: Vec<Content>,
}

/// A body in one of its media types.
struct Content {
    media_type: String,
    kind: Vec<TypePart>,
    members: Vec<Member>,
    example: String,
}

struct Schema {
    name: String,
    about: Vec<TextRun>,
    kind: Vec<TypePart>,
    members: Vec<Member>,
}

fn operations(document: &Value, labels: &Labels) -> Vec<Operation> {
    let common = words(&document["servers"][0]["url"]);
    let server = |path: &str| match document["paths"][path]["servers"][0]["url"].as_str() {
        Some(own) => own.to_owned(),
        None => common.clone(),
    };
    let paths = members(&document["paths"]);
    let methods = paths.flat_map(|(path, methods)| {
        members(methods).map(move |(method, operation)| (path, method, operation))
    });
    methods
        .filter(|(.., operation)| operation.is_object())
        .map(|(path, method, operation)| {
            let try_it = TryIt::new((&server(path), path, method), operation, labels);
            Operation {
                try_it,
                ..Operation::from_json((path, method), operation, labels)
            }
        })
        .collect()
}

impl Operation {
    fn from_json((path, method): (&str, &str), operation: &Value, labels: &Labels) -> Self {
        let responses = members(&operation["responses"])
            .map(|(status, response)| Response::from_json(status, response, labels));
        Self {
            id: words(&operation["operationId"]),
            tag: words(&operation["tags"][0]),
            method: method.to_uppercase(),
            path: path.to_owned(),
            summary: words(&operation["summary"]),
            about: text::blocks(&words(&operation["description"])),
            security: items(&operation["security"])
                .map(|schemes| security_requirement(schemes, labels))
                .collect(),
            parameters: items(&operation["parameters"])
                .map(|parameter| Parameter::from_json(parameter, labels))
                .collect(),
            bodies: media_types(&operation["requestBody"], labels),
            responses: responses.collect(),
            try_it: None,
        }
    }
}

/// Formats a scheme with its scopes, or the absence of one.
fn security_requirement(schemes: &Value, labels: &Labels) -> String {
    let mut ways = members(schemes).map(|(scheme, scopes)| {
        let scopes: Vec<String> = items(scopes).map(words).collect();
        if scopes.is_empty() {
            scheme.to_owned()
        } else {
            let (before, after) = labels.with_scopes;
            format!("{scheme}{before}{}{after}", scopes.join(", "))
        }
    });
    ways.next().unwrap_or_else(|| labels.no_access.to_owned())
}

impl Parameter {
    fn from_json(parameter: &Value, labels: &Labels) -> Self {
        let member = Member {
            name: words(&parameter["name"]),
            is_required: parameter["required"] == true,
            kind: schema::kind(&parameter["schema"], labels),
            about: prose(&parameter["description"]),
        };
        Self {
            location: words(&parameter["in"]),
            member,
        }
    }
}

impl Response {
    fn from_json(name: &str, response: &Value, labels: &Labels) -> Self {
        let reference = words(&response["$ref"]);
        Self {
            name: name.to_owned(),
            reference: reference.rsplit('/').next().unwrap_or_default().to_owned(),
            about: text::blocks(&words(&response["description"])),
            headers: members(&response["headers"])
                .map(|(name, _)| name.to_owned())
                .collect(),
            bodies: media_types(response, labels),
        }
    }
}

impl SecurityScheme {
    fn from_json(name: &str, scheme: &Value) -> Self {
        let location = format!("{} {}", words(&scheme["in"]), words(&scheme["name"]));
        let kind = match scheme["type"].as_str() {
            Some("apiKey") => location,
            Some("http") => format!("HTTP {}", words(&scheme["scheme"])),
            _ => "OAuth 2.0".to_owned(),
        };
        Self {
            name: name.to_owned(),
            kind,
            about: prose(&scheme["description"]),
        }
    }
}

impl Schema {
    fn from_json(name: &str, schema: &Value, labels: &Labels) -> Self {
        let members = schema::members(schema, labels);
        let kind = if members.is_empty() {
            schema::kind(schema, labels)
        } else {
            Vec::new()
        };
        Self {
            name: name.to_owned(),
            about: prose(&schema["description"]),
            kind,
            members,
        }
    }
}

fn media_types(owner: &Value, labels: &Labels) -> Vec<Content> {
    let one = |(media_type, content): (&str, &Value)| {
        let example = &content["example"];
        Content {
            media_type: media_type.to_owned(),
            kind: schema::kind(&content["schema"], labels),
            members: schema::members(&content["schema"], labels),
            example: if example.is_null() {
                String::new()
            } else {
                format!("{example:#}")
            },
        }
    };
    members(&owner["content"]).map(one).collect()
}

fn header_member(name: &str, header: &Value, labels: &Labels) -> Member {
    let about = prose(&header["description"]);
    Member {
        name: name.to_owned(),
        is_required: header["required"] == true,
        kind: schema::kind(&header["schema"], labels),
        about,
    }
}

fn prose(value: &Value) -> Vec<TextRun> {
    text::runs(value.as_str().unwrap_or_default())
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn members(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| (&**name, value))
}

fn words(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
