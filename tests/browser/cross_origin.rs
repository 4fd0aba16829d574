//! Scripts on another origin may use the endpoints that clients without a server need, and no
//! others.

use base64ct::{Base64, Encoding};
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::harness::*;
use crate::prerequisites::needs_browser;
use crate::support::query_of;

/// Fetches a URL. Returns the status and these headers as visible to the script, or the browser's
/// error.
const ASK: &str = "const [url, options, names, done] = arguments;
    fetch(url, options).then(
        async answer => done({ status: answer.status, headers: names.map(name => answer.headers.get(name)), body: await answer.text() }),
        error => done({ refused: error.name }));";

/// A page of the client, and the school that it calls.
struct Page {
    harness: Harness,
    browser: Browser,
}

impl Page {
    async fn open() -> Self {
        let page = Self {
            harness: Harness::new().await,
            browser: Browser::open().await,
        };
        page.show().await;
        page
    }

    async fn show(&self) {
        self.browser
            .go(&self.harness.callback.replace("/callback", "/app"))
            .await;
    }

    async fn ask(&self, url: &str, options: Value, names: &[&str]) -> Value {
        self.browser
            .run_long(ASK, json!([url, options, names]))
            .await
    }

    /// Closes the browser, which must have reported this many refused requests.
    async fn close(self, refused: usize) {
        let console_errors = self.browser.console_errors().await;
        let of_origins = console_errors
            .iter()
            .filter(|complaint| complaint.contains("CORS policy"))
            .count();
        assert!(of_origins >= refused, "{console_errors:#?}");
        self.browser.close().await;
    }
}

#[tokio::test]
async fn a_page_of_another_origin_exchanges_a_code_and_asks_who_its_user_is() {
    needs_browser!();
    let page = Page::open().await;
    let harness = &page.harness;
    for path in [
        "/auth/v1/oauth/jwk-set",
        "/auth/v1/oauth/jwks",
        "/auth/.well-known/jwks.json",
        "/auth/.well-known/oauth-authorization-server",
    ] {
        let answer = page
            .ask(
                &format!("{}{path}", harness.origin),
                json!({}),
                &["x-request-id"],
            )
            .await;
        assert_eq!(
            (&answer["status"], answer["headers"][0].is_string()),
            (&json!(200), true),
            "{path}: {answer}"
        );
    }
    // Basic authentication and JSON bodies both require a preflight.
    let (client, secret) = (harness.client.to_string(), harness.secret.expose());
    let basic = format!(
        "Basic {}",
        Base64::encode_string(format!("{client}:{secret}").as_bytes())
    );
    let headers = json!({ "authorization": basic, "content-type": "application/json" });
    let posted =
        |body: Value| json!({ "method": "POST", "headers": headers, "body": body.to_string() });
    harness.ask(&page.browser, EMAIL).await;
    page.browser.click("button[value=allow]").await;
    let back = query_of(&page.browser.wait_for_url(&harness.callback).await);
    page.show().await;
    let exchange = json!({ "grant_type": "authorization_code", "code": back["code"], "redirect_uri": harness.callback });
    let issued = page
        .ask(&harness.auth("/token"), posted(exchange.clone()), &[])
        .await;
    assert_eq!(issued["status"], 200, "{issued}");
    let tokens: Value = serde_json::from_str(issued["body"].as_str().unwrap()).unwrap();
    // The client lacks the scope for user information, and the script can read the error.
    let bearer = format!("Bearer {}", tokens["access_token"].as_str().unwrap());
    for path in ["/auth/userinfo", "/auth/v1/oauth/userinfo"] {
        let options = json!({ "headers": { "authorization": bearer } });
        let answer = page
            .ask(
                &format!("{}{path}", harness.origin),
                options,
                &["www-authenticate"],
            )
            .await;
        let challenge = answer["headers"][0].as_str().unwrap_or_default();
        assert!(
            answer["status"] == 401 && challenge.contains("service:self_read"),
            "{answer}"
        );
    }
    let revoked = page
        .ask(
            &harness.auth("/revoke"),
            posted(json!({ "token": tokens["refresh_token"] })),
            &[],
        )
        .await;
    assert_eq!(revoked["status"], 200, "{revoked}");
    let used = page
        .ask(&harness.auth("/token"), posted(exchange), &[])
        .await;
    assert!(
        used["status"] == 400 && used["body"].as_str().unwrap().contains("invalid_grant"),
        "{used}"
    );
    page.close(0).await;
}

#[tokio::test]
async fn a_page_of_another_origin_reads_the_data_where_the_host_lets_it() {
    needs_browser!();
    let page = Page::open().await;
    let (url, key) = (
        format!("{}/v1/clubs", page.harness.origin),
        page.harness.api_key_value.expose(),
    );
    let names = [
        "etag",
        "x-ratelimit-limit",
        "x-ratelimit-remaining",
        "ratelimit",
        "link",
        "x-api-key-expires",
        "x-request-id",
    ];
    let first = page
        .ask(&url, json!({ "headers": { "x-api-key": key } }), &names)
        .await;
    assert_eq!(first["status"], 200, "{first}");
    let tag = first["headers"][0].as_str().unwrap();
    assert!(
        first["headers"].as_array().unwrap()[1..5]
            .iter()
            .all(Value::is_string),
        "{first}"
    );
    // A script that sends `If-None-Match` itself receives status 304.
    let options =
        json!({ "headers": { "x-api-key": key, "if-none-match": tag }, "cache": "no-store" });
    assert_eq!(page.ask(&url, options, &[]).await["status"], 304);
    let refused = page.ask(&url, json!({}), &names).await;
    assert_eq!(
        (&refused["status"], refused["headers"][6].is_string()),
        (&json!(401), true),
        "{refused}"
    );
    page.close(0).await;
}

/// Fails if a page of another origin can use the user's session, or endpoints for servers.
#[tokio::test]
async fn a_page_of_another_origin_uses_nothing_else() {
    needs_browser!();
    let page = Page::open().await;
    let harness = &page.harness;
    let closed = [
        harness.auth("/authorize/session"),
        harness.auth("/login"),
        harness.auth("/consent"),
        harness.console("/"),
        format!("{}/auth/v1/clients", harness.origin),
        format!("{}/auth/v1/applications", harness.origin),
        format!("{}/auth/v1/grants", harness.origin),
        format!("{}/auth/v1/api-keys", harness.origin),
    ];
    for url in &closed {
        assert_eq!(
            page.ask(url, json!({}), &[]).await,
            json!({ "refused": "TypeError" }),
            "{url}"
        );
    }
    let introspection = json!({ "method": "POST", "headers": { "content-type": "application/json" }, "body": "{}" });
    assert_eq!(
        page.ask(&harness.auth("/introspect"), introspection, &[])
            .await,
        json!({ "refused": "TypeError" })
    );
    // Browsers send no cookies, even to endpoints that scripts may read.
    let with_cookies = page
        .ask(
            &harness.auth("/jwk-set"),
            json!({ "credentials": "include" }),
            &[],
        )
        .await;
    assert_eq!(with_cookies, json!({ "refused": "TypeError" }));
    page.close(closed.len() + 2).await;
}
