//! Misleading names of applications and clients.

use http::Method;
use serde_json::json;

use super::*;
use crate::token::harness::Harness;

const SCHOOL: &str = "부산소프트웨어마이스터고등학교";

async fn management() -> ManagementClient {
    ManagementClient::with_harness(
        Harness::with_settings(|builder| builder.reserved_names(["School Portal", SCHOOL])).await,
    )
    .await
}

/// Endpoints at which the owner sets a name, each with a body that contains one.
async fn places(management: &ManagementClient) -> Vec<(Method, String, Value)> {
    let (application, client_id) = (
        management.application().await.0,
        text(&management.client().await["id"]),
    );
    vec![
        (Method::POST, "/v1/clients".to_owned(), client()),
        (Method::PATCH, format!("/v1/clients/{client_id}"), json!({})),
        (Method::POST, "/v1/applications".to_owned(), json!({})),
        (
            Method::PATCH,
            format!("/v1/applications/{application}"),
            json!({}),
        ),
    ]
}

/// Fails if an endpoint lacks the check, or letters are compared without folding.
#[tokio::test]
async fn only_an_administrator_uses_a_name_of_the_school_or_the_service() {
    let management = management().await;
    for (method, path, body) in places(&management).await {
        for name in [
            "School Portal",
            "School Portal Login",
            "SCHOOL-PORTAL",
            "SchooI PortaI",
            "Schoo1 Portal",
            SCHOOL,
            "School account",
            "5chool Account",
        ] {
            let body = with(body.clone(), "name", json!(name));
            let answer = management
                .ask(&management.owner, method.clone(), &path, Some(body.clone()))
                .await;
            let is_alike = name != "5chool Account";
            assert_eq!(answer.status == 400, is_alike, "{method} {path} {name}");
            if is_alike {
                assert_eq!(
                    refusal(&answer),
                    refused(400, "name_reserved", "name"),
                    "{method} {path} {name}"
                );
                assert_eq!(
                    management
                        .ask(&management.admin, method.clone(), &path, Some(body))
                        .await
                        .status,
                    200,
                    "{method} {path} {name}"
                );
            }
        }
        let free = management
            .ask(
                &management.owner,
                method.clone(),
                &path,
                Some(with(body, "name", json!("School Portals"))),
            )
            .await;
        assert_eq!(free.status, 200, "{method} {path}");
    }
}

#[tokio::test]
async fn no_name_mixes_scripts_that_look_alike_or_has_invisible_characters() {
    let management = management().await;
    for (method, path, body) in places(&management).await {
        for name in [
            "Sch\u{43e}\u{43e}l lunch",
            "Lunch\u{200b}",
            "\u{202e}hcnuL",
            "Ｌｕｎｃｈ",
        ] {
            for token in [&management.owner, &management.admin] {
                let body = with(body.clone(), "name", json!(name));
                let answer = management
                    .ask(token, method.clone(), &path, Some(body))
                    .await;
                assert_eq!(
                    refusal(&answer),
                    refused(400, "name_characters", "name"),
                    "{method} {path} {name:?}"
                );
            }
        }
        for name in [
            "급식 알리미 Lunch",
            "給食 メニュー",
            "Школа",
            "Lunch & more 🍚",
        ] {
            let body = with(body.clone(), "name", json!(name));
            assert_eq!(
                management
                    .ask(&management.owner, method.clone(), &path, Some(body))
                    .await
                    .status,
                200,
                "{method} {path} {name}"
            );
        }
    }
}

/// Fails if a name from before the rules prevents its owner from changing other fields.
#[tokio::test]
async fn a_name_that_is_there_already_goes_on() {
    let management = management().await;
    let made = management
        .post(
            &management.admin,
            "/v1/clients",
            with(client(), "name", json!("School Portal")),
        )
        .await;
    let id = text(&made["id"]).parse().unwrap();
    let before = management.harness.store.client(id).await.unwrap().unwrap();
    let old = lyceum::domain::Client {
        id: lyceum::domain::ClientId::from_random([9; 16]),
        owner: "owner".parse().unwrap(),
        ..(*before).clone()
    };
    assert_eq!(
        management
            .harness
            .store
            .create_client(old.clone())
            .await
            .unwrap(),
        lyceum::store::ClientCreation::Created
    );
    let path = format!("/v1/clients/{}", old.id);
    let kept = management
        .patch(
            &management.owner,
            &path,
            json!({"name": "School Portal", "pkceRequired": true}),
        )
        .await;
    assert_eq!(
        (&kept["name"], &kept["pkceRequired"]),
        (&json!("School Portal"), &json!(true))
    );
    let answer = management
        .ask(
            &management.owner,
            Method::PATCH,
            &path,
            Some(json!({"name": "School  Portal"})),
        )
        .await;
    assert_eq!(
        refusal(&answer),
        refused(400, "name_reserved", "name"),
        "another name that looks the same"
    );
}

/// Fails if an endpoint lacks the check, or a description from before the rule prevents its owner
/// from changing other fields.
#[tokio::test]
async fn a_description_of_a_scope_says_what_users_read() {
    let management = management().await;
    let (application, scope) = management.application().await;
    let scopes = format!("/v1/applications/{application}/scopes");
    let path = format!("{scopes}/{scope}");
    for text in [
        "See your clubs\u{200b}",
        "See \u{202e}sbulc ruoy",
        "See your clubs\u{2800}",
    ] {
        let new = json!({"scopeName": "write", "description": text});
        for (method, path, body) in [
            (Method::POST, &scopes, new),
            (Method::PATCH, &path, json!({"description": text})),
        ] {
            let answer = management
                .ask(&management.admin, method.clone(), path, Some(body))
                .await;
            assert_eq!(
                refusal(&answer),
                refused(400, "text_characters", "description"),
                "{method} {text:?}"
            );
        }
    }
    management
        .patch(
            &management.owner,
            &path,
            json!({"description": "동아리를 봅니다 👩\u{200d}🏫"}),
        )
        .await;
    let old = lyceum::store::ScopePatch {
        description: Some("Old\u{200b}".parse().unwrap()),
        ..Default::default()
    };
    let kept = management
        .harness
        .store
        .update_scope(scope.parse().unwrap(), old)
        .await
        .unwrap();
    assert_eq!(kept, lyceum::store::RegistryChange::Done);
    management
        .patch(
            &management.owner,
            &path,
            json!({"description": "Old\u{200b}", "approvalRequired": true}),
        )
        .await;
}

/// Fails if a name that is reserved for the school is given in another language.
#[tokio::test]
async fn a_name_in_another_language_follows_the_rules_of_names() {
    let management = management().await;
    let (application, _) = management.application().await;
    for (method, path, body) in [
        (
            Method::POST,
            "/v1/applications".to_owned(),
            json!({"name": "Clubs"}),
        ),
        (
            Method::PATCH,
            format!("/v1/applications/{application}"),
            json!({}),
        ),
    ] {
        for (name, reason, for_administrators) in [
            (SCHOOL, "name_reserved", 200),
            ("School Portal Login", "name_reserved", 200),
            ("Sch\u{43e}\u{43e}l lunch", "name_characters", 400),
        ] {
            let body = with(body.clone(), "nameTranslations", json!({"ko": name}));
            let answer = management
                .ask(&management.owner, method.clone(), &path, Some(body.clone()))
                .await;
            assert_eq!(
                refusal(&answer),
                refused(400, reason, "nameTranslations"),
                "{method} {name}"
            );
            let answer = management
                .ask(&management.admin, method.clone(), &path, Some(body))
                .await;
            assert_eq!(answer.status, for_administrators, "{method} {name}");
        }
    }
}
