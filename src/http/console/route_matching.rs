//! Matching of paths, and the kinds of handlers.

use std::pin::Pin;

use bytes::Bytes;
use http::{Method, Request, Response};

use super::error::Error;
use super::form::flash::Flash;
use super::form::{Form, FormFields};
use super::routes::ROUTES;
use super::server::Server;
use super::user_request::UserRequest;
use crate::http::Body;
use crate::http::service::Endpoint;

/// Maximum length of most request bodies, in bytes; enough for a client with the most scopes.
pub(super) const BODY_LIMIT: usize = 64 * 1024;

/// Response of a handler.
pub(super) type HandlerResult = Result<Response<Body>, Error>;

type HandlerFuture<'a> = Pin<Box<dyn Future<Output = HandlerResult> + Send + 'a>>;

/// Handler of a method of a route.
#[derive(Clone, Copy)]
pub(super) enum Handler {
    /// Sends the stylesheet or the script, for every visitor.
    Asset,
    /// Shows a page or processes a form, for every visitor.
    Public(for<'a> fn(&'a Server, &'a Request<Bytes>) -> HandlerFuture<'a>),
    /// Requires a signed-in user.
    SignedIn(UserHandler),
}

/// Handler of the requests of signed-in users.
#[derive(Clone, Copy)]
pub(super) enum UserHandler {
    /// Shows a page.
    Page(for<'a> fn(&'a UserRequest<'a>) -> HandlerFuture<'a>),
    /// Processes a form with these fields, which is bound to the session.
    Form {
        fields: FormFields,
        /// Whether the form counts towards the limit of changes. Ending one's own grants, API keys,
        /// sessions and older secrets does not.
        is_change: bool,
        submit: for<'a> fn(&'a UserRequest<'a>, Form<'a>) -> HandlerFuture<'a>,
    },
    /// Processes a form with a file, whose token the handler checks first. It counts towards the
    /// limit of changes.
    Upload(for<'a> fn(&'a UserRequest<'a>) -> HandlerFuture<'a>),
}

/// Path of the console and its handlers.
pub(super) struct Route {
    /// `{name}` stands for any text in its segment, also an empty one.
    pattern: &'static str,
    /// Name in logs, metrics and events. Addresses are not logged, as they may contain search
    /// terms.
    name: &'static str,
    pub(super) is_for_administrators: bool,
    /// Whether the route exists only where API keys are managed.
    pub(super) needs_api_keys: bool,
    /// Whether the route exists only where there is a sync.
    pub(super) needs_sync: bool,
    /// Whether the route exists only where administrators edit the school's records.
    pub(super) needs_school_editor: bool,
    /// Whether the route exists only where, in addition, the school keeps a history.
    pub(super) needs_school_history: bool,
    /// Maximum length of a request body, in bytes.
    pub(super) body_limit: usize,
    /// Pattern of the page that has the form, if the route has none itself. Its parameters are the
    /// first ones of the route.
    page: Option<&'static str>,
    /// Whether the page of the form shows it again if it was sent after its session had ended.
    pub(super) restores_form: bool,
    /// Whether a user who signed in long ago types the password again first.
    pub(super) needs_recent_sign_in: bool,
    /// Pattern of the page that a form which is sent twice leads to, and its notice. Its parameters
    /// are the first ones of the route.
    once: Option<(&'static str, Flash)>,
    get: Option<Handler>,
    post: Option<Handler>,
}

impl Route {
    pub(super) const fn new(pattern: &'static str, name: &'static str) -> Self {
        Self {
            pattern,
            name,
            is_for_administrators: false,
            needs_api_keys: false,
            needs_sync: false,
            needs_school_editor: false,
            needs_school_history: false,
            body_limit: BODY_LIMIT,
            page: None,
            restores_form: false,
            needs_recent_sign_in: false,
            once: None,
            get: None,
            post: None,
        }
    }

    pub(super) const fn for_administrators(mut self) -> Self {
        self.is_for_administrators = true;
        self
    }

    pub(super) const fn with_api_keys(mut self) -> Self {
        self.needs_api_keys = true;
        self
    }

    pub(super) const fn with_sync(mut self) -> Self {
        self.needs_sync = true;
        self
    }

    /// A page of the school editor, with records of this length.
    pub(super) const fn of_school_editor(mut self) -> Self {
        self.is_for_administrators = true;
        self.needs_school_editor = true;
        self
    }

    /// A page of the school editor about the turn of the school year and its history.
    pub(super) const fn of_school_year(mut self) -> Self {
        self.needs_school_history = true;
        self.of_school_editor()
    }

    /// Reads longer request bodies, but only those of users who may see the page.
    pub(super) const fn with_body_limit(mut self, bytes: usize) -> Self {
        self.body_limit = bytes;
        self
    }

    /// The form is on another page than that of the route.
    pub(super) const fn on_page(mut self, pattern: &'static str) -> Self {
        self.page = Some(pattern);
        self
    }

    /// The page of the form shows what [`UserRequest::typed_form`] returns.
    pub(super) const fn with_restored_form(mut self) -> Self {
        self.restores_form = true;
        self
    }

    /// What the route does gives access that outlasts the session: a computer that is left with a
    /// session open must not be enough for it.
    pub(super) const fn after_recent_sign_in(mut self) -> Self {
        self.needs_recent_sign_in = true;
        self
    }

    /// The form is carried out once: sent again, it leads to this page with a notice.
    pub(super) const fn once(mut self, page: &'static str, notice: Flash) -> Self {
        self.once = Some((page, notice));
        self
    }

    pub(super) const fn get(mut self, handler: Handler) -> Self {
        self.get = Some(handler);
        self
    }

    pub(super) const fn post(mut self, handler: Handler) -> Self {
        self.post = Some(handler);
        self
    }

    /// The allowed methods, as in the `Allow` header.
    pub(super) const fn methods(&self) -> &'static str {
        match (self.get, self.post) {
            (Some(_), Some(_)) => "GET, HEAD, POST",
            (Some(_), None) => "GET, HEAD",
            (None, _) => "POST",
        }
    }

    /// The handler of an allowed method.
    pub(super) fn handler(&self, method: &Method) -> Option<Handler> {
        match *method {
            Method::GET | Method::HEAD => self.get,
            Method::POST => self.post,
            _ => None,
        }
    }

    /// Whether the route has a page that can be requested with GET.
    pub(super) const fn is_page(&self) -> bool {
        matches!(self.get, Some(Handler::SignedIn(_) | Handler::Public(_)))
    }

    /// Whether the route has a page to return to after sign-in.
    pub(super) const fn is_return_target(&self) -> bool {
        matches!(self.get, Some(Handler::SignedIn(_)))
    }

    /// Values of the parameters if the path matches. Paths are compared as they are sent, without
    /// percent-decoding and normalization.
    fn match_path<'p>(&self, path: &'p str) -> Option<Vec<&'p str>> {
        let (mut segments, mut params) = (path.split('/'), Vec::new());
        for expected in self.pattern.split('/') {
            let segment = segments.next()?;
            match expected.split_once('}') {
                Some((_, suffix)) => params.push(segment.strip_suffix(suffix)?),
                None if expected == segment => {}
                None => return None,
            }
        }
        segments.next().is_none().then_some(params)
    }
}

/// Route of a path, with the values of its parameters.
pub(super) struct MatchedRoute {
    pub(super) route: &'static Route,
    /// In the order of the pattern.
    pub(super) params: Vec<String>,
}

impl MatchedRoute {
    /// The first route that matches.
    pub(super) fn find(path: &str) -> Option<Self> {
        ROUTES.iter().find_map(|route| {
            let params = route.match_path(path)?;
            Some(Self {
                route,
                params: params.into_iter().map(str::to_owned).collect(),
            })
        })
    }

    /// Path of the page with the form that is sent to `path`, if one is known.
    pub(super) fn form_page(&self, path: &str) -> Option<String> {
        if self.route.is_return_target() {
            return Some(path.to_owned());
        }
        self.route.page.map(|page| self.fill(page))
    }

    /// Path of the page that the form leads to if it is sent again, and the notice there; `None` if
    /// it may be carried out again.
    pub(super) fn once(&self) -> Option<(String, Flash)> {
        let once = self.route.once;
        once.map(|(page, notice)| (self.fill(page), notice))
    }

    /// A pattern with the first parameters of the route.
    fn fill(&self, pattern: &str) -> String {
        let mut params = self.params.iter();
        let segments = pattern.split('/').map(|segment| {
            let is_param = segment.starts_with('{');
            let param = is_param.then(|| params.next()).flatten();
            param.map_or(segment, String::as_str)
        });
        segments.collect::<Vec<_>>().join("/")
    }

    /// The endpoint of a matched route.
    pub(super) fn endpoint(found: Option<&Self>) -> Endpoint {
        Endpoint {
            name: found.map_or("none", |found| found.route.name),
            exists: found.is_some(),
            methods: found.map_or("", |found| found.route.methods()),
            cors: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Fails if a route is behind another one that matches the same paths, or has no handler.
    #[test]
    fn every_route_is_reached_by_its_own_pattern_and_has_a_name_of_its_own() {
        let mut names = BTreeSet::new();
        for route in ROUTES {
            let found = MatchedRoute::find(route.pattern).unwrap();
            assert_eq!(found.route.name, route.name, "{}", route.pattern);
            assert!(names.insert(route.name), "{}", route.name);
            assert!(route.get.is_some() || route.post.is_some());
        }
    }

    /// Fails if a form leads to a page that does not exist, or to that of another record.
    #[test]
    fn a_form_without_a_page_of_its_own_names_the_page_that_has_it() {
        for route in ROUTES {
            let Some(page) = route.page else { continue };
            assert!(route.post.is_some() && !route.is_page(), "{}", route.name);
            let found = MatchedRoute::find(page).unwrap();
            assert!(found.route.is_return_target(), "{page}");
            assert_eq!(found.route.pattern, page);
            let own = MatchedRoute::find(route.pattern).unwrap();
            assert!(own.params.starts_with(&found.params), "{page}");
        }
        for (path, page) in [
            ("/keys/new", Some("/keys/new")),
            ("/keys/x/calendars/y/revoke", Some("/keys/x")),
            ("/admin/school//import/plan", Some("/admin/school//import")),
            ("/sign-out", None),
        ] {
            let found = MatchedRoute::find(path).unwrap();
            assert_eq!(found.form_page(path).as_deref(), page, "{path}");
        }
    }

    /// Fails if a segment is decoded, or an empty one is skipped.
    #[test]
    fn parameters_are_the_segments_as_they_were_sent() {
        for (path, endpoint, params) in [
            ("/", "home", &[][..]),
            ("/keys/", "key", &[""]),
            ("/keys/a%2Fb", "key", &["a%2Fb"]),
            ("/keys/new", "key_new", &[]),
            ("/keys/new/renew", "key_renew", &["new"]),
            ("/keys//renew", "key_renew", &[""]),
            ("/applications/x/scopes/new", "scope_new", &["x"]),
            ("/applications/x/scopes/y", "scope", &["x", "y"]),
            (
                "/applications/x/scopes/y/clients/z/withdraw",
                "scope_withdraw",
                &["x", "y", "z"],
            ),
            ("/data/students", "data", &["students"]),
            ("/data/students.csv", "data_table", &["students"]),
            ("/data/.csv", "data_table", &[""]),
            ("/data/a.csv.csv", "data_table", &["a.csv"]),
            ("/data/students.CSV", "data", &["students.CSV"]),
        ] {
            let found = MatchedRoute::find(path).unwrap();
            assert_eq!(found.route.name, endpoint, "{path}");
            assert_eq!(found.params, params, "{path}");
        }
        for path in [
            "",
            "*",
            "keys",
            "//",
            "//keys",
            "/keys//",
            "/Keys",
            "/%6Beys",
            "/keys%2Fnew",
        ] {
            assert!(MatchedRoute::find(path).is_none(), "{path}");
        }
    }
}
