//! A minimal browser for sign-in flows. Test programs declare it as `mod browser` beside
//! `mod support`.

use std::collections::BTreeMap;

use crate::support::{self, TestResponse};

/// A browser whose user signs in and consents to every request.
pub struct Browser {
    client: support::Client,
    origin: String,
    user: [String; 2],
    /// Names and values.
    cookies: BTreeMap<String, String>,
}

impl Browser {
    /// Creates a browser for a user with this e-mail address and password.
    pub fn new(origin: &str, user: [&str; 2]) -> Self {
        Self {
            client: support::Client::new(),
            origin: origin.to_owned(),
            user: user.map(str::to_owned),
            cookies: BTreeMap::new(),
        }
    }

    /// Opens an authorization URL, signs in, consents, and returns the URL of the redirect to the
    /// client.
    pub async fn allow(&mut self, url: &str) -> String {
        let login = self.visit(url, &[]).await.header("location").to_owned();
        let page = self.visit(&login, &[]).await;
        let [email, password] = self.user.clone();
        let fields = [
            ("form_token", form_token(&page)),
            ("email", &*email),
            ("password", &*password),
        ];
        let next = self
            .visit(&login, &fields)
            .await
            .header("location")
            .to_owned();
        if !next.ends_with("/v1/oauth/consent") {
            // The user has consented to all scopes before.
            return next;
        }
        let page = self.visit(&next, &[]).await;
        let fields = [("form_token", form_token(&page)), ("decision", "allow")];
        self.visit(&next, &fields)
            .await
            .header("location")
            .to_owned()
    }

    /// Opens an address, or posts a form to it.
    pub async fn visit(&mut self, address: &str, form: &[(&str, &str)]) -> TestResponse {
        let url = if address.starts_with('/') {
            format!("{}{address}", self.origin)
        } else {
            address.to_owned()
        };
        let cookies: Vec<_> = self
            .cookies
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let cookies = cookies.join("; ");
        let headers = [("accept", "text/html"), ("cookie", &*cookies)];
        let answer = match form {
            [] => self.client.get(&url, &headers).await,
            form => self.client.post_form(&url, &headers, form).await,
        };
        assert!(
            answer.status.is_success() || answer.status == 303,
            "{url}: {} {}",
            answer.status,
            answer.body
        );
        for cookie in answer.headers.get_all("set-cookie") {
            let cookie = cookie.to_str().unwrap();
            let (name, value) = cookie.split(';').next().unwrap().split_once('=').unwrap();
            if cookie.contains("Max-Age=0") {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        answer
    }
}

fn form_token(page: &TestResponse) -> &str {
    page.body
        .split("name=\"form_token\" value=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap()
}
