//! Registration of clients.

use http::StatusCode;
use lyceum::domain::{ClientPolicy, RedirectUri, Scope};

use super::{PUBLIC, posted, with};
use crate::client_fixtures::*;
use crate::harness::*;
use crate::pages::assert_safe;

#[tokio::test]
async fn a_public_client_is_registered_without_a_secret() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    let page = browser.get("/clients/new").await;
    assert_safe(&page);
    assert!(page.body.contains("id=\"policy-secret\" name=\"policy\" value=\"secret\" aria-describedby=\"policy-secret-hint\" checked"));
    assert!(
        !page.body.contains("first_party\"") && !page.body.contains("client_credentials_allowed\""),
        "{}",
        page.body
    );
    let typed = with(
        &PUBLIC,
        &[
            (
                "redirect_uris",
                " https://app.example/callback \r\n\r\ncom.example.app:/back\r\n",
            ),
            ("scopes", "service:self_read"),
        ],
    );
    let answer = posted(&mut browser, "/clients/new", &typed).await;
    let [client] = &stored_clients(&harness).await[..] else {
        panic!("{answer:?}")
    };
    assert_eq!(
        (answer.status, answer.location()),
        (
            StatusCode::SEE_OTHER,
            &*format!("/console/clients/{}?done=created", client.id)
        )
    );
    let uris: Vec<&str> = client
        .redirect_uris
        .iter()
        .map(RedirectUri::as_str)
        .collect();
    assert_eq!(
        (client.name.as_str(), uris),
        (
            "Campus App",
            vec!["https://app.example/callback", "com.example.app:/back"]
        )
    );
    assert!(
        client.policy == ClientPolicy::Public
            && client.secrets.is_empty()
            && client.pkce_required
            && !client.plain_pkce_allowed
    );
    assert!(client.allowed_scopes.contains(&Scope::self_read()) && client.owner == harness.person);
    assert!(browser.follow().await.body.contains("Campus App"));
}

// Proves: threats 25
/// Fails if an invalid form loses its input, or a hostile value is not escaped.
#[tokio::test]
async fn a_form_with_faults_comes_back_as_it_was_typed_with_each_fault_beside_its_field() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    let hostile = "</textarea>\"><b class=x>";
    let typed = [
        ("name", hostile),
        ("policy", hostile),
        ("redirect_uris", hostile),
        ("scopes", hostile),
        ("plain_pkce_allowed", "true"),
    ];
    let page = posted(&mut browser, "/clients/new", &typed).await;
    assert_eq!(page.status, StatusCode::BAD_REQUEST);
    assert_safe(&page);
    for text in [
        "policy-fault",
        "redirect_uris-fault",
        "scopes-fault",
        "&#60;/textarea&#62;&#34;&#62;&#60;b",
        "plain_pkce_allowed\" value=\"true\" checked",
        "no longer exists",
    ] {
        assert!(
            page.body.contains(text),
            "{text} is missing in {}",
            page.body
        );
    }
    assert!(
        !page.body.contains("<b ") && !page.body.contains("name-fault"),
        "a name may contain any of these characters"
    );
    let page = posted(
        &mut browser,
        "/clients/new",
        &with(&PUBLIC, &[("name", "a\nb")]),
    )
    .await;
    assert!(page.body.contains("name-fault") && page.status == StatusCode::BAD_REQUEST);
    let page = posted(&mut browser, "/clients/new", &[]).await;
    assert!(page.body.contains("name-fault") && page.body.contains("policy-fault"));
    let many: Vec<String> = (0..201)
        .map(|number| format!("service:scope-{number}"))
        .collect();
    let many: Vec<(&str, &str)> = PUBLIC
        .into_iter()
        .chain(many.iter().map(|scope| ("scopes", &**scope)))
        .collect();
    assert!(
        posted(&mut browser, "/clients/new", &many)
            .await
            .body
            .contains("at most 200 scopes")
    );
    assert!(stored_clients(&harness).await.is_empty());
    let mut korean = harness.browser_of(EMAIL).await;
    korean.language = "ko";
    assert!(
        posted(
            &mut korean,
            "/clients/new",
            &with(&PUBLIC, &[("redirect_uris", "x")])
        )
        .await
        .body
        .contains("번째 줄")
    );
}

// Proves: threats 12
/// Fails if a dangerous redirect URI can be registered.
#[tokio::test]
async fn hostile_redirects_are_refused_with_their_line_and_rule() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    for (uri, rule) in [
        ("javascript:alert(1)", "begin with https://"),
        ("data:text/html,x", "begin with https://"),
        ("http://app.example/callback", "begin with https://"),
        ("https://app.example/#x", "must not have a # part"),
        ("https://user@app.example/", "must not have a user name"),
        (
            "https://app.example/?code=x",
            "must not have the parameters",
        ),
        ("https://app.example/a\rb", "must be a complete URI"),
        ("https://app.example/\tb", "must be a complete URI"),
        ("https://app.example:65536/", "must be at most 65535"),
        ("https:///callback", "must have a host"),
    ] {
        let typed = format!("https://app.example/good\r\n{uri}");
        let page = posted(
            &mut browser,
            "/clients/new",
            &with(&PUBLIC, &[("redirect_uris", &typed)]),
        )
        .await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST, "{uri}");
        let fault = page
            .body
            .split("id=\"redirect_uris-fault\">")
            .nth(1)
            .unwrap()
            .split('<')
            .next()
            .unwrap();
        assert!(
            fault.starts_with("Line 2: ") && fault.contains(rule),
            "{uri}: {fault}"
        );
    }
    // A line break separates redirect URIs; it never creates a header or another field.
    let page = posted(
        &mut browser,
        "/clients/new",
        &with(
            &PUBLIC,
            &[("redirect_uris", "https://app.example/\r\nlocation: x")],
        ),
    )
    .await;
    assert_eq!(page.status, StatusCode::BAD_REQUEST);
    assert!(stored_clients(&harness).await.is_empty());
}

/// Fails if the form forgets the address, or shows one that was not checked as a link.
#[tokio::test]
async fn the_address_of_a_privacy_policy_is_checked_kept_and_removed() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    for (language, message) in [
        ("en", "Enter a full address that starts with https://"),
        ("ko", "https://로 시작하는 전체 주소를"),
    ] {
        browser.language = language;
        let bad = with(&PUBLIC, &[("policy_uri", "javascript:alert(\"1\")")]);
        let page = posted(&mut browser, "/clients/new", &bad).await;
        assert_eq!(page.status, StatusCode::BAD_REQUEST);
        assert!(
            page.body.contains(message)
                && page.body.contains("href=\"#policy_uri\"")
                && page
                    .body
                    .contains("value=\"javascript:alert(&#34;1&#34;)\"")
                && !page.body.contains("href=\"javascript"),
            "{}",
            page.body
        );
    }
    browser.language = "en";
    let good = with(
        &PUBLIC,
        &[("policy_uri", " https://app.example/privacy?a=b&c ")],
    );
    assert_eq!(
        posted(&mut browser, "/clients/new", &good).await.status,
        StatusCode::SEE_OTHER
    );
    let page = browser.follow().await;
    assert_safe(&page);
    let link = "<a href=\"https://app.example/privacy?a=b&#38;c\" rel=\"noopener noreferrer\">https://app.example/privacy?a=b&#38;c</a>";
    assert!(page.body.contains(link), "{}", page.body);
    let [client] = &stored_clients(&harness).await[..] else {
        panic!("a client")
    };
    let path = format!("/clients/{}/edit", client.id);
    let form = browser.get(&path).await;
    assert_safe(&form);
    assert!(
        form.body
            .contains("value=\"https://app.example/privacy?a=b&#38;c\""),
        "{}",
        form.body
    );
    let verify = harness
        .browser_of(ADMIN)
        .await
        .get(&format!("/clients/{}/verify", client.id))
        .await;
    assert!(
        verify
            .body
            .contains("Privacy policy: https://app.example/privacy?a=b&#38;c"),
        "{}",
        verify.body
    );
    assert_eq!(
        posted(&mut browser, &path, &PUBLIC).await.status,
        StatusCode::SEE_OTHER
    );
    assert_eq!(stored_client(&harness, client.id).await.policy_uri, None);
}
