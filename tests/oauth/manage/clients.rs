use std::sync::Arc;
use std::time::Duration;

use http::Method;
use lyceum::domain::{ClientId, ClientSecret, SubjectId};
use lyceum::store::sql::SqlStore;
use serde_json::json;

use super::*;
use crate::token::harness::START;

// Proves: spec 4
#[tokio::test]
async fn a_client_is_created_changed_and_deleted() {
    let management = ManagementClient::new().await;
    let made = management.client().await;
    let path = format!("/v1/clients/{}", text(&made["id"]));
    let secret = text(&made["secret"]);
    let shown = json!({
        "id": made["id"], "name": "Club app", "owner": "owner", "policy": "secret_or_pkce", "redirectUris": [CALLBACK],
        "allowedScopes": ["service:self_read"], "plainPkceAllowed": false, "pkceRequired": false,
        "firstParty": false, "clientCredentialsAllowed": false, "issOmitted": false, "policyUri": null, "verified": false, "verifiedAt": null,
        "secrets": [{"createdAt": START.seconds(), "lastFour": &secret[secret.len() - 4..], "lastUsedAt": null}], "createdAt": START.seconds(), "suspendedAt": null, "advice": made["advice"],
    });
    assert_eq!(made, with(shown.clone(), "secret", made["secret"].clone()));
    assert_eq!(
        management.get(&management.owner, &path).await,
        shown,
        "the secret is shown once"
    );
    let listed = management.get(&management.owner, "/v1/clients").await;
    assert_eq!(
        listed,
        json!({"totalPages": 1, "totalElements": 1, "clients": [shown]})
    );

    let changes = [
        ("name", json!("Clubs")),
        ("policy", json!("secret")),
        ("redirectUris", json!(["com.example.clubs:/callback"])),
        ("allowedScopes", json!([])),
        ("plainPkceAllowed", json!(true)),
        ("pkceRequired", json!(true)),
        ("issOmitted", json!(true)),
        ("policyUri", json!("https://club.example/privacy?a=b#c")),
    ];
    let mut expected = shown;
    for (name, value) in changes {
        let changed = management
            .patch(
                &management.owner,
                &path,
                with(json!({}), name, value.clone()),
            )
            .await;
        expected = with(
            with(expected, name, value),
            "advice",
            changed["advice"].clone(),
        );
        assert_eq!(changed, expected, "only {name} changes");
    }
    assert_eq!(
        management.patch(&management.owner, &path, json!({})).await,
        expected
    );
    let public = management
        .patch(&management.owner, &path, json!({"policy": "none"}))
        .await;
    assert_eq!(
        public["secrets"],
        json!([]),
        "a public client has no secrets"
    );

    assert_eq!(management.delete(&management.owner, &path).await, json!({}));
    assert_eq!(
        refusal(
            &management
                .ask(&management.owner, Method::GET, &path, None)
                .await
        ),
        refused(404, "not_found", "")
    );
    assert_eq!(
        management.get(&management.owner, "/v1/clients").await["clients"],
        json!([])
    );
}

/// Fails if an address is linked to that browsers open as a script, or if `null` keeps it.
#[tokio::test]
async fn a_client_may_have_a_privacy_policy_and_lose_it() {
    let management = ManagementClient::new().await;
    let policy = json!("https://club.example/privacy");
    let made = management
        .post(
            &management.owner,
            "/v1/clients",
            with(client(), "policyUri", policy.clone()),
        )
        .await;
    assert_eq!(made["policyUri"], policy);
    let path = format!("/v1/clients/{}", text(&made["id"]));
    for bad in [
        json!(""),
        json!("javascript:alert(1)"),
        json!("http://club.example/privacy"),
        json!("com.example.club:/privacy"),
        json!("https://school.example@club.example/"),
        json!(format!("https://club.example/{}", "a".repeat(2000))),
        json!(["https://club.example/privacy"]),
        json!(true),
    ] {
        for (method, path, body) in [
            (Method::POST, "/v1/clients", client()),
            (Method::PATCH, &*path, json!({})),
        ] {
            let answer = management
                .ask(
                    &management.owner,
                    method,
                    path,
                    Some(with(body, "policyUri", bad.clone())),
                )
                .await;
            assert_eq!(
                refusal(&answer),
                refused(400, "field_invalid", "policyUri"),
                "{bad}"
            );
        }
    }
    let kept = management
        .patch(&management.owner, &path, json!({"name": "Clubs"}))
        .await;
    assert_eq!(kept["policyUri"], policy);
    let removed = management
        .patch(&management.owner, &path, json!({"policyUri": null}))
        .await;
    assert_eq!(removed["policyUri"], json!(null));
    let shown = management.get(&management.owner, &path).await;
    assert_eq!(shown["policyUri"], json!(null));
}

// Proves: spec 3.11
#[tokio::test]
async fn a_secret_is_shown_once_and_a_third_pushes_out_the_oldest() {
    let management = ManagementClient::new().await;
    let made = management.client().await;
    let (id, path) = (
        text(&made["id"]),
        format!("/v1/clients/{}", text(&made["id"])),
    );
    let stored = async || {
        management
            .harness
            .store
            .client(id.parse::<ClientId>().unwrap())
            .await
            .unwrap()
            .unwrap()
            .secrets
            .clone()
    };
    let proves = async |secret: &str| {
        let digest = ClientSecret::parse(secret).unwrap().digest();
        stored()
            .await
            .iter()
            .any(|registered| registered.digest.matches(&digest))
    };
    let first = text(&made["secret"]);
    assert!(proves(&first).await);

    let mut secrets = vec![first];
    for day in 1..=2 {
        management.harness.clock.advance(Duration::from_secs(60));
        let renewed = management
            .ask(
                &management.owner,
                Method::POST,
                &format!("{path}/secrets"),
                None,
            )
            .await;
        let renewed = data(&renewed);
        assert_eq!(renewed["secrets"].as_array().unwrap().len(), 2);
        assert_eq!(
            renewed["secrets"][1]["createdAt"],
            START.seconds() + 60 * day
        );
        secrets.push(text(&renewed["secret"]));
    }
    assert_eq!(
        (
            proves(&secrets[0]).await,
            proves(&secrets[1]).await,
            proves(&secrets[2]).await
        ),
        (false, true, true)
    );
    for secret in &secrets {
        assert!(
            !management
                .get(&management.owner, &path)
                .await
                .to_string()
                .contains(secret)
        );
    }

    assert_eq!(
        management
            .delete(&management.owner, &format!("{path}/secrets/older"))
            .await,
        json!({})
    );
    assert_eq!(
        (proves(&secrets[1]).await, proves(&secrets[2]).await),
        (false, true)
    );
    let none = management
        .ask(
            &management.owner,
            Method::DELETE,
            &format!("{path}/secrets/older"),
            None,
        )
        .await;
    assert_eq!(refusal(&none), refused(404, "not_found", ""));

    let public = management
        .post(
            &management.owner,
            "/v1/clients",
            with(client(), "policy", json!("none")),
        )
        .await;
    assert_eq!(
        (public.get("secret"), &public["secrets"]),
        (None, &json!([]))
    );
    let answer = management
        .ask(
            &management.owner,
            Method::POST,
            &format!("/v1/clients/{}/secrets", text(&public["id"])),
            None,
        )
        .await;
    assert_eq!(refusal(&answer), refused(409, "public_client", ""));
}

#[tokio::test]
async fn a_clients_owner_sees_advice_and_how_to_follow_it() {
    let management = ManagementClient::new().await;
    let sound = with(
        with(client(), "policy", json!("none")),
        "plainPkceAllowed",
        json!(true),
    );
    let made = management
        .post(&management.owner, "/v1/clients", sound)
        .await;
    let path = format!("/v1/clients/{}", text(&made["id"]));
    let advice = &management.get(&management.owner, &path).await["advice"];
    assert_eq!(
        (
            advice.as_array().unwrap().len(),
            &advice[0]["advice"],
            &advice[0]["severity"]
        ),
        (1, &json!("plain_pkce"), &json!("high"))
    );
    assert!(text(&advice[0]["remedy"]).ends_with('.'), "{advice}");
    assert_eq!(
        management
            .patch(&management.owner, &path, json!({"plainPkceAllowed": false}))
            .await["advice"],
        json!([])
    );

    let confidential = management
        .post(&management.owner, "/v1/clients", client())
        .await;
    let path = format!("/v1/clients/{}", text(&confidential["id"]));
    let words = |client: &Value| {
        client["advice"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| text(&one["advice"]).to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        words(&confidential),
        ["secret_not_demanded", "pkce_not_demanded"]
    );
    let mended = management
        .patch(
            &management.owner,
            &path,
            json!({"policy": "secret", "pkceRequired": true}),
        )
        .await;
    assert_eq!(
        words(&mended),
        [""; 0],
        "advice that was followed is not repeated"
    );

    let old = format!("/v1/clients/{}", text(&management.client().await["id"]));
    management.harness.users.sign_in_as("owner", Role::User);
    management
        .harness
        .clock
        .advance(Duration::from_secs(366 * 24 * 60 * 60));
    let token = management
        .harness
        .tokens_for(&management.console, "service:manage")
        .await
        .access;
    let advice = management.get(&token, &old).await["advice"].to_string();
    assert!(advice.contains("old_secret"), "{advice}");
}

/// Of two concurrent changes, an acknowledged one is not lost. Fails if a change overwrites the
/// record without a check.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_changes_at_once_lose_nothing_that_was_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqlStore::sqlite(folder.path().join("school.db")).unwrap();
    let management = ManagementClient::with_harness(
        Harness::with_store(Arc::new(store), |builder| builder).await,
    )
    .await;
    let path = format!("/v1/clients/{}", text(&management.client().await["id"]));
    let mut conflicts = 0;
    for round in 0..500 {
        let name = format!("Clubs {round}");
        let uri = format!("https://club.example/{round}");
        let (one, two) = (json!({"name": name}), json!({"redirectUris": [uri]}));
        let one = management.ask(&management.owner, Method::PATCH, &path, Some(one));
        let (one, two) = tokio::join!(
            one,
            management.ask(&management.owner, Method::PATCH, &path, Some(two))
        );
        let now = management.get(&management.owner, &path).await;
        for (answer, is_there) in [
            (one, now["name"] == name),
            (two, now["redirectUris"] == json!([uri])),
        ] {
            if answer.status == 200 {
                assert!(is_there, "an acknowledged change is lost: {now}");
            } else {
                assert_eq!(refusal(&answer), refused(409, "changed_meanwhile", ""));
                conflicts += 1;
            }
        }
        if conflicts >= 3 {
            return;
        }
    }
    panic!("the changes never conflicted");
}

#[tokio::test]
async fn only_an_administrator_sets_privileged_settings_of_a_client() {
    let management = ManagementClient::new().await;
    let made = management.client().await;
    let path = format!("/v1/clients/{}", text(&made["id"]));
    for name in ["firstParty", "clientCredentialsAllowed"] {
        let wish = with(with(client(), name, json!(true)), "policy", json!("secret"));
        let answer = management
            .ask(
                &management.owner,
                Method::POST,
                "/v1/clients",
                Some(wish.clone()),
            )
            .await;
        assert_eq!(refusal(&answer), refused(403, "administrators_only", name));
        assert_eq!(
            management
                .post(&management.admin, "/v1/clients", wish)
                .await[name],
            true
        );
        let answer = management
            .ask(
                &management.owner,
                Method::PATCH,
                &path,
                Some(with(json!({}), name, json!(true))),
            )
            .await;
        assert_eq!(refusal(&answer), refused(403, "administrators_only", name));
        management
            .patch(
                &management.owner,
                &path,
                with(json!({}), name, json!(false)),
            )
            .await; // as it was
    }
    let public = json!({"policy": "none", "clientCredentialsAllowed": true});
    let answer = management
        .ask(&management.admin, Method::PATCH, &path, Some(public))
        .await;
    assert_eq!(
        refusal(&answer),
        refused(400, "field_invalid", "clientCredentialsAllowed"),
        "spec 3.16"
    );

    // A first-party client manages on behalf of all users, so changed redirect URIs could take over
    // that access.
    let manager = json!({"firstParty": true, "allowedScopes": ["service:manage"]});
    assert_eq!(
        management.patch(&management.admin, &path, manager).await["owner"],
        "owner"
    );
    assert_eq!(
        management.get(&management.owner, &path).await["firstParty"],
        true
    );
    let tries = [
        (
            Method::PATCH,
            path.clone(),
            Some(json!({"redirectUris": ["https://evil.example/"]})),
        ),
        (
            Method::PATCH,
            path.clone(),
            Some(json!({"firstParty": false})),
        ),
        (Method::POST, format!("{path}/secrets"), None),
        (Method::DELETE, format!("{path}/secrets/older"), None),
        (Method::DELETE, path.clone(), None),
    ];
    for (method, path, body) in tries {
        let answer = management
            .ask(&management.owner, method.clone(), &path, body)
            .await;
        assert_eq!(
            refusal(&answer),
            refused(403, "administrators_only", ""),
            "{method} {path}"
        );
    }
    let owner: SubjectId = "owner".parse().unwrap();
    assert_eq!(
        management
            .harness
            .store
            .client(text(&made["id"]).parse().unwrap())
            .await
            .unwrap()
            .unwrap()
            .owner,
        owner
    );
    let answer = management
        .ask(
            &management.admin,
            Method::PATCH,
            &path,
            Some(json!({"firstParty": false})),
        )
        .await;
    assert_eq!(
        refusal(&answer),
        refused(400, "field_invalid", "allowedScopes"),
        "spec 3.21"
    );
}
