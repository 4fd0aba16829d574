//! Requests to the token endpoint: authorization, and equal responses to JSON and forms.

use std::cell::RefCell;

use http::header::{AUTHORIZATION, CONTENT_TYPE, WWW_AUTHENTICATE};
use http::{HeaderValue, Request};
use lyceum::http::Body;
use serde_json::json;

use super::answer::TestResponse;
use super::harness::{CALLBACK, Harness, SCOPE_WITHOUT_USER, SCOPES, VERIFIER};
use super::pairs;
use super::token_fields::{Client, Fields};

const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";
const BODY_LIMIT: usize = 16 * 1024;
/// Placeholder for a refresh token of the public client, which only the server can compute.
const REFRESH_TOKEN: &str = "{refresh_token}";

/// A JSON body; a line before its `{` is the `Authorization` header.
pub fn token_json(input: &[u8]) -> bool {
    match (input.first(), split_line(input)) {
        (Some(b'{'), _) | (_, None) => check(None, input, true),
        (_, Some((line, body))) => check(Some(line), body, true),
    }
}

/// A form; a line before it is the `Authorization` header.
pub fn token_form(input: &[u8]) -> bool {
    match split_line(input) {
        None => check(None, input, false),
        Some((line, body)) => check(Some(line), body, false),
    }
}

fn split_line(input: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = input.iter().position(|byte| *byte == b'\n')?;
    Some((&input[..at], &input[at + 1..]))
}

fn check(line: Option<&[u8]>, body: &[u8], is_json: bool) -> bool {
    let header = line.map(HeaderValue::from_bytes);
    if matches!(header, Some(Err(_))) {
        return false;
    }
    let header = header.and_then(Result::ok);
    GRANTS.with_borrow_mut(|grants| {
        let body = grants.with_refresh_token(body);
        let fields = if is_json {
            Fields::of_json(&body)
        } else {
            Fields::of_form(&body)
        };
        let fields = fields.filter(|_| body.len() <= BODY_LIMIT);
        let answer = grants.ask(
            if is_json { JSON } else { FORM },
            &body,
            header.as_ref(),
            fields.as_ref(),
        );
        let Some(fields) = fields else { return false };
        let same = if is_json {
            fields.as_form()
        } else {
            Some(fields.as_json())
        };
        if let Some(same) = same.filter(|same| same.len() <= BODY_LIMIT) {
            let other = grants.ask(
                if is_json { FORM } else { JSON },
                same.as_bytes(),
                header.as_ref(),
                Some(&fields),
            );
            assert_eq!(answer, other, "{same}");
        }
        answer.starts_with("200")
    })
}

/// A server whose codes are unused, except for one that was exchanged for a refresh token.
struct Grants {
    harness: Harness,
    refresh_token: String,
}

thread_local! {
    static GRANTS: RefCell<Grants> = RefCell::new(Grants::new());
}

impl Grants {
    fn new() -> Self {
        let harness = Harness::new();
        let code = harness.allow(4);
        let exchange = [
            ("grant_type", "authorization_code"),
            ("client_id", &*harness.public.id),
            ("code", &*code),
            ("redirect_uri", CALLBACK),
            ("code_verifier", VERIFIER),
        ];
        let answer = post(&harness, FORM, pairs::form(exchange).as_bytes(), None);
        let refresh_token = answer.json()["refresh_token"]
            .as_str()
            .expect("the exchange is good")
            .to_owned();
        Self {
            harness,
            refresh_token,
        }
    }

    fn with_refresh_token(&self, body: &[u8]) -> Vec<u8> {
        match std::str::from_utf8(body) {
            Ok(text) => text
                .replace(REFRESH_TOKEN, &self.refresh_token)
                .into_bytes(),
            Err(_) => body.to_vec(),
        }
    }

    /// The response without the parts that are new in each token.
    fn ask(
        &mut self,
        content_type: &str,
        body: &[u8],
        header: Option<&HeaderValue>,
        fields: Option<&Fields>,
    ) -> String {
        let answer = post(&self.harness, content_type, body, header);
        let is_good = fields.is_some_and(|fields| self.is_good(fields, header));
        assert_eq!(
            answer.status == 200,
            is_good,
            "{} {answer:?}",
            String::from_utf8_lossy(body)
        );
        if is_good {
            // A code or refresh token is used up now.
            *self = Self::new();
            return tokens(&answer);
        }
        let word = answer.error();
        if fields.is_none_or(Fields::has_repetition) {
            assert_eq!(
                (answer.status, &*word),
                (400, "invalid_request"),
                "{}",
                String::from_utf8_lossy(body)
            );
        }
        let is_known = match answer.status {
            400 => [
                "invalid_request",
                "invalid_grant",
                "invalid_scope",
                "unsupported_grant_type",
                "unauthorized_client",
            ]
            .contains(&&*word),
            401 => ["invalid_client", "invalid_grant"].contains(&&*word),
            _ => false,
        };
        assert!(is_known, "{answer:?}");
        let challenge = answer.header(WWW_AUTHENTICATE.as_str());
        assert_eq!(
            challenge.is_some(),
            header.is_some() && word == "invalid_client",
            "{answer:?}"
        );
        format!("{} {challenge:?} {}", answer.status, answer.body)
    }

    /// Whether a request is valid.
    fn is_good(&self, fields: &Fields, header: Option<&HeaderValue>) -> bool {
        let Harness {
            public,
            confidential,
            secret,
            ..
        } = &self.harness;
        let Some(client) = Client::of(fields, header).filter(|_| !fields.has_repetition()) else {
            return false;
        };
        let is_public = client.id == public.id && client.secret.is_none();
        let is_confidential =
            client.id == confidential.id && client.secret.as_ref() == Some(secret);
        let exchange = |registered: &super::harness::Registered| {
            fields.text("code") == Some(&registered.code)
                && fields.text("redirect_uri") == Some(registered.redirect_uris[0])
        };
        match fields.text("grant_type") {
            Some("authorization_code") if is_public => {
                exchange(public) && fields.text("code_verifier") == Some(VERIFIER)
            }
            Some("authorization_code") if is_confidential => {
                exchange(confidential) && fields.text("code_verifier").is_none()
            }
            Some("refresh_token") if is_public => {
                let asks_for_less = fields
                    .scopes()
                    .iter()
                    .all(|scope| SCOPES.split(' ').any(|granted| granted == scope));
                fields.text("refresh_token") == Some(&self.refresh_token) && asks_for_less
            }
            Some("client_credentials") if is_confidential => fields
                .scopes()
                .iter()
                .all(|scope| scope == SCOPE_WITHOUT_USER),
            _ => false,
        }
    }
}

/// The tokens without the parts that always differ.
fn tokens(answer: &TestResponse) -> String {
    let body = answer.json();
    let names: Vec<_> = body
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| &**name)
        .collect();
    assert!(
        names.contains(&"access_token")
            && names.len() == 4 + usize::from(names.contains(&"refresh_token")),
        "{answer:?}"
    );
    let scopes = body["scope"].as_str().unwrap_or_default();
    assert!(
        scopes
            .split(' ')
            .all(|scope| SCOPES.split(' ').any(|granted| granted == scope)),
        "{answer:?}"
    );
    format!(
        "200 {}",
        json!([
            body["expires_in"],
            body["refresh_token"],
            body["scope"],
            body["token_type"]
        ])
    )
}

fn post(
    harness: &Harness,
    content_type: &str,
    body: &[u8],
    header: Option<&HeaderValue>,
) -> TestResponse {
    let mut request = Request::post("/v1/oauth/token").header(CONTENT_TYPE, content_type);
    if let Some(header) = header {
        request = request.header(AUTHORIZATION, header);
    }
    harness.ask(request.body(Body::from(body.to_vec())).expect("a request"))
}
