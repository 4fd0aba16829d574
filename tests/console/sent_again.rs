//! Forms that are sent again, as by a second press of the button or after the way back.

use http::StatusCode;

use crate::client_fixtures::hidden;
use crate::harness::*;
use crate::pages::assert_safe;
use crate::registry_fixtures::{application, application_path};

/// The name of the records that the forms create.
const NAME: &str = "Campus App";

struct Form<'a> {
    /// The list of what the form creates.
    list: &'a str,
    /// The field that the list shows.
    name: &'a str,
    others: &'a [(&'a str, &'a str)],
}

// Proves: threats 51
/// Fails if a form creates a second record, or a refused form cannot be sent again.
#[tokio::test]
async fn a_form_that_is_sent_again_creates_nothing_and_says_so() {
    let harness = Harness::with_school_editor(|auth| auth).await;
    let mut browser = harness.browser_of(ADMIN).await;
    let made = application(&harness, 9, &harness.person, "Cafeteria").await;
    let forms = [
        Form {
            list: "/clients",
            name: "name",
            others: &[
                ("policy", "none"),
                ("redirect_uris", "https://app.example/callback"),
                ("pkce_required", "true"),
            ],
        },
        Form {
            list: "/keys",
            name: "description",
            others: &[("scopes", "STUDENT_READ")],
        },
        Form {
            list: "/applications",
            name: "name",
            others: &[],
        },
        Form {
            list: &application_path(&made),
            name: "description",
            others: &[("scope_name", "read")],
        },
        Form {
            list: "/admin/school/clubs",
            name: "name",
            others: &[("type", "AUTONOMOUS_CLUB"), ("foundedYear", "2026")],
        },
    ];
    for Form { list, name, others } in forms {
        let path = &match list.strip_prefix("/applications/") {
            Some(_) => format!("{list}/scopes/new"),
            None => format!("{list}/new"),
        };
        let page = browser.get(path).await.body;
        let (token, id) = (form_token(&page), hidden(&page, "form_id"));
        let filled = |value| {
            let fixed = [("form_token", &*token), ("form_id", &*id), (name, value)];
            [&fixed[..], others].concat()
        };
        let refused = browser.submit(path, &filled("")).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{path}");
        let created = browser.submit(path, &filled(NAME)).await;
        assert_eq!(created.status, StatusCode::SEE_OTHER, "{created:?}");
        let again = browser.submit(path, &filled(NAME)).await;
        assert_eq!(
            again.location(),
            format!("/console{list}?done=created-before"),
            "{path}"
        );
        let shown = browser.follow().await;
        assert_safe(&shown);
        for text in ["nothing was created again", NAME, "1 entry"] {
            assert!(shown.body.contains(text), "{path}: {text}: {}", shown.body);
        }
        // With other entries, it is another form.
        let other = browser.submit(path, &filled("Another one")).await;
        assert!(!other.location().contains("created-before"), "{other:?}");
        let is_created = browser.get(list).await.body.contains("Another one");
        // The name of a scope is taken by the first one.
        assert_eq!(
            is_created,
            name != "description" || list == "/keys",
            "{path}"
        );
        // The form that the page gives next is another one.
        assert_ne!(hidden(&browser.get(path).await.body, "form_id"), id);
    }
}
