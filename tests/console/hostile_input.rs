//! Arbitrary bytes for every parser of the console. Responses are clear refusals, never status 5xx
//! or a panic.

use http::header::{ACCEPT_LANGUAGE, CONTENT_TYPE, COOKIE, HeaderValue};
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

fn pairs() -> impl Strategy<Value = Vec<u8>> {
    let name = prop_oneof![
        Just("form_token"),
        Just("email"),
        Just("password"),
        Just("next"),
        Just("language"),
        Just("done"),
        Just("")
    ];
    let pair = (name, proptest::collection::vec(any::<u8>(), 0..40))
        .prop_map(|(name, value)| [name.as_bytes(), b"=", &value].concat());
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..200),
        proptest::collection::vec(pair, 0..8).prop_map(|pairs| pairs.join(&b'&'))
    ]
}

// Proves: threats 41
/// Fails if a malformed query panics.
#[test]
fn no_path_query_cookie_or_language_breaks_a_page() {
    let runtime = runtime();
    let harness = runtime.block_on(Harness::new());
    proptest!(|(text in pairs(), cookie in proptest::collection::vec(b' '..=b'~', 0..100))| {
        for prefix in ["/", "/?", "/sign-in?", "/assets/", "/sign-in?next="] {
            let Ok(uri) = Uri::try_from([prefix.as_bytes(), &text].concat()) else { continue };
            let mut request = Request::get(uri).body(Body::empty()).unwrap();
            for name in ["__Host-lyceum-console=", "lyceum-language="] {
                let value = HeaderValue::from_bytes(&[name.as_bytes(), &cookie].concat()).unwrap();
                request.headers_mut().append(COOKIE, value);
            }
            request.headers_mut().insert(ACCEPT_LANGUAGE, HeaderValue::from_bytes(&cookie).unwrap());
            let answer = runtime.block_on(ask(&harness.console, request));
            prop_assert!(!answer.status.is_server_error(), "{answer:?}");
            prop_assert!(answer.location().is_empty() || answer.location().starts_with("/console/"), "{answer:?}");
        }
    });
}

// Proves: threats 41
#[test]
fn no_form_breaks_a_page() {
    let runtime = runtime();
    let harness = runtime.block_on(Harness::new());
    let mut browser = runtime.block_on(harness.browser_of(EMAIL));
    let token = form_token(&runtime.block_on(browser.get("/")).body);
    let cookie = format!("__Host-lyceum-console={}", browser.session().unwrap());
    proptest!(|(form in pairs(), with_token in any::<bool>())| {
        for path in [
            "/sign-in",
            "/sign-out",
            "/account/password",
            "/account/sign-out-everywhere",
            "/keys/new",
            "/keys/x/renew",
            "/apps/x/withdraw",
            "/applications/new",
        ] {
            let prefix = if with_token { format!("form_token={token}&x=") } else { String::new() };
            let body = Body::from([prefix.as_bytes(), &form].concat());
            let request = Request::post(path).header(COOKIE, &cookie).header(CONTENT_TYPE, "application/x-www-form-urlencoded");
            let answer = runtime.block_on(ask(&harness.console, request.body(body).unwrap()));
            prop_assert!(answer.status.is_client_error(), "{answer:?}");
        }
    });
}
