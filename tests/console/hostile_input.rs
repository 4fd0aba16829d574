//! Arbitrary bytes for every parser of the console. Responses are clear refusals, never status 5xx
//! or a panic.

use http::header::{ACCEPT_LANGUAGE, CONTENT_TYPE, COOKIE, HeaderValue};
use http::{Request, Uri};
use lyceum::directory::WriteOutcome;
use lyceum::domain::Quota;
use lyceum::http::Body;
use proptest::prelude::*;
use tokio::runtime::Runtime;

use crate::harness::*;
use crate::school_fixtures;

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

/// A console with all its pages and a school, and its administrator.
async fn whole_console() -> (Harness, Browser) {
    let many = Quota::new(1_000_000, MINUTE, 1_000_000).unwrap();
    let harness = Harness::with_every_page(|auth| auth.management_limit(many)).await;
    let written = harness.directory.write(school_fixtures::changes()).await;
    assert!(matches!(written.unwrap(), WriteOutcome::Written(_)));
    let browser = harness.browser_of(ADMIN).await;
    (harness, browser)
}

fn cookie(browser: &Browser) -> String {
    format!("__Host-lyceum-console={}", browser.session().unwrap())
}

/// Names and values as the pages about the school have them, and as they do not.
fn school_pairs() -> impl Strategy<Value = Vec<u8>> {
    let name = proptest::sample::select(vec![
        "id",
        "all",
        "filter",
        "count",
        "version",
        "action",
        "page",
        "size",
        "grade",
        "classNum",
        "number",
        "major",
        "name",
        "email",
        "role",
        "leader.id",
        "participants",
        "year",
        "class",
        "student",
        "seen",
        "apply",
        "reset_offices",
        "sealed",
        "match_by",
        "partial",
        "addresses",
        "foundedYear",
        "sortBy",
        "updatedSince",
    ]);
    let value = prop_oneof![
        proptest::sample::select(vec![
            "",
            "1",
            "0",
            "-1",
            "true",
            "2",
            "99",
            "9223372036854775807",
            "18446744073709551615",
            "4294967296",
            "class",
            "graduate",
            "remove",
            "GRADUATE",
            "AI",
            "3-1",
            "grade%3D1",
            "grade%3D9",
            "name%3D%25zz",
            "page%3D9",
            "%F0%9F%98%80",
            "%00",
            "%0D%0A",
            "%FF",
        ])
        .prop_map(|value| value.as_bytes().to_vec()),
        proptest::collection::vec(any::<u8>(), 0..20),
    ];
    let pair = (name, value).prop_map(|(name, value)| [name.as_bytes(), b"=", &value].concat());
    proptest::collection::vec(pair, 0..8).prop_map(|pairs| pairs.join(&b'&'))
}

/// Pages that take a query.
const SCHOOL_PAGES: &[&str] = &[
    "/admin/school/students",
    "/admin/school/clubs",
    "/admin/school/projects",
    "/admin/school/students.csv",
    "/admin/school/clubs.json",
    "/admin/school/students/new",
    "/admin/school/students/1",
    "/admin/school/students/change",
    "/admin/school/clubs/change",
    "/admin/school/students/import",
    "/admin/school/history",
    "/admin/year",
    "/admin/year/turn",
    "/admin/year/undo",
    "/admin/sync",
    "/admin/people/invite",
    "/admin/people",
    "/admin/audit",
    "/admin/audit.csv",
    "/admin/waiting",
    "/applications/requests",
    "/requests",
];

/// Paths of forms.
const SCHOOL_FORMS: &[&str] = &[
    "/admin/school/students/new",
    "/admin/school/clubs/new",
    "/admin/school/projects/new",
    "/admin/school/students/1",
    "/admin/school/clubs/1",
    "/admin/school/students/change",
    "/admin/school/projects/change",
    "/admin/school/students/import",
    "/admin/school/students/import/plan",
    "/admin/year/turn",
    "/admin/year/undo",
    "/admin/sync",
    "/admin/people/invite",
    "/admin/people/invite/create",
    "/admin/people/x/link",
    "/keys/x/calendars",
    "/keys/x/calendars/y/revoke",
    "/password-link",
    "/admin/people/new",
    "/clients/x/scopes",
    "/clients/x/owner",
    "/applications/requests/x/y/refuse",
];

// Proves: threats 41
/// Fails if a number that no page has, or half a filter, panics.
#[test]
fn no_query_breaks_a_page_about_the_school() {
    let runtime = runtime();
    let (harness, browser) = runtime.block_on(whole_console());
    let cookie = cookie(&browser);
    proptest!(|(query in prop_oneof![pairs(), school_pairs()], page in proptest::sample::select(SCHOOL_PAGES))| {
        if let Ok(uri) = Uri::try_from([page.as_bytes(), b"?", &query].concat()) {
            let request = Request::get(uri).header(COOKIE, &cookie).body(Body::empty()).unwrap();
            let answer = runtime.block_on(ask(&harness.console, request));
            prop_assert!(!answer.status.is_server_error(), "{page}: {answer:?}");
        }
    });
}

// Proves: threats 41
/// Fails if a form with a good token and hostile fields ends in an internal error.
#[test]
fn no_form_about_the_school_breaks_its_page() {
    let runtime = runtime();
    let (harness, mut browser) = runtime.block_on(whole_console());
    let token = form_token(&runtime.block_on(browser.get("/account")).body);
    let cookie = cookie(&browser);
    proptest!(|(form in prop_oneof![pairs(), school_pairs()], path in proptest::sample::select(SCHOOL_FORMS), token_is_good in any::<bool>())| {
        let token = if token_is_good { &*token } else { "x" };
        let body = Body::from([b"form_token=", token.as_bytes(), b"&", &*form].concat());
        let request = Request::post(path).header(COOKIE, &cookie).header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        let answer = runtime.block_on(ask(&harness.console, request.body(body).unwrap()));
        prop_assert!(!answer.status.is_server_error(), "{path}: {answer:?}");
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
            "/keys/x/edit",
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
