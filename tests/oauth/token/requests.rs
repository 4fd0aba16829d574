use http::header::CONTENT_TYPE;
use http::{Method, Request};
use lyceum::domain::ClientPolicy;
use lyceum::http::Body;
use proptest::prelude::*;

use super::harness::*;

#[tokio::test]
async fn the_token_endpoint_answers_post_alone() {
    let harness = Harness::new().await;
    for method in [Method::GET, Method::HEAD, Method::PUT, Method::DELETE] {
        let answer = harness
            .send(
                Request::builder()
                    .method(method)
                    .uri(TOKEN)
                    .body(Body::empty())
                    .unwrap(),
            )
            .await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("allow")),
            (405, "POST, OPTIONS")
        );
    }
}

// Proves: spec 3.10
#[tokio::test]
async fn json_and_form_get_the_same_answer() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::SecretOrPkce).await;
    let good = harness.exchange_fields(&client).await;
    let tokens = harness.tokens(&client).await;
    let mut cases = vec![
        Fields::new(&[]),
        Fields(good.0.iter().chain(&good.0).cloned().collect()),
        Fields(
            good.0
                .iter()
                .cloned()
                .chain([("clientId".to_owned(), client.id.clone())])
                .collect(),
        ),
        refresh_fields(&client, &tokens.refresh).with("scope", "service:other"),
        refresh_fields(&client, &tokens.refresh).with("scope", "service:self_read  service:manage"),
        refresh_fields(&client, "x"),
    ];
    for name in [
        "grant_type",
        "client_id",
        "client_secret",
        "code",
        "redirect_uri",
        "code_verifier",
    ] {
        for value in ["", " ", "x", "ü\u{0}\n\"", "\u{feff}x", "a+b%20c"] {
            cases.push(good.with(name, value).with("code", &"A".repeat(43)));
        }
    }
    for fields in cases {
        let form = harness.send(fields.as_form()).await;
        form.error();
        assert_eq!(harness.send(fields.as_json()).await, form, "{fields:?}");
    }
    let by_json = harness.send(good.as_json()).await;
    assert_eq!(by_json.status, 200);
}

// Proves: spec 3.10
#[tokio::test]
async fn the_spelling_and_the_lists_of_existing_clients_are_understood() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::SecretOrPkce).await;
    let code = harness.code(&client, Some(s256())).await;
    let (id, secret) = (&client.id, &client.secrets[0]);
    let body = format!(
        r#"{{"grantType":"authorization_code","clientId":"{id}","clientSecret":"{secret}","code":"{code}","redirectUri":"{CALLBACK}","codeVerifier":"{VERIFIER}"}}"#
    );
    let tokens = harness.send(json(&body)).await.tokens();
    let refresh = &tokens.refresh;
    let body = format!(
        r#"{{"grantType":"refresh_token","clientId":"{id}","clientSecret":"{secret}","refreshToken":"{refresh}","scope":["service:self_read"]}}"#
    );
    assert_eq!(
        harness.send(json(&body)).await.tokens().scope,
        "service:self_read"
    );
}

// Proves: threats 15
/// Fails if the query of a token request is ignored.
#[tokio::test]
async fn parameters_in_the_query_are_refused_wherever_else_they_are() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let fields = harness.exchange_fields(&client).await;
    for query in [
        "code=x",
        "client_id=x",
        "grant_type=authorization_code",
        "x=y",
        "x",
    ] {
        let mut request = fields.as_form();
        *request.uri_mut() = format!("{TOKEN}?{query}").parse().unwrap();
        assert_eq!(
            harness.send(request).await.error(),
            error(400, "invalid_request"),
            "{query}"
        );
    }
    assert_eq!(harness.post(&fields).await.status, 200);
}

// Proves: threats 16
/// Fails if a byte order mark is stripped.
#[tokio::test]
async fn hostile_bodies_are_refused_and_spend_nothing() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let good = harness.exchange_fields(&client).await;
    let (_, code) = &good.0[2];
    let id = &client.id;
    let rest = format!(
        r#""grant_type":"authorization_code","client_id":"{id}","redirect_uri":"{CALLBACK}","code_verifier":"{VERIFIER}""#
    );
    for body in [
        format!(r#"{{{rest},"code":"{code}","code":"{code}"}}"#),
        format!(r#"{{{rest},"code":["{code}"]}}"#),
        format!(r#"{{{rest},"code":{{"x":"{code}"}}}}"#),
        format!(r#"{{{rest},"code":"{code}","nonce":1}}"#),
        format!(r#"{{{rest},"code":"{code}","nonce":null}}"#),
        format!("\u{feff}{{{rest},\"code\":\"{code}\"}}"),
        format!(r#"[{{{rest},"code":"{code}"}}]"#),
        format!(r#"{{{rest},"code":"{code}"}} "#) + &" ".repeat(16 * 1024),
        "[".repeat(1024 * 1024),
        format!(r#"{{{rest},"code":"{code}"}}{{}}"#),
    ] {
        assert_eq!(
            harness.send(json(&body)).await.error(),
            error(400, "invalid_request"),
            "{:.200}",
            body
        );
    }
    for content_type in [
        "text/plain",
        "application/json; charset=euc-kr",
        "application/json, application/x-www-form-urlencoded",
    ] {
        let mut request = good.as_form();
        request
            .headers_mut()
            .insert(CONTENT_TYPE, content_type.parse().unwrap());
        assert_eq!(
            harness.send(request).await.error(),
            error(400, "invalid_request"),
            "{content_type}"
        );
    }
    assert_eq!(harness.post(&good).await.status, 200);
}

#[tokio::test]
async fn unknown_parameters_are_passed_over() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let fields = harness
        .exchange_fields(&client)
        .await
        .with("resource", "https://a.example")
        .with("owner", "somebody else");
    assert_eq!(harness.post(&fields).await.status, 200);
}

// Proves: threats 41
/// Fails if broken JSON panics.
#[test]
fn arbitrary_bodies_are_never_an_error_of_ours() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let harness = runtime.block_on(Harness::new());
    let client = runtime.block_on(harness.client(ClientPolicy::Public));
    proptest!(|(bytes in prop::collection::vec(any::<u8>(), 0..300), grant in any::<bool>(), value in any::<String>(), authorization in any::<String>())| {
        for content_type in ["application/json", "application/x-www-form-urlencoded"] {
            let request = Request::post(TOKEN).header(CONTENT_TYPE, content_type).body(Body::from(bytes.clone())).unwrap();
            let answer = runtime.block_on(harness.send(request));
            prop_assert!(answer.status.is_client_error(), "{:?}", answer);
        }
        let (grant_type, name) = if grant { ("authorization_code", "code") } else { ("refresh_token", "refresh_token") };
        let fields = Fields::new(&[("grant_type", grant_type), ("client_id", &client.id), (name, &value)]);
        prop_assert!(runtime.block_on(harness.post(&fields)).status.is_client_error());
        if authorization.parse::<http::HeaderValue>().is_ok() {
            prop_assert!(runtime.block_on(harness.send(fields.with_header(&authorization))).status.is_client_error());
        }
    });
}
