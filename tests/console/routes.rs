use http::header::ALLOW;
use http::{Method, StatusCode};
use lyceum::domain::Quota;
use lyceum::http::audit::{EventKind, RefusalRule, RefusedRequest};

use crate::harness::*;

const READ: &str = "GET, HEAD";
const FORM: &str = "POST";
const BOTH: &str = "GET, HEAD, POST";

/// Paths, the methods that they allow, and their endpoint in logs, metrics and events. An id is
/// any segment, also an empty one, as it stands in the path.
pub const ROUTES: &[(&str, &str, &str)] = &[
    ("/", READ, "home"),
    ("/sign-in", BOTH, "sign_in"),
    ("/password-link", BOTH, "password_link"),
    ("/sign-out", FORM, "sign_out"),
    ("/shown", READ, "shown"),
    ("/assets/x", READ, "asset"),
    ("/assets/", READ, "asset"),
    ("/apps", READ, "apps"),
    ("/apps/x/withdraw", BOTH, "app_withdraw"),
    ("/apps//withdraw", BOTH, "app_withdraw"),
    ("/account", READ, "account"),
    ("/account/password", BOTH, "account_password"),
    ("/account/sessions/x/end", FORM, "account_session_end"),
    ("/account/sign-out-everywhere", BOTH, "sign_out_everywhere"),
    ("/keys", READ, "keys"),
    ("/keys/", READ, "key"),
    ("/keys/new", BOTH, "key_new"),
    ("/keys/x", READ, "key"),
    ("/keys/x%2Frenew", READ, "key"),
    ("/keys/%6Eew", READ, "key"),
    ("/keys/New", READ, "key"),
    ("/keys/{id}", READ, "key"),
    ("/keys/x/activity", READ, "key_activity"),
    ("/keys/x/renew", BOTH, "key_renew"),
    ("/keys/new/renew", BOTH, "key_renew"),
    ("/keys//renew", BOTH, "key_renew"),
    ("/keys/../renew", BOTH, "key_renew"),
    ("/keys/x/edit", BOTH, "key_edit"),
    ("/keys/x/fields/withdraw", FORM, "key_fields_withdraw"),
    ("/keys/x/revoke", BOTH, "key_revoke"),
    ("/keys/x/calendars", FORM, "key_calendars"),
    ("/keys/x/calendars/y/revoke", FORM, "key_calendar_revoke"),
    ("/applications", READ, "applications"),
    ("/applications/", READ, "application"),
    ("/applications/new", BOTH, "application_new"),
    ("/applications/requests", READ, "scope_requests"),
    (
        "/applications/requests/x/y/approve",
        FORM,
        "scope_request_approve",
    ),
    (
        "/applications/requests/x/y/refuse",
        FORM,
        "scope_request_refuse",
    ),
    ("/applications/x", READ, "application"),
    ("/applications/x/edit", BOTH, "application_edit"),
    ("/applications/x/delete", BOTH, "application_delete"),
    ("/applications/x/scopes/new", BOTH, "scope_new"),
    ("/applications/x/scopes/y", READ, "scope"),
    ("/applications/x/scopes/", READ, "scope"),
    ("/applications/new/scopes/y", READ, "scope"),
    ("/applications/x/scopes/y/edit", BOTH, "scope_edit"),
    ("/applications/x/scopes/y/delete", BOTH, "scope_delete"),
    (
        "/applications/x/scopes/y/clients/z/withdraw",
        BOTH,
        "scope_withdraw",
    ),
    (
        "/applications//scopes//clients//withdraw",
        BOTH,
        "scope_withdraw",
    ),
    ("/clients", READ, "clients"),
    ("/clients/", READ, "client"),
    ("/clients/new", BOTH, "new_client"),
    ("/clients/x", READ, "client"),
    ("/clients/x/edit", BOTH, "edit_client"),
    ("/clients/x/activity", READ, "client_activity"),
    ("/requests", READ, "own_request"),
    ("/clients/x/scopes", BOTH, "client_scopes"),
    (
        "/clients/x/scopes/y/withdraw",
        FORM,
        "client_scope_withdraw",
    ),
    ("/clients/x/secrets/new", BOTH, "new_client_secret"),
    ("/clients/x/secrets/older", BOTH, "older_client_secret"),
    ("/clients/x/owner", FORM, "client_owner"),
    ("/admin/people/invite", BOTH, "invite"),
    ("/admin/people/invite/create", FORM, "invite_create"),
    ("/admin/people/x/link", FORM, "person_link"),
    ("/clients/x/delete", BOTH, "delete_client"),
    ("/clients/x/verify", BOTH, "verify_client"),
    ("/clients/x/unverify", BOTH, "unverify_client"),
    ("/week", READ, "week"),
    ("/week/meals", READ, "week_meals"),
    ("/month", READ, "month"),
    ("/data/x", READ, "data"),
    ("/data/", READ, "data"),
    ("/data/x.CSV", READ, "data"),
    ("/data/x%2Ecsv", READ, "data"),
    ("/data/x.csv", READ, "data_table"),
    ("/data/.csv", READ, "data_table"),
    ("/data/x.csv.csv", READ, "data_table"),
    ("/data/x.xlsx", READ, "data_workbook"),
    ("/data/x/y", READ, "data_record"),
    ("/data/x.csv/", READ, "data_record"),
    ("/admin/people", READ, "people"),
    ("/admin/people/", READ, "person"),
    ("/admin/people/new", BOTH, "new_person"),
    ("/admin/people/x", READ, "person"),
    ("/admin/people/x/role", FORM, "person_role"),
    ("/admin/people/x/password", FORM, "person_password"),
    ("/admin/people/x/sessions/end", FORM, "person_sessions_end"),
    ("/admin/people/x/sessions/y/end", FORM, "person_session_end"),
    ("/admin/people/x/remove", BOTH, "person_remove"),
    ("/admin/year", READ, "school_year"),
    ("/admin/year/turn", BOTH, "school_year_turn"),
    ("/admin/year/undo", BOTH, "school_year_undo"),
    ("/admin/school/history", READ, "school_history"),
    ("/admin/school/x", READ, "school_records"),
    ("/admin/school/", READ, "school_records"),
    ("/admin/school/x.csv", READ, "school_csv"),
    ("/admin/school/x.json", READ, "school_json"),
    ("/admin/school/x/import", BOTH, "school_import"),
    ("/admin/school/x/import/plan", FORM, "school_import_plan"),
    ("/admin/school/x/new", BOTH, "school_new"),
    ("/admin/school/x/change", BOTH, "school_change"),
    ("/admin/school/x/y", BOTH, "school_record"),
    ("/admin/school/x/", BOTH, "school_record"),
    ("/admin/audit.csv", READ, "audit_csv"),
    ("/admin/audit", READ, "audit"),
    ("/admin/audit/explain", READ, "audit_explain"),
    ("/admin/sync", BOTH, "sync"),
    ("/admin/keys", READ, "all_keys"),
    ("/admin/keys/x/fields", FORM, "key_fields"),
    ("/admin/applications", READ, "all_applications"),
    ("/admin/clients", READ, "all_clients"),
    ("/admin/waiting", READ, "waiting"),
];

/// Endpoints of forms on other pages, with the page of the path in [`ROUTES`].
const PAGES_OF_FORMS: &[(&str, &str)] = &[
    ("account_session_end", "/account"),
    ("key_calendars", "/keys/x"),
    ("key_calendar_revoke", "/keys/x"),
    ("scope_request_approve", "/applications/requests"),
    ("scope_request_refuse", "/applications/requests"),
    ("client_scope_withdraw", "/clients/x/scopes"),
    ("client_owner", "/clients/x"),
    ("invite_create", "/admin/people/invite"),
    ("person_role", "/admin/people/x"),
    ("person_password", "/admin/people/x"),
    ("person_sessions_end", "/admin/people/x"),
    ("person_session_end", "/admin/people/x"),
    ("person_link", "/admin/people/x"),
    ("school_import_plan", "/admin/school/x/import"),
    ("key_fields", "/keys/x"),
    ("key_fields_withdraw", "/keys/x"),
];

/// Paths of nothing.
const UNKNOWN: &[&str] = &[
    "//",
    "//keys",
    "/nothing",
    "/Keys",
    "/%6Beys",
    "/keys%2Fnew",
    "/keys//",
    "/keys/new/",
    "/keys/x/",
    "/keys/x/nothing",
    "/keys/x/renew/",
    "/keys/x//renew",
    "/sign-in/",
    "/sign-out/",
    "/password-link/",
    "/assets",
    "/assets/x/y",
    "/apps/",
    "/apps/x",
    "/account/",
    "/account/sessions/x",
    "/account/sessions/x/end/",
    "/applications/x/scopes",
    "/applications/x/scopes/y/clients/z",
    "/applications/x/scopes/y/nothing",
    "/clients/x/secrets",
    "/clients/x/secrets/y",
    "/data",
    "/data/x/y/z",
    "/data/x.csv/y/",
    "/admin",
    "/admin/",
    "/admin/people/x/y",
    "/admin/school",
    "/admin/school/x/y/z",
    "/admin/year/",
    "/admin/year/turn/x",
    "/admin/audit/",
    "/admin/audit/nothing",
    "/admin/keys/",
    "/admin/keys/x",
    "/admin/applications/x",
    "/admin/clients/",
    "/admin/clients/x",
    "/admin/clients/review",
    "/admin/waiting/",
];

/// Text in a query.
fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        _ if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}

/// The last refusal.
fn last_refusal(harness: &Harness) -> RefusedRequest {
    match harness.log.events().pop().map(|event| event.kind) {
        Some(EventKind::Refused(refused)) => refused,
        other => panic!("{other:?}"),
    }
}

/// Fails if a route has no path here.
#[test]
fn every_route_is_in_the_table() {
    let source = include_str!("../../src/http/console/routes.rs");
    let mut count = 0;
    for route in source.split("Route::new(").skip(1) {
        let name = route.split('"').nth(3).unwrap();
        let is_known = ROUTES.iter().any(|(_, _, endpoint)| *endpoint == name);
        assert!(is_known, "{name}");
        count += 1;
    }
    assert!(count > 80, "{count}");
}

/// Fails if a path is read differently, also one that is not in its normal form.
#[tokio::test]
async fn every_path_has_its_methods_and_its_endpoint() {
    let harness = Harness::new().await;
    let mut browser = harness.browser();
    for &(path, allow, endpoint) in ROUTES {
        for method in ["GET", "HEAD", "POST", "PUT", "OPTIONS", "get"] {
            let method = Method::from_bytes(method.as_bytes()).unwrap();
            let answer = browser.send(method.clone(), path, None, "").await;
            if allow.split(", ").any(|allowed| allowed == method.as_str()) {
                assert_ne!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{path}");
                continue;
            }
            assert_eq!(
                (answer.status, answer.header(ALLOW)),
                (StatusCode::METHOD_NOT_ALLOWED, allow),
                "{method} {path}"
            );
            assert_eq!(last_refusal(&harness).endpoint, endpoint, "{method} {path}");
        }
    }
}

#[tokio::test]
async fn no_other_path_has_a_page() {
    let harness = Harness::new().await;
    let mut browser = harness.browser();
    for path in UNKNOWN {
        for method in [Method::GET, Method::POST, Method::PUT] {
            let answer = browser.send(method.clone(), path, None, "").await;
            assert_eq!(
                (answer.status, answer.header(ALLOW)),
                (StatusCode::NOT_FOUND, ""),
                "{method} {path}"
            );
            assert_eq!(last_refusal(&harness).endpoint, "none", "{method} {path}");
        }
    }
}

/// Fails if a user who is not signed in learns more of a page than that there is one, or does not
/// return to it.
#[tokio::test]
async fn every_page_but_the_public_ones_asks_to_sign_in_and_is_returned_to() {
    let harness = Harness::new().await;
    let mut browser = harness.browser();
    for &(path, allow, endpoint) in ROUTES {
        let public = matches!(endpoint, "sign_in" | "password_link" | "asset");
        for method in allow.split(", ").filter(|_| !public) {
            let method = Method::from_bytes(method.as_bytes()).unwrap();
            let uri = format!("{path}?x=y");
            let answer = browser.send(method.clone(), &uri, None, "").await;
            let page = PAGES_OF_FORMS.iter().find(|(form, _)| *form == endpoint);
            let next = match (allow, &method) {
                (FORM, _) => {
                    page.map_or_else(String::new, |(_, page)| format!("next={}&", encoded(page)))
                }
                (_, &Method::POST) => format!("next={}&", encoded(path)),
                _ => format!("next={}&", encoded(&uri)),
            };
            assert_eq!(
                (answer.status, answer.location()),
                (
                    StatusCode::SEE_OTHER,
                    &*format!("/console/sign-in?{next}done=first")
                ),
                "{method} {path}"
            );
        }
    }
}

/// Fails if a form for administrators reads anything of another user's request, or another user
/// sees such a page.
#[tokio::test]
async fn pages_for_administrators_refuse_other_users_before_anything_else() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    for &(path, allow, endpoint) in ROUTES {
        let elsewhere = ["client_owner", "verify_client", "unverify_client"];
        if !path.starts_with("/admin/") && !elsewhere.contains(&endpoint) {
            continue;
        }
        for method in allow.split(", ") {
            let method = Method::from_bytes(method.as_bytes()).unwrap();
            let uri = format!("{path}?%");
            let answer = browser.send(method.clone(), &uri, None, "%").await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{method} {path}");
            let rule = last_refusal(&harness).rule;
            assert_eq!(rule, RefusalRule::AdministratorsOnly, "{method} {path}");
        }
    }
}

/// Fails if a form is not bound to the session, or its record is read before its token is checked.
#[tokio::test]
async fn every_form_is_bound_to_its_session_before_anything_is_read_or_changed() {
    let many = Quota::new(1000, MINUTE, 1000).unwrap();
    let harness = Harness::with_every_page(|auth| auth.management_limit(many)).await;
    let mut browser = harness.browser_of(ADMIN).await;
    for &(path, allow, endpoint) in ROUTES {
        // The form of a one-time link is bound to the link (`password_link::the_form_belongs_to_its_link`).
        if !allow.contains("POST") || endpoint == "password_link" {
            continue;
        }
        let answer = browser.post(path, &[]).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
        let rule = last_refusal(&harness).rule;
        assert_eq!(rule, RefusalRule::FormToken, "{path}");
    }
}
