use fluent_uri::pct_enc::EStr;
use fluent_uri::pct_enc::encoder::Path;
use http::Method;

use super::failure::Failure;
use crate::domain::ApiScope;
use crate::http::ProtectedResource;

/// What every address answers, as `Allow` lists it.
pub(super) const METHODS: &str = "GET, HEAD, OPTIONS";

/// What a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Route {
    /// Something of the school, which needs a key.
    Read(Resource),
    Health,
    Readiness,
    /// What the service says of itself (RFC 9728).
    Description,
    /// Which methods an address answers.
    Methods,
}

/// What can be read of the school.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Resource {
    Students,
    Clubs,
    Projects,
    Meals,
    Schedules,
    Timetables,
}

/// Every address, except for that of the description, which depends on the host.
pub(super) const ADDRESSES: &[(&str, Route)] = &[
    ("/v1/students", Route::Read(Resource::Students)),
    ("/v1/clubs", Route::Read(Resource::Clubs)),
    ("/v1/projects", Route::Read(Resource::Projects)),
    ("/v1/neis/meals", Route::Read(Resource::Meals)),
    ("/v1/neis/schedules", Route::Read(Resource::Schedules)),
    ("/v1/neis/timetables", Route::Read(Resource::Timetables)),
    ("/v1/health", Route::Health),
    ("/v1/health/ready", Route::Readiness),
];

/// The route of a request, and what the log and the metrics call the address. The path is looked at first: a wrong method of no address is still no
/// address.
pub(super) fn find(method: &Method, path: &str, resource: Option<&ProtectedResource>) -> (&'static str, Result<Route, Failure>) {
    let described = resource.filter(|resource| resource.is_at(path)).map(|_| Route::Description);
    let Some(route) = described.or_else(|| at(path)) else { return ("none", Err(Failure::UnknownPath)) };
    let asked = match *method {
        Method::GET | Method::HEAD => Ok(route),
        Method::OPTIONS => Ok(Route::Methods),
        _ => Err(Failure::MethodNotAllowed),
    };
    (route.name(), asked)
}

impl Route {
    const fn name(self) -> &'static str {
        match self {
            Self::Read(Resource::Students) => "students",
            Self::Read(Resource::Clubs) => "clubs",
            Self::Read(Resource::Projects) => "projects",
            Self::Read(Resource::Meals) => "meals",
            Self::Read(Resource::Schedules) => "schedules",
            Self::Read(Resource::Timetables) => "timetables",
            Self::Health => "health",
            Self::Readiness => "readiness",
            Self::Description => "description",
            Self::Methods => "methods",
        }
    }
}

impl Resource {
    /// Whether it is a list that comes in pages, and of which one can ask what has changed.
    #[cfg(feature = "openapi")]
    pub(super) const fn is_paged(self) -> bool {
        matches!(self, Self::Students | Self::Clubs | Self::Projects)
    }

    /// The scope that a key needs (service.md, "Authentication").
    pub(super) const fn scope(self) -> ApiScope {
        match self {
            Self::Students => ApiScope::StudentRead,
            Self::Clubs => ApiScope::ClubRead,
            Self::Projects => ApiScope::ProjectRead,
            Self::Meals | Self::Schedules | Self::Timetables => ApiScope::NeisRead,
        }
    }
}

fn at(path: &str) -> Option<Route> {
    let decoded = EStr::<Path>::new(path)?.decode().to_string().ok()?;
    // An encoded slash is part of a segment, and no segment here has one.
    if slashes(&decoded) != slashes(path) {
        return None;
    }
    ADDRESSES.iter().find(|(address, _)| *address == decoded).map(|(_, route)| *route)
}

fn slashes(path: &str) -> usize {
    path.bytes().filter(|byte| *byte == b'/').count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_encoded_segment_is_the_segment() {
        assert_eq!(at("/v1/students"), Some(Route::Read(Resource::Students)));
        assert_eq!(at("/v1/%73tudents"), Some(Route::Read(Resource::Students)));
        assert_eq!(at("/%76%31/neis/%6deals"), Some(Route::Read(Resource::Meals)));
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
