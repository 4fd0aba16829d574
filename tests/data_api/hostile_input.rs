//! Arbitrary input: the response is always a 2xx or a 4xx in the format of spec 2.2, never a 5xx or
//! a panic.

use http::{HeaderName, HeaderValue, Method, Request, Uri};
use lyceum::DataApi;
use proptest::prelude::*;
use tower::ServiceExt;

use crate::client::{TestResponse, send};
use crate::school_fixtures::{self, FULL_KEY};

const PATHS: [&str; 6] = [
    "/v1/students",
    "/v1/clubs",
    "/v1/projects",
    "/v1/neis/meals",
    "/v1/neis/schedules",
    "/v1/neis/timetables",
];

const NAMES: [&str; 20] = [
    "studentId",
    "name",
    "grade",
    "sex",
    "specialty",
    "dormitoryRoom",
    "includeGraduates",
    "sortBy",
    "sortDirection",
    "page",
    "size",
    "clubId",
    "clubName",
    "status",
    "foundedYear",
    "projectName",
    "date",
    "fromDate",
    "toDate",
    "classNum",
];

struct Target {
    runtime: tokio::runtime::Runtime,
    api: DataApi,
}

impl Target {
    fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let api = runtime.block_on(school_fixtures::api());
        Self { runtime, api }
    }

    fn send(&self, request: Request<()>) -> TestResponse {
        self.runtime.block_on(send(&self.api, request))
    }
}

fn is_one_of_ours(answer: &TestResponse) -> Result<(), TestCaseError> {
    let json = answer.json();
    prop_assert!(answer.status.as_u16() < 500, "{}", answer.body);
    prop_assert_eq!(
        json["code"].as_u64(),
        Some(u64::from(answer.status.as_u16()))
    );
    prop_assert_eq!(json.get("data").is_some(), answer.status == 200);
    prop_assert!(!json["message"].as_str().unwrap().is_empty());
    Ok(())
}

/// Creates a request with a valid key; `None` for a URI that `http` itself rejects.
fn with_key(address: Vec<u8>) -> Option<Request<()>> {
    let uri = Uri::from_maybe_shared(bytes::Bytes::from(address)).ok()?;
    let mut request = Request::new(());
    *request.uri_mut() = uri;
    request
        .headers_mut()
        .insert("x-api-key", HeaderValue::from_static(FULL_KEY));
    Some(request)
}

/// Bytes that are likely in a URI.
fn likely_byte() -> impl Strategy<Value = u8> {
    prop_oneof![3 => prop::sample::select(&b"%&=+0123456789abcdefABCDEF-._~/:@!$'()*,;?{}|\"<>[]\\^`"[..]), 1 => any::<u8>()]
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i64>().prop_map(|number| number.to_string()),
        any::<u128>().prop_map(|number| number.to_string()),
        (0_u16..10_000, 0_u8..14, 0_u8..33)
            .prop_map(|(year, month, day)| format!("{year:04}-{month:02}-{day:02}")),
        prop::sample::select(vec![
            "true", "ACTIVE", "ID", "NAME", "DESC", "AI", "0", "1", ""
        ])
        .prop_map(str::to_owned),
        any::<String>().prop_map(|text| crate::client::escaped(&text)),
        prop::collection::vec(any::<u8>(), 0..20)
            .prop_map(|bytes| bytes.iter().map(|byte| format!("%{byte:02x}")).collect()),
    ]
}

const PARAMETER_VALUES: [&str; 4] = ["accept", "accept-encoding", "if-none-match", "if-match"];

/// Pieces of header values, combined at random.
fn parameter() -> impl Strategy<Value = Vec<u8>> {
    let pieces = [
        "*",
        "/",
        "*/*",
        "text/",
        "csv",
        "text/csv",
        "application/json",
        "application/x-ndjson",
        "application/problem+json",
        "gzip",
        "br",
        "identity",
        ";",
        "q",
        "=",
        ";q=0",
        ";q=0.5",
        ";q=1e9",
        ";q=nan",
        ",",
        ", ",
        "\"",
        "W/",
        "\"a\"",
        "\\",
        " ",
        "\t",
        "",
    ];
    let piece = prop_oneof![
        4 => prop::sample::select(pieces.to_vec()).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..4),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(24) })]

    // Proves: threats 41
    #[test]
    fn arbitrary_queries_never_fail_the_service(queries in prop::collection::vec(prop::collection::vec(likely_byte(), 0..60), 64)) {
        let target = Target::new();
        for query in queries {
            for path in PATHS {
                if let Some(request) = with_key([path.as_bytes(), b"?", &query].concat()) {
                    is_one_of_ours(&target.send(request))?;
                }
            }
        }
    }

    // Proves: threats 41
    /// Fails if an escape of invalid UTF-8 panics.
    #[test]
    fn known_parameters_with_arbitrary_values_never_fail_the_service(
        queries in prop::collection::vec((0..PATHS.len(), prop::collection::vec((prop::sample::select(&NAMES[..]), value()), 0..4)), 64)
    ) {
        let target = Target::new();
        for (path, pairs) in queries {
            let query: Vec<String> = pairs.iter().map(|(name, value)| format!("{name}={value}")).collect();
            let address = format!("{}?{}", PATHS[path], query.join("&"));
            if let Some(request) = with_key(address.into_bytes()) {
                is_one_of_ours(&target.send(request))?;
            }
        }
    }

    // Proves: threats 41
    #[test]
    fn arbitrary_paths_and_methods_never_fail_the_service(
        paths in prop::collection::vec((prop::collection::vec(likely_byte(), 0..40), "[A-Z]{1,8}"), 64)
    ) {
        let target = Target::new();
        for (path, method) in paths {
            let Some(mut request) = with_key([b"/v1/", &path[..]].concat()) else { continue };
            is_one_of_ours(&target.send(request.clone()))?;
            *request.method_mut() = Method::from_bytes(method.as_bytes()).unwrap();
            if request.method() != Method::HEAD {
                is_one_of_ours(&target.send(request))?;
            }
        }
    }

    // Proves: threats 41
    /// Fails if an invalid weight or list panics, or is an error instead of being ignored.
    #[test]
    fn arbitrary_accept_and_condition_headers_never_fail_the_service(
        requests in prop::collection::vec(prop::collection::vec((prop::sample::select(&PARAMETER_VALUES[..]), parameter()), 0..4), 64)
    ) {
        let target = Target::new();
        for headers in requests {
            let mut request = with_key(b"/v1/students".to_vec()).unwrap();
            for (name, value) in &headers {
                let Ok(value) = HeaderValue::from_bytes(value) else { continue };
                request.headers_mut().append(HeaderName::from_static(name), value);
            }
            let response = target.runtime.block_on(target.api.clone().oneshot(request)).unwrap();
            prop_assert!(matches!(response.status().as_u16(), 200 | 304 | 406 | 412), "{:?} {}", headers, response.status());
            prop_assert_eq!(response.headers().contains_key("etag"), matches!(response.status().as_u16(), 200 | 304));
            prop_assert_eq!(response.body().as_bytes().is_empty(), response.status() == 304);
        }
    }

    // Proves: threats 41
    #[test]
    fn arbitrary_keys_never_fail_the_service_or_open_it(
        keys in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..80), 64)
    ) {
        let target = Target::new();
        for key in keys {
            let Ok(key) = HeaderValue::from_bytes(&key) else { continue };
            let mut request = Request::get("/v1/students").body(()).unwrap();
            request.headers_mut().insert(HeaderName::from_static("x-api-key"), key);
            let answer = target.send(request);
            is_one_of_ours(&answer)?;
            prop_assert_eq!(answer.status, 401);
        }
    }
}
