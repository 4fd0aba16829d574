use std::borrow::Cow;

use fluent_uri::pct_enc::EStr;
use fluent_uri::pct_enc::encoder::Path;

use super::calendars::Calendar;
use super::cors::CORS;
use super::list_registry::{ListId, ListRegistry};
use crate::http::ProtectedResource;
use crate::http::service::Endpoint;

/// Methods of every endpoint, as in `Allow`.
pub(super) const ALLOWED_METHODS: &str = "GET, HEAD, OPTIONS";

/// Target of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Route {
    /// A list, which requires a key.
    List(ListId),
    /// A calendar, which requires the token of a feed in the path.
    Calendar(Calendar),
    Health,
    Readiness,
    /// Metadata of the service (RFC 9728).
    ResourceMetadata,
}

/// Paths that are not lists, except for the metadata path, which depends on the host.
pub(super) const FIXED_PATHS: [(&str, Route); 2] = [
    ("/v1/health", Route::Health),
    ("/v1/health/ready", Route::Readiness),
];

/// Finds the route of a path.
pub(super) fn find(
    path: &str,
    lists: &ListRegistry,
    resource: Option<&ProtectedResource>,
    has_calendars: bool,
) -> Option<Route> {
    if resource.is_some_and(|resource| resource.matches_path(path)) {
        return Some(Route::ResourceMetadata);
    }
    let decoded = decode(path)?;
    match_path(&decoded, lists).or_else(|| {
        let (calendar, _) = Calendar::from_path(&decoded).filter(|_| has_calendars)?;
        Some(Route::Calendar(calendar))
    })
}

/// The endpoint of a route. With `allows_any_origin`, every response has CORS headers.
pub(super) fn endpoint(
    route: Option<Route>,
    lists: &ListRegistry,
    allows_any_origin: bool,
) -> Endpoint {
    Endpoint {
        name: match route {
            Some(Route::List(list)) => lists.definition(list).name,
            Some(Route::Calendar(_)) => "calendar",
            Some(Route::Health) => "health",
            Some(Route::Readiness) => "readiness",
            Some(Route::ResourceMetadata) => "description",
            None => "none",
        },
        exists: route.is_some(),
        methods: ALLOWED_METHODS,
        cors: allows_any_origin.then_some(&CORS),
    }
}

/// Decodes a path, unless it is malformed.
pub(super) fn decode(path: &str) -> Option<Cow<'_, str>> {
    let decoded = EStr::<Path>::new(path)?.decode().to_string().ok()?;
    // No path here has an encoded slash in a segment.
    (slashes(&decoded) == slashes(path)).then_some(decoded)
}

fn match_path(decoded: &str, lists: &ListRegistry) -> Option<Route> {
    let other = || {
        FIXED_PATHS
            .iter()
            .find(|(address, _)| *address == decoded)
            .map(|(_, route)| *route)
    };
    lists.find_by_path(decoded).map(Route::List).or_else(other)
}

fn slashes(path: &str) -> usize {
    path.bytes().filter(|byte| *byte == b'/').count()
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, LazyLock};

    use proptest::prelude::*;

    use super::*;
    use crate::directory::Directory;
    use crate::store::memory::MemoryStore;

    fn list_name(path: &str) -> Option<&'static str> {
        static LISTS: LazyLock<ListRegistry> = LazyLock::new(|| {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .build()
                .unwrap();
            ListRegistry::new(
                runtime
                    .block_on(Directory::open(Arc::new(MemoryStore::new())))
                    .unwrap(),
                Vec::new(),
            )
        });
        match find(path, &LISTS, None, false)? {
            Route::List(list) => Some(LISTS.definition(list).name),
            _ => Some("other"),
        }
    }

    #[test]
    fn an_encoded_segment_is_the_segment() {
        assert_eq!(list_name("/v1/students"), Some("students"));
        assert_eq!(list_name("/v1/%73tudents"), Some("students"));
        assert_eq!(list_name("/%76%31/neis/%6deals"), Some("meals"));
        assert_eq!(list_name("/v1/health"), Some("other"));
    }

    #[test]
    fn a_path_that_is_nearly_right_is_wrong() {
        let paths = [
            "",
            "/",
            "*",
            "/v1",
            "/v1/",
            "/v1/students/",
            "//v1/students",
            "/v1//students",
            "/v1%2fstudents",
            "/v1/neis%2Fmeals",
            "/v1/students%2f",
            "/V1/students",
            "/v1/Students",
            "/v1/students%",
            "/v1/students%0",
            "/v1/student%73%00",
            "/v1/%ff",
            "/v1/x/../students",
            "/v2/students",
            "/v1/neis",
            "/v1/health/",
        ];
        for path in paths {
            assert_eq!(list_name(path), None, "{path}");
        }
    }

    proptest! {
        #[test]
        fn an_arbitrary_path_is_found_or_not(path in any::<String>()) {
            let _ = list_name(&path);
        }
    }
}
