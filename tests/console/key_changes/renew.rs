//! Renewal of API keys.

use http::StatusCode;
use lyceum::domain::{ApiKey, ApiKeySecret};

use super::{renew, shown, works};
use crate::client_fixtures::hidden;
use crate::fixtures::{DAY, key};
use crate::harness::*;
use crate::page_assertions::assert_page;
use crate::pages::assert_safe;

// Proves: spec 2.12
/// Fails if the old value works for another time than chosen.
#[tokio::test]
async fn a_renewed_key_has_a_new_value_and_the_old_one_goes_on_as_chosen() {
    let harness = Harness::new().await;
    let id = key(&harness, 1, Some(&harness.person), "Lunch").await;
    let path = format!("/keys/{id}/renew");
    let mut browser = harness.browser_of(EMAIL).await;
    let form = assert_page(&harness, &mut browser, &path).await.body;
    assert!(form.contains("value=\"day\" selected"), "{form}");
    let mut old = ApiKeySecret::from_random([1; 16]);
    for (overlap, said, until) in [
        (
            "hour",
            "The old value works until 2026-01-01 10:00.",
            Some("2026-01-01 10:00"),
        ),
        ("week", "2026-01-08 09:00", Some("2026-01-08 09:00")),
        ("day", "2026-01-02 09:00", Some("2026-01-02 09:00")),
        ("none", "The old value no longer works.", None),
    ] {
        let answer = renew(&mut browser, &path, &[("overlap", overlap)]).await;
        let new = shown(&answer);
        assert!(
            answer.body.contains(said) && !answer.body.contains("language=ko"),
            "{overlap}: {}",
            answer.body
        );
        assert_eq!(
            (
                works(&harness, &old).await.is_some(),
                works(&harness, &new).await.is_some()
            ),
            (until.is_some(), true),
            "{overlap}"
        );
        let page = browser.get(&format!("/keys/{id}")).await.body;
        let listed = until.map(|until| {
            format!(
                "…{}</span> until <time datetime=\"{}",
                ApiKey::last_four(&old.hint()),
                until.split_once(' ').unwrap().0
            )
        });
        assert_eq!(
            page.contains(&format!(
                "<li><span class=\"code\">…{}<",
                ApiKey::last_four(&old.hint())
            )),
            until.is_some(),
            "{overlap}: {page}"
        );
        assert!(
            listed.is_none_or(|listed| page.contains(&listed)) && !page.contains(new.expose()),
            "{overlap}: {page}"
        );
        old = new;
    }
    let page = browser.get(&format!("/keys/{id}")).await.body;
    assert!(
        page.contains("Old values still valid") && page.matches("</span> until <time").count() == 3,
        "no previous value is shortened: {page}"
    );
    let more = renew(&mut browser, &path, &[("overlap", "hour")]).await;
    old = shown(&more);
    let full = renew(&mut browser, &path, &[("overlap", "hour")]).await;
    assert!(
        full.status == StatusCode::CONFLICT && full.body.contains("This key has five valid values"),
        "{full:?}"
    );
    assert_safe(&full);
    for wrong in [&[("overlap", "<b>")][..], &[]] {
        let page = renew(&mut browser, &path, wrong).await;
        assert!(
            page.status == StatusCode::BAD_REQUEST && page.body.contains("id=\"overlap-fault\""),
            "{page:?}"
        );
        assert_safe(&page);
    }
    assert!(
        works(&harness, &old).await.is_some(),
        "an invalid form changes nothing"
    );
}

/// Fails if a repeated form renews the key again, which would end the value that programs use.
#[tokio::test]
async fn a_form_renews_the_value_that_it_was_about_and_no_other() {
    let harness = Harness::new().await;
    let id = key(&harness, 1, Some(&harness.person), "Lunch").await;
    let path = format!("/keys/{id}/renew");
    let mut browser = harness.browser_of(EMAIL).await;
    let page = browser.get(&path).await.body;
    let (token, seen) = (form_token(&page), hidden(&page, "seen"));
    let fields = [
        ("form_token", &*token),
        ("overlap", "day"),
        ("seen", &*seen),
    ];
    let new = shown(&browser.post(&path, &fields).await);
    for fields in [&fields[..], &fields[..2]] {
        let again = browser.post(&path, fields).await;
        assert_eq!(again.status, StatusCode::CONFLICT, "{again:?}");
        assert_safe(&again);
        assert!(
            again.body.contains("changed in the meantime") && hidden(&again.body, "seen") != seen,
            "{}",
            again.body
        );
    }
    assert!(
        works(&harness, &new).await.is_some()
            && works(&harness, &ApiKeySecret::from_random([1; 16]))
                .await
                .is_some()
    );
}

#[tokio::test]
async fn a_key_that_has_expired_comes_back_by_renewing_it() {
    let harness = Harness::new().await;
    let id = key(&harness, 1, Some(&harness.person), "Lunch").await;
    harness.clock.advance(31 * DAY);
    let answer = renew(
        &mut harness.browser_of(EMAIL).await,
        &format!("/keys/{id}/renew"),
        &[("overlap", "week")],
    )
    .await;
    assert!(
        answer.body.contains("The old value no longer works."),
        "{}",
        answer.body
    );
    let renewed = works(&harness, &shown(&answer)).await.unwrap();
    assert_eq!((renewed.id, renewed.expires_at), (id, START.plus(61 * DAY)));
    assert!(
        works(&harness, &ApiKeySecret::from_random([1; 16]))
            .await
            .is_none()
    );
}
