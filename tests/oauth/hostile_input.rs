//! Arbitrary bytes at every parser: they are refused cleanly, without a 5xx or a panic.

use http::header::{ACCEPT, CONTENT_TYPE, COOKIE, HeaderValue};
use http::{Request, Uri};
use lyceum::http::Body;
use proptest::prelude::*;
use tokio::runtime::Runtime;

use crate::harness::*;

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
}

/// Bytes that often enough look like a query or form to pass the first check.
fn pairs() -> impl Strategy<Value = Vec<u8>> {
    let name = prop_oneof![
        Just("client_id"),
        Just("redirect_uri"),
        Just("response_type"),
        Just("scope"),
        Just("state"),
        Just("code_challenge"),
        Just("code_challenge_method"),
        Just("token"),
        Just("form_token"),
        Just("email"),
        Just("password"),
        Just("decision"),
        Just("")
    ];
    let pair = (name, proptest::collection::vec(any::<u8>(), 0..40))
        .prop_map(|(name, value)| [name.as_bytes(), b"=", &value].concat());
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..200),
        proptest::collection::vec(pair, 0..8).prop_map(|pairs| pairs.join(&b'&')),
    ]
}

fn json() -> impl Strategy<Value = Vec<u8>> {
    let value = prop_oneof![
        any::<String>().prop_map(|text| serde_json::json!(text)),
        any::<i64>().prop_map(|n| serde_json::json!(n)),
        Just(serde_json::Value::Null),
        Just(serde_json::json!([[[{}]]]))
    ];
    let name = prop_oneof![Just("email"), Just("password"), Just("token"), Just("x")];
    let member = (name, value).prop_map(|(name, value)| format!("\"{name}\":{value}"));
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..200),
        proptest::collection::vec(member, 0..5).prop_map(|members| format!(
            "{{{}}}",
            members.join(",")
        )
        .into_bytes()),
    ]
}

// Proves: threats 41
#[test]
fn no_query_breaks_the_authorization_endpoint_or_the_session() {
    let runtime = runtime();
    let harness = runtime.block_on(Harness::with_settings(|builder| {
        builder.external_login("https://login.school.example/")
    }));
    let sound = harness.authorize(&[]);
    proptest!(|(query in pairs(), html in any::<bool>())| {
        for path in ["/v1/oauth/authorize?".to_owned(), "/v1/oauth/authorize/session?".to_owned(), format!("{sound}&")] {
            let Ok(uri) = Uri::try_from([path.as_bytes(), &query].concat()) else { continue };
            let accept = if html { "text/html" } else { "*/*" };
            let request = Request::get(uri).header(ACCEPT, accept).body(Body::empty()).unwrap();
            let status = runtime.block_on(ask(&harness.server, request)).status;
            prop_assert!(!status.is_server_error(), "{status}");
        }
    });
}

// Proves: threats 41
/// Fails if a bad scope panics.
#[test]
fn no_parameter_value_breaks_the_authorization_endpoint() {
    let runtime = runtime();
    let harness = runtime.block_on(Harness::new());
    proptest!(|(at in 0..7_usize, value in any::<String>())| {
        let name = harness.parameters()[at].0;
        let answer = runtime.block_on(get(&harness.server, &harness.authorize(&[(name, &value)])));
        prop_assert!(matches!(answer.status.as_u16(), 303 | 400), "{name}={value:?} {answer:?}");
        if answer.status == 303 && answer.location() != "/v1/oauth/login" {
            prop_assert!(answer.location().starts_with(&format!("{CALLBACK}?error=")), "{answer:?}");
        }
    });
}

// Proves: threats 41
/// Fails if a malformed session cookie panics.
#[test]
fn no_path_or_cookie_breaks_the_server() {
    let runtime = runtime();
    let harness = runtime.block_on(Harness::new());
    proptest!(|(path in pairs(), cookie in proptest::collection::vec(b' '..=b'~', 0..100))| {
        let prefixes = ["/", "/v1/oauth/", "/v1/oauth/sessions/", "/v1/oauth/assets/", "/v1/oauth/login?", "/v1/oauth/consent?"];
        for prefix in prefixes {
            let Ok(uri) = Uri::try_from([prefix.as_bytes(), &path].concat()) else { continue };
            let mut request = Request::get(uri).body(Body::empty()).unwrap();
            let cookie = [b"__Host-lyceum-session=".as_slice(), &cookie].concat();
            if let Ok(cookie) = HeaderValue::from_bytes(&cookie) {
                request.headers_mut().insert(COOKIE, cookie);
            }
            prop_assert!(runtime.block_on(ask(&harness.server, request)).status.is_client_error());
        }
    });
}

// Proves: threats 41
#[test]
fn no_form_breaks_the_login_or_the_consent() {
    let runtime = runtime();
    let harness = runtime.block_on(Harness::new());
    let mut browser = runtime.block_on(harness.browser_at_consent());
    let token = runtime.block_on(browser.form_token("/v1/oauth/consent"));
    let cookie = format!("__Host-lyceum-session={}", browser.session().unwrap());
    proptest!(|(form in pairs(), with_token in any::<bool>())| {
        for path in ["/v1/oauth/login", "/v1/oauth/consent"] {
            let prefix = if with_token { format!("form_token={token}&") } else { String::new() };
            let body = [prefix.as_bytes(), &form].concat();
            let request = Request::post(path).header(COOKIE, &cookie).header(CONTENT_TYPE, "application/x-www-form-urlencoded");
            let answer = runtime.block_on(ask(&harness.server, request.body(Body::from(body)).unwrap()));
            prop_assert!(answer.status.is_client_error(), "{answer:?}");
        }
    });
}

// Proves: threats 41
#[test]
fn no_json_breaks_the_external_login() {
    let runtime = runtime();
    let harness = runtime.block_on(Harness::with_settings(|builder| {
        builder.external_login("https://login.school.example/")
    }));
    proptest!(|(body in json())| {
        let answer = runtime.block_on(post_json(&harness.server, "/v1/oauth/authorize", body));
        prop_assert!(matches!(answer.status.as_u16(), 400 | 401), "{answer:?}");
    });
}

// Proves: threats 41
#[test]
fn no_body_or_header_breaks_the_standard_endpoints() {
    let runtime = runtime();
    let harness = runtime.block_on(Harness::new());
    let proof = format!(
        "client_id={}&client_secret={}&token=",
        harness.client.id,
        harness.secret.expose()
    );
    proptest!(|(token in proptest::collection::vec(any::<u8>(), 0..200), dotted in "[A-Za-z0-9_-]{0,40}[.][A-Za-z0-9_-]{0,40}[.][A-Za-z0-9_-]{0,90}")| {
        for token in [&token[..], dotted.as_bytes()] {
            for path in ["/v1/oauth/revoke", "/v1/oauth/introspect"] {
                let body = Body::from([proof.as_bytes(), token].concat());
                let request = Request::post(path).header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(body).unwrap();
                let status = runtime.block_on(ask(&harness.server, request)).status.as_u16();
                prop_assert!(matches!(status, 200 | 400), "{path} {status}");
            }
            if let Ok(bearer) = HeaderValue::from_bytes(&[b"Bearer ", token].concat()) {
                let request = Request::get("/userinfo").header("authorization", bearer).body(Body::empty()).unwrap();
                prop_assert_eq!(runtime.block_on(ask(&harness.server, request)).status, 401);
            }
        }
    });
}
