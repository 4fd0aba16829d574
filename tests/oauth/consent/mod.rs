mod changed_registrations;
mod form_tokens;

use std::time::Duration;

use http::StatusCode;
use http::header::SET_COOKIE;
use lyceum::domain::{
    AuthorizationCode, ClientProof, ClientSettings, PageRequest, SubjectId, Translations,
};
use lyceum::http::Clock;
use lyceum::store::{
    ApplicationPatch, ClientUpdate, Redemption, RegistryChange, ScopePatch, TokenLifetimes,
};

use crate::harness::*;
use crate::pages::assert_safe;

const CONSENT: &str = "/v1/oauth/consent";
const LIFETIMES: TokenLifetimes = TokenLifetimes {
    idle: Duration::from_secs(60),
    absolute: Duration::from_secs(60),
    retry_window: Duration::from_secs(30),
};

async fn redeem(harness: &Harness, code: &str) -> Redemption {
    let code = AuthorizationCode::parse(code).unwrap();
    harness
        .store
        .redeem_authorization_code(
            &code.digest(),
            ClientProof::Pkce,
            LIFETIMES,
            harness.clock.now(),
        )
        .await
        .unwrap()
}

/// The id of the user with this e-mail address.
async fn owner_of(harness: &Harness, email: &str) -> SubjectId {
    harness
        .store
        .account_by_email(&email.parse().unwrap())
        .await
        .unwrap()
        .unwrap()
        .id
        .into()
}

#[tokio::test]
async fn the_consent_page_names_client_user_scopes_and_duration() {
    let harness = Harness::new().await;
    let mut browser = harness.browser();
    browser.get(&harness.authorize(&[("scope", "")])).await;
    browser.sign_in(EMAIL, PASSWORD).await;
    harness.clock.advance(Duration::from_secs(61));
    let page = browser.get(CONSENT).await;
    for text in [
        "Timetable &#60;Plus&#62;",
        EMAIL,
        "Read &#60;your&#62; timetable",
        "Change your timetable",
        "Timetable &#38; Friends",
        "Read your basic information and student details",
        "School account",
        "9 minutes left",
        "value=\"allow\"",
        "value=\"deny\"",
    ] {
        assert!(
            page.body.contains(text),
            "{text} is missing in {}",
            page.body
        );
    }
}

/// Fails if a reader gets a text of another language, or if a text is a way into the page.
#[tokio::test]
async fn the_consent_page_describes_scopes_in_the_language_of_the_reader() {
    let harness = Harness::new().await;
    let texts = |pairs: &[(&str, &str)]| Translations::from_pairs(pairs.iter().copied()).unwrap();
    let application = ApplicationPatch {
        name: None,
        name_translations: Some(texts(&[("ko", "시간표 <b>친구</b>")])),
    };
    let changed = harness
        .store
        .update_application(harness.application, application)
        .await;
    assert_eq!(changed.unwrap(), RegistryChange::Done);
    let scopes = harness
        .store
        .scopes(Some(harness.application), PageRequest::LARGEST)
        .await
        .unwrap();
    for (name, translations) in [
        (
            "read",
            texts(&[("ko-KR", "<script>시간표</script>를 봐요"), ("fr", "Voir")]),
        ),
        ("write", texts(&[("en", "Edit \"your\" timetable")])),
    ] {
        let found = scopes
            .items
            .iter()
            .find(|found| found.scope.name.to_string() == *name);
        let change = ScopePatch {
            description_translations: Some(translations),
            ..ScopePatch::default()
        };
        let changed = harness.store.update_scope(found.unwrap().id, change).await;
        assert_eq!(changed.unwrap(), RegistryChange::Done);
    }
    let mut browser = harness.browser();
    browser
        .get(&harness.authorize(&[("scope", ""), ("prompt", "consent")]))
        .await;
    browser.sign_in(EMAIL, PASSWORD).await;
    for (language, shown, hidden) in [
        (
            "en",
            [
                "Read &#60;your&#62; timetable",
                "Edit &#34;your&#34; timetable",
                "from <bdi>Timetable &#38; Friends</bdi>",
                "Read your basic information",
            ],
            ["시간표", "Voir", "Change your timetable"],
        ),
        (
            "ko",
            [
                "&#60;script&#62;시간표&#60;/script&#62;를 봐요",
                "Change your timetable",
                "<bdi>시간표 &#60;b&#62;친구&#60;/b&#62;</bdi> 제공",
                "내 기본 정보",
            ],
            ["Timetable &#38; Friends", "Voir", "Edit &#34;your"],
        ),
    ] {
        browser.get(&format!("{CONSENT}?language={language}")).await;
        let page = browser.get(CONSENT).await;
        assert_safe(&page);
        for text in shown {
            assert!(
                page.body.contains(text),
                "{text} is missing in {}",
                page.body
            );
        }
        for text in hidden {
            assert!(!page.body.contains(text), "{text} is in {}", page.body);
        }
    }
}

/// Fails if an address is a way into the page, or if a client without one has a link.
#[tokio::test]
async fn the_consent_page_links_to_the_privacy_policy_of_the_client() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_at_consent().await;
    let without = browser.get(CONSENT).await.body;
    assert!(!without.contains("rivacy policy"), "{without}");
    let settings = ClientSettings {
        policy_uri: Some("https://app.example/privacy?a=b&c='d'#e".parse().unwrap()),
        ..harness.client.settings()
    };
    let updated = harness
        .store
        .update_client(harness.client.id, &harness.client.settings(), settings)
        .await;
    assert_eq!(updated.unwrap(), ClientUpdate::Updated);
    let link = "<a href=\"https://app.example/privacy?a=b&#38;c=&#39;d&#39;#e\" rel=\"noopener noreferrer\">";
    for (language, words) in [
        (
            "en",
            "Privacy policy of <bdi>Timetable &#60;Plus&#62;</bdi></a>",
        ),
        (
            "ko",
            "<bdi>Timetable &#60;Plus&#62;</bdi> 개인정보처리방침</a>",
        ),
    ] {
        browser.get(&format!("{CONSENT}?language={language}")).await;
        let page = browser.get(CONSENT).await;
        assert_safe(&page);
        assert!(
            page.body.contains(&format!("{link}{words}")),
            "{}",
            page.body
        );
    }
}

// Proves: spec 3.6, spec 3.9
#[tokio::test]
async fn consenting_issues_a_new_code_for_the_requested_scopes() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_at_consent().await;
    let answer = browser.decide("allow").await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    let code = answer.sent_back("code").unwrap();
    assert_eq!(code.len(), 43, "256 bits in base64url");
    let digest = AuthorizationCode::parse(&code).unwrap().digest();
    let binding = harness.store.code_binding(&digest).await.unwrap().unwrap();
    assert_eq!(
        (binding.client, &*binding.redirect_uri),
        (harness.client.id, CALLBACK)
    );
    assert_eq!(binding.challenge.unwrap().as_str(), CHALLENGE);
    let Redemption::Redeemed(grant) = redeem(&harness, &code).await else {
        panic!("not redeemed")
    };
    assert_eq!(
        (grant.client, grant.subject),
        (harness.client.id, owner_of(&harness, EMAIL).await)
    );
    assert_eq!(
        grant.scopes.to_string(),
        format!("{}:read", harness.application)
    );
    assert!(browser.session().is_none() && answer.header(SET_COOKIE).contains("Max-Age=0"));
}

// Proves: spec 3.9
/// Fails if a code's end has a fraction of a second, which not every store keeps.
#[tokio::test]
async fn a_code_lives_for_a_minute_unless_the_host_says_otherwise() {
    let minute = Harness::new().await;
    let minute_and_a_half_second = Duration::from_millis(60_500);
    let fraction =
        Harness::with_settings(|builder| builder.code_lifetime(minute_and_a_half_second)).await;
    let longer = Harness::with_settings(|builder| builder.code_lifetime(10 * MINUTE)).await;
    for (harness, seconds, is_good) in [
        (&minute, 59, true),
        (&minute, 60, false),
        (&fraction, 60, false),
        (&longer, 599, true),
        (&longer, 600, false),
    ] {
        let code = harness
            .browser_at_consent()
            .await
            .decide("allow")
            .await
            .sent_back("code")
            .unwrap();
        harness.clock.advance(Duration::from_secs(seconds));
        let redemption = redeem(harness, &code).await;
        assert_eq!(
            matches!(redemption, Redemption::Redeemed(_)),
            is_good,
            "{redemption:?}"
        );
        assert_eq!(
            matches!(redemption, Redemption::Expired),
            !is_good,
            "{redemption:?}"
        );
    }
}

// Proves: spec 3.9
#[tokio::test]
async fn every_code_is_another() {
    let harness = Harness::new().await;
    let mut codes = std::collections::HashSet::new();
    for _ in 0..10 {
        assert!(
            codes.insert(
                harness
                    .browser_at_consent()
                    .await
                    .decide("allow")
                    .await
                    .sent_back("code")
                    .unwrap()
            )
        );
    }
}

// Proves: spec 3.6
#[tokio::test]
async fn denying_redirects_with_access_denied_and_ends_the_session() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_at_consent().await;
    let cookies = browser.cookies.clone();
    let answer = browser.decide("deny").await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert!(
        answer
            .location()
            .starts_with("https://app.example/callback?error=access_denied&"),
        "{answer:?}"
    );
    assert_eq!(
        (
            answer.sent_back("state").as_deref(),
            answer.sent_back("code")
        ),
        (Some("xyz"), None)
    );
    assert!(browser.session().is_none());
    browser.cookies = cookies;
    assert_eq!(browser.get(CONSENT).await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn approving_twice_or_too_late_gives_a_page_and_no_second_code() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_at_consent().await;
    let (cookies, token) = (browser.cookies.clone(), browser.form_token(CONSENT).await);
    assert!(browser.decide("allow").await.sent_back("code").is_some());
    browser.cookies = cookies;
    let again = browser
        .post(CONSENT, &[("form_token", &token), ("decision", "allow")])
        .await;
    assert_eq!(
        (again.status, again.is_page()),
        (StatusCode::UNAUTHORIZED, true)
    );

    let mut late = harness.browser_at_consent().await;
    let token = late.form_token(CONSENT).await;
    harness.clock.advance(10 * MINUTE);
    let answer = late
        .post(CONSENT, &[("form_token", &token), ("decision", "allow")])
        .await;
    assert_eq!(
        (answer.status, answer.is_page()),
        (StatusCode::UNAUTHORIZED, true)
    );
}

#[tokio::test]
async fn a_decision_before_sign_in_is_refused() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_at_login().await;
    assert_eq!(browser.get(CONSENT).await.location(), "/v1/oauth/login");
    let token = browser.form_token("/v1/oauth/login").await;
    for decision in ["allow", "deny"] {
        let answer = browser
            .post(CONSENT, &[("form_token", &token), ("decision", decision)])
            .await;
        assert_eq!(
            (answer.status, answer.location()),
            (StatusCode::SEE_OTHER, "/v1/oauth/login")
        );
    }
    assert!(browser.session().is_some(), "the sign-in can continue");
}

#[tokio::test]
async fn a_decision_is_allow_or_deny() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_at_consent().await;
    let token = browser.form_token(CONSENT).await;
    for decision in ["", "ALLOW", "yes"] {
        let answer = browser
            .post(CONSENT, &[("form_token", &token), ("decision", decision)])
            .await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{decision:?}");
    }
    assert_eq!(
        browser
            .post(CONSENT, &[("form_token", &token)])
            .await
            .status,
        StatusCode::BAD_REQUEST
    );
}

#[tokio::test]
async fn another_account_can_be_used_until_the_decision() {
    let harness = Harness::new().await;
    let password = lyceum::domain::Password::new("second password").unwrap();
    let created = harness
        .accounts
        .create(
            "lee@school.example".parse().unwrap(),
            &password,
            lyceum::domain::Role::Admin,
        )
        .await
        .unwrap();
    assert!(matches!(
        created,
        lyceum::http::auth_server::AccountCreationOutcome::Created(_)
    ));
    let mut browser = harness.browser_at_consent().await;
    browser
        .sign_in("lee@school.example", "second password")
        .await;
    let code = browser.decide("allow").await.sent_back("code").unwrap();
    let Redemption::Redeemed(grant) = redeem(&harness, &code).await else {
        panic!("not redeemed")
    };
    assert_eq!(
        grant.subject,
        owner_of(&harness, "lee@school.example").await
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_approvals_at_once_exactly_one_gets_a_code() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_at_consent().await;
    let token = browser.form_token(CONSENT).await;
    let mut approvals = tokio::task::JoinSet::new();
    for _ in 0..64 {
        let mut twin = harness.browser();
        (twin.cookies, twin.address) = (browser.cookies.clone(), browser.address);
        let token = token.clone();
        approvals.spawn(async move {
            twin.post(CONSENT, &[("form_token", &token), ("decision", "allow")])
                .await
        });
    }
    let answers = approvals.join_all().await;
    assert_eq!(
        answers
            .iter()
            .filter(|answer| answer.sent_back("code").is_some())
            .count(),
        1
    );
    assert_eq!(
        answers
            .iter()
            .filter(|answer| answer.status == StatusCode::UNAUTHORIZED)
            .count(),
        63
    );
}
