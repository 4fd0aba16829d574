//! Limits on the records and changes of one user.

use std::sync::Arc;

use lyceum::http::audit::EventKind;
use lyceum::http::auth_server::{AuthServerBuilder, UserLimits};
use lyceum::testing::MemoryAuditLog;

use super::*;
use crate::harness::{self, TestResponse as Reply};
use crate::token::harness::{Fields, VERIFIER, basic};

const FEW: UserLimits = UserLimits {
    applications_per_user: 2,
    scopes_per_application: 3,
    clients_per_user: 2,
    scope_requests_per_client: 1,
    redirect_uris_per_client: 2,
    redirect_uri_bytes_per_client: 60,
    grants_per_user_and_client: 2,
    consents_per_user: 2,
};

async fn management(
    settings: impl FnOnce(AuthServerBuilder) -> AuthServerBuilder,
) -> ManagementClient {
    ManagementClient::with_harness(Harness::with_settings(settings).await).await
}

async fn post(
    management: &ManagementClient,
    token: &str,
    path: &str,
    body: Value,
) -> (u16, String, Option<String>) {
    refusal(&management.ask(token, Method::POST, path, Some(body)).await)
}

#[tokio::test]
async fn a_user_gets_no_more_applications_than_one_may_have_and_an_administrator_does() {
    let management = management(|builder| builder.user_limits(FEW)).await;
    let named = || json!({"name": "Club portal"});
    let first = text(
        &management
            .post(&management.owner, "/v1/applications", named())
            .await["id"],
    );
    management
        .post(&management.owner, "/v1/applications", named())
        .await;
    assert_eq!(
        post(&management, &management.owner, "/v1/applications", named()).await,
        refused(409, "too_many_applications", "")
    );
    management
        .post(&management.other, "/v1/applications", named())
        .await;
    for _ in 0..3 {
        management
            .post(&management.admin, "/v1/applications", named())
            .await;
    }
    management
        .delete(&management.owner, &format!("/v1/applications/{first}"))
        .await;
    management
        .post(&management.owner, "/v1/applications", named())
        .await;
}

#[tokio::test]
async fn an_application_gets_no_more_scopes_than_one_may_have_unless_an_administrator_adds_them() {
    let management = management(|builder| builder.user_limits(FEW)).await;
    let (application, read) = management.application().await;
    let path = format!("/v1/applications/{application}/scopes");
    let scope = |name: &str| json!({"scopeName": name, "description": "See your clubs"});
    for name in ["write", "join"] {
        management.post(&management.owner, &path, scope(name)).await;
    }
    assert_eq!(
        post(&management, &management.owner, &path, scope("leave")).await,
        refused(409, "too_many_defined_scopes", "")
    );
    management
        .delete(&management.owner, &format!("{path}/{read}"))
        .await;
    management
        .post(&management.owner, &path, scope("leave"))
        .await;
    management
        .post(&management.admin, &path, scope("lead"))
        .await;
}

#[tokio::test]
async fn a_user_gets_no_more_clients_than_one_may_have_and_an_administrator_does() {
    let management = management(|builder| builder.user_limits(FEW)).await;
    let first = text(&management.client().await["id"]);
    management.client().await;
    assert_eq!(
        post(&management, &management.owner, "/v1/clients", client()).await,
        refused(409, "too_many_clients", "")
    );
    for _ in 0..3 {
        management
            .post(&management.admin, "/v1/clients", client())
            .await;
    }
    management
        .delete(&management.owner, &format!("/v1/clients/{first}"))
        .await;
    management.client().await;
}

#[tokio::test]
async fn a_client_gets_no_more_redirect_uris_than_one_may_have_and_keeps_those_from_before() {
    let management = management(|builder| builder.user_limits(FEW)).await;
    let uris = |count: usize, length: usize| -> Vec<String> {
        (0..count)
            .map(|number| format!("{:a<length$}", format!("https://a.example/{number}")))
            .collect()
    };
    let many = refused(409, "too_many_redirect_uris", "redirectUris");
    for token in [&management.owner, &management.admin] {
        assert_eq!(
            post(
                &management,
                token,
                "/v1/clients",
                with(client(), "redirectUris", json!(uris(3, 20)))
            )
            .await,
            many
        );
        assert_eq!(
            post(
                &management,
                token,
                "/v1/clients",
                with(client(), "redirectUris", json!(uris(2, 31)))
            )
            .await,
            many
        );
        let kept = management
            .post(
                token,
                "/v1/clients",
                with(client(), "redirectUris", json!(uris(2, 30))),
            )
            .await;
        let path = format!("/v1/clients/{}", text(&kept["id"]));
        let change = json!({"redirectUris": uris(3, 19)});
        assert_eq!(
            refusal(
                &management
                    .ask(token, Method::PATCH, &path, Some(change))
                    .await
            ),
            many
        );
    }
    let before = management
        .harness
        .client_with(ClientPolicy::Public, |client| {
            client.owner = "owner".parse().unwrap();
            client.first_party = false;
            client.allowed_scopes = Default::default();
            client.redirect_uris = uris(4, 40).iter().map(|uri| uri.parse().unwrap()).collect();
        });
    let path = format!("/v1/clients/{}", before.await.id);
    management
        .patch(&management.owner, &path, json!({"name": "Another name"}))
        .await;
    management
        .patch(
            &management.owner,
            &path,
            json!({"redirectUris": uris(3, 40)}),
        )
        .await;
    let grown = management
        .ask(
            &management.owner,
            Method::PATCH,
            &path,
            Some(json!({"redirectUris": uris(4, 40)})),
        )
        .await;
    assert_eq!(
        refusal(&grown),
        many,
        "removed redirect URIs cannot be added again"
    );
}

#[tokio::test]
async fn changes_of_one_user_are_limited_and_taking_access_away_is_not() {
    let quota = Quota::new(3, Duration::from_secs(60), 3).unwrap();
    let management = management(|builder| builder.management_limit(quota)).await;
    let client = management.harness.client(ClientPolicy::Public).await;
    let key = text(
        &management
            .post(&management.owner, "/v1/api-keys", api_key())
            .await["id"],
    );
    management.harness.users.sign_in_as("owner", Role::User);
    management
        .harness
        .tokens_for(&client, "service:self_read")
        .await;
    for _ in 0..2 {
        management
            .post(
                &management.owner,
                "/v1/applications",
                json!({"name": "Club portal"}),
            )
            .await;
    }
    let answer = management
        .ask(
            &management.owner,
            Method::POST,
            "/v1/applications",
            Some(json!({"name": "Club portal"})),
        )
        .await;
    assert_eq!(
        (refusal(&answer), answer.header("retry-after")),
        (refused(429, "management_limited", ""), "20")
    );
    for path in [
        "/v1/clients",
        "/v1/api-keys",
        "/v1/applications/nothing/scopes",
    ] {
        assert_eq!(
            post(&management, &management.owner, path, json!({})).await,
            refused(429, "management_limited", ""),
            "{path}"
        );
    }
    management
        .post(
            &management.other,
            "/v1/applications",
            json!({"name": "Club portal"}),
        )
        .await;
    assert_eq!(
        management.get(&management.owner, "/v1/applications").await["totalElements"],
        2,
        "reads are not limited"
    );
    let grants = management.get(&management.owner, "/v1/grants").await;
    let grant = grants["grants"]
        .as_array()
        .unwrap()
        .iter()
        .find(|grant| grant["clientId"] == client.id)
        .unwrap();
    management
        .delete(
            &management.owner,
            &format!("/v1/grants/{}", text(&grant["id"])),
        )
        .await;
    management
        .delete(&management.owner, &format!("/v1/api-keys/{key}"))
        .await;
    management.harness.clock.advance(Duration::from_secs(20));
    management
        .post(
            &management.owner,
            "/v1/applications",
            json!({"name": "Club portal"}),
        )
        .await;
    assert_eq!(
        post(
            &management,
            &management.owner,
            "/v1/applications",
            json!({"name": "Club portal"})
        )
        .await
        .0,
        429
    );
}

#[tokio::test]
async fn administrators_are_limited_in_their_changes_too() {
    let quota = Quota::new(1, Duration::from_secs(60), 1).unwrap();
    let management = management(|builder| builder.management_limit(quota)).await;
    management
        .post(&management.admin, "/v1/clients", client())
        .await;
    assert_eq!(
        post(&management, &management.admin, "/v1/clients", client()).await,
        refused(429, "management_limited", "")
    );
}

#[tokio::test]
async fn one_sign_in_more_than_may_live_ends_the_one_that_was_used_longest_ago() {
    let log = MemoryAuditLog::default();
    let harness = harness::Harness::with_settings(|builder| {
        builder.user_limits(FEW).audit(Arc::new(log.clone()))
    })
    .await;
    let mut tokens = Vec::new();
    for _ in 0..2 {
        tokens.push(sign_in(&harness).await);
        harness.clock.advance(Duration::from_secs(60));
    }
    tokens[0] = refresh(&harness, &tokens[0])
        .await
        .expect("a used grant stays");
    harness.clock.advance(Duration::from_secs(60));
    tokens.push(sign_in(&harness).await);
    let mut go_on = Vec::new();
    for token in &tokens {
        go_on.push(refresh(&harness, token).await.is_some());
    }
    assert_eq!(
        go_on,
        [true, false, true],
        "the least recently used grant is revoked"
    );
    let events = log.events();
    let issued = events.iter().filter_map(|event| match event.kind {
        EventKind::CodeIssued { grant, .. } => Some(grant),
        _ => None,
    });
    let replaced = events.iter().filter_map(|event| match event.kind {
        EventKind::GrantReplaced { grant, client, .. } if client == harness.client.id => {
            Some(grant)
        }
        _ => None,
    });
    assert_eq!(
        replaced.collect::<Vec<_>>(),
        [issued.collect::<Vec<_>>()[1]],
        "the event names the revoked grant"
    );
}

/// The refresh token of a new sign-in at the confidential client.
async fn sign_in(harness: &harness::Harness) -> String {
    let code = harness
        .browser_at_consent()
        .await
        .decide("allow")
        .await
        .sent_back("code")
        .unwrap();
    let fields = [
        ("grant_type", "authorization_code"),
        ("code", &*code),
        ("redirect_uri", harness::CALLBACK),
        ("code_verifier", VERIFIER),
    ];
    text(&token(harness, &fields).await.json()["refresh_token"])
}

/// The next refresh token, if the grant is live.
async fn refresh(harness: &harness::Harness, refresh_token: &str) -> Option<String> {
    let answer = token(
        harness,
        &[
            ("grant_type", "refresh_token"),
            ("refresh_token", refresh_token),
        ],
    )
    .await;
    (answer.status == 200).then(|| text(&answer.json()["refresh_token"]))
}

async fn token(harness: &harness::Harness, fields: &[(&str, &str)]) -> Reply {
    let header = basic(&harness.client.id.to_string(), harness.secret.expose());
    harness::ask(&harness.server, Fields::new(fields).with_header(&header)).await
}
