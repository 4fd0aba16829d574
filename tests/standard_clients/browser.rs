use crate::deployment::{Deployment, EMAIL, PASSWORD};
use crate::support::{self, Answer};

/// A browser with one cookie, whose user signs in and allows what is asked.
pub struct Browser {
    client: support::Client,
    origin: String,
    cookie: String,
}

impl Browser {
    pub fn new(deployment: &Deployment) -> Self {
        Self { client: support::Client::new(), origin: deployment.origin.clone(), cookie: String::new() }
    }

    /// Follows an authorization URL to where the user is sent back to.
    pub async fn allow(&mut self, url: &str) -> String {
        let login = self.visit(url, &[]).await.header("location").to_owned();
        let page = self.visit(&login, &[]).await;
        let fields = [("form_token", form_token(&page)), ("email", EMAIL), ("password", PASSWORD)];
        let next = self.visit(&login, &fields).await.header("location").to_owned();
        if !next.ends_with("/v1/oauth/consent") {
            // The user has allowed all of it before.
            return next;
        }
        let page = self.visit(&next, &[]).await;
        let fields = [("form_token", form_token(&page)), ("decision", "allow")];
        self.visit(&next, &fields).await.header("location").to_owned()
    }

    /// Opens an address, or posts a form to it.
    async fn visit(&mut self, address: &str, form: &[(&str, &str)]) -> Answer {
        let url = if address.starts_with('/') { format!("{}{address}", self.origin) } else { address.to_owned() };
        let headers = [("accept", "text/html"), ("cookie", &*self.cookie)];
        let answer = match form {
            [] => self.client.get(&url, &headers).await,
            form => self.client.post_form(&url, &headers, form).await,
        };
        assert!(answer.status.is_success() || answer.status == 303, "{url}: {} {}", answer.status, answer.body);
        if let Some(cookie) = answer.headers.get("set-cookie") {
            self.cookie = cookie.to_str().unwrap().split(';').next().unwrap().to_owned();
        }
        answer
    }
}

fn form_token(page: &Answer) -> &str {
    page.body.split("name=\"form_token\" value=\"").nth(1).unwrap().split('"').next().unwrap()
}
