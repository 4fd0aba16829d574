//! What the token endpoint says of scopes, clients and secrets that are gone.

use lyceum::domain::{
    Application, ApplicationId, ClientId, ClientPolicy, ClientSecret, ClientSettings, RegisteredSecret, Scope, ScopeDefinition, ScopeId,
    ScopeSet, SubjectId,
};
use lyceum::store::{ClientDeletion, ClientUpdate, Creation, RegistryChange, ScopeCreation, SecretAddition, SecretRemoval};

use super::world::*;

const APPLICATION: [u8; 16] = [7; 16];

/// An application with the scopes `read` and `write`, as they travel.
async fn application(world: &World) -> String {
    let id = ApplicationId::from_random(APPLICATION);
    let name: lyceum::domain::Line = "Timetable".parse().unwrap();
    let kept = Application { id, name: name.clone(), owner: SubjectId::service(), created_at: START };
    assert_eq!(world.store.create_application(kept).await.unwrap(), Creation::Created);
    for (number, name_of_scope) in [(8, "read"), (9, "write")] {
        let definition = ScopeDefinition {
            id: ScopeId::from_random([number; 16]),
            scope: Scope { application: id, name: name_of_scope.parse().unwrap() },
            description: "Something of timetables".parse().unwrap(),
            application_name: name.clone(),
            approval_required: false,
        };
        assert_eq!(world.store.create_scope(definition).await.unwrap(), ScopeCreation::Created);
    }
    format!("{id}:read {id}:write")
}

fn exchange(client: &TestClient, code: &str) -> Fields {
    Fields::new(&[
        ("grant_type", "authorization_code"),
        ("client_id", &client.id),
        ("code", code),
        ("redirect_uri", CALLBACK),
        ("code_verifier", VERIFIER),
    ])
}

/// Fails if a deleted scope stays in grants.
#[tokio::test]
async fn s20_decision_3_17_a_refresh_issues_what_is_left_and_nothing_when_nothing_is() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Public).await;
    let scopes = application(&world).await;
    let first = world.post(&exchange(&client, &world.code_for(&client, Some(s256()), &scopes).await)).await.tokens();
    assert_eq!(first.scope, scopes);

    assert_eq!(world.store.delete_scope(ScopeId::from_random([9; 16])).await.unwrap(), RegistryChange::Done);
    let second = world.refresh(&client, &first.refresh).await.tokens();
    let left = scopes.split(' ').next().unwrap();
    assert_eq!((second.scope.as_str(), &world.claims(&second.access).await["scopes"]), (left, &serde_json::json!([left])));

    assert_eq!(world.store.delete_application(ApplicationId::from_random(APPLICATION)).await.unwrap(), RegistryChange::Done);
    for _ in 0..2 {
        assert_eq!(world.refresh(&client, &second.refresh).await.error(), error(400, "invalid_scope"), "the token is not used up");
    }
    assert!(world.is_live(&second.access).await, "the grant stays");
}

/// Fails if a shorter list reaches grants where the host did not ask for it, or does not where it did.
#[tokio::test]
async fn a_shorter_list_of_a_client_reaches_its_grants_at_the_next_refresh_where_the_host_wants_that() {
    for limits in [false, true] {
        let world = World::with(|builder| if limits { builder.refresh_within_allowed_scopes() } else { builder }).await;
        let client = world.client(ClientPolicy::Public).await;
        let first = world.tokens(&client).await;
        let allow = async |scopes: &str| {
            let id = client.id.parse().unwrap();
            let seen = world.store.client(id).await.unwrap().unwrap().settings();
            let narrowed = ClientSettings { allowed_scopes: ScopeSet::parse(scopes).unwrap(), ..seen.clone() };
            assert_eq!(world.store.update_client(id, &seen, narrowed).await.unwrap(), ClientUpdate::Updated);
        };
        allow("service:self_read").await;
        let second = world.refresh(&client, &first.refresh).await.tokens();
        assert_eq!(second.scope, if limits { "service:self_read" } else { SCOPES });
        allow("").await;
        let third = world.refresh(&client, &second.refresh).await;
        match limits {
            true => assert_eq!(third.error(), error(400, "invalid_scope")),
            false => assert_eq!(third.tokens().scope, SCOPES),
        }
        allow(SCOPES).await;
        let token = if limits { second.refresh } else { third.tokens().refresh };
        assert_eq!(world.refresh(&client, &token).await.tokens().scope, SCOPES, "the grant itself has kept its scopes");
    }
}

#[tokio::test]
async fn decision_3_17_a_code_whose_scopes_are_all_gone_issues_nothing() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Public).await;
    let scopes = application(&world).await;
    let code = world.code_for(&client, Some(s256()), &scopes).await;
    assert_eq!(world.store.delete_application(ApplicationId::from_random(APPLICATION)).await.unwrap(), RegistryChange::Done);
    assert_eq!(world.post(&exchange(&client, &code)).await.error(), error(400, "invalid_scope"));
}

#[tokio::test]
async fn decision_3_17_a_deleted_client_is_unknown_and_its_tokens_are_dead() {
    let world = World::new().await;
    let client = world.user_owned_client(ClientPolicy::Public).await;
    let tokens = world.tokens(&client).await;
    let code = world.code(&client, Some(s256())).await;
    assert_eq!(world.store.delete_client(client.id.parse().unwrap(), START).await.unwrap(), ClientDeletion::Deleted);
    assert!(!world.is_live(&tokens.access).await);
    assert_eq!(world.refresh(&client, &tokens.refresh).await.error(), error(401, "invalid_client"));
    assert_eq!(world.post(&exchange(&client, &code)).await.error(), error(401, "invalid_client"));
}

#[tokio::test]
async fn decision_3_11_a_secret_is_renewed_without_a_gap() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Secret).await;
    let id: ClientId = client.id.parse().unwrap();
    let third = ClientSecret::from_random([3; 32]);
    let proves = async |secret: &str| {
        let code = world.code(&client, Some(s256())).await;
        world.post(&exchange(&client, &code).with("client_secret", secret)).await.status == 200
    };
    let [first, second] = &client.secrets;
    assert!(proves(first).await && proves(second).await && !proves(third.expose()).await);
    let registered = RegisteredSecret { digest: third.digest(), created_at: START };
    assert_eq!(world.store.add_client_secret(id, registered).await.unwrap(), SecretAddition::Added);
    assert!(!proves(first).await && proves(second).await && proves(third.expose()).await, "the third took the place of the oldest");
    assert_eq!(world.store.remove_older_secret(id).await.unwrap(), SecretRemoval::Removed);
    assert!(!proves(second).await && proves(third.expose()).await, "the older one went at once");
}
