use http::Method;
use serde_json::json;

use super::*;
use crate::token::harness::START;

// Proves: spec 4, spec 3.26
#[tokio::test]
async fn an_application_and_its_scopes_are_created_changed_and_deleted() {
    let management = ManagementClient::new().await;
    let made = management
        .post(
            &management.owner,
            "/v1/applications",
            json!({"name": "Club portal"}),
        )
        .await;
    let path = format!("/v1/applications/{}", text(&made["id"]));
    let bare = json!({"id": made["id"], "name": "Club portal", "nameTranslations": {}, "owner": "owner", "createdAt": START.seconds()});
    assert_eq!(made, with(bare.clone(), "scopes", json!([])));
    assert_eq!(management.get(&management.owner, &path).await, made);
    let listed = management.get(&management.owner, "/v1/applications").await;
    assert_eq!(
        listed,
        json!({"totalPages": 1, "totalElements": 1, "applications": [bare]})
    );

    let scope =
        json!({"scopeName": "read", "description": "See your clubs", "approvalRequired": true});
    let scope = management
        .post(&management.owner, &format!("{path}/scopes"), scope)
        .await;
    let expected = json!({
        "id": scope["id"], "scope": format!("{}:read", text(&made["id"])), "scopeName": "read", "description": "See your clubs",
        "descriptionTranslations": {}, "approvalRequired": true,
    });
    assert_eq!(scope, expected);
    assert_eq!(
        management.get(&management.owner, &path).await["scopes"],
        json!([scope])
    );
    let listed = management
        .get(&management.owner, &format!("{path}/scopes"))
        .await;
    assert_eq!(
        listed,
        json!({"totalPages": 1, "totalElements": 1, "scopes": [scope]})
    );

    let scope_path = format!("{path}/scopes/{}", text(&scope["id"]));
    let changed = management
        .patch(
            &management.owner,
            &scope_path,
            json!({"description": "See all clubs"}),
        )
        .await;
    assert_eq!(
        changed,
        with(scope.clone(), "description", json!("See all clubs")),
        "absent fields are unchanged"
    );
    let changed = management
        .patch(
            &management.owner,
            &scope_path,
            json!({"approvalRequired": false}),
        )
        .await;
    assert_eq!(
        (&changed["description"], &changed["approvalRequired"]),
        (&json!("See all clubs"), &json!(false))
    );
    assert_eq!(
        management
            .patch(&management.owner, &scope_path, json!({}))
            .await,
        changed
    );

    let renamed = management
        .patch(&management.owner, &path, json!({"name": "Clubs"}))
        .await;
    assert_eq!(
        (&renamed["name"], &renamed["scopes"]),
        (&json!("Clubs"), &json!([changed]))
    );
    assert_eq!(
        management.patch(&management.owner, &path, json!({})).await,
        renamed
    );

    let client = with(client(), "allowedScopes", json!([scope["scope"]]));
    let client = management
        .post(&management.owner, "/v1/clients", client)
        .await;
    let client_path = format!("/v1/clients/{}", text(&client["id"]));
    assert_eq!(
        management.delete(&management.owner, &scope_path).await,
        json!({})
    );
    assert_eq!(
        management.get(&management.owner, &client_path).await["allowedScopes"],
        json!([]),
        "spec 3.17"
    );
    assert_eq!(management.delete(&management.owner, &path).await, json!({}));
    for gone in [path, scope_path] {
        let again = management
            .ask(&management.owner, Method::DELETE, &gone, None)
            .await;
        assert_eq!(refusal(&again), refused(404, "not_found", ""));
    }
    assert_eq!(
        management.get(&management.owner, "/v1/applications").await["applications"],
        json!([])
    );
}

/// Fails if a text is lost on the way, or if a change of one thing removes the texts of another.
#[tokio::test]
async fn an_application_and_a_scope_have_texts_in_other_languages() {
    let management = ManagementClient::new().await;
    let (portal, clubs) = (json!({"ko": "동아리 포털"}), json!({"ko": "동아리를 봐요"}));
    let made = management
        .post(
            &management.owner,
            "/v1/applications",
            json!({"name": "Club portal", "nameTranslations": portal}),
        )
        .await;
    assert_eq!(made["nameTranslations"], portal);
    let path = format!("/v1/applications/{}", text(&made["id"]));
    let scope =
        json!({"scopeName": "read", "description": "See clubs", "descriptionTranslations": clubs});
    let scope = management
        .post(&management.owner, &format!("{path}/scopes"), scope)
        .await;
    assert_eq!(scope["descriptionTranslations"], clubs);
    let scope_path = format!("{path}/scopes/{}", text(&scope["id"]));
    let available = management
        .get(&management.other, "/v1/clients/available-scopes")
        .await;
    let available = available["scopes"].as_array().unwrap();
    assert!(
        available
            .iter()
            .any(|found| found["scope"] == scope["scope"]
                && found["descriptionTranslations"] == clubs
                && found["applicationNameTranslations"] == portal),
        "{available:?}"
    );

    for (path, body, field, texts) in [
        (&path, json!({"name": "Clubs"}), "nameTranslations", &portal),
        (
            &scope_path,
            json!({"description": "See all clubs"}),
            "descriptionTranslations",
            &clubs,
        ),
    ] {
        let changed = management.patch(&management.owner, path, body).await;
        assert_eq!(changed[field], *texts, "the texts stay");
        let other = json!({"pt-BR": "Clubes", "en": "\"Clubs\""});
        let changed = management
            .patch(
                &management.owner,
                path,
                with(
                    json!({}),
                    field,
                    json!({"pt-br": "Clubes", "EN": "\"Clubs\""}),
                ),
            )
            .await;
        assert_eq!(changed[field], other, "all of them are replaced");
        for bad in [
            json!("ko"),
            json!(["ko"]),
            json!({"ko": 1}),
            json!({"ko": null}),
            json!({"ko": ""}),
            json!({"ko": "두\n줄"}),
            json!({"ko": "가".repeat(256)}),
            json!({"korean": "a"}),
            json!({"": "a"}),
            json!({"ko": "a", "KO": "b"}),
            json!({"ko": "Clubs\u{200b}"}),
            json!({"ko": "\u{202e}sbulC"}),
        ] {
            let answer = management
                .ask(
                    &management.owner,
                    Method::PATCH,
                    path,
                    Some(with(json!({}), field, bad.clone())),
                )
                .await;
            let (status, _, parameter) = refusal(&answer);
            assert_eq!((status, parameter.as_deref()), (400, Some(field)), "{bad}");
        }
        let kept = management.patch(&management.owner, path, json!({})).await;
        assert_eq!(kept[field], other);
        let none = management
            .patch(&management.owner, path, with(json!({}), field, json!({})))
            .await;
        assert_eq!(none[field], json!({}));
    }
}
