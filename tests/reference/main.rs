//! The OpenAPI document of both services, as JSON and as a page, requested over HTTP.

use std::collections::BTreeSet;
use std::io::Read;
use std::sync::Arc;

use axum::Router;
use http::{Request, StatusCode};
use http_body_util::BodyExt;
use lyceum::directory::Directory;
use lyceum::domain::SigningAlgorithm;
use lyceum::http::ApiReference;
use lyceum::store::memory::MemoryStore;
use lyceum::{AuthServer, DataApi};
use serde_json::Value;
use tower::ServiceExt;

const ADDRESS: &str = "https://school.example";

async fn services(issuer: &str) -> (DataApi, AuthServer) {
    let store = Arc::new(MemoryStore::new());
    let auth = AuthServer::builder(store.clone(), issuer, lyceum::testing::master_key(7))
        .signing_algorithm(SigningAlgorithm::Es256);
    let directory = Directory::open(store.clone()).await.unwrap();
    let auth = auth
        .directory(directory.clone())
        .api_keys(store.clone())
        .build()
        .await
        .unwrap();
    (
        DataApi::builder(directory, store.clone())
            .calendar_feeds(store)
            .public_url(ADDRESS)
            .authorization_server(issuer)
            .build()
            .unwrap(),
        auth,
    )
}

async fn reference() -> ApiReference {
    let (api, auth) = services(ADDRESS).await;
    ApiReference::new("Star High School", [api.openapi(), auth.openapi()]).unwrap()
}

async fn send(
    router: &Router,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
) -> (StatusCode, http::HeaderMap, String) {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = router
        .clone()
        .oneshot(request.body(axum::body::Body::empty()).unwrap())
        .await
        .unwrap();
    let (head, body) = response.into_parts();
    let bytes = body.collect().await.unwrap().to_bytes().to_vec();
    (head.status, head.headers, String::from_utf8(bytes).unwrap())
}

/// Every change on the wire changes this file, which readers download. It is plain JSON and not the
/// snapshot of a test library.
#[tokio::test]
async fn the_published_document_is_the_document() {
    let reference = reference().await;
    let (published, made) = (
        include_str!("../../docs/openapi.json"),
        reference.document(),
    );
    if published != made {
        let place = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("openapi.json");
        std::fs::write(&place, made).unwrap();
        panic!(
            "docs/openapi.json is another; if that is meant, copy {} over it",
            place.display()
        );
    }
}

/// Fails if something in the document refers to nothing, or two operations have one name.
#[tokio::test]
async fn the_document_is_whole() {
    let reference = reference().await;
    let document: Value = serde_json::from_str(reference.document()).unwrap();
    let (mut references, mut names) = (BTreeSet::new(), Vec::new());
    collect(&document, &mut references, &mut names);
    assert!(references.len() > 50);
    for reference in references {
        assert!(
            document
                .pointer(reference.strip_prefix('#').unwrap())
                .is_some(),
            "{reference} does not exist"
        );
    }
    let different: BTreeSet<_> = names.iter().collect();
    assert_eq!(different.len(), names.len(), "{names:?}");
    for (scheme, _) in document["components"]["securitySchemes"]
        .as_object()
        .unwrap()
    {
        assert!(
            reference_text(&document).contains(&format!("\"{scheme}\":[")),
            "{scheme} is used by nothing"
        );
    }
}

fn reference_text(document: &Value) -> String {
    document["paths"].to_string()
}

fn collect(value: &Value, references: &mut BTreeSet<String>, names: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                match (name.as_str(), value) {
                    ("$ref", Value::String(reference)) => {
                        references.insert(reference.clone());
                    }
                    ("tags", _) if members.contains_key("operationId") => {
                        names.push(members["operationId"].to_string())
                    }
                    _ => {}
                }
                collect(value, references, names);
            }
        }
        Value::Array(items) => items
            .iter()
            .for_each(|item| collect(item, references, names)),
        _ => {}
    }
}

/// Fails if a path below another address does not say so, or a conflict goes unnoticed.
#[tokio::test]
async fn services_at_two_addresses_are_distinguished_and_two_of_a_kind_are_refused() {
    let (api, auth) = services("https://auth.school.example").await;
    let apart = ApiReference::new("Apart", [api.openapi(), auth.openapi()]).unwrap();
    let document: Value = serde_json::from_str(apart.document()).unwrap();
    assert!(document["servers"].is_null());
    assert_eq!(
        document["paths"]["/v1/students"]["servers"][0]["url"],
        ADDRESS
    );
    assert_eq!(
        document["paths"]["/v1/oauth/token"]["servers"][0]["url"],
        "https://auth.school.example"
    );

    let store = Arc::new(MemoryStore::new());
    let other = DataApi::builder(
        Directory::builder(store.clone())
            .grades(1..=5)
            .open()
            .await
            .unwrap(),
        store,
    )
    .public_url(ADDRESS)
    .build()
    .unwrap();
    let conflict = ApiReference::new("Two", [api.openapi(), other.openapi()]).unwrap_err();
    assert_eq!(
        conflict.to_string(),
        "two descriptions differ on /v1/neis/timetables"
    );
}

/// Fails if what is there is not cached, or is sent again to those who have it.
#[tokio::test]
async fn documents_are_served_once_to_whom_has_them() {
    let router = Router::new().fallback_service(reference().await);
    for (path, content_type) in [
        ("/v1/openapi.json", "application/json"),
        ("/v1/docs", "text/html; charset=utf-8"),
        ("/v1/docs/ko", "text/html; charset=utf-8"),
    ] {
        let (status, headers, body) = send(&router, "GET", path, &[]).await;
        assert_eq!(
            (status, headers["content-type"].to_str().unwrap()),
            (StatusCode::OK, content_type)
        );
        assert_eq!(headers["cache-control"], "public, max-age=300");
        let (status, of_head, nothing) = send(&router, "HEAD", path, &[]).await;
        assert_eq!(
            (status, &of_head, &*nothing),
            (StatusCode::OK, &headers, "")
        );
        assert_eq!(headers["content-length"], body.len().to_string());
        let tag = headers["etag"].to_str().unwrap();
        for known in [
            tag.to_owned(),
            format!("W/{tag}"),
            format!("\"other\", {tag}"),
            "*".to_owned(),
        ] {
            let (status, headers, body) =
                send(&router, "GET", path, &[("if-none-match", &known)]).await;
            assert_eq!(
                (status, headers["etag"].to_str().unwrap(), &*body),
                (StatusCode::NOT_MODIFIED, tag, "")
            );
        }
        assert_eq!(
            send(&router, "GET", path, &[("if-none-match", "\"other\"")])
                .await
                .0,
            StatusCode::OK
        );
        let (status, headers, _) = send(&router, "POST", path, &[]).await;
        assert_eq!(
            (status, headers["allow"].to_str().unwrap()),
            (StatusCode::METHOD_NOT_ALLOWED, "GET, HEAD")
        );
    }
    for path in ["/", "/v1/docs/", "/v1/docs/other.css", "/v1/openapi.json/"] {
        assert_eq!(
            send(&router, "GET", path, &[]).await.0,
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
}

/// A page, its stylesheet and its script together are below 60 KB on the wire.
#[cfg(feature = "compression")]
#[tokio::test]
async fn the_reference_is_compressed() {
    let router = Router::new().fallback_service(reference().await);
    for page in ["/v1/docs", "/v1/docs/ko"] {
        let (_, plain, html) = send(&router, "GET", page, &[]).await;
        assert_eq!(plain["vary"], "accept-encoding");
        let mut weight = 0;
        let assets = html
            .split(['"', ' '])
            .filter(|word| word.contains("docs/style-") || word.contains("docs/script-"))
            .map(|word| format!("/v1/{}", word.trim_start_matches("../")));
        for path in assets.chain([page.to_owned()]) {
            let request = Request::get(&path).header("accept-encoding", "gzip");
            let response = router
                .clone()
                .oneshot(request.body(axum::body::Body::empty()).unwrap())
                .await
                .unwrap();
            assert_eq!(response.headers()["content-encoding"], "gzip", "{path}");
            let bytes = response.into_body().collect().await.unwrap().to_bytes();
            weight += bytes.len();
            let mut decoded = String::new();
            flate2::read::GzDecoder::new(&*bytes)
                .read_to_string(&mut decoded)
                .unwrap();
            let (_, _, identity) = send(&router, "GET", &path, &[]).await;
            assert!(decoded == identity, "{path}");
        }
        assert!(weight < 60 * 1024, "{page} has {weight} bytes");
    }
}

/// Fails if the page needs something from elsewhere, a script or a style in the page, or a link
/// leads nowhere; in both languages, also below a path.
#[tokio::test]
async fn the_page_needs_nothing_but_its_stylesheet_and_its_script() {
    let router = Router::new().nest_service("/about/our", reference().await);
    for (path, folder) in [
        ("docs", "/about/our/v1/"),
        ("docs/ko", "/about/our/v1/docs/"),
    ] {
        let (_, headers, page) = send(&router, "GET", &format!("/about/our/v1/{path}"), &[]).await;
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert_eq!(
            policy,
            "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self' https://school.example; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
        );
        for word in [
            "<script>",
            "<style",
            " style=",
            "javascript:",
            "http-equiv",
            "<img",
            "url(",
            " onclick",
        ] {
            assert!(!page.contains(word), "{word}");
        }
        assert_eq!(page.matches("<script").count(), 1);
        let values = |name: &str| -> BTreeSet<String> {
            let begin = format!("{name}=\"");
            let found = page.split(&*begin).skip(1);
            found
                .map(|rest| rest.split('"').next().unwrap().to_owned())
                .collect()
        };
        let mut links = values(" href");
        assert!(links.len() > 100);
        links.extend(values(" src"));
        for link in links {
            if let Some(anchor) = link.strip_prefix('#') {
                assert!(
                    page.contains(&format!("id=\"{anchor}\"")),
                    "{link} leads nowhere"
                );
            } else {
                assert!(!link.contains(':'), "{link} leads elsewhere");
                let address = match link.strip_prefix("../") {
                    Some(above) => format!("/about/our/v1/{above}"),
                    None => format!("{folder}{link}"),
                };
                assert_eq!(
                    send(&router, "GET", &address, &[]).await.0,
                    StatusCode::OK,
                    "{link}"
                );
            }
        }
        for told in [
            "/v1/students",
            "김하늘",
            "X-API-KEY",
            "service:manage",
            "parameter_unknown",
        ] {
            assert!(page.contains(told), "{told}");
        }
    }
}

/// Fails if a request that is shown is not the operation's, or one that changes something can be
/// tried.
#[tokio::test]
async fn requests_that_read_can_be_tried_in_both_languages() {
    let router = Router::new().fallback_service(reference().await);
    for (path, send_it) in [("/v1/docs", "Send request"), ("/v1/docs/ko", "요청 보내기")] {
        let page = send(&router, "GET", path, &[]).await.2;
        for told in [
            "<pre tabindex=\"0\" id=\"listStudents-curl\">curl -H &#39;X-API-KEY: YOUR_KEY&#39; &#39;https://school.example/v1/students&#39;</pre>",
            "curl -H &#39;Authorization: Bearer YOUR_TOKEN&#39; &#39;https://school.example/v1/applications/{id}&#39;",
            "<form hidden data-server=\"https://school.example\" data-path=\"/v1/students\"",
            "data-in=\"path\" required",
            send_it,
        ] {
            assert!(page.contains(told), "{told} is missing in {path}");
        }
        for never in [
            "issueApiKey-curl",
            "consentPage-curl",
            "data-path=\"/v1/oauth/login",
        ] {
            assert!(!page.contains(never), "{never}");
        }
    }
    let korean = send(&router, "GET", "/v1/docs/ko", &[]).await.2;
    for word in [
        ">Parameters<",
        ">Headers<",
        ">optional<",
        ">Contents<",
        ">Answers<",
        "Refused, for",
        " by default",
        "list of ",
        " with STUDENT_READ",
    ] {
        assert!(!korean.contains(word), "{word}");
    }
    let sentences = [
        "이 ID의 학생.",
        "페이지당 항목 수.",
        "기본값 100",
        "StudentResDto 목록",
    ];
    for words in sentences {
        let shown = korean.replace("</a>", "");
        assert!(shown.contains(words), "{words}");
    }
}

/// Fails if what a host calls itself gets into the page as markup.
#[tokio::test]
async fn a_title_is_text() {
    let store = Arc::new(MemoryStore::new());
    let api = DataApi::builder(Directory::open(store.clone()).await.unwrap(), store)
        .build()
        .unwrap();
    let reference = ApiReference::new("<b>School</b>", [api.openapi()]).unwrap();
    let router = Router::new().fallback_service(reference);
    let page = send(&router, "GET", "/v1/docs", &[]).await.2;
    assert!(page.contains("&#60;b&#62;School") && !page.contains("<b>School"));
}
