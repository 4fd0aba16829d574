//! Names of applications and clients that people could take for others.

use http::Method;
use serde_json::json;

use super::*;
use crate::token::world::World;

const SCHOOL: &str = "부산소프트웨어마이스터고등학교";

async fn desk() -> Desk {
    Desk::in_world(World::with(|builder| builder.reserved_names(["School Portal", SCHOOL])).await).await
}

/// The addresses under which the owner gives a name, with a body that has one.
async fn places(desk: &Desk) -> Vec<(Method, String, Value)> {
    let (application, client_id) = (desk.application().await.0, text(&desk.client().await["id"]));
    vec![
        (Method::POST, "/v1/clients".to_owned(), client()),
        (Method::PATCH, format!("/v1/clients/{client_id}"), json!({})),
        (Method::POST, "/v1/applications".to_owned(), json!({})),
        (Method::PATCH, format!("/v1/applications/{application}"), json!({})),
    ]
}

/// Fails if a place is forgotten, or letters are compared as they are.
#[tokio::test]
async fn nobody_but_an_administrator_gives_a_name_of_the_school_or_of_the_service() {
    let desk = desk().await;
    for (method, path, body) in places(&desk).await {
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
            let answer = desk.ask(&desk.owner, method.clone(), &path, Some(body.clone())).await;
            let is_alike = name != "5chool Account";
            assert_eq!(answer.status == 400, is_alike, "{method} {path} {name}");
            if is_alike {
                assert_eq!(refusal(&answer), refused(400, "name_reserved", "name"), "{method} {path} {name}");
                assert_eq!(desk.ask(&desk.admin, method.clone(), &path, Some(body)).await.status, 200, "{method} {path} {name}");
            }
        }
        let free = desk.ask(&desk.owner, method.clone(), &path, Some(with(body, "name", json!("School Portals")))).await;
        assert_eq!(free.status, 200, "{method} {path}");
    }
}

#[tokio::test]
async fn no_name_mixes_scripts_that_look_alike_or_has_what_cannot_be_seen() {
    let desk = desk().await;
    for (method, path, body) in places(&desk).await {
        for name in ["Sch\u{43e}\u{43e}l lunch", "Lunch\u{200b}", "\u{202e}hcnuL", "Ｌｕｎｃｈ"] {
            for token in [&desk.owner, &desk.admin] {
                let body = with(body.clone(), "name", json!(name));
                let answer = desk.ask(token, method.clone(), &path, Some(body)).await;
                assert_eq!(refusal(&answer), refused(400, "name_characters", "name"), "{method} {path} {name:?}");
            }
        }
        for name in ["급식 알리미 Lunch", "給食 メニュー", "Школа", "Lunch & more 🍚"] {
            let body = with(body.clone(), "name", json!(name));
            assert_eq!(desk.ask(&desk.owner, method.clone(), &path, Some(body)).await.status, 200, "{method} {path} {name}");
        }
    }
}

/// Fails if a name from before the rules keeps its owner from changing anything else.
#[tokio::test]
async fn a_name_that_is_there_already_goes_on() {
    let desk = desk().await;
    let made = desk.post(&desk.admin, "/v1/clients", with(client(), "name", json!("School Portal"))).await;
    let id = text(&made["id"]).parse().unwrap();
    let before = desk.world.store.client(id).await.unwrap().unwrap();
    let old =
        lyceum::domain::Client { id: lyceum::domain::ClientId::from_random([9; 16]), owner: "owner".parse().unwrap(), ..(*before).clone() };
    assert_eq!(desk.world.store.create_client(old.clone()).await.unwrap(), lyceum::store::ClientCreation::Created);
    let path = format!("/v1/clients/{}", old.id);
    let kept = desk.patch(&desk.owner, &path, json!({"name": "School Portal", "pkceRequired": true})).await;
    assert_eq!((&kept["name"], &kept["pkceRequired"]), (&json!("School Portal"), &json!(true)));
    let answer = desk.ask(&desk.owner, Method::PATCH, &path, Some(json!({"name": "School  Portal"}))).await;
    assert_eq!(refusal(&answer), refused(400, "name_reserved", "name"), "another one, which looks the same");
}

/// Fails if a place is forgotten, or if a description from before the rule keeps its owner from changing anything else.
#[tokio::test]
async fn a_description_of_a_scope_says_what_users_read() {
    let desk = desk().await;
    let (application, scope) = desk.application().await;
    let scopes = format!("/v1/applications/{application}/scopes");
    let path = format!("{scopes}/{scope}");
    for text in ["See your clubs\u{200b}", "See \u{202e}sbulc ruoy", "See your clubs\u{2800}"] {
        let new = json!({"scopeName": "write", "description": text});
        for (method, path, body) in [(Method::POST, &scopes, new), (Method::PATCH, &path, json!({"description": text}))] {
            let answer = desk.ask(&desk.admin, method.clone(), path, Some(body)).await;
            assert_eq!(refusal(&answer), refused(400, "text_characters", "description"), "{method} {text:?}");
        }
    }
    desk.patch(&desk.owner, &path, json!({"description": "동아리를 봅니다 👩\u{200d}🏫"})).await;
    let old = lyceum::store::ScopeChange { description: Some("Old\u{200b}".parse().unwrap()), approval_required: None };
    let kept = desk.world.store.update_scope(scope.parse().unwrap(), old).await.unwrap();
    assert_eq!(kept, lyceum::store::RegistryChange::Done);
    desk.patch(&desk.owner, &path, json!({"description": "Old\u{200b}", "approvalRequired": true})).await;
}
