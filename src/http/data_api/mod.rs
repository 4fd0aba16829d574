//! The read-only data API: students, clubs, projects and school information as JSON (service.md, "Endpoints"), the three lists also as tables
//! and as lines.
//!
//! Each request passes the same checks in the same order: route, key, limit, scope, parameters, format, conditions. `/v1/health` and `/v1/health/ready` need no key.
//!
//! A path is compared after percent-decoding, segment by segment: `/v1/%73tudents` is `/v1/students`, while a trailing slash, an encoded
//! slash or a broken escape is an address where nothing is.

mod answer;
mod background;
mod builder;
mod coding;
mod conditional;
mod cross_origin;
mod csv;
mod expiry;
mod failure;
mod format;
mod gate;
mod health;
mod kept_answers;
mod key_cache;
mod last_use;
mod leases;
mod limits;
mod lists;
mod notes;
#[cfg(feature = "openapi")]
mod openapi;
mod own_lists;
mod owner_checks;
mod parameters;
mod query_cache;
mod render;
mod reply;
mod route;
mod weights;
mod wire;

use std::convert::Infallible;
use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::header::IF_NONE_MATCH;
use http::request::Parts;
use http::{Method, Request, Response, StatusCode};
use tower::Service;

pub use builder::{ConfigError, DataApiBuilder};
pub use expiry::KeyExpiryNotice;
pub use leases::LeasedLimiter;
pub use limits::LimiterFailure;

pub use super::key_owners::KeyOwners;

use builder::Settings;
use coding::Wish;
use conditional::EntityTag;
use cross_origin::CORS;
use expiry::Notices;
use failure::Failure;
use format::Format;
use gate::Gate;
use kept_answers::KeptAnswers;
use key_cache::KeyCache;
use last_use::LastUses;
use limits::Limits;
use lists::{ListId, Lists};
use notes::Notes;
use owner_checks::OwnerChecks;
use query_cache::QueryCache;
use route::Route;

use super::audit::{AuditLog, Event, EventKind, Origin, Refused, RequestId};
#[cfg(feature = "ui")]
use super::reading_room::{ReadingRoom, SchoolData};
use super::requests::{Requests, Underway};
use super::{Body, ClientAddress, ProtectedResource, ResponseFuture, sensitive};
#[cfg(feature = "ui")]
use crate::directory::Definition;
use crate::directory::Directory;
use crate::domain::{ApiKey, ApiScopes, Date, Timestamp};
use crate::metrics::Lookups;
use crate::store::ApiKeyStore;

/// The data API as a tower service, for the root of a server or nested below a path.
///
/// Reads the school from a [`Directory`] and the API keys from any store of them. Clones share everything.
///
/// ```
/// use std::sync::Arc;
///
/// use http::Request;
/// use lyceum::DataApi;
/// use lyceum::directory::Directory;
/// use lyceum::store::memory::MemoryStore;
/// use tower::ServiceExt;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = Arc::new(MemoryStore::new());
/// let directory = Directory::open(store.clone()).await?;
/// let api = DataApi::builder(directory, store).public_url("https://api.school.example").build()?;
///
/// let answer = api.clone().oneshot(Request::get("/v1/health").body(())?).await?;
/// assert_eq!(answer.status(), 200);
/// let answer = api.oneshot(Request::get("/v1/students").body(())?).await?;
/// assert_eq!(answer.status(), 401);
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct DataApi(Arc<Shared>);

struct Shared {
    settings: Settings,
    requests: Arc<Requests>,
    audit: Option<Arc<dyn AuditLog>>,
    lookups: Lookups,
    lists: Lists,
    key_store: Arc<dyn ApiKeyStore>,
    keys: KeyCache,
    limits: Limits,
    last_uses: Arc<LastUses>,
    notices: Option<Notices>,
    owner_checks: Option<OwnerChecks>,
    queries: QueryCache,
    answers: KeptAnswers,
}

impl DataApi {
    /// Starts with the defaults of service.md, reading the school from `directory` for those who present one of the `keys`.
    pub fn builder(directory: Directory, keys: Arc<dyn ApiKeyStore>) -> DataApiBuilder {
        DataApiBuilder::new(directory, keys)
    }

    /// The scopes that keys need for the lists here: the four of the school's, and those of the host's own.
    pub fn scopes(&self) -> ApiScopes {
        self.0.lists.definitions().map(|definition| definition.scope.clone()).collect()
    }

    /// Where people read by keys of their own, for the data browser of the web interface
    /// ([`ConsoleBuilder::data`](crate::http::console::ConsoleBuilder::data)).
    #[cfg(feature = "ui")]
    pub fn reading_room(&self) -> ReadingRoom {
        ReadingRoom::of(self.clone())
    }

    /// Answers a request, as the key that it presents or as one that is known without its value.
    fn respond(&self, mut head: Parts, known: Option<Arc<ApiKey>>) -> ResponseFuture {
        let (name, route) = route::find(&head.method, head.uri.path(), &self.0.lists, self.0.settings.resource.as_ref());
        // Made when it is needed: only refusals tell it, and a span if one is recorded.
        let mut id = None;
        let span = self.0.requests.span(name, &head.method, || *id.insert(self.0.settings.request_id()));
        let underway = Underway::new(&self.0.requests, name, span);
        let keyed = matches!(route, Ok(Route::Read(_)));
        let (without_body, as_preflight) = (head.method == Method::HEAD, head.method == Method::OPTIONS);
        let (shared, shared_after_panic) = (Arc::clone(&self.0), Arc::clone(&self.0));
        let as_problem = format::prefers_problems(&head.headers);
        let asked = (name, ClientAddress::among(&head.extensions));
        let answer = async move {
            // What the gate tells of the key and its limit stands on every answer after it, also on refusals.
            let mut notes = Notes::default();
            let outcome = match route {
                Ok(route) => shared.answer(route, &mut head, known, &mut notes).await,
                Err(failure) => Err(failure),
            };
            let mut response = outcome.unwrap_or_else(|failure| shared.refuse(failure, id, as_problem, asked));
            notes.write(response.headers_mut());
            shared.share(reply::finish(response, keyed, without_body), as_preflight)
        };
        let after_panic = move || {
            let response = shared_after_panic.refuse(Failure::Panicked, id, as_problem, asked);
            shared_after_panic.share(reply::finish(response, keyed, without_body), as_preflight)
        };
        ResponseFuture::new(underway, answer, after_panic)
    }
}

impl<B: Send + 'static> Service<Request<B>> for DataApi {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = ResponseFuture;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> ResponseFuture {
        let (mut head, _) = request.into_parts();
        sensitive::mark_request(&mut head.headers);
        self.respond(head, None)
    }
}

#[cfg(feature = "ui")]
impl SchoolData for DataApi {
    fn answer_to(&self, key: Arc<ApiKey>, head: Parts) -> ResponseFuture {
        self.respond(head, Some(key))
    }

    fn definitions(&self) -> Vec<&Definition> {
        self.0.lists.definitions().collect()
    }
}

impl Shared {
    async fn answer(
        &self,
        route: Route,
        head: &mut Parts,
        known: Option<Arc<ApiKey>>,
        notes: &mut Notes,
    ) -> Result<Response<Body>, Failure> {
        match route {
            Route::Read(list) => self.read(list, head, known, notes).await,
            Route::Methods => Ok(reply::methods()),
            Route::Health => Ok(health::alive()),
            Route::Readiness => health::ready(self.lists.directory(), notes).await,
            Route::Description => self.settings.resource.as_ref().map(ProtectedResource::answer).ok_or(Failure::UnknownPath),
        }
    }

    /// The checks in their order, and the answer.
    async fn read(&self, list: ListId, head: &mut Parts, known: Option<Arc<ApiKey>>, notes: &mut Notes) -> Result<Response<Body>, Failure> {
        let (settings, definition) = (&self.settings, self.lists.definition(list));
        let owners = self.owner_checks.as_ref();
        let gate = Gate { store: &*self.key_store, keys: &self.keys, limits: &self.limits, owners };
        let (now, now_micros) = settings.moment();
        let key = gate.pass((head, known), &definition.scope, (now, now_micros), notes).await?;
        let today = settings.today(now);
        self.keep_track(&key, today, now).await;
        let query_string = head.uri.query().unwrap_or_default();
        let parsed = self.queries.get_or_parse((list, definition), query_string, today, settings.ignores_unknown_parameters)?;
        if let Some((name, field)) = definition.hidden_parameter(&parsed.query, key.hidden) {
            return Err(Failure::FieldHidden { name, field });
        }
        let format = Format::chosen(&head.headers, render::formats(&parsed.query))?;
        let state = self.lists.state(list, &parsed.query, &head.headers).await?;
        let tag = EntityTag::of(state.version(), &parsed.digest, format, key.hidden);
        let is_not_modified = tag.is_not_modified(&head.headers)?;
        if head.headers.contains_key(IF_NONE_MATCH) {
            self.lookups.count(is_not_modified);
        }
        if is_not_modified {
            let mut response = reply::reusing_headers_of(head, StatusCode::NOT_MODIFIED);
            tag.mark(&mut response);
            return Ok(response);
        }
        let (is_quick, hidden) = (render::is_quick(&state, &parsed.query, format), key.hidden);
        let make = {
            let parsed = Arc::clone(&parsed);
            move || render::answer(&state, &parsed.query, format, hidden)
        };
        let answer = self.answers.answer(&tag, Wish::of(&head.headers), is_quick, make).await?;
        let mut response = reply::reusing_headers_of(head, StatusCode::OK);
        answer.write(&mut response, settings, &parsed.query_of_links);
        tag.mark(&mut response);
        Ok(response)
    }

    /// Takes down that the key is used, and tells its owner if it ends.
    async fn keep_track(&self, key: &ApiKey, today: Date, now: Timestamp) {
        let store = &*self.key_store;
        self.last_uses.note(key.id, today, now);
        if let Some(notices) = &self.notices {
            notices.tell(store, key, now).await;
        }
    }

    /// The answer as scripts of other origins may read it, if the host lets them.
    fn share(&self, mut response: Response<Body>, as_preflight: bool) -> Response<Body> {
        if self.settings.is_for_every_origin {
            CORS.share(response.headers_mut());
            if as_preflight {
                CORS.permit(route::METHODS, response.headers_mut());
            }
        }
        response
    }

    /// The answer to a request for an endpoint (`asked.0`) from an address (`asked.1`) that is refused.
    fn refuse(&self, failure: Failure, id: Option<RequestId>, as_problem: bool, asked: (&'static str, Option<IpAddr>)) -> Response<Body> {
        self.requests.refused(failure.reason());
        let (request_id, rule) = (id.unwrap_or_else(|| self.settings.request_id()), failure.rule());
        let response = failure.into_response(request_id, as_problem);
        if let Some(audit) = &self.audit {
            let (endpoint, address) = asked;
            let refused = Refused { rule, status: response.status().as_u16(), endpoint, client: None };
            audit.record(&Event::new(Origin { request_id, address }, self.settings.now(), EventKind::Refused(refused)));
        }
        response
    }
}

impl fmt::Debug for DataApi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DataApi").field(&self.0.settings).finish()
    }
}
