use bytes::Bytes;
use http::header::{ALLOW, CONTENT_LENGTH};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body::Body as HttpBody;

use super::gate::SignedIn;
use super::refusal::{Refusal, faulty};
use super::server::Server;
use super::{account, applications, apps, audit, clients, data, gate, home, keys, people, sign_in, sign_out};
use crate::http::audit::Rule;
use crate::http::pages::{Language, asset};
use crate::http::{Body, body};

/// The longest body that is read, in bytes. A client with as many scopes as it can have has room.
const BODY_LIMIT: usize = 64 * 1024;

/// The pages and what they need, by path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place<'a> {
    Home,
    SignIn,
    SignOut,
    Asset(&'a str),
    Apps(apps::Place<'a>),
    Account(account::Place<'a>),
    Keys(keys::Place<'a>),
    Applications(applications::Place<'a>),
    Clients(clients::Place<'a>),
    Data(data::Place),
    People(people::Place<'a>),
    Audit(audit::Place),
    /// Everybody's.
    AllKeys,
    AllApplications,
    AllClients,
    ClientsToReview,
}

impl<'a> Place<'a> {
    fn at(path: &'a str) -> Option<Self> {
        let segments: Vec<&str> = path.strip_prefix('/')?.split('/').collect();
        Some(match &segments[..] {
            [""] => Self::Home,
            ["sign-in"] => Self::SignIn,
            ["sign-out"] => Self::SignOut,
            ["assets", name] => Self::Asset(name),
            ["apps", rest @ ..] => Self::Apps(apps::Place::at(rest)?),
            ["account", rest @ ..] => Self::Account(account::Place::at(rest)?),
            ["keys", rest @ ..] => Self::Keys(keys::Place::at(rest)?),
            ["applications", rest @ ..] => Self::Applications(applications::Place::at(rest)?),
            ["clients", rest @ ..] => Self::Clients(clients::Place::at(rest)?),
            ["data", rest @ ..] => Self::Data(data::Place::at(rest)?),
            ["admin", "people", rest @ ..] => Self::People(people::Place::at(rest)?),
            ["admin", "audit", rest @ ..] => Self::Audit(audit::Place::at(rest)?),
            ["admin", "keys"] => Self::AllKeys,
            ["admin", "applications"] => Self::AllApplications,
            ["admin", "clients"] => Self::AllClients,
            ["admin", "clients", "review"] => Self::ClientsToReview,
            _ => return None,
        })
    }

    /// The methods that the place answers, as in `Allow`.
    fn methods(self) -> &'static str {
        match self {
            Self::Home | Self::Asset(_) | Self::AllKeys | Self::AllApplications | Self::AllClients | Self::ClientsToReview => "GET, HEAD",
            Self::SignIn => "GET, HEAD, POST",
            Self::SignOut => "POST",
            Self::Apps(place) => place.methods(),
            Self::Account(place) => place.methods(),
            Self::Keys(place) => place.methods(),
            Self::Applications(place) => place.methods(),
            Self::Clients(place) => place.methods(),
            Self::Data(place) => place.methods(),
            Self::People(place) => place.methods(),
            Self::Audit(place) => place.methods(),
        }
    }

    /// What the log calls it: addresses themselves may hold what people search for.
    fn name(self) -> &'static str {
        match self {
            Self::Home => "home",
            Self::SignIn => "sign_in",
            Self::SignOut => "sign_out",
            Self::Asset(_) => "asset",
            Self::Apps(place) => place.name(),
            Self::Account(place) => place.name(),
            Self::Keys(place) => place.name(),
            Self::Applications(place) => place.name(),
            Self::Clients(place) => place.name(),
            Self::Data(place) => place.name(),
            Self::People(place) => place.name(),
            Self::Audit(place) => place.name(),
            Self::AllKeys => "all_keys",
            Self::AllApplications => "all_applications",
            Self::AllClients => "all_clients",
            Self::ClientsToReview => "clients_to_review",
        }
    }

    /// Whether forms posted to this route count towards `management_limit`. Revocations do not.
    fn is_paid_for(self) -> bool {
        match self {
            Self::Keys(place) => !matches!(place, keys::Place::Revoke(_)),
            Self::Clients(place) => !matches!(place, clients::Place::OlderSecret(_)),
            Self::Applications(_) | Self::People(_) => true,
            _ => false,
        }
    }

    /// Whether it is a page that can be looked at.
    fn is_page(self) -> bool {
        !matches!(self, Self::Asset(_)) && self.methods().starts_with("GET")
    }
}

/// What the log calls the place of a request.
pub(super) fn name<B>(request: &Request<B>) -> &'static str {
    Place::at(request.uri().path()).map_or("none", Place::name)
}

/// The address of a page that the request is for. A form's is that of its page.
pub(super) fn page<B>(request: &Request<B>) -> Option<String> {
    let uri = request.uri();
    if !Place::at(uri.path())?.is_page() {
        return None;
    }
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    Some(uri.path_and_query().filter(|_| is_read).map_or_else(|| uri.path().to_owned(), ToString::to_string))
}

/// Whether there is a page at the path that people go to.
pub(super) fn leads_to_page(path: &str) -> bool {
    Place::at(path).is_some_and(|place| place.is_page() && place != Place::SignIn)
}

/// Answers a request.
pub(super) async fn answer<B>(server: &Server, request: Request<B>) -> Response<Body>
where
    B: HttpBody,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let is_head = request.method() == Method::HEAD;
    let response = handle(server, request).await.unwrap_or_else(|refusal| server.refused(refusal));
    server.finish(if is_head { without_body(response) } else { response })
}

async fn handle<B>(server: &Server, request: Request<B>) -> Result<Response<Body>, Refusal>
where
    B: HttpBody,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let (parts, body) = request.into_parts();
    let uri = parts.uri.clone();
    let place = Place::at(uri.path()).ok_or_else(Refusal::not_found)?;
    if !place.methods().split(", ").any(|method| method == parts.method.as_str()) {
        let refusal = Refusal::new(Rule::MethodNotAllowed, StatusCode::METHOD_NOT_ALLOWED);
        return Err(refusal.header(ALLOW, HeaderValue::from_static(place.methods())));
    }
    let posted = parts.method == Method::POST;
    if !posted
        && place.is_page()
        && let Some(switched) = Language::switched(&uri, server.address.path(), server.address.is_secure())
    {
        return Ok(switched);
    }
    let body = if posted { body::read(body, BODY_LIMIT).await? } else { Bytes::new() };
    let request = &Request::from_parts(parts, body);
    match place {
        Place::Asset(name) => asset(name, request.headers()).ok_or_else(Refusal::not_found),
        Place::SignIn if posted => sign_in::submit(server, request).await,
        Place::SignIn => sign_in::show(server, request).await,
        _ => match gate::enter(server, request).await? {
            Ok(who) => match for_somebody(server, place, &who, request).await {
                Err(refusal) if refusal.is_by(Rule::SessionEnded) => {
                    Ok(faulty(gate::to_sign_in(server, request.headers())?, Rule::SessionEnded))
                }
                answer => answer,
            },
            Err(to_sign_in) => Ok(to_sign_in),
        },
    }
}

/// What only those see who have signed in.
async fn for_somebody(server: &Server, place: Place<'_>, who: &SignedIn, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    if *request.method() == Method::POST && place.is_paid_for() {
        who.desk(server).pay_for_change()?;
    }
    match place {
        Place::Home => home::show(server, who).await,
        Place::SignOut => sign_out::submit(server, who, request).await,
        Place::Apps(place) => apps::answer(server, place, who, request).await,
        Place::Account(place) => account::answer(server, place, who, request).await,
        Place::Keys(place) => keys::answer(server, place, who, request).await,
        Place::Applications(place) => applications::answer(server, place, who, request).await,
        Place::Clients(place) => clients::answer(server, place, who, request).await,
        Place::Data(place) => data::answer(server, place, who, request).await,
        Place::People(place) => people::answer(server, place, who, request).await,
        Place::Audit(place) => audit::answer(server, place, who, request).await,
        Place::AllKeys => keys::everybodys(server, who, request).await,
        Place::AllApplications => applications::everybodys(server, who, request).await,
        Place::AllClients => clients::everybodys(server, who, request).await,
        Place::ClientsToReview => clients::to_review(server, who, request).await,
        Place::SignIn | Place::Asset(_) => Err(Refusal::not_found()),
    }
}

/// The answer to HEAD: the headers that GET would have had (RFC 9110 §9.3.2).
fn without_body(response: Response<Body>) -> Response<Body> {
    let (mut parts, body) = response.into_parts();
    if let Some(length) = body.size_hint().exact() {
        parts.headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
    }
    Response::from_parts(parts, Body::empty())
}
