//! Refused forms: their summary, their title, and the time to wait.

use http::StatusCode;

use crate::harness::*;

/// The addresses inside the page that the summary links to.
fn targets(page: &str) -> Vec<String> {
    let summary = page
        .split("id=\"form-errors\"")
        .nth(1)
        .unwrap_or_else(|| panic!("no summary in {page}"));
    let summary = summary.split("</div>").next().unwrap();
    let links = summary.split("href=\"#").skip(1);
    links
        .map(|rest| rest.split('"').next().unwrap().to_owned())
        .collect()
}

/// Fails if a summary has a link without its field, or a title does not say that something is
/// wrong.
#[tokio::test]
async fn the_summary_of_a_refused_form_links_to_each_field_and_gets_the_focus() {
    let harness = Harness::with_school_editor(|auth| auth).await;
    let mut browser = harness.browser_of(ADMIN).await;
    for (form, fields, links) in [
        (
            "/keys/new",
            &[("description", ""), ("rate_limit", "x")][..],
            3,
        ),
        ("/applications/new", &[("name", "")], 1),
        ("/clients/new", &[("name", ""), ("policy", "x")], 2),
        (
            "/account/password",
            &[
                ("old_password", ""),
                ("new_password", "short"),
                ("repeated", "other"),
            ],
            1,
        ),
        ("/admin/people/new", &[("email", "x"), ("role", "x")], 2),
        ("/admin/people/invite", &[("addresses", "")], 1),
        (
            "/admin/school/students/new",
            &[("name", ""), ("grade", "9")],
            2,
        ),
    ] {
        let page = browser.get(form).await;
        assert!(!page.body.contains("Error:"), "{form}");
        let token = form_token(&page.body);
        let fields = [&[("form_token", &*token)], fields].concat();
        let page = browser.submit(form, &fields).await;
        assert!(page.status.is_client_error(), "{form}: {page:?}");
        assert!(
            page.body.contains("<title>Error: "),
            "{form}: {}",
            page.body
        );
        assert!(page.body.contains("tabindex=\"-1\" autofocus>"), "{form}");
        let targets = targets(&page.body);
        assert!(targets.len() >= links, "{form}: {targets:?}");
        for id in targets {
            let count = page.body.matches(&format!("id=\"{id}\"")).count();
            assert_eq!(count, 1, "{form}: {id} in {}", page.body);
        }
    }
}

/// Fails if a message does not say what is allowed.
#[tokio::test]
async fn a_message_says_which_numbers_are_allowed() {
    let harness = Harness::with_school_editor(|auth| auth).await;
    let mut browser = harness.browser_of(ADMIN).await;
    let form = "/admin/school/students/new";
    let token = form_token(&browser.get(form).await.body);
    let fields = [("form_token", &*token), ("name", "Kim"), ("grade", "9")];
    let page = browser.submit(form, &fields).await;
    let summary = page.body.split("id=\"form-errors\"").nth(1).unwrap();
    let summary = summary.split("</div>").next().unwrap();
    assert!(summary.contains("href=\"#grade\">Grade: "), "{summary}");
    assert!(summary.contains('1') && summary.contains('3'), "{summary}");
}

// Proves: threats 40
/// Fails if the page does not say when the limit ends.
#[tokio::test]
async fn a_reached_limit_of_sign_ins_says_how_long_it_lasts() {
    let harness = Harness::new().await;
    for _ in 0..10 {
        let answer = harness.browser().sign_in(EMAIL, "wrong").await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    }
    let answer = harness.browser().sign_in(EMAIL, PASSWORD).await;
    assert_eq!(
        (answer.status, answer.header("retry-after")),
        (StatusCode::TOO_MANY_REQUESTS, "90")
    );
    assert!(
        answer.body.contains("Try again in 2 minutes."),
        "{}",
        answer.body
    );
    let mut korean = harness.browser();
    korean.language = "ko";
    let answer = korean.sign_in(EMAIL, PASSWORD).await;
    assert!(
        answer.body.contains("2분 뒤에 다시 시도해 주세요."),
        "{}",
        answer.body
    );
}
