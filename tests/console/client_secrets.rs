use http::StatusCode;
use lyceum::domain::{Client, ClientPolicy, ClientSecret, ClientSecretUse};

use crate::client_fixtures::*;
use crate::harness::*;
use crate::pages::assert_safe;

/// The secret on a page.
fn shown(page: &str) -> String {
    let rest = page
        .split("<code id=\"secret\"")
        .nth(1)
        .unwrap_or_else(|| panic!("no secret in {page}"));
    rest.split('>')
        .nth(1)
        .unwrap()
        .split('<')
        .next()
        .unwrap()
        .to_owned()
}

async fn posted(browser: &mut Browser, path: &str) -> TestResponse {
    let page = browser.get(path).await.body;
    browser
        .post(
            path,
            &[
                ("form_token", &form_token(&page)),
                ("seen", &hidden(&page, "seen")),
            ],
        )
        .await
}

// Proves: threats 35
/// Fails if the secret is anywhere but in the response to the form.
#[tokio::test]
async fn a_new_clients_secret_is_shown_once() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(EMAIL).await;
    let token = form_token(&browser.get("/clients/new").await.body);
    let fields = [
        ("form_token", &*token),
        ("name", "<b>Kiosk"),
        ("policy", "secret"),
        ("redirect_uris", "https://app.example/callback"),
    ];
    let page = browser.post("/clients/new", &fields).await;
    assert_eq!(page.status, StatusCode::OK);
    assert_safe(&page);
    let secret = shown(&page.body);
    let [client] = &stored_clients(&harness).await[..] else {
        panic!("{page:?}")
    };
    assert_eq!(secret.len(), 43);
    assert!(
        client.secrets[0]
            .digest
            .matches(&ClientSecret::parse(&secret).unwrap().digest())
    );
    assert!(
        page.body
            .contains(&format!("export CLIENT_SECRET='{secret}'"))
    );
    assert_eq!(
        page.body.matches(&*secret).count(),
        2,
        "the programs read the secret from the environment"
    );
    assert!(
        page.body.contains(&format!(
            "role=\"textbox\" aria-readonly=\"true\">{}<",
            client.id
        )),
        "the id of the client is beside its secret"
    );
    assert!(
        page.body.contains("process.env.CLIENT_SECRET")
            && page
                .body
                .contains(&format!("/console/clients/{}\"", client.id))
    );
    for path in [
        "/clients".to_owned(),
        format!("/clients/{}", client.id),
        format!("/clients/{}/edit", client.id),
    ] {
        let page = browser.get(&path).await;
        assert!(
            page.status == StatusCode::OK
                && !page.body.contains(&*secret)
                && !page.body.contains("<b>"),
            "{path}"
        );
    }
    assert!(!format!("{:?}", harness.log.events()).contains(&*secret));
}

#[tokio::test]
async fn the_rotation_page_says_which_secrets_stay_valid() {
    let harness = Harness::new().await;
    let client = client(&harness, 1, |client| client).await;
    let path = format!("/clients/{}/secrets/new", client.id);
    let mut browser = harness.browser_of(EMAIL).await;
    let page = browser.get(&path).await;
    assert_safe(&page);
    assert!(
        page.body.contains("The current secret keeps working")
            && !page.body.contains("stops working immediately"),
        "{}",
        page.body
    );
    assert_eq!(
        stored_client(&harness, client.id).await,
        client,
        "the page changes nothing"
    );
    let page = posted(&mut browser, &path).await;
    assert_eq!(page.status, StatusCode::OK);
    assert_safe(&page);
    let first = shown(&page.body);
    assert!(
        page.body.contains("The previous secret keeps working"),
        "{}",
        page.body
    );
    assert_eq!(stored_client(&harness, client.id).await.secrets.len(), 2);
    let page = browser.get(&path).await.body;
    assert!(
        page.contains("the oldest stops working immediately") && !page.contains(&*first),
        "{page}"
    );
    let second = shown(&posted(&mut browser, &path).await.body);
    let digests: Vec<_> = stored_client(&harness, client.id)
        .await
        .secrets
        .iter()
        .map(|secret| secret.digest)
        .collect();
    assert_eq!(
        digests,
        [&first, &second].map(|secret| ClientSecret::parse(secret).unwrap().digest())
    );
}

/// Fails if submitting a form twice removes a secret without notice.
#[tokio::test]
async fn a_form_that_is_sent_twice_pushes_out_no_secret_unasked() {
    let harness = Harness::new().await;
    let client = client(&harness, 1, |client| client).await;
    let path = format!("/clients/{}/secrets/new", client.id);
    let mut browser = harness.browser_of(EMAIL).await;
    let page = browser.get(&path).await.body;
    let (token, seen) = (form_token(&page), hidden(&page, "seen"));
    assert_eq!(
        browser
            .post(&path, &[("form_token", &token), ("seen", &seen)])
            .await
            .status,
        StatusCode::OK
    );
    let after = stored_client(&harness, client.id).await;
    for fields in [
        vec![("form_token", &*token), ("seen", &*seen)],
        vec![("form_token", &*token)],
    ] {
        let again = browser.post(&path, &fields).await;
        assert_eq!(again.status, StatusCode::CONFLICT);
        assert_safe(&again);
        assert!(
            again.body.contains("the oldest stops working immediately")
                && again.body.contains("This has changed in the meantime")
        );
    }
    assert_eq!(stored_client(&harness, client.id).await, after);
}

#[tokio::test]
async fn the_older_secret_is_removed_and_the_newest_stays() {
    let harness = Harness::new().await;
    let client = client(&harness, 1, |client| Client {
        secrets: vec![secret(1), secret(2)],
        ..client
    })
    .await;
    let path = format!("/clients/{}/secrets/older", client.id);
    let mut browser = harness.browser_of(EMAIL).await;
    let page = browser.get(&path).await;
    assert_safe(&page);
    assert!(page.body.contains("Remove the older secret of"));
    let (token, seen) = (form_token(&page.body), hidden(&page.body, "seen"));
    // A rotation in between: the newest secret becomes the older one.
    let _ = harness
        .store
        .add_client_secret(client.id, secret(3))
        .await
        .unwrap();
    assert_eq!(
        browser
            .post(&path, &[("form_token", &token), ("seen", &seen)])
            .await
            .status,
        StatusCode::CONFLICT
    );
    assert_eq!(
        stored_client(&harness, client.id).await.secrets,
        [secret(2), secret(3)]
    );
    let answer = posted(&mut browser, &path).await;
    assert_eq!(
        answer.location(),
        format!("/console/clients/{}?done=secret-removed", client.id)
    );
    assert!(
        browser
            .follow()
            .await
            .body
            .contains("Older secret removed.")
    );
    assert_eq!(
        stored_client(&harness, client.id).await.secrets,
        [secret(3)]
    );
    assert_eq!(
        browser.get(&path).await.status,
        StatusCode::NOT_FOUND,
        "the client has no older secret"
    );
    assert_eq!(
        browser
            .post(&path, &[("form_token", &token), ("seen", &seen)])
            .await
            .status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn a_public_client_gets_no_secret_and_a_first_secret_warns_of_no_others() {
    let harness = Harness::new().await;
    let public = client(&harness, 1, |client| Client {
        policy: ClientPolicy::Public,
        secrets: Vec::new(),
        ..client
    })
    .await;
    let lacking = client(&harness, 2, |client| Client {
        secrets: Vec::new(),
        ..client
    })
    .await;
    let mut browser = harness.browser_of(EMAIL).await;
    let page = browser
        .get(&format!("/clients/{}/secrets/new", public.id))
        .await;
    assert!(
        page.status == StatusCode::CONFLICT && page.body.contains("A public client has no secrets")
    );
    let token = form_token(&browser.get("/").await.body);
    let answer = browser
        .post(
            &format!("/clients/{}/secrets/new", public.id),
            &[("form_token", &token), ("seen", "x")],
        )
        .await;
    assert_eq!(
        (answer.status, stored_client(&harness, public.id).await),
        (StatusCode::CONFLICT, public)
    );
    let path = format!("/clients/{}/secrets/new", lacking.id);
    let page = browser.get(&path).await.body;
    assert!(
        page.contains("It is shown once, on the next page.") && !page.contains("keeps working"),
        "{page}"
    );
    let page = posted(&mut browser, &path).await.body;
    assert!(!page.contains("keeps working"), "{page}");
}

// Proves: spec 3.11
#[tokio::test]
async fn the_page_of_a_client_says_when_each_secret_was_last_used() {
    let harness = Harness::new().await;
    let client = client(&harness, 1, |client| Client {
        secrets: vec![secret(1), secret(2)],
        ..client
    })
    .await;
    let path = format!("/clients/{}", client.id);
    let mut browser = harness.browser_of(EMAIL).await;
    let page = browser.get(&path).await;
    let counts = |page: &str| ["Last used", "Never used"].map(|text| page.matches(text).count());
    assert_eq!(counts(&page.body), [0, 2]);
    let used = ClientSecretUse {
        client: client.id,
        secret: secret(1).digest,
        last_used_at: START,
    };
    let recording = harness.store.record_client_secret_usage(vec![used]);
    recording.await.unwrap();
    let page = browser.get(&path).await;
    assert_safe(&page);
    assert_eq!(counts(&page.body), [1, 1]);
}
