use askama::Template;
use base64ct::{Base64UrlUnpadded, Encoding};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::schema::{self, Member, Piece};
use super::text::{self, Block, Run};

const STYLESHEET: &str = concat!(include_str!("../../../templates/colours.css"), include_str!("../../../templates/reference.css"));

/// The stylesheet under a name that holds its digest, so that browsers may keep it for ever.
pub(super) fn stylesheet() -> (String, &'static str) {
    let digest = Base64UrlUnpadded::encode_string(&Sha256::digest(STYLESHEET));
    (format!("style-{}.css", &digest[..16]), STYLESHEET)
}

/// The document as a page. Its links are relative, for it may be anywhere.
pub(super) fn rendered(document: &Value, stylesheet: &str) -> Result<String, askama::Error> {
    let operations = operations(document);
    let sections = items(&document["tags"]).map(|tag| Section {
        name: words(&tag["name"]),
        about: text::blocks(&words(&tag["description"])),
        operations: operations.iter().filter(|operation| operation.tag == tag["name"]).collect(),
    });
    let answers = members(&document["components"]["responses"]);
    let schemas = members(&document["components"]["schemas"]);
    let headers = members(&document["components"]["headers"]);
    let schemes = members(&document["components"]["securitySchemes"]);
    Page {
        title: words(&document["info"]["title"]),
        version: words(&document["info"]["version"]),
        stylesheet,
        about: text::blocks(&words(&document["info"]["description"])),
        sections: sections.collect(),
        schemes: schemes.map(|(name, scheme)| Scheme::of(name, scheme)).collect(),
        answers: answers.map(|(name, answer)| Answer::of(name, answer)).collect(),
        headers: headers.map(|(name, header)| header_of(name, header)).collect(),
        schemas: schemas.map(|(name, schema)| Schema::of(name, schema)).collect(),
    }
    .render()
}

#[derive(Template)]
#[template(path = "reference.html")]
struct Page<'a> {
    title: String,
    version: String,
    stylesheet: &'a str,
    about: Vec<Block>,
    sections: Vec<Section<'a>>,
    schemes: Vec<Scheme>,
    answers: Vec<Answer>,
    headers: Vec<Member>,
    schemas: Vec<Schema>,
}

/// Operations of a kind.
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
    /// Each way to be let in.
    security: Vec<String>,
    parameters: Vec<Parameter>,
    bodies: Vec<Content>,
    answers: Vec<Answer>,
}

struct Parameter {
    place: String,
    member: Member,
}

/// A way to be let in.
struct Scheme {
    name: String,
    kind: String,
    about: Vec<Run>,
}

/// What is answered under a status, or under a name if it is answered by several.
struct Answer {
    name: String,
    /// The name of the common answer that this one is.
    shared: String,
    about: Vec<Block>,
    headers: Vec<String>,
    bodies: Vec<Content>,
}

/// A body in one of its media types.
struct Content {
    media_type: String,
    kind: Vec<Piece>,
    members: Vec<Member>,
    example: String,
}

struct Schema {
    name: String,
    about: Vec<Run>,
    kind: Vec<Piece>,
    members: Vec<Member>,
}

fn operations(document: &Value) -> Vec<Operation> {
    let paths = members(&document["paths"]);
    let methods = paths.flat_map(|(path, methods)| members(methods).map(move |(method, operation)| (path, method, operation)));
    methods
        .filter(|(.., operation)| operation.is_object())
        .map(|(path, method, operation)| Operation::of(path, method, operation))
        .collect()
}

impl Operation {
    fn of(path: &str, method: &str, operation: &Value) -> Self {
        let answers = members(&operation["responses"]).map(|(status, answer)| Answer::of(status, answer));
        Self {
            id: words(&operation["operationId"]),
            tag: words(&operation["tags"][0]),
            method: method.to_uppercase(),
            path: path.to_owned(),
            summary: words(&operation["summary"]),
            about: text::blocks(&words(&operation["description"])),
            security: items(&operation["security"]).map(way_in).collect(),
            parameters: items(&operation["parameters"]).map(Parameter::of).collect(),
            bodies: contents(&operation["requestBody"]),
            answers: answers.collect(),
        }
    }
}

/// A scheme with its scopes, or nothing at all.
fn way_in(schemes: &Value) -> String {
    let mut ways = members(schemes).map(|(scheme, scopes)| {
        let scopes: Vec<String> = items(scopes).map(words).collect();
        if scopes.is_empty() { scheme.to_owned() } else { format!("{scheme} with {}", scopes.join(", ")) }
    });
    ways.next().unwrap_or_else(|| "nothing of this".to_owned())
}

impl Parameter {
    fn of(parameter: &Value) -> Self {
        let member = Member {
            name: words(&parameter["name"]),
            is_required: parameter["required"] == true,
            kind: schema::kind(&parameter["schema"]),
            about: prose(&parameter["description"]),
        };
        Self { place: words(&parameter["in"]), member }
    }
}

impl Answer {
    fn of(name: &str, answer: &Value) -> Self {
        let shared = words(&answer["$ref"]);
        Self {
            name: name.to_owned(),
            shared: shared.rsplit('/').next().unwrap_or_default().to_owned(),
            about: text::blocks(&words(&answer["description"])),
            headers: members(&answer["headers"]).map(|(name, _)| name.to_owned()).collect(),
            bodies: contents(answer),
        }
    }
}

impl Scheme {
    fn of(name: &str, scheme: &Value) -> Self {
        let place = format!("{} {}", words(&scheme["in"]), words(&scheme["name"]));
        let kind = match scheme["type"].as_str() {
            Some("apiKey") => place,
            Some("http") => format!("HTTP {}", words(&scheme["scheme"])),
            _ => "OAuth 2.0".to_owned(),
        };
        Self { name: name.to_owned(), kind, about: prose(&scheme["description"]) }
    }
}

impl Schema {
    fn of(name: &str, schema: &Value) -> Self {
        let members = schema::members(schema);
        let kind = if members.is_empty() { schema::kind(schema) } else { Vec::new() };
        Self { name: name.to_owned(), about: prose(&schema["description"]), kind, members }
    }
}

fn contents(of: &Value) -> Vec<Content> {
    let one = |(media_type, content): (&str, &Value)| {
        let example = &content["example"];
        Content {
            media_type: media_type.to_owned(),
            kind: schema::kind(&content["schema"]),
            members: schema::members(&content["schema"]),
            example: if example.is_null() { String::new() } else { format!("{example:#}") },
        }
    };
    members(&of["content"]).map(one).collect()
}

fn header_of(name: &str, header: &Value) -> Member {
    let about = prose(&header["description"]);
    Member { name: name.to_owned(), is_required: header["required"] == true, kind: schema::kind(&header["schema"]), about }
}

fn prose(value: &Value) -> Vec<Run> {
    text::runs(value.as_str().unwrap_or_default())
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn members(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value.as_object().into_iter().flatten().map(|(name, value)| (&**name, value))
}

fn words(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
