use http::header::CONTENT_TYPE;
use proptest::prelude::*;

use super::*;

const FORM: &str = "application/x-www-form-urlencoded";
const JSON: &str = "application/json";

fn read(content_type: &str, body: impl Into<Bytes>) -> Result<TokenRequest, String> {
    let request = Request::post("/v1/oauth/token")
        .header(CONTENT_TYPE, content_type)
        .body(body.into())
        .unwrap();
    TokenRequest::read(&request).map_err(|refusal| format!("{refusal:?}"))
}

/// The same fields in both encodings, written by hand so that nothing normalizes them.
fn both_ways(fields: &[(String, String)]) -> [Result<TokenRequest, String>; 2] {
    let escape = |text: &str| {
        text.bytes()
            .map(|byte| format!("%{byte:02X}"))
            .collect::<String>()
    };
    let form: Vec<String> = fields
        .iter()
        .map(|(name, value)| format!("{}={}", escape(name), escape(value)))
        .collect();
    let quote = |text: &str| serde_json::to_string(text).unwrap();
    let json: Vec<String> = fields
        .iter()
        .map(|(name, value)| format!("{}:{}", quote(name), quote(value)))
        .collect();
    [
        read(FORM, form.join("&")),
        read(JSON, format!("{{{}}}", json.join(","))),
    ]
}

fn fields(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

// Proves: spec 3.10
#[test]
fn json_and_form_are_read_alike() {
    let [form, json] = both_ways(&fields(&[
        ("grant_type", "authorization_code"),
        ("code", "c"),
        ("client_id", "i"),
        ("client_secret", "s"),
        ("redirect_uri", "https://a.example/?x=1&y=ü"),
        ("code_verifier", "v"),
        ("refresh_token", "r"),
        ("scope", "a:b c:d"),
    ]));
    let request = form.unwrap();
    assert_eq!(
        request.redirect_uri.as_deref(),
        Some("https://a.example/?x=1&y=ü")
    );
    assert_eq!(request.scopes, ["a:b", "c:d"]);
    assert_eq!(Ok(request), json);
}

// Proves: spec 3.10
#[test]
fn the_other_spelling_of_a_name_is_the_same_parameter() {
    for (name, alias) in [
        ("grant_type", "grantType"),
        ("client_id", "clientId"),
        ("client_secret", "clientSecret"),
        ("redirect_uri", "redirectUri"),
        ("code_verifier", "codeVerifier"),
        ("refresh_token", "refreshToken"),
    ] {
        let [form, json] = both_ways(&fields(&[(alias, "x")]));
        assert_eq!((&form, &json), (&read(FORM, format!("{name}=x")), &form));
        for verdict in both_ways(&fields(&[(alias, "x"), (name, "x")])) {
            assert!(
                verdict.unwrap_err().contains("repeated"),
                "{name} and {alias}"
            );
        }
    }
}

// Proves: spec 3.10
#[test]
fn a_scope_is_a_text_or_a_list_of_texts() {
    assert_eq!(
        read(JSON, r#"{"scope":["a:b","c:d"]}"#),
        read(JSON, r#"{"scope":"a:b c:d"}"#)
    );
    assert_eq!(read(JSON, r#"{"scope":[]}"#), read(JSON, r#"{"scope":""}"#));
    // A list is not split further, so this names no valid scope.
    assert_eq!(
        read(JSON, r#"{"scope":["a:b c:d"]}"#).unwrap().scopes,
        ["a:b c:d"]
    );
    for body in [
        r#"{"scope":[1]}"#,
        r#"{"scope":[["a:b"]]}"#,
        r#"{"scope":[null]}"#,
        r#"{"scope":{"a":"b"}}"#,
        r#"{"code":["c"]}"#,
    ] {
        assert!(read(JSON, body).is_err(), "{body} was accepted");
    }
}

#[test]
fn an_empty_parameter_is_absent_and_an_unknown_one_is_passed_over() {
    for verdict in both_ways(&fields(&[
        ("code", ""),
        ("resource", "https://a.example"),
        ("", ""),
    ])) {
        assert_eq!(verdict, Ok(TokenRequest::default()));
    }
    assert_eq!(read(FORM, ""), Ok(TokenRequest::default()));
    assert_eq!(read(JSON, "{}"), Ok(TokenRequest::default()));
}

// Proves: threats 15
/// Fails if the last one is used.
#[test]
fn a_repeated_parameter_is_refused_known_or_not() {
    for pairs in [
        [("code", "a"), ("code", "a")],
        [("code", ""), ("code", "a")],
        [("x", "1"), ("x", "2")],
        [("scope", ""), ("scope", "")],
    ] {
        for verdict in both_ways(&fields(&pairs)) {
            assert!(verdict.unwrap_err().contains("repeated"), "{pairs:?}");
        }
    }
    assert!(read(JSON, r#"{"code":"a","c\u006fde":"b"}"#).is_err());
    assert!(read(FORM, "code=a&%63ode=b").is_err());
}

// Proves: threats 15
/// Fails if the query of a token request is ignored.
#[test]
fn a_parameter_in_the_query_is_refused() {
    for (uri, accepted) in [
        ("/v1/oauth/token", true),
        ("/v1/oauth/token?", true),
        ("/v1/oauth/token?code=a", false),
        ("/t?x", false),
    ] {
        let request = Request::post(uri)
            .header(CONTENT_TYPE, FORM)
            .body(Bytes::from_static(b"code=a"))
            .unwrap();
        assert_eq!(TokenRequest::read(&request).is_ok(), accepted, "{uri}");
    }
}

// Proves: threats 16
/// Fails if a list is ignored.
#[test]
fn a_value_that_is_not_text_is_refused() {
    for value in [
        "1",
        "1.5",
        "null",
        "true",
        "[]",
        "[1]",
        "{}",
        r#"{"a":"b"}"#,
        "[[]]",
    ] {
        for name in ["code", "grant_type", "client_id", "anything"] {
            assert!(
                read(JSON, format!(r#"{{"{name}":{value}}}"#)).is_err(),
                "{name}: {value} was accepted"
            );
        }
    }
}

// Proves: threats 16
/// Fails if a byte order mark is stripped.
#[test]
fn json_is_one_whole_object_in_utf_8() {
    let broken: [&[u8]; 17] = [
        b"",
        b" ",
        b"null",
        b"[]",
        b"\"code\"",
        b"{",
        b"{}{}",
        b"{} x",
        b"{},",
        b"{\"code\":\"a\",}",
        b"{'code':'a'}",
        b"{\"code\":\"a\"",
        b"\xEF\xBB\xBF{\"code\":\"a\"}",
        b"{\"code\":\"\xFF\"}",
        b"{\"code\":\"\\ud800\"}",
        b"{\"code\":\"a\nb\"}",
        b"\xFE\xFF\0{\0}",
    ];
    for body in broken {
        assert!(
            read(JSON, body.to_vec()).is_err(),
            "{:?} was accepted",
            String::from_utf8_lossy(body)
        );
    }
    assert!(read(JSON, "[".repeat(32 * 1024)).is_err());
    assert!(read(JSON, r#"{"a":"#.repeat(3_000)).is_err());
}

// Proves: threats 16
/// Fails if a byte order mark is stripped.
#[test]
fn a_form_is_well_formed_utf_8() {
    let broken: [&[u8]; 6] = [
        b"code=%",
        b"code=%zz",
        b"code=%ff",
        b"code=\xFF",
        b"\xEF\xBB\xBFcode=a",
        b"%C3=a",
    ];
    for body in broken {
        assert!(
            read(FORM, body.to_vec()).is_err(),
            "{:?} was accepted",
            String::from_utf8_lossy(body)
        );
    }
}

// Proves: threats 16
/// Fails if only a prefix of the type is compared.
#[test]
fn the_content_type_is_one_of_two_named_once() {
    for accepted in [
        JSON,
        "application/json; charset=utf-8",
        "Application/JSON;charset=UTF-8",
        "application/json ; charset=\"utf-8\"",
    ] {
        assert!(read(accepted, "{}").is_ok(), "{accepted} was refused");
    }
    assert!(read("application/x-www-form-urlencoded; charset=UTF-8", "").is_ok());
    for refused in [
        "",
        "text/plain",
        "text/json",
        "application/jsonp",
        "application/json; charset=utf-16",
        "application/json; charset=utf-8; charset=utf-8",
        "application/json;",
        "application/json; boundary=x",
        "application/json, application/json",
        "application/x-www-form-urlencoded; charset=iso-8859-1",
        "multipart/form-data; boundary=x",
        "*/*",
    ] {
        assert!(read(refused, "{}").is_err(), "{refused:?} was accepted");
    }
    let none = Request::post("/").body(Bytes::from_static(b"{}")).unwrap();
    assert!(TokenRequest::read(&none).is_err());
    let two = Request::post("/")
        .header(CONTENT_TYPE, JSON)
        .header(CONTENT_TYPE, JSON)
        .body(Bytes::from_static(b"{}"))
        .unwrap();
    assert!(TokenRequest::read(&two).is_err());
}

/// Known and unknown names.
fn names() -> impl Strategy<Value = String> {
    const KNOWN: &[&str] = &[
        "grant_type",
        "grantType",
        "client_id",
        "clientId",
        "client_secret",
        "code",
        "redirectUri",
        "scope",
    ];
    prop_oneof![4 => prop::sample::select(KNOWN).prop_map(str::to_owned), 1 => any::<String>()]
}

/// Any text, with a bias to characters that one of the two parsers might trim or repair.
fn values() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[ \t\r\n+%&=]{0,2}[a-z:]{0,3}[ \t\r\n+%&=\u{0}\u{feff}]{0,2}"
    ]
}

proptest! {
    // Proves: threats 16
    /// Fails if only one of them trims whitespace.
    #[test]
    fn json_and_form_get_the_same_verdict(fields in prop::collection::vec((names(), values()), 0..6)) {
        let [form, json] = both_ways(&fields);
        prop_assert_eq!(form, json);
    }

    // Proves: threats 41
    /// Fails if broken JSON panics.
    #[test]
    fn arbitrary_bytes_are_read_or_refused(body in prop::collection::vec(any::<u8>(), 0..200), text in any::<String>()) {
        for content_type in [FORM, JSON] {
            let _ = read(content_type, body.clone());
            let _ = read(content_type, text.clone());
        }
    }

    // Proves: threats 41
    /// Fails if broken JSON panics.
    #[test]
    fn broken_json_is_read_or_refused(body in r#"[{}\[\]":,a\\u0-9e. tfn-]{0,60}"#) {
        let _ = read(JSON, body);
    }
}
