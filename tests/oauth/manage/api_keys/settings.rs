//! Changed settings of keys.

use lyceum::domain::{HiddenFields, PersonalField};

use super::*;

// Proves: spec 4
/// Fails if an owner can widen a key, or a field that the body does not name changes.
#[tokio::test]
async fn an_owner_narrows_a_key_and_an_administrator_widens_it() {
    let management = ManagementClient::with_harness(
        Harness::with_settings(|builder| builder.api_key_limit(Quota::DEFAULT_FOR_API_KEY)).await,
    )
    .await;
    let made = management.post(&management.owner, PATH, api_key()).await;
    let path = format!("{PATH}/{}", text(&made["id"]));
    let narrower = json!({"scopes": ["NEIS_READ"], "hiddenFields": ["SEX"], "rateLimit": 9});
    let changed = management.patch(&management.owner, &path, narrower).await;
    assert_eq!(
        (
            &changed["description"],
            &changed["scopes"],
            &changed["hiddenFields"]
        ),
        (
            &json!("Lunch display"),
            &json!(["NEIS_READ"]),
            &json!(["SEX"])
        )
    );
    assert_eq!(
        (&changed["rateLimit"], &changed["key"]),
        (&json!(9), &json!(null))
    );
    for (body, parameter) in [
        (json!({"scopes": ["NEIS_READ", "CLUB_READ"]}), "scopes"),
        (json!({"hiddenFields": []}), "hiddenFields"),
        (json!({"rateLimit": 10}), "rateLimit"),
        (json!({"rateLimit": 5, "rateBurst": 11}), "rateBurst"),
    ] {
        let ask = async |token| {
            let body = Some(body.clone());
            management.ask(token, Method::PATCH, &path, body).await
        };
        assert_eq!(
            refusal(&ask(&management.owner).await),
            refused(403, "administrators_only", parameter)
        );
        assert_eq!(ask(&management.admin).await.status, 200, "{body}");
    }
    let unknown = json!({"owner": "me"});
    let answer = management.ask(&management.admin, Method::PATCH, &path, Some(unknown));
    assert_eq!(
        refusal(&answer.await),
        refused(400, "field_unknown", "owner")
    );
}

/// Fails if a request for protected fields shows them, or a key of an administrator hides them.
#[tokio::test]
async fn a_new_key_hides_protected_fields_and_may_ask_for_them() {
    let protected = |builder: lyceum::http::auth_server::AuthServerBuilder| {
        let email: HiddenFields = [PersonalField::Email].into_iter().collect();
        builder.protected_fields(Role::User, email)
    };
    let management = ManagementClient::with_harness(Harness::with_settings(protected).await).await;
    let wish = with(api_key(), "requestedFields", json!(["EMAIL", "SEX"]));
    for (token, fields) in [
        (&management.owner, json!(["EMAIL"])),
        (&management.admin, json!([])),
    ] {
        let made = management.post(token, PATH, wish.clone()).await;
        assert_eq!(
            (&made["hiddenFields"], &made["requestedFields"]),
            (&fields, &fields)
        );
    }
}

// Proves: threats 52
/// Fails if a renewal takes an approval back, or a field that the owner hides again is requested.
#[tokio::test]
async fn an_approved_field_is_shown_after_a_renewal_until_the_owner_hides_it() {
    let protected = |builder: lyceum::http::auth_server::AuthServerBuilder| {
        let email: HiddenFields = [PersonalField::Email].into_iter().collect();
        builder.protected_fields(Role::User, email)
    };
    let management = ManagementClient::with_harness(Harness::with_settings(protected).await).await;
    let wish = with(api_key(), "requestedFields", json!(["EMAIL"]));
    let made = management.post(&management.owner, PATH, wish).await;
    let path = format!("{PATH}/{}", text(&made["id"]));
    let of = |key: &Value| (key["hiddenFields"].clone(), key["requestedFields"].clone());
    let shown = json!({"hiddenFields": []});
    let approved = management.patch(&management.admin, &path, shown).await;
    assert_eq!(of(&approved), (json!([]), json!([])));
    let renew = format!("{path}/renew");
    let renewed = management.post(&management.owner, &renew, json!({})).await;
    assert_eq!(of(&renewed), (json!([]), json!([])));
    let hidden = json!({"hiddenFields": ["EMAIL"]});
    let changed = management.patch(&management.owner, &path, hidden).await;
    assert_eq!(of(&changed), (json!(["EMAIL"]), json!([])));
}
