use std::sync::Arc;
use std::time::Duration;

use http::Method;
use lyceum::domain::{ClientId, ClientSecret, SubjectId};
use lyceum::store::sql::SqlStore;
use serde_json::json;

use super::*;
use crate::token::world::START;

#[tokio::test]
async fn decision_4_a_client_lives_and_goes() {
    let desk = Desk::new().await;
    let made = desk.client().await;
    let path = format!("/v1/clients/{}", text(&made["id"]));
    let shown = json!({
        "id": made["id"], "name": "Club app", "owner": "owner", "policy": "secret_or_pkce", "redirectUris": [CALLBACK],
        "allowedScopes": ["service:self_read"], "plainPkceAllowed": false, "pkceRequired": false,
        "firstParty": false, "clientCredentialsAllowed": false, "issOmitted": false, "verified": false, "verifiedAt": null,
        "secrets": [{"createdAt": START.seconds()}], "createdAt": START.seconds(), "suspendedAt": null, "advice": made["advice"],
    });
    assert_eq!(made, with(shown.clone(), "secret", made["secret"].clone()));
    assert_eq!(desk.get(&desk.owner, &path).await, shown, "the secret is shown once");
    let listed = desk.get(&desk.owner, "/v1/clients").await;
    assert_eq!(listed, json!({"totalPages": 1, "totalElements": 1, "clients": [shown]}));

    let changes = [
        ("name", json!("Clubs")),
        ("policy", json!("secret")),
        ("redirectUris", json!(["com.example.clubs:/callback"])),
        ("allowedScopes", json!([])),
        ("plainPkceAllowed", json!(true)),
        ("pkceRequired", json!(true)),
        ("issOmitted", json!(true)),
    ];
    let mut expected = shown;
    for (name, value) in changes {
        let changed = desk.patch(&desk.owner, &path, with(json!({}), name, value.clone())).await;
        expected = with(with(expected, name, value), "advice", changed["advice"].clone());
        assert_eq!(changed, expected, "only {name} changes");
    }
    assert_eq!(desk.patch(&desk.owner, &path, json!({})).await, expected);
    let public = desk.patch(&desk.owner, &path, json!({"policy": "none"})).await;
    assert_eq!(public["secrets"], json!([]), "a public client has no secrets");

    assert_eq!(desk.delete(&desk.owner, &path).await, json!({}));
    assert_eq!(refusal(&desk.ask(&desk.owner, Method::GET, &path, None).await), refused(404, "not_found", ""));
    assert_eq!(desk.get(&desk.owner, "/v1/clients").await["clients"], json!([]));
}

#[tokio::test]
async fn decision_3_11_a_secret_is_shown_once_and_a_third_pushes_out_the_oldest() {
    let desk = Desk::new().await;
    let made = desk.client().await;
    let (id, path) = (text(&made["id"]), format!("/v1/clients/{}", text(&made["id"])));
    let stored = async || desk.world.store.client(id.parse::<ClientId>().unwrap()).await.unwrap().unwrap().secrets.clone();
    let proves = async |secret: &str| {
        let digest = ClientSecret::presented(secret).unwrap().digest();
        stored().await.iter().any(|registered| registered.digest.matches(&digest))
    };
    let first = text(&made["secret"]);
    assert!(proves(&first).await);

    let mut secrets = vec![first];
    for day in 1..=2 {
        desk.world.clock.advance(Duration::from_secs(60));
        let renewed = desk.ask(&desk.owner, Method::POST, &format!("{path}/secrets"), None).await;
        let renewed = data(&renewed);
        assert_eq!(renewed["secrets"].as_array().unwrap().len(), 2);
        assert_eq!(renewed["secrets"][1]["createdAt"], START.seconds() + 60 * day);
        secrets.push(text(&renewed["secret"]));
    }
    assert_eq!((proves(&secrets[0]).await, proves(&secrets[1]).await, proves(&secrets[2]).await), (false, true, true));
    for secret in &secrets {
        assert!(!desk.get(&desk.owner, &path).await.to_string().contains(secret));
    }

    assert_eq!(desk.delete(&desk.owner, &format!("{path}/secrets/older")).await, json!({}));
    assert_eq!((proves(&secrets[1]).await, proves(&secrets[2]).await), (false, true));
    let none = desk.ask(&desk.owner, Method::DELETE, &format!("{path}/secrets/older"), None).await;
    assert_eq!(refusal(&none), refused(404, "not_found", ""));

    let public = desk.post(&desk.owner, "/v1/clients", with(client(), "policy", json!("none"))).await;
    assert_eq!((public.get("secret"), &public["secrets"]), (None, &json!([])));
    let answer = desk.ask(&desk.owner, Method::POST, &format!("/v1/clients/{}/secrets", text(&public["id"])), None).await;
    assert_eq!(refusal(&answer), refused(409, "public_client", ""));
}

#[tokio::test]
async fn a_clients_owner_is_told_what_could_be_better_and_how_to_mend_it() {
    let desk = Desk::new().await;
    let sound = with(with(client(), "policy", json!("none")), "plainPkceAllowed", json!(true));
    let made = desk.post(&desk.owner, "/v1/clients", sound).await;
    let path = format!("/v1/clients/{}", text(&made["id"]));
    let advice = &desk.get(&desk.owner, &path).await["advice"];
    assert_eq!((advice.as_array().unwrap().len(), &advice[0]["advice"], &advice[0]["severity"]), (1, &json!("plain_pkce"), &json!("high")));
    assert!(text(&advice[0]["remedy"]).ends_with('.'), "{advice}");
    assert_eq!(desk.patch(&desk.owner, &path, json!({"plainPkceAllowed": false})).await["advice"], json!([]));

    let confidential = desk.post(&desk.owner, "/v1/clients", client()).await;
    let path = format!("/v1/clients/{}", text(&confidential["id"]));
    let words = |client: &Value| client["advice"].as_array().unwrap().iter().map(|one| text(&one["advice"]).to_owned()).collect::<Vec<_>>();
    assert_eq!(words(&confidential), ["secret_not_demanded", "pkce_not_demanded"]);
    let mended = desk.patch(&desk.owner, &path, json!({"policy": "secret", "pkceRequired": true})).await;
    assert_eq!(words(&mended), [""; 0], "who does as told is told no more");

    let old = format!("/v1/clients/{}", text(&desk.client().await["id"]));
    desk.world.users.enter("owner", Role::User);
    desk.world.clock.advance(Duration::from_secs(366 * 24 * 60 * 60));
    let token = desk.world.tokens_for(&desk.console, "service:manage").await.access;
    let advice = desk.get(&token, &old).await["advice"].to_string();
    assert!(advice.contains("old_secret"), "{advice}");
}

/// Of two changes at once, one that is told to be kept is kept. Fails if a change is written over whatever is there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_changes_at_once_lose_nothing_that_was_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqlStore::sqlite(folder.path().join("school.db")).unwrap();
    let desk = Desk::in_world(World::over(Arc::new(store), |builder| builder).await).await;
    let path = format!("/v1/clients/{}", text(&desk.client().await["id"]));
    let mut conflicts = 0;
    for round in 0..500 {
        let name = format!("Clubs {round}");
        let uri = format!("https://club.example/{round}");
        let (one, two) = (json!({"name": name}), json!({"redirectUris": [uri]}));
        let one = desk.ask(&desk.owner, Method::PATCH, &path, Some(one));
        let (one, two) = tokio::join!(one, desk.ask(&desk.owner, Method::PATCH, &path, Some(two)));
        let now = desk.get(&desk.owner, &path).await;
        for (answer, is_there) in [(one, now["name"] == name), (two, now["redirectUris"] == json!([uri]))] {
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
    panic!("the changes never met");
}

#[tokio::test]
async fn only_an_administrator_gives_a_client_what_the_service_itself_trusts() {
    let desk = Desk::new().await;
    let made = desk.client().await;
    let path = format!("/v1/clients/{}", text(&made["id"]));
    for name in ["firstParty", "clientCredentialsAllowed"] {
        let wish = with(with(client(), name, json!(true)), "policy", json!("secret"));
        let answer = desk.ask(&desk.owner, Method::POST, "/v1/clients", Some(wish.clone())).await;
        assert_eq!(refusal(&answer), refused(403, "administrators_only", name));
        assert_eq!(desk.post(&desk.admin, "/v1/clients", wish).await[name], true);
        let answer = desk.ask(&desk.owner, Method::PATCH, &path, Some(with(json!({}), name, json!(true)))).await;
        assert_eq!(refusal(&answer), refused(403, "administrators_only", name));
        desk.patch(&desk.owner, &path, with(json!({}), name, json!(false))).await; // as it was
    }
    let public = json!({"policy": "none", "clientCredentialsAllowed": true});
    let answer = desk.ask(&desk.admin, Method::PATCH, &path, Some(public)).await;
    assert_eq!(refusal(&answer), refused(400, "field_invalid", "clientCredentialsAllowed"), "decisions 3.16");

    // Once it is one of the service's own, whoever could send its users elsewhere could manage in everybody's name.
    let manager = json!({"firstParty": true, "allowedScopes": ["service:manage"]});
    assert_eq!(desk.patch(&desk.admin, &path, manager).await["owner"], "owner");
    assert_eq!(desk.get(&desk.owner, &path).await["firstParty"], true);
    let tries = [
        (Method::PATCH, path.clone(), Some(json!({"redirectUris": ["https://evil.example/"]}))),
        (Method::PATCH, path.clone(), Some(json!({"firstParty": false}))),
        (Method::POST, format!("{path}/secrets"), None),
        (Method::DELETE, format!("{path}/secrets/older"), None),
        (Method::DELETE, path.clone(), None),
    ];
    for (method, path, body) in tries {
        let answer = desk.ask(&desk.owner, method.clone(), &path, body).await;
        assert_eq!(refusal(&answer), refused(403, "administrators_only", ""), "{method} {path}");
    }
    let owner: SubjectId = "owner".parse().unwrap();
    assert_eq!(desk.world.store.client(text(&made["id"]).parse().unwrap()).await.unwrap().unwrap().owner, owner);
    let answer = desk.ask(&desk.admin, Method::PATCH, &path, Some(json!({"firstParty": false}))).await;
    assert_eq!(refusal(&answer), refused(400, "field_invalid", "allowedScopes"), "decisions 3.21");
}
