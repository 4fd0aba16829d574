//! Token requests as forms and JSON.

use http::header::CONTENT_TYPE;

use super::*;

pub fn refresh_fields(client: &TestClient, refresh_token: &str) -> Fields {
    Fields::new(&[
        ("grant_type", "refresh_token"),
        ("client_id", &client.id),
        ("refresh_token", refresh_token),
    ])
}

/// The `Authorization` header of `client_secret_basic`.
pub fn basic(id: &str, secret: &str) -> String {
    use base64ct::Encoding;
    format!(
        "Basic {}",
        base64ct::Base64::encode_string(format!("{id}:{secret}").as_bytes())
    )
}

/// The fields of a token request.
#[derive(Clone, Debug)]
pub struct Fields(pub Vec<(String, String)>);

impl Fields {
    pub fn new(fields: &[(&str, &str)]) -> Self {
        Self(
            fields
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
        )
    }

    /// The fields with another value; an empty one removes the field.
    pub fn with(&self, name: &str, value: &str) -> Self {
        let mut fields = self.0.clone();
        fields.retain(|(found, _)| found != name);
        if !value.is_empty() {
            fields.push((name.to_owned(), value.to_owned()));
        }
        Self(fields)
    }

    /// The same form for another endpoint.
    pub fn to_request(&self, path: &'static str) -> Request<Body> {
        let mut request = self.as_form();
        *request.uri_mut() = http::Uri::from_static(path);
        request
    }

    pub fn as_form(&self) -> Request<Body> {
        let escape = |text: &str| {
            text.bytes()
                .map(|byte| format!("%{byte:02X}"))
                .collect::<String>()
        };
        let pairs: Vec<String> = self
            .0
            .iter()
            .map(|(name, value)| format!("{}={}", escape(name), escape(value)))
            .collect();
        let request =
            Request::post(TOKEN).header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        request.body(Body::from(pairs.join("&"))).unwrap()
    }

    pub fn as_json(&self) -> Request<Body> {
        let quote = |text: &str| serde_json::to_string(text).unwrap();
        let pairs: Vec<String> = self
            .0
            .iter()
            .map(|(name, value)| format!("{}:{}", quote(name), quote(value)))
            .collect();
        json(&format!("{{{}}}", pairs.join(",")))
    }

    pub fn with_header(&self, authorization: &str) -> Request<Body> {
        let mut request = self.as_form();
        request
            .headers_mut()
            .append(AUTHORIZATION, authorization.parse().unwrap());
        request
    }
}

pub fn json(body: &str) -> Request<Body> {
    Request::post(TOKEN)
        .header(CONTENT_TYPE, "application/json")
        .body(Body::from(body.to_owned()))
        .unwrap()
}
