//! The console's pages, and who looks at them.

use std::collections::BTreeSet;

/// User of a console page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    Nobody,
    /// Owner of the application, the client and the key.
    Owner,
    Administrator,
}

/// Method of opening a page.
#[derive(Debug, Clone, Copy)]
pub enum Way {
    /// By its URL.
    Open,
    /// By submitting its form with empty fields, without the browser's validation.
    SendNothing,
}

use Way::{Open, SendNothing};
use Who::{Administrator, Nobody, Owner};

/// Console pages, one per line. Names in braces stand for what the harness has.
const PAGES: &[(Who, Way, &str)] = &[
    (Nobody, Open, "/sign-in?next=%2F&done=first"),
    (Nobody, Open, "/sign-in?next=%2F&done=ended"),
    (Nobody, SendNothing, "/sign-in"),
    (Nobody, Open, "{password link}"),
    (Nobody, SendNothing, "{password link}"),
    (Nobody, Open, "/password-link?token=none"), // 404
    (Owner, Open, "/"),
    (Owner, Open, "/nothing-is-here"),
    (Owner, Open, "/apps"),
    (Owner, Open, "/apps/{client}/withdraw"),
    (Owner, Open, "/account"),
    (Owner, Open, "/account/password"),
    (Owner, SendNothing, "/account/password"),
    (Owner, Open, "/account/sign-out-everywhere"),
    (Owner, Open, "/keys"),
    (Owner, Open, "/keys/new"),
    (Owner, SendNothing, "/keys/new"),
    (Owner, Open, "/keys/{key}"),
    (Owner, Open, "/keys/{key}/renew"),
    (Owner, Open, "/keys/{key}/edit"),
    (Owner, SendNothing, "/keys/{key}/edit"),
    (Owner, Open, "/keys/{key}/revoke"),
    (Owner, Open, "/applications"),
    (Owner, Open, "/applications/new"),
    (Owner, SendNothing, "/applications/new"),
    (Owner, Open, "/applications/{application}?done=created"),
    (Owner, Open, "/applications/{application}/edit"),
    (Owner, SendNothing, "/applications/{application}/edit"),
    (Owner, Open, "/applications/{application}/delete"),
    (Owner, Open, "/applications/{application}/scopes/new"),
    (Owner, SendNothing, "/applications/{application}/scopes/new"),
    (Owner, Open, "/applications/{application}/scopes/{scope}"),
    (
        Owner,
        Open,
        "/applications/{application}/scopes/{scope}/edit",
    ),
    (
        Owner,
        SendNothing,
        "/applications/{application}/scopes/{scope}/edit",
    ),
    (
        Owner,
        Open,
        "/applications/{application}/scopes/{scope}/delete",
    ),
    (
        Owner,
        Open,
        "/applications/{application}/scopes/{scope}/clients/{client}/withdraw",
    ),
    (Owner, Open, "/clients"),
    (Owner, Open, "/clients/new"),
    (Owner, SendNothing, "/clients/new"),
    (Owner, Open, "/clients/{client}"),
    (Owner, Open, "/clients/{client}/edit"),
    (Owner, SendNothing, "/clients/{client}/edit"),
    (Owner, Open, "/clients/{client}/scopes"),
    (Owner, Open, "/applications/requests"),
    (Owner, Open, "/clients/{client}/activity"),
    (Owner, Open, "/keys/{key}/activity"),
    (Owner, Open, "/requests?id=nothing"),    // 400
    (Owner, Open, "/requests?id=0000000000"), // unknown
    (Owner, Open, "/requests"),
    (Owner, Open, "/clients/{client}/delete"),
    (Owner, Open, "/clients/{client}/secrets/new"),
    (Owner, Open, "/data/students"),
    (Owner, Open, "/data/students?grade=2&_rows=dense&size=2"), // with chips and a pager
    (Owner, Open, "/data/students?grade=nine"),                 // 400
    (Owner, Open, "/data/students?name=nobody"),                // empty
    (Owner, Open, "/data/students/1"),
    (Owner, Open, "/data/clubs/1"),
    (Owner, Open, "/data/projects/1"),
    (Owner, Open, "/data/clubs"),
    (Owner, Open, "/data/projects"),
    (Owner, Open, "/data/meals"),
    (Owner, Open, "/data/schedules"),
    (Owner, Open, "/data/timetables"),
    (Owner, Open, "/week"),
    (Owner, Open, "/week?date=nonsense"),
    (Owner, Open, "/week?date=2020-01-01"), // empty
    (Owner, Open, "/week/meals"),
    (Owner, Open, "/month"),
    (Owner, Open, "/month?month=2020-01"), // empty
    (Owner, Open, "/admin/people"),        // 403
    (Administrator, Open, "/"),
    (Administrator, Open, "/data/students"), // without a key
    (Administrator, Open, "/week"),          // without a key
    (Administrator, Open, "/keys"),          // empty
    (Administrator, Open, "/keys/new"),      // with a limit
    (Administrator, Open, "/clients"),       // empty
    (Administrator, Open, "/applications"),  // empty
    (Administrator, Open, "/apps"),          // empty
    (Administrator, Open, "/clients/new"),   // with the settings of administrators
    (Administrator, Open, "/admin/people"),
    (Administrator, Open, "/admin/people/invite"),
    (Administrator, SendNothing, "/admin/people/invite"),
    (Administrator, Open, "/admin/people?q=nobody-has-this"),
    (Administrator, Open, "/admin/people/new"),
    (Administrator, SendNothing, "/admin/people/new"),
    (Administrator, Open, "/admin/people/{person}"),
    (Administrator, Open, "/admin/people/{student}"), // with a session
    (Administrator, Open, "/admin/people/{person}/remove"),
    (Administrator, Open, "/admin/school/students"),
    (Administrator, Open, "/admin/school/clubs"),
    (Administrator, Open, "/admin/school/students?grade=9"),
    (Administrator, Open, "/admin/school/students/new"),
    (Administrator, SendNothing, "/admin/school/students/new"),
    (Administrator, Open, "/admin/school/students/1"),
    (Administrator, Open, "/admin/school/clubs/1"),
    (Administrator, Open, "/admin/school/projects/1"),
    (Administrator, Open, "/admin/school/students/change"), // nothing selected
    (
        Administrator,
        Open,
        "/admin/school/students/change?id=1&id=2",
    ),
    (
        Administrator,
        Open,
        "/admin/school/students/change?id=1&action=graduate",
    ),
    (Administrator, Open, "/admin/school/students?grade=2"),
    (
        Administrator,
        Open,
        "/admin/school/students/change?all=true&filter=grade%3D2&count=1&version=0",
    ),
    (Administrator, Open, "/admin/school/students/import"),
    (Administrator, SendNothing, "/admin/school/students/import"),
    (Administrator, Open, "/admin/year"),
    (Administrator, Open, "/admin/year/turn?reset_roles=true"),
    (Administrator, Open, "/admin/school/history"), // empty
    (Administrator, Open, "/admin/school/history?class=x"),
    (Administrator, Open, "/admin/keys"),
    (Administrator, Open, "/keys/{waiting key}"), // with a request
    (Administrator, Open, "/admin/applications"),
    (Administrator, Open, "/admin/clients"),
    (Administrator, Open, "/clients/{waiting client}"),
    (Administrator, Open, "/admin/waiting"),
    (Administrator, Open, "/clients/{waiting client}/verify"),
    (Administrator, Open, "/clients/{client}/unverify"),
    (Administrator, Open, "/admin/sync"),
    (Administrator, Open, "/admin/audit"),
    (Administrator, Open, "/admin/audit?by=nobody-has-this"), // empty
    (Administrator, Open, "/admin/audit/explain?id=7z"),      // 400
    (Administrator, Open, "/admin/audit/explain?id=0000000000"), // unknown
];

/// Routes of no row above, with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("audit_csv", "a file"),
    ("data_table", "a file"),
    ("data_workbook", "a file"),
    (
        "older_client_secret",
        "needs a second secret: `forms_of_the_owner`",
    ),
    ("school_csv", "a file"),
    ("school_json", "a file"),
    (
        "school_year_undo",
        "needs a turn: `forms_of_the_administrator`",
    ),
    ("shown", "needs a secret: `forms_of_the_owner`"),
];

/// The pages of a user.
pub fn pages_of(who: Who) -> impl Iterator<Item = (Way, &'static str)> {
    let own = PAGES.iter().filter(move |(whose, ..)| *whose == who);
    own.map(|(_, way, path)| (*way, *path))
}

/// Fails if a page of the console is not looked at here.
#[test]
fn every_page_route_is_in_the_list_or_an_exception() {
    let source = include_str!("../../src/http/console/routes.rs");
    let mut routes = Vec::new();
    for route in source.split("Route::new(").skip(1) {
        let words: Vec<&str> = route.split('"').collect();
        let is_page = [".get(page!(", ".get(public!("]
            .iter()
            .any(|get| route.contains(get));
        routes.push((words[1], words[3], is_page));
    }
    assert!(routes.len() > 80, "the file is not read: {routes:?}");
    // The first route that matches handles a path.
    let handling = |path: &str| {
        let path = path.replace("{password link}", "/password-link");
        let path = path.split('?').next().unwrap_or_default().to_owned();
        let route = routes.iter().find(|(route, ..)| matches(route, &path));
        route.map(|(_, name, _)| *name)
    };
    let mut covered: BTreeSet<&str> = PAGES
        .iter()
        .filter_map(|(.., path)| handling(path))
        .collect();
    for (name, _) in EXCEPTIONS {
        assert!(
            covered.insert(name),
            "{name} is no exception, it is in the list"
        );
    }
    let pages = routes.iter().filter(|(.., is_page)| *is_page);
    let pages: BTreeSet<&str> = pages.map(|(_, name, _)| *name).collect();
    assert_eq!(covered, pages);
}

/// Whether a route such as `/data/{list}.csv` matches a path.
fn matches(route: &str, path: &str) -> bool {
    let (route, path): (Vec<&str>, Vec<&str>) =
        (route.split('/').collect(), path.split('/').collect());
    let is_segment = |(route, path): (&&str, &&str)| match route.split_once('{') {
        None => route == path,
        Some((before, rest)) => {
            let after = rest.split_once('}').unwrap().1;
            path.starts_with(before) && path.ends_with(after)
        }
    };
    route.len() == path.len() && route.iter().zip(&path).all(is_segment)
}
