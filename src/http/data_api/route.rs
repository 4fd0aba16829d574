use fluent_uri::pct_enc::EStr;
use fluent_uri::pct_enc::encoder::Path;
use http::Method;

use super::failure::Failure;
use super::lists::{ListId, Lists};
use crate::http::ProtectedResource;

/// What every address answers, as `Allow` lists it.
pub(super) const METHODS: &str = "GET, HEAD, OPTIONS";

/// What a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Route {
    /// A list, which needs a key.
    Read(ListId),
    Health,
    Readiness,
    /// What the service says of itself (RFC 9728).
    Description,
    /// Which methods an address answers.
    Methods,
}

/// The addresses without lists, except for that of the description, which depends on the host.
pub(super) const ADDRESSES: [(&str, Route); 2] = [("/v1/health", Route::Health), ("/v1/health/ready", Route::Readiness)];

/// The route of a request, and what the log and the metrics call the address. An unknown path is told before a
/// method that is not allowed.
pub(super) fn find(
    method: &Method,
    path: &str,
    lists: &Lists,
    resource: Option<&ProtectedResource>,
) -> (&'static str, Result<Route, Failure>) {
    let described = resource.filter(|resource| resource.is_at(path)).map(|_| Route::Description);
    let Some(route) = described.or_else(|| at(path, lists)) else { return ("none", Err(Failure::UnknownPath)) };
    let name = match route {
        Route::Read(list) => lists.definition(list).name,
        Route::Health => "health",
        Route::Readiness => "readiness",
        Route::Description => "description",
        Route::Methods => "methods",
    };
    let asked = match *method {
        Method::GET | Method::HEAD => Ok(route),
        Method::OPTIONS => Ok(Route::Methods),
        _ => Err(Failure::MethodNotAllowed),
    };
    (name, asked)
}

fn at(path: &str, lists: &Lists) -> Option<Route> {
    let decoded = EStr::<Path>::new(path)?.decode().to_string().ok()?;
    // An encoded slash is part of a segment, and no segment here has one.
    if slashes(&decoded) != slashes(path) {
        return None;
    }
    let other = || ADDRESSES.iter().find(|(address, _)| *address == decoded).map(|(_, route)| *route);
    lists.at(&decoded).map(Route::Read).or_else(other)
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

    fn at(path: &str) -> Option<&'static str> {
        static LISTS: LazyLock<Lists> = LazyLock::new(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            Lists::new(runtime.block_on(Directory::open(Arc::new(MemoryStore::new()))).unwrap(), Vec::new())
        });
        match super::at(path, &LISTS)? {
            Route::Read(list) => Some(LISTS.definition(list).name),
            _ => Some("other"),
        }
    }

    #[test]
    fn an_encoded_segment_is_the_segment() {
        assert_eq!(at("/v1/students"), Some("students"));
        assert_eq!(at("/v1/%73tudents"), Some("students"));
        assert_eq!(at("/%76%31/neis/%6deals"), Some("meals"));
        assert_eq!(at("/v1/health"), Some("other"));
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
            assert_eq!(at(path), None, "{path}");
        }
    }

    proptest! {
        #[test]
        fn an_arbitrary_path_is_found_or_not(path in any::<String>()) {
            let _ = at(&path);
        }
    }
}
