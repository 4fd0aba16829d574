use http::Method;
use serde_json::json;

use super::*;
use crate::token::harness::START;

// Proves: threats 36
/// Fails if the field is accepted from other users, or in the body of a new client.
#[tokio::test]
async fn only_an_administrator_verifies_a_client() {
    let management = ManagementClient::new().await;
    let answer = management
        .ask(
            &management.owner,
            Method::POST,
            "/v1/clients",
            Some(with(client(), "verified", json!(true))),
        )
        .await;
    assert_eq!(
        refusal(&answer),
        refused(403, "administrators_only", "verified")
    );
    let made = management.client().await;
    assert_eq!(
        (&made["verified"], &made["verifiedAt"]),
        (&json!(false), &json!(null))
    );
    let path = format!("/v1/clients/{}", text(&made["id"]));
    let answer = management
        .ask(
            &management.owner,
            Method::PATCH,
            &path,
            Some(json!({"verified": true})),
        )
        .await;
    assert_eq!(
        refusal(&answer),
        refused(403, "administrators_only", "verified")
    );
    for name in ["verifiedAt", "verifiedBy"] {
        let answer = management
            .ask(
                &management.admin,
                Method::PATCH,
                &path,
                Some(with(json!({}), name, json!(1))),
            )
            .await;
        assert_eq!(
            refusal(&answer),
            refused(400, "field_unknown", name),
            "the service sets the time and the administrator"
        );
    }
    management
        .patch(&management.owner, &path, json!({"verified": false}))
        .await; // as it was

    let reviewed =
        json!({"name": made["name"], "redirectUris": made["redirectUris"], "verified": true});
    let verified = management.patch(&management.admin, &path, reviewed).await;
    assert_eq!(
        (&verified["verified"], &verified["verifiedAt"]),
        (&json!(true), &json!(START.seconds()))
    );
    let answer = management
        .ask(
            &management.owner,
            Method::PATCH,
            &path,
            Some(json!({"verified": false})),
        )
        .await;
    assert_eq!(
        refusal(&answer),
        refused(403, "administrators_only", "verified")
    );
    let taken_back = management
        .patch(&management.admin, &path, json!({"verified": false}))
        .await;
    assert_eq!(
        (&taken_back["verified"], &taken_back["verifiedAt"]),
        (&json!(false), &json!(null))
    );

    let made = management
        .post(&management.admin, "/v1/clients", client())
        .await;
    assert_eq!(made["verified"], false, "it was not reviewed explicitly");
    let made = management
        .post(
            &management.admin,
            "/v1/clients",
            with(client(), "verified", json!(true)),
        )
        .await;
    assert_eq!(
        (&made["verified"], &made["verifiedAt"]),
        (&json!(true), &json!(START.seconds()))
    );
}

#[tokio::test]
async fn one_of_the_services_own_clients_is_verified() {
    let management = ManagementClient::new().await;
    let own = management
        .post(
            &management.admin,
            "/v1/clients",
            with(client(), "firstParty", json!(true)),
        )
        .await;
    assert_eq!(
        (&own["verified"], &own["verifiedAt"]),
        (&json!(true), &json!(null))
    );
    let path = format!("/v1/clients/{}", text(&own["id"]));
    let answer = management
        .ask(
            &management.admin,
            Method::PATCH,
            &path,
            Some(json!({"verified": false})),
        )
        .await;
    assert_eq!(refusal(&answer), refused(400, "field_invalid", "verified"));
    let other = management
        .patch(&management.admin, &path, json!({"firstParty": false}))
        .await;
    assert_eq!(
        other["verified"], false,
        "as a user's client it was never reviewed"
    );
}

// Proves: spec 3.24
/// Fails if the owner of a reviewed client can change its name or redirect URIs and keep the
/// verification.
#[tokio::test]
async fn a_client_is_unverified_again_when_its_owner_changes_what_was_reviewed() {
    let management = ManagementClient::new().await;
    let made = management.client().await;
    let path = format!("/v1/clients/{}", text(&made["id"]));
    let two = json!([CALLBACK, "https://app.example/other"]);
    let policy = json!("https://app.example/privacy");
    for (change, stays) in [
        (json!({"name": "School bank"}), false),
        (json!({"redirectUris": ["https://evil.example/"]}), false),
        (
            json!({"redirectUris": [CALLBACK, "https://app.example/other", "https://evil.example/"]}),
            false,
        ),
        (
            json!({"redirectUris": ["https://app.example/other", CALLBACK]}),
            true,
        ),
        (json!({"redirectUris": [CALLBACK]}), true),
        (json!({"redirectUris": []}), true),
        (json!({"name": "Club app", "redirectUris": two}), true),
        (
            json!({"policy": "secret", "pkceRequired": true, "issOmitted": true, "allowedScopes": []}),
            true,
        ),
        (json!({"policyUri": "https://evil.example/"}), false),
        (json!({"policyUri": policy}), true),
        (json!({"policyUri": null}), true),
        (
            json!({"name": "School bank", "policyUri": null, "verified": true}),
            false,
        ),
    ] {
        management
            .patch(
                &management.admin,
                &path,
                json!({"name": "Club app", "redirectUris": two, "policyUri": policy}),
            )
            .await;
        let reviewed =
            json!({"name": "Club app", "redirectUris": two, "policyUri": policy, "verified": true});
        assert_eq!(
            management.patch(&management.admin, &path, reviewed).await["verified"],
            true
        );
        let changed = management
            .patch(&management.owner, &path, change.clone())
            .await;
        assert_eq!(changed["verified"], stays, "{change}");
        assert_eq!(changed["verifiedAt"].is_null(), !stays, "{change}");
    }
    let reviewed = json!({"name": "School bank", "redirectUris": two, "verified": true});
    assert_eq!(
        management.patch(&management.admin, &path, reviewed).await["verified"],
        true
    );
    let renamed = management
        .patch(
            &management.admin,
            &path,
            json!({"name": "Clubs", "redirectUris": ["https://clubs.example/"]}),
        )
        .await;
    assert_eq!(
        renamed["verified"], true,
        "an administrator's change is reviewed"
    );
}

/// Fails if a change by the owner between an administrator's review and the verification becomes
/// verified.
#[tokio::test]
async fn an_administrator_verifies_the_named_version_and_no_later_one() {
    let management = ManagementClient::new().await;
    let made = management.client().await;
    let path = format!("/v1/clients/{}", text(&made["id"]));
    let (name, uris) = (made["name"].clone(), made["redirectUris"].clone());
    let reviewed = json!({"name": name, "redirectUris": uris, "verified": true});
    for missing in ["name", "redirectUris"] {
        let answer = management
            .ask(
                &management.admin,
                Method::PATCH,
                &path,
                Some(with(reviewed.clone(), missing, json!(null))),
            )
            .await;
        assert_eq!(refusal(&answer), refused(400, "field_missing", missing));
    }
    for change in [
        json!({"name": "School bank"}),
        json!({"redirectUris": [CALLBACK, "https://evil.example/"]}),
        json!({"redirectUris": []}),
    ] {
        management
            .patch(&management.owner, &path, change.clone())
            .await;
        let answer = management
            .ask(
                &management.admin,
                Method::PATCH,
                &path,
                Some(reviewed.clone()),
            )
            .await;
        assert_eq!(
            refusal(&answer),
            refused(409, "changed_meanwhile", ""),
            "{change}"
        );
        let kept = management.get(&management.admin, &path).await;
        assert_eq!(kept["verified"], false, "{change}");
        let field = change.as_object().unwrap().keys().next().unwrap();
        assert_eq!(
            kept[field], change[field],
            "the owner's change is not undone"
        );
        management
            .patch(
                &management.owner,
                &path,
                json!({"name": name, "redirectUris": uris}),
            )
            .await;
    }
    let own = json!({"policyUri": "https://evil.example/"});
    management.patch(&management.owner, &path, own).await;
    for (policy, status, reason, field) in [
        (json!(null), 400, "field_missing", "policyUri"),
        (
            json!("https://app.example/privacy"),
            409,
            "changed_meanwhile",
            "",
        ),
    ] {
        let answer = management
            .ask(
                &management.admin,
                Method::PATCH,
                &path,
                Some(with(reviewed.clone(), "policyUri", policy)),
            )
            .await;
        assert_eq!(refusal(&answer), refused(status, reason, field));
    }
    let none = json!({"policyUri": null});
    management.patch(&management.owner, &path, none).await;
    let settings = with(reviewed.clone(), "pkceRequired", json!(true));
    assert_eq!(
        management.patch(&management.admin, &path, settings).await["verified"],
        true
    );
    management
        .patch(&management.admin, &path, json!({"verified": false}))
        .await; // There is nothing to be named.
}

/// Fails if the list contains reviewed clients, or is available to other users.
#[tokio::test]
async fn an_administrator_lists_the_clients_that_await_a_review() {
    let management = ManagementClient::new().await;
    let waiting = management.client().await;
    management
        .post(
            &management.admin,
            "/v1/clients",
            with(client(), "verified", json!(true)),
        )
        .await;
    management
        .post(
            &management.admin,
            "/v1/clients",
            with(client(), "firstParty", json!(true)),
        )
        .await;
    const PATH: &str = "/v1/clients?review=awaiting&size=5";
    let listed = management.get(&management.admin, PATH).await;
    assert_eq!(
        (&listed["totalElements"], &listed["clients"][0]["id"]),
        (&json!(1), &waiting["id"])
    );
    let answer = management
        .ask(&management.owner, Method::GET, PATH, None)
        .await;
    assert_eq!(refusal(&answer), refused(403, "administrators_only", ""));
    let answer = management
        .ask(
            &management.admin,
            Method::GET,
            "/v1/clients?review=done",
            None,
        )
        .await;
    assert_eq!(
        refusal(&answer),
        refused(400, "parameter_invalid", "review")
    );
    assert_eq!(
        management
            .get(&management.admin, "/v1/clients?review=")
            .await["totalElements"],
        4,
        "empty counts as absent"
    );
}
