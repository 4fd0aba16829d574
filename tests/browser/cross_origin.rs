//! Scripts of a page on another origin, which may use what clients without a server need, and nothing else.

use base64ct::{Base64, Encoding};
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::installed::needs_browser;
use crate::support::query_of;
use crate::world::*;

/// Asks, as scripts ask, and gives the status and these headers as the script sees them, or what the browser says of a refusal.
const ASK: &str = "const [url, options, names, done] = arguments;
    fetch(url, options).then(
        async answer => done({ status: answer.status, headers: names.map(name => answer.headers.get(name)), body: await answer.text() }),
        error => done({ refused: error.name }));";

/// A page of the client, and the school that it asks.
struct Page {
    world: World,
    browser: Browser,
}

impl Page {
    async fn open() -> Self {
        let page = Self { world: World::new().await, browser: Browser::open().await };
        page.show().await;
        page
    }

    async fn show(&self) {
        self.browser.go(&self.world.callback.replace("/callback", "/app")).await;
    }

    async fn ask(&self, url: &str, options: Value, names: &[&str]) -> Value {
        self.browser.run_long(ASK, json!([url, options, names])).await
    }

    /// What is refused is complained of, as it must be.
    async fn close(self, refused: usize) {
        let complaints = self.browser.complaints().await;
        let of_origins = complaints.iter().filter(|complaint| complaint.contains("CORS policy")).count();
        assert!(of_origins >= refused, "{complaints:#?}");
        self.browser.close().await;
    }
}

#[tokio::test]
async fn a_page_of_another_origin_exchanges_a_code_and_asks_who_its_user_is() {
    needs_browser!();
    let page = Page::open().await;
    let world = &page.world;
    for path in
        ["/auth/v1/oauth/jwk-set", "/auth/v1/oauth/jwks", "/auth/.well-known/jwks.json", "/auth/.well-known/oauth-authorization-server"]
    {
        let answer = page.ask(&format!("{}{path}", world.origin), json!({}), &["x-request-id"]).await;
        assert_eq!((&answer["status"], answer["headers"][0].is_string()), (&json!(200), true), "{path}: {answer}");
    }
    // By Basic and JSON, both of which take a preflight.
    let (client, secret) = (world.client.to_string(), world.secret.expose());
    let basic = format!("Basic {}", Base64::encode_string(format!("{client}:{secret}").as_bytes()));
    let headers = json!({ "authorization": basic, "content-type": "application/json" });
    let posted = |body: Value| json!({ "method": "POST", "headers": headers, "body": body.to_string() });
    world.ask(&page.browser, EMAIL).await;
    page.browser.click("button[value=allow]").await;
    let back = query_of(&page.browser.arrives(&world.callback).await);
    page.show().await;
    let exchange = json!({ "grant_type": "authorization_code", "code": back["code"], "redirect_uri": world.callback });
    let issued = page.ask(&world.auth("/token"), posted(exchange.clone()), &[]).await;
    assert_eq!(issued["status"], 200, "{issued}");
    let tokens: Value = serde_json::from_str(issued["body"].as_str().unwrap()).unwrap();
    // The client may not ask who the user is, and is told so.
    let bearer = format!("Bearer {}", tokens["access_token"].as_str().unwrap());
    for path in ["/auth/userinfo", "/auth/v1/oauth/userinfo"] {
        let options = json!({ "headers": { "authorization": bearer } });
        let answer = page.ask(&format!("{}{path}", world.origin), options, &["www-authenticate"]).await;
        let challenge = answer["headers"][0].as_str().unwrap_or_default();
        assert!(answer["status"] == 401 && challenge.contains("service:self_read"), "{answer}");
    }
    let revoked = page.ask(&world.auth("/revoke"), posted(json!({ "token": tokens["refresh_token"] })), &[]).await;
    assert_eq!(revoked["status"], 200, "{revoked}");
    let used = page.ask(&world.auth("/token"), posted(exchange), &[]).await;
    assert!(used["status"] == 400 && used["body"].as_str().unwrap().contains("invalid_grant"), "{used}");
    page.close(0).await;
}

#[tokio::test]
async fn a_page_of_another_origin_reads_the_data_where_the_host_lets_it() {
    needs_browser!();
    let page = Page::open().await;
    let (url, key) = (format!("{}/v1/clubs", page.world.origin), page.world.api_key_value.expose());
    let names = ["etag", "x-ratelimit-limit", "x-ratelimit-remaining", "ratelimit", "link", "x-api-key-expires", "x-request-id"];
    let first = page.ask(&url, json!({ "headers": { "x-api-key": key } }), &names).await;
    assert_eq!(first["status"], 200, "{first}");
    let tag = first["headers"][0].as_str().unwrap();
    assert!(first["headers"].as_array().unwrap()[1..5].iter().all(Value::is_string), "{first}");
    // A script that sends the tag itself is given the 304.
    let options = json!({ "headers": { "x-api-key": key, "if-none-match": tag }, "cache": "no-store" });
    assert_eq!(page.ask(&url, options, &[]).await["status"], 304);
    let refused = page.ask(&url, json!({}), &names).await;
    assert_eq!((&refused["status"], refused["headers"][6].is_string()), (&json!(401), true), "{refused}");
    page.close(0).await;
}

/// Fails if a page that somebody happens to look at can use their session, or what only services ask.
#[tokio::test]
async fn a_page_of_another_origin_uses_nothing_else() {
    needs_browser!();
    let page = Page::open().await;
    let world = &page.world;
    let closed = [
        world.auth("/authorize/session"),
        world.auth("/login"),
        world.auth("/consent"),
        world.console("/"),
        format!("{}/auth/v1/clients", world.origin),
        format!("{}/auth/v1/applications", world.origin),
        format!("{}/auth/v1/grants", world.origin),
        format!("{}/auth/v1/api-keys", world.origin),
    ];
    for url in &closed {
        assert_eq!(page.ask(url, json!({}), &[]).await, json!({ "refused": "TypeError" }), "{url}");
    }
    let introspection = json!({ "method": "POST", "headers": { "content-type": "application/json" }, "body": "{}" });
    assert_eq!(page.ask(&world.auth("/introspect"), introspection, &[]).await, json!({ "refused": "TypeError" }));
    // Cookies go nowhere, even where scripts may read.
    let with_cookies = page.ask(&world.auth("/jwk-set"), json!({ "credentials": "include" }), &[]).await;
    assert_eq!(with_cookies, json!({ "refused": "TypeError" }));
    page.close(closed.len() + 2).await;
}
