//! Compressed responses: RFC 9110 §8.4 and §12.5.3, and spec 2.14.

use std::io::Read;

use http::{HeaderMap, Request};
use http_body_util::BodyExt;
use lyceum::DataApi;
use lyceum::directory::{DirectoryChange, WriteOutcome};
use tower::ServiceExt;

use crate::client::{get, send_with};
use crate::formats::large;
use crate::school_fixtures::{self, FULL_KEY};

/// Short and long lists, in all formats.
const PAGES: [(&str, &str); 6] = [
    (
        "/v1/neis/timetables?fromDate=2026-11-01&toDate=2026-12-10",
        "application/json",
    ),
    ("/v1/students?size=200", "application/json"),
    (
        "/v1/students?size=1000&includeGraduates=true",
        "application/json",
    ),
    ("/v1/students?size=1000&includeGraduates=true", "text/csv"),
    (
        "/v1/students?size=1000&includeGraduates=true",
        "application/x-ndjson",
    ),
    ("/v1/clubs?size=5", "text/csv"),
];

struct EncodedResponse {
    status: u16,
    headers: HeaderMap,
    bytes: Vec<u8>,
}

impl EncodedResponse {
    fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    fn decoded(&self) -> String {
        let mut text = String::new();
        let read = match self.header("content-encoding") {
            "br" => brotli::Decompressor::new(&*self.bytes, 4096).read_to_string(&mut text),
            "gzip" => flate2::read::GzDecoder::new(&*self.bytes).read_to_string(&mut text),
            other => panic!("{other:?} is no coding"),
        };
        read.unwrap();
        text
    }
}

async fn coded(
    api: &DataApi,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
) -> EncodedResponse {
    let mut request = Request::builder()
        .method(method)
        .uri(path)
        .header("x-api-key", FULL_KEY);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let (head, body) = api
        .clone()
        .oneshot(request.body(()).unwrap())
        .await
        .unwrap()
        .into_parts();
    let bytes = body.collect().await.unwrap().to_bytes().to_vec();
    EncodedResponse {
        status: head.status.as_u16(),
        headers: head.headers,
        bytes,
    }
}

// Proves: spec 2.14
#[tokio::test]
async fn a_compressed_answer_says_the_same_under_the_same_tag() {
    let api = large().await;
    for (path, accept) in PAGES {
        let plain = send_with(&api, "GET", path, &[("accept", accept)]).await;
        assert_eq!(plain.header("content-encoding"), "");
        for coding in ["gzip", "br"] {
            for time in ["first", "second"] {
                let answer = coded(
                    &api,
                    "GET",
                    path,
                    &[("accept", accept), ("accept-encoding", coding)],
                )
                .await;
                assert_eq!(
                    (answer.status, answer.header("content-encoding")),
                    (200, coding),
                    "{path}"
                );
                assert_eq!(
                    answer.decoded(),
                    plain.body,
                    "{path} {accept} {coding} the {time} time"
                );
                assert!(
                    answer.bytes.len() * 2 < plain.body.len(),
                    "{path} {coding}: {}",
                    answer.bytes.len()
                );
                for name in [
                    "etag",
                    "vary",
                    "cache-control",
                    "content-type",
                    "link",
                    "x-total-count",
                ] {
                    assert_eq!(answer.header(name), plain.header(name), "{path}");
                }
                assert_eq!(
                    answer.header("content-length"),
                    answer.bytes.len().to_string(),
                    "{path} {accept}"
                );
            }
        }
    }
}

// Proves: spec 2.14
#[tokio::test]
async fn head_has_the_headers_of_get_in_every_coding() {
    let api = large().await;
    for (path, accept) in PAGES {
        for coding in ["gzip", "br", "identity"] {
            let headers = [("accept", accept), ("accept-encoding", coding)];
            let (got, headed) = (
                coded(&api, "GET", path, &headers).await,
                coded(&api, "HEAD", path, &headers).await,
            );
            assert_eq!(
                (headed.status, headed.headers),
                (got.status, got.headers),
                "{path} {coding}"
            );
            assert!(headed.bytes.is_empty() && !got.bytes.is_empty());
        }
    }
}

// Proves: spec 2.14
#[tokio::test]
async fn a_small_answer_is_left_alone_unless_the_client_wants_it_in_no_case_as_it_is() {
    let api = school_fixtures::api().await;
    let path = "/v1/students?studentId=2";
    let plain = get(&api, path).await;
    assert!(plain.body.len() < 1024);
    for accept in ["gzip", "br, gzip", "*"] {
        let answer = coded(&api, "GET", path, &[("accept-encoding", accept)]).await;
        assert_eq!(
            (answer.header("content-encoding"), answer.bytes.as_slice()),
            ("", plain.body.as_bytes()),
            "{accept}"
        );
    }
    for accept in ["gzip, identity;q=0", "gzip, *;q=0"] {
        let answer = coded(&api, "GET", path, &[("accept-encoding", accept)]).await;
        assert_eq!(
            (answer.header("content-encoding"), answer.decoded()),
            ("gzip", plain.body.clone()),
            "{accept}"
        );
    }
    // A client that refuses identity and supports no offered coding gets the body uncompressed,
    // which is more useful than a refusal.
    for accept in ["identity;q=0", "*;q=0", "zstd, identity;q=0"] {
        let answer = coded(&api, "GET", path, &[("accept-encoding", accept)]).await;
        assert_eq!(
            (answer.status, answer.header("content-encoding")),
            (200, ""),
            "{accept}"
        );
    }
}

// Proves: spec 2.14
#[tokio::test]
async fn a_response_without_a_body_has_no_content_encoding() {
    let api = large().await;
    let (path, all) = ("/v1/students", ("accept-encoding", "gzip, br"));
    let tag = coded(&api, "GET", path, &[all])
        .await
        .header("etag")
        .to_owned();
    let known = coded(&api, "GET", path, &[all, ("if-none-match", &tag)]).await;
    assert_eq!(
        (
            known.status,
            known.header("content-encoding"),
            known.header("content-length")
        ),
        (304, "", "")
    );
    assert_eq!(
        (known.header("etag"), known.header("vary")),
        (&*tag, "X-API-KEY, Accept, Accept-Encoding")
    );
    for (path, status) in [
        ("/v1/students?x=1", 400),
        ("/v1/nothing", 404),
        ("/v1/health", 200),
    ] {
        let answer = coded(&api, "GET", path, &[all]).await;
        assert_eq!(
            (answer.status, answer.header("content-encoding")),
            (status, ""),
            "{path}"
        );
    }
}

// Proves: spec 2.14
#[tokio::test]
async fn a_body_compressed_before_a_write_is_not_sent_after_it() {
    let store = school_fixtures::store().await;
    let directory = school_fixtures::directory(store.clone()).await;
    let api = DataApi::builder(directory.clone(), store)
        .clock(std::sync::Arc::new(school_fixtures::FixedClock))
        .build()
        .unwrap();
    let (path, gzip) = (
        "/v1/students?includeGraduates=true",
        [("accept-encoding", "gzip")],
    );
    let before = coded(&api, "GET", path, &gzip).await;
    let gone = DirectoryChange::RemoveStudent(lyceum::domain::StudentId::new(5).unwrap());
    assert!(matches!(
        directory.write(vec![gone]).await.unwrap(),
        WriteOutcome::Written(_)
    ));
    let after = coded(&api, "GET", path, &gzip).await;
    assert!(
        before.decoded().contains("\"name\":\"Bob\"")
            && !after.decoded().contains("\"name\":\"Bob\"")
    );
    assert_eq!(after.decoded(), get(&api, path).await.body);
}
