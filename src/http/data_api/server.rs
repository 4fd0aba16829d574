use std::sync::Arc;

use http::header::IF_NONE_MATCH;
use http::request::Parts;
use http::{Method, Request, Response, StatusCode};
use tracing::Level;

use super::api_key_cache::ApiKeyCache;
use super::builder::Settings;
use super::calendars::{self, Calendar, CalendarSource, Calendars};
use super::conditional::EntityTag;
use super::error::Error;
use super::expiry_notices::ExpiryNotices;
use super::format::{self, Format};
use super::key_check::Authorizer;
use super::key_usage::KeyUsageRecorder;
use super::list_registry::{ListId, ListRegistry};
use super::owner_check_cache::OwnerCheckCache;
use super::query_cache::QueryCache;
use super::rate_limit_headers::ResponseHeaders;
use super::rate_limits::RateLimits;
use super::representation::Representation;
use super::response::Access;
use super::response_cache::ResponseCache;
use super::route::{self, Route};
use super::{error, health, render, response};
use crate::domain::{AcademicYear, ApiKey, ApiKeyDailyUsage, HiddenFields, Timestamp};
use crate::http::audit::RefusalRule;
use crate::http::content_encoding::AcceptEncoding;
use crate::http::service::{
    ReadableBody, Refusal, RequestContext, RequestHandler, ServiceContext, log_refusal,
};
use crate::http::{Body, ClientAddress, KeyLimit, ProtectedResource};
use crate::metrics::CacheMetrics;
use crate::store::ApiKeyStore;

/// State shared by all requests.
pub(super) struct Shared {
    pub(super) settings: Settings,
    pub(super) service: Arc<ServiceContext>,
    pub(super) client_cache_lookups: CacheMetrics,
    pub(super) lists: ListRegistry,
    pub(super) calendars: Option<Arc<Calendars>>,
    pub(super) key_store: Arc<dyn ApiKeyStore>,
    pub(super) key_cache: ApiKeyCache,
    pub(super) rate_limits: RateLimits,
    pub(super) key_usage: Arc<KeyUsageRecorder>,
    pub(super) expiry_notices: Option<ExpiryNotices>,
    pub(super) owner_check_cache: Option<OwnerCheckCache>,
    pub(super) query_cache: QueryCache,
    pub(super) response_cache: ResponseCache,
}

impl Shared {
    fn authorizer<'a>(&'a self, context: &'a RequestContext) -> Authorizer<'a> {
        Authorizer {
            context,
            store: &*self.key_store,
            keys: &self.key_cache,
            limits: &self.rate_limits,
            owners: self.owner_check_cache.as_ref(),
        }
    }

    /// Notifies the key's owner if it expires soon.
    async fn notify_owner(&self, key: &ApiKey, now: Timestamp) {
        if let Some(notices) = &self.expiry_notices {
            notices.notify_once(&*self.key_store, key, now).await;
        }
    }
}

/// Authority with which a request reads a list.
#[cfg_attr(not(feature = "console"), allow(dead_code))]
pub(super) enum Authority {
    /// The API key that the request presents.
    Presented,
    /// A key that an in-process caller has looked up.
    Key(Arc<ApiKey>, KeyLimit),
    /// An in-process caller, which has checked that the user may read everything.
    Server,
}

/// State of one request: the shared state, and the request's context and route.
pub(super) struct Server {
    shared: Arc<Shared>,
    context: RequestContext,
    route: Option<Route>,
    authority: Authority,
    prefers_problem: bool,
    access: Access,
}

impl Server {
    pub(super) fn new<B>(shared: &Arc<Shared>, request: &Request<B>, authority: Authority) -> Self {
        let Shared {
            settings, lists, ..
        } = &**shared;
        let route = route::find(
            request.uri().path(),
            lists,
            settings.resource.as_ref(),
            shared.calendars.is_some(),
        );
        let endpoint = route::endpoint(route, lists, settings.allows_any_origin);
        Self {
            shared: Arc::clone(shared),
            context: RequestContext::new(&shared.service, endpoint, request.extensions()),
            route,
            authority,
            prefers_problem: format::prefers_problem_json(request.headers()),
            access: match route {
                _ if !matches!(*request.method(), Method::GET | Method::HEAD) => Access::Public,
                Some(Route::List(_)) => Access::Key,
                Some(Route::Calendar(_)) => Access::Feed,
                _ => Access::Public,
            },
        }
    }

    async fn answer(
        &self,
        mut head: Parts,
        response_headers: &mut ResponseHeaders,
    ) -> Result<Response<Body>, Error> {
        let (settings, lists) = (&self.shared.settings, &self.shared.lists);
        match self.route {
            Some(Route::List(list)) => self.read_list(list, &mut head, response_headers).await,
            Some(Route::Calendar(calendar)) => {
                self.read_calendar(calendar, &mut head, response_headers)
                    .await
            }
            Some(Route::Health) => Ok(health::live()),
            Some(Route::Readiness) => {
                health::ready(lists.directory(), &settings.readiness, response_headers).await
            }
            Some(Route::ResourceMetadata) => settings
                .resource
                .as_ref()
                .map(ProtectedResource::metadata_response)
                .ok_or_else(Error::not_found),
            None => Err(Error::not_found()),
        }
    }

    /// Runs the checks in their fixed order, and returns the list.
    async fn read_list(
        &self,
        list: ListId,
        head: &mut Parts,
        response_headers: &mut ResponseHeaders,
    ) -> Result<Response<Body>, Error> {
        let shared = &*self.shared;
        let (settings, definition) = (&shared.settings, shared.lists.definition(list));
        let authorizer = shared.authorizer(&self.context);
        let precise_now = settings.precise_now();
        let now = precise_now.floor_to_seconds();
        let today = settings.today(now);
        let looked_up = match &self.authority {
            Authority::Key(key, limit) => Some((Arc::clone(key), *limit)),
            Authority::Presented | Authority::Server => None,
        };
        let hidden = if matches!(self.authority, Authority::Server) {
            HiddenFields::default()
        } else {
            let key = authorizer
                .authorize(
                    (head, looked_up),
                    &definition.scope,
                    precise_now,
                    response_headers,
                )
                .await?;
            shared.notify_owner(&key, now).await;
            key.hidden
        };
        let query_string = head.uri.query().unwrap_or_default();
        let parsed = shared.query_cache.get_or_parse(
            (list, definition),
            query_string,
            today,
            settings.ignores_unknown_parameters,
        )?;
        if let Some((name, field)) = definition.hidden_parameter(&parsed.query, hidden) {
            return Err(Error::field_hidden(name, field));
        }
        let format = Format::negotiate(&head.headers, render::supported_formats(&parsed.query))?;
        let state = shared
            .lists
            .state(list, &parsed.query, &head.headers)
            .await?;
        let tag = EntityTag::new(state.version(), &parsed.digest, format, hidden);
        let is_not_modified = tag.is_not_modified(&head.headers)?;
        let data_as_of = shared.lists.data_as_of(list);
        if head.headers.contains_key(IF_NONE_MATCH) {
            shared.client_cache_lookups.count(is_not_modified);
        }
        if is_not_modified {
            response_headers.data_as_of = data_as_of;
            let mut response = response::reusing_header_map(head, StatusCode::NOT_MODIFIED);
            tag.insert_into(&mut response);
            return Ok(response);
        }
        let is_cheap = render::is_cheap(&state, &parsed.query, format);
        let render = {
            let parsed = Arc::clone(&parsed);
            move || render::render(&state, &parsed.query, format, hidden)
        };
        let representation = shared
            .response_cache
            .get_or_render(
                &tag,
                AcceptEncoding::from_headers(&head.headers),
                is_cheap,
                render,
            )
            .await?;
        let mut response = response::reusing_header_map(head, StatusCode::OK);
        response_headers.data_as_of = data_as_of;
        representation.write(&mut response, settings, &parsed.link_query);
        tag.insert_into(&mut response);
        Ok(response)
    }

    /// Checks the feed, and returns the calendar of the current academic year. `Accept` is not
    /// negotiated: calendar programs send anything, and there is one format.
    async fn read_calendar(
        &self,
        calendar: Calendar,
        head: &mut Parts,
        response_headers: &mut ResponseHeaders,
    ) -> Result<Response<Body>, Error> {
        let (shared, settings) = (&*self.shared, &self.shared.settings);
        let calendars = shared.calendars.clone().ok_or_else(Error::not_found)?;
        let token = route::decode(head.uri.path()).and_then(|path| Calendar::token(&path));
        let address = ClientAddress::from_extensions(&head.extensions);
        let precise_now = settings.precise_now();
        let now = precise_now.floor_to_seconds();
        let key = shared
            .authorizer(&self.context)
            .authorize_feed(
                &*calendars.feeds,
                (token, address),
                precise_now,
                response_headers,
            )
            .await?;
        let today = settings.today(now);
        shared.notify_owner(&key, now).await;
        let snapshot = shared.lists.directory().snapshot().await?;
        let year = AcademicYear::containing(today);
        // The key of the cache: the tag of the response is that of its body.
        let cache_key = EntityTag::new(
            snapshot.version(),
            &format!("{calendar:?}{}", year.year()),
            Format::ICalendar,
            HiddenFields::default(),
        );
        let render = {
            let zone = settings.zone().clone();
            move || {
                let (calendars, snapshot, zone) = (&calendars, &snapshot, &zone);
                let source = CalendarSource {
                    calendars,
                    snapshot,
                    zone,
                    year,
                };
                let body = calendars::render(&source, calendar);
                Ok(Representation::calendar(body))
            }
        };
        let accepted = AcceptEncoding::from_headers(&head.headers);
        let representation = shared
            .response_cache
            .get_or_render(&cache_key, accepted, false, render)
            .await?;
        let tag = representation.tag.clone().unwrap_or(cache_key);
        let is_not_modified = tag.is_not_modified(&head.headers)?;
        if head.headers.contains_key(IF_NONE_MATCH) {
            shared.client_cache_lookups.count(is_not_modified);
        }
        let status = if is_not_modified {
            StatusCode::NOT_MODIFIED
        } else {
            StatusCode::OK
        };
        let mut response = response::reusing_header_map(head, status);
        if !is_not_modified {
            representation.write(&mut response, settings, "");
        }
        tag.insert_into(&mut response);
        Ok(response)
    }
}

impl RequestHandler for Server {
    type Error = Error;

    fn context(&self) -> &RequestContext {
        &self.context
    }

    /// Also renders errors, because the headers about the key and its limit are on every response
    /// after authorization.
    async fn handle<B: ReadableBody>(&self, request: Request<B>) -> Result<Response<Body>, Error> {
        let mut response_headers = ResponseHeaders::default();
        let mut response = self
            .answer(request.into_parts().0, &mut response_headers)
            .await
            .unwrap_or_else(|error| self.error_response(error));
        if let Some((key, at)) = response_headers.key {
            let status = response.status();
            let is_error = status.is_client_error() || status.is_server_error();
            let (now, shared) = (at.floor_to_seconds(), &self.shared);
            let used = ApiKeyDailyUsage {
                key,
                day: shared.settings.today(now),
                calls: 1,
                errors: is_error.into(),
                last_used_at: now,
            };
            shared.key_usage.record(used, now);
        }
        response_headers.write(response.headers_mut());
        Ok(response)
    }

    fn error_response(&self, error: Error) -> Response<Body> {
        error.into_response(self.context.id(), self.prefers_problem)
    }

    fn add_headers(&self, response: &mut Response<Body>) {
        response::add_headers(response, self.access);
    }

    fn reason(rule: RefusalRule) -> &'static str {
        error::reason(rule)
    }

    /// Without the endpoint, and without warnings: a client that exceeds its limit is no fault of
    /// the service.
    fn log_refusal(refusal: Refusal<'_>) {
        let refusal = Refusal {
            level: match refusal.level {
                Level::WARN => Level::INFO,
                level => level,
            },
            endpoint: None,
            ..refusal
        };
        log_refusal!("lyceum::data", refusal);
    }
}
