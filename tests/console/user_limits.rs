//! Limits on the number of records and changes per user, as the pages report them.

use std::time::Duration;

use http::StatusCode;
use lyceum::domain::Quota;
use lyceum::http::auth_server::{AuthServerBuilder, UserLimits};

use crate::harness::*;
use crate::pages::assert_safe;
use crate::registry_fixtures::*;

const FEW: UserLimits = UserLimits {
    applications_per_user: 1,
    scopes_per_application: 1,
    clients_per_user: 1,
    scope_requests_per_client: 1,
    redirect_uris_per_client: 1,
    redirect_uri_bytes_per_client: 100,
    grants_per_user_and_client: 1,
    consents_per_user: 1,
};

async fn harness(settings: impl FnOnce(AuthServerBuilder) -> AuthServerBuilder) -> Harness {
    Harness::with_auth(settings).await
}

#[tokio::test]
async fn a_page_says_that_there_are_as_many_as_one_may_have_in_both_languages() {
    let harness = harness(|builder| builder.user_limits(FEW)).await;
    let made = application(&harness, 1, &harness.person, "Points").await;
    let read = scope(&harness, 1, &made, "read").await;
    client(&harness, 1, &harness.person, "App", &[&read]).await;
    let mut browser = harness.browser_of(EMAIL).await;
    let scopes = format!("{}/scopes/new", application_path(&made));
    let client = [
        ("name", "Club app"),
        ("redirect_uris", "https://a.example/"),
        ("policy", "secret"),
    ];
    let many = [
        ("name", "Club app"),
        ("redirect_uris", "https://a.example/\nhttps://b.example/"),
        ("policy", "secret"),
    ];
    for (language, said) in [
        (
            "en",
            [
                "the limit of applications",
                "the limit of scopes",
                "the limit of clients",
                "too many redirect URIs",
            ],
        ),
        (
            "ko",
            [
                "애플리케이션을 더 만들 수",
                "권한을 더 추가할 수",
                "클라이언트를 더 만들 수",
                "리디렉션 URI가 너무",
            ],
        ),
    ] {
        browser.language = language;
        let answers = [
            fill_in(&mut browser, "/applications/new", &[("name", "Another")]).await,
            fill_in(
                &mut browser,
                &scopes,
                &[
                    ("scope_name", "write"),
                    ("description", "Change your points"),
                ],
            )
            .await,
            fill_in(&mut browser, "/clients/new", &client).await,
            fill_in(&mut browser, "/clients/new", &many).await,
        ];
        for (answer, said) in answers.iter().zip(said) {
            assert_eq!(answer.status, StatusCode::CONFLICT, "{said}: {answer:?}");
            assert_safe(answer);
            assert_says(answer, &[said]);
        }
    }
}

#[tokio::test]
async fn a_page_says_that_changes_came_too_fast_and_when_to_try_again() {
    let quota = Quota::new(1, Duration::from_secs(60), 1).unwrap();
    let harness = harness(|builder| builder.management_limit(quota)).await;
    let mut browser = harness.browser_of(EMAIL).await;
    assert_eq!(
        fill_in(&mut browser, "/applications/new", &[("name", "Points")])
            .await
            .status,
        StatusCode::SEE_OTHER
    );
    for (language, said) in [
        ("en", "many changes in a short time"),
        ("ko", "짧은 시간에 변경을 너무 많이"),
    ] {
        browser.language = language;
        let answer = fill_in(&mut browser, "/applications/new", &[("name", "Another")]).await;
        assert_eq!(
            (answer.status, answer.header("retry-after")),
            (StatusCode::TOO_MANY_REQUESTS, "60")
        );
        assert_safe(&answer);
        assert_says(&answer, &[said]);
    }
    harness.clock.advance(Duration::from_secs(60));
    assert_eq!(
        fill_in(&mut browser, "/applications/new", &[("name", "Another")])
            .await
            .status,
        StatusCode::SEE_OTHER
    );
}
