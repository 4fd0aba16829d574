//! The query of an authorization request.

use http::header::ACCEPT;
use http::{Method, Request, Uri};
use lyceum::http::Body;

use super::answer::TestResponse;
use super::harness::{CHALLENGE, Harness, ISSUER, Registered, SCOPES};
use super::pairs::{self, pairs};
use super::redirect_uri::may_stand_for;
use super::scope;

const LOGIN: &str = "/v1/oauth/login";
const EXTERNAL_LOGIN: &str = "https://login.school.example/?school=1";

thread_local! {
    static HARNESS: Harness = Harness::new();
    /// With the host's own login page, and with scope errors redirected to the client.
    static EXTERNAL_LOGIN_HARNESS: Harness = Harness::with_settings(|builder| builder.external_login(EXTERNAL_LOGIN).redirect_scope_errors());
}

/// Sends a request derived from the input.
///
/// The first byte selects, from its lowest bit: a browser's request, the other server, HEAD. With
/// the fourth bit, the rest of the input changes a valid request; without it, the rest is the
/// query.
pub fn authorize_query(input: &[u8]) -> bool {
    let Some((&flags, rest)) = input.split_first() else {
        return false;
    };
    let has_other_settings = flags & 2 != 0;
    let harness = if has_other_settings {
        &EXTERNAL_LOGIN_HARNESS
    } else {
        &HARNESS
    };
    harness.with(|harness| {
        let query = if flags & 8 == 0 {
            rest.to_vec()
        } else {
            changed(harness, rest).into_bytes()
        };
        let Ok(uri) = Uri::try_from([b"/v1/oauth/authorize?", &*query].concat()) else {
            return false;
        };
        let sent = uri.query().unwrap_or_default().to_owned();
        let method = if flags & 4 == 0 {
            Method::GET
        } else {
            Method::HEAD
        };
        let accept = if flags & 1 == 0 { "*/*" } else { "text/html" };
        let answer = harness.ask(
            Request::builder()
                .method(&method)
                .uri(uri)
                .header(ACCEPT, accept)
                .body(Body::empty())
                .expect("a request"),
        );
        Case {
            harness,
            has_other_settings,
            method,
            is_browser: flags & 1 != 0,
        }
        .check(&sent, &answer);
        harness.wait();
        answer.status == 303
    })
}

/// The rest of a query that selects a known language.
fn without_language(query: &str) -> Option<String> {
    let asks = |pair: &&str| pair.starts_with("language=");
    let mut asked = query.split('&').filter(asks);
    let is_known = matches!(asked.next()?, "language=ko" | "language=en") && asked.next().is_none();
    is_known.then(|| {
        query
            .split('&')
            .filter(|pair| !asks(pair))
            .collect::<Vec<_>>()
            .join("&")
    })
}

/// A request and its server.
struct Case<'w> {
    harness: &'w Harness,
    has_other_settings: bool,
    method: Method,
    is_browser: bool,
}

impl Case<'_> {
    fn check(&self, query: &str, answer: &TestResponse) {
        if let Some(others) = without_language(query).filter(|_| self.is_browser) {
            let address = if others.is_empty() {
                String::new()
            } else {
                format!("?{others}")
            };
            assert_eq!(
                (answer.status, answer.location()),
                (303, Some(&*format!("/v1/oauth/authorize{address}"))),
                "{answer:?}"
            );
            return;
        }
        let Some((fields, client)) = self.trusted(query) else {
            return self.is_local(answer, "invalid_request");
        };
        let fault = fault(&fields, client);
        if fault == Some("invalid_scope") && !self.has_other_settings {
            return self.is_local(answer, "invalid_scope");
        }
        assert_eq!(answer.status, 303, "{query} {answer:?}");
        assert!(answer.body.is_empty(), "{query} {answer:?}");
        let location = answer.location().expect("a redirect leads somewhere");
        match fault {
            None => self.leads_to_the_login(location, answer),
            Some(word) => {
                assert!(!answer.has_cookie(), "{query} {answer:?}");
                leads_back(location, word, &fields);
            }
        }
    }

    /// The parameters and the client, if errors may be redirected.
    fn trusted(&self, query: &str) -> Option<(Fields, &Registered)> {
        let fields = pairs(query)?;
        if pairs::has_repetition(fields.iter().map(|(name, _)| &**name)) {
            return None;
        }
        let id = field(&fields, "client_id")?;
        let client = [&self.harness.public, &self.harness.confidential]
            .into_iter()
            .find(|client| client.id == id)?;
        let presented = field(&fields, "redirect_uri").unwrap_or_default();
        client
            .redirect_uris
            .iter()
            .any(|uri| may_stand_for(uri, presented))
            .then_some((fields, client))
    }

    fn is_local(&self, answer: &TestResponse, word: &str) {
        assert_eq!(
            (answer.status, answer.location()),
            (400, None),
            "{answer:?}"
        );
        assert!(!answer.has_cookie(), "{answer:?}");
        if self.method == Method::HEAD {
            assert!(answer.body.is_empty(), "{answer:?}");
        } else if self.is_browser {
            // The only script is the service's own, at a separate URL.
            let scripts: Vec<&str> = answer.body.split("<script").skip(1).collect();
            assert!(
                scripts.len() == 1 && scripts[0].starts_with(" src=\"/v1/oauth/assets/"),
                "{answer:?}"
            );
            assert!(answer.body.starts_with("<!"), "{answer:?}");
        } else {
            assert_eq!(answer.error(), word);
        }
    }

    fn leads_to_the_login(&self, location: &str, answer: &TestResponse) {
        let is_only_looking = self.method == Method::HEAD;
        if self.has_other_settings {
            let token = location
                .strip_prefix(EXTERNAL_LOGIN)
                .unwrap_or_else(|| panic!("it leads to {location}"));
            let token = token.strip_prefix("&token=").unwrap_or_default();
            let is_token = token.len() == 43
                && token
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
            assert!(is_token != is_only_looking, "{location}");
        } else {
            assert_eq!(location, LOGIN);
        }
        assert_eq!(answer.has_cookie(), !is_only_looking, "{answer:?}");
    }
}

type Fields = Vec<(String, String)>;

/// The value of a parameter; an empty one counts as absent.
fn field<'f>(fields: &'f Fields, name: &str) -> Option<&'f str> {
    fields
        .iter()
        .find(|(found, value)| found == name && !value.is_empty())
        .map(|(_, value)| &**value)
}

/// The code of the first error in a request with a valid client and redirect URI.
fn fault(fields: &Fields, client: &Registered) -> Option<&'static str> {
    let sent = |name| field(fields, name);
    if sent("state").is_some_and(|state| state.len() > 2000 || state.contains('\0')) {
        return Some("invalid_request");
    }
    match sent("response_type") {
        Some("code") => {}
        Some(_) => return Some("unsupported_response_type"),
        None => return Some("invalid_request"),
    }
    let is_allowed = |text| {
        scope::distinct(text).is_some_and(|list| {
            list.iter()
                .all(|scope| SCOPES.split(' ').any(|may| may == *scope))
        })
    };
    if sent("scope").is_some_and(|text| !is_allowed(text)) {
        return Some("invalid_scope");
    }
    let may_lack_challenge = client.redirect_uris.len() == 2;
    let is_sound = match (sent("code_challenge"), sent("code_challenge_method")) {
        (None, None) => may_lack_challenge,
        (Some(challenge), Some("S256")) => is_digest(challenge),
        _ => false,
    };
    let prompts: Vec<_> = sent("prompt").unwrap_or_default().split(' ').collect();
    match prompts.contains(&"none") {
        _ if !is_sound => Some("invalid_request"),
        false => None,
        true if prompts.len() == 1 => Some("login_required"),
        true => Some("invalid_request"),
    }
}

/// Whether a text is 32 bytes in base64url: the last of 43 characters carries four bits.
fn is_digest(text: &str) -> bool {
    let is_base64 = text
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    text.len() == 43 && is_base64 && text.ends_with(|last| "AEIMQUYcgkosw048".contains(last))
}

/// Checks that an error is redirected to the client: the redirect URI exactly as presented,
/// followed by the parameters of the response.
fn leads_back(location: &str, word: &str, fields: &Fields) {
    let redirect_uri = field(fields, "redirect_uri").unwrap_or_default();
    let added = location
        .strip_prefix(redirect_uri)
        .unwrap_or_else(|| panic!("{location} is not {redirect_uri}"));
    let separator = if redirect_uri.contains('?') { '&' } else { '?' };
    let added = added
        .strip_prefix(separator)
        .and_then(pairs)
        .unwrap_or_else(|| panic!("{location} has no answer"));
    let value = |name: &str| {
        added
            .iter()
            .find(|(found, _)| found == name)
            .map(|(_, value)| &**value)
    };
    let state = field(fields, "state");
    assert_eq!(
        (value("error"), value("state"), value("iss")),
        (Some(word), state, Some(ISSUER)),
        "{location}"
    );
    assert!(
        value("error_description").is_some_and(|text| !text.is_empty()),
        "{location}"
    );
    assert_eq!(added.len(), 3 + usize::from(state.is_some()), "{location}");
}

const NAMES: [&str; 11] = [
    "client_id",
    "redirect_uri",
    "response_type",
    "scope",
    "state",
    "code_challenge",
    "code_challenge_method",
    "prompt",
    "clientId",
    "request_uri",
    "",
];

/// Values that some parameter or other server might accept by mistake.
const VALUES: [&str; 35] = [
    "",
    "code",
    "token",
    "code token",
    "S256",
    "s256",
    "plain",
    CHALLENGE,
    "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cN",
    "01010101-0101-4101-8101-010101010101",
    "02020202-0202-4202-8202-020202020202",
    "{02020202-0202-4202-8202-020202020202}",
    "service:self_read",
    "service:manage",
    "service:self_read service:self_read",
    "service:self_read  7d444840-9dc0-41d1-b245-5ffdce74fad2:read",
    "7D444840-9DC0-41D1-B245-5FFDCE74FAD2:read",
    "https://app.example/callback",
    "https://app.example/tenant?name=a%20b+c&flag",
    "https://app.example/tenant?name=a b c&flag",
    "https://app.example/callback/../callback",
    "https://app.example@evil.example/callback",
    "http://127.0.0.1:51004/callback",
    "http://127.0.0.1:080/callback",
    "http://127.0.0.1:1@evil.example/callback",
    "http://localhost:8400/callback",
    "com.example.campus:/callback",
    "com.example.campus://evil.example/callback",
    "javascript:alert(1)",
    "none",
    "consent",
    "consent none",
    "x\r\nSet-Cookie: a=b",
    "\u{0}\u{202e}\u{1f600}",
    "\"><script>alert(1)</script>",
];

/// A valid request with changes. Each change takes a byte for the parameter and its kind (a value
/// of the list or bytes of the input; replaced or added) and a byte for the value or its length.
fn changed(harness: &Harness, mut changes: &[u8]) -> String {
    let mut fields: Vec<(&str, String)> = [
        ("client_id", &*harness.confidential.id),
        ("redirect_uri", harness.confidential.redirect_uris[0]),
        ("response_type", "code"),
        ("scope", "service:self_read"),
        ("state", "xyz"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
    ]
    .map(|(name, value)| (name, value.to_owned()))
    .into();
    while let [what, which, rest @ ..] = changes {
        let name = NAMES[usize::from(what >> 2) % NAMES.len()];
        changes = rest;
        let value = if what & 1 == 0 {
            VALUES[usize::from(*which) % VALUES.len()].to_owned()
        } else {
            let (raw, rest) = rest.split_at(usize::from(*which).min(rest.len()));
            changes = rest;
            String::from_utf8_lossy(raw).into_owned()
        };
        if what & 2 == 0 {
            fields.retain(|(found, _)| *found != name);
        }
        fields.push((name, value));
    }
    pairs::form(fields.iter().map(|(name, value)| (*name, &**value)))
}
