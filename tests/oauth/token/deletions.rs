//! Token requests after scopes, clients or secrets were deleted.

use lyceum::domain::{
    Application, ApplicationId, ClientId, ClientPolicy, ClientSecret, ClientSettings,
    RegisteredSecret, Scope, ScopeDefinition, ScopeId, ScopeSet, SubjectId, Translations,
};
use lyceum::store::{
    ClientDeletion, ClientUpdate, Creation, RegistryChange, ScopeCreation, SecretAddition,
    SecretRemoval,
};

use super::harness::*;

const APPLICATION: [u8; 16] = [7; 16];

/// An application with the scopes `read` and `write`; returns them as a scope parameter.
async fn application(harness: &Harness) -> String {
    let id = ApplicationId::from_random(APPLICATION);
    let name: lyceum::domain::ShortText = "Timetable".parse().unwrap();
    let kept = Application {
        id,
        name: name.clone(),
        name_translations: Translations::default(),
        owner: SubjectId::service(),
        created_at: START,
    };
    assert_eq!(
        harness.store.create_application(kept).await.unwrap(),
        Creation::Created
    );
    for (number, name_of_scope) in [(8, "read"), (9, "write")] {
        let definition = ScopeDefinition {
            id: ScopeId::from_random([number; 16]),
            scope: Scope {
                application: id,
                name: name_of_scope.parse().unwrap(),
            },
            description: "Something of timetables".parse().unwrap(),
            application_name: name.clone(),
            description_translations: Translations::default(),
            application_name_translations: Translations::default(),
            approval_required: false,
        };
        assert_eq!(
            harness.store.create_scope(definition).await.unwrap(),
            ScopeCreation::Created
        );
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

// Proves: spec 3.17, threats 20
/// Fails if a deleted scope stays in grants.
#[tokio::test]
async fn a_refresh_issues_the_remaining_scopes_and_fails_without_any() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let scopes = application(&harness).await;
    let first = harness
        .post(&exchange(
            &client,
            &harness.code_for(&client, Some(s256()), &scopes).await,
        ))
        .await
        .tokens();
    assert_eq!(first.scope, scopes);

    assert_eq!(
        harness
            .store
            .delete_scope(ScopeId::from_random([9; 16]))
            .await
            .unwrap(),
        RegistryChange::Done
    );
    let second = harness.refresh(&client, &first.refresh).await.tokens();
    let left = scopes.split(' ').next().unwrap();
    assert_eq!(
        (
            second.scope.as_str(),
            &harness.claims(&second.access).await["scopes"]
        ),
        (left, &serde_json::json!([left]))
    );

    assert_eq!(
        harness
            .store
            .delete_application(ApplicationId::from_random(APPLICATION))
            .await
            .unwrap(),
        RegistryChange::Done
    );
    for _ in 0..2 {
        assert_eq!(
            harness.refresh(&client, &second.refresh).await.error(),
            error(400, "invalid_scope"),
            "the token is not consumed"
        );
    }
    assert!(harness.is_live(&second.access).await, "the grant stays");
}

/// Fails if a shorter list affects grants without the option, or does not with it.
#[tokio::test]
async fn a_shorter_list_of_a_client_reaches_its_grants_at_the_next_refresh_where_the_host_wants_that()
 {
    for limits in [false, true] {
        let harness = Harness::with_settings(|builder| {
            if limits {
                builder.refresh_within_allowed_scopes()
            } else {
                builder
            }
        })
        .await;
        let client = harness.client(ClientPolicy::Public).await;
        let first = harness.tokens(&client).await;
        let allow = async |scopes: &str| {
            let id = client.id.parse().unwrap();
            let seen = harness.store.client(id).await.unwrap().unwrap().settings();
            let narrowed = ClientSettings {
                allowed_scopes: ScopeSet::parse(scopes).unwrap(),
                ..seen.clone()
            };
            assert_eq!(
                harness
                    .store
                    .update_client(id, &seen, narrowed)
                    .await
                    .unwrap(),
                ClientUpdate::Updated
            );
        };
        allow("service:self_read").await;
        let second = harness.refresh(&client, &first.refresh).await.tokens();
        assert_eq!(
            second.scope,
            if limits { "service:self_read" } else { SCOPES }
        );
        allow("").await;
        let third = harness.refresh(&client, &second.refresh).await;
        match limits {
            true => assert_eq!(third.error(), error(400, "invalid_scope")),
            false => assert_eq!(third.tokens().scope, SCOPES),
        }
        allow(SCOPES).await;
        let token = if limits {
            second.refresh
        } else {
            third.tokens().refresh
        };
        assert_eq!(
            harness.refresh(&client, &token).await.tokens().scope,
            SCOPES,
            "the grant itself has kept its scopes"
        );
    }
}

// Proves: spec 3.17
#[tokio::test]
async fn a_code_whose_scopes_are_all_gone_issues_nothing() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Public).await;
    let scopes = application(&harness).await;
    let code = harness.code_for(&client, Some(s256()), &scopes).await;
    assert_eq!(
        harness
            .store
            .delete_application(ApplicationId::from_random(APPLICATION))
            .await
            .unwrap(),
        RegistryChange::Done
    );
    assert_eq!(
        harness.post(&exchange(&client, &code)).await.error(),
        error(400, "invalid_scope")
    );
}

// Proves: spec 3.17
#[tokio::test]
async fn a_deleted_client_is_unknown_and_its_tokens_are_dead() {
    let harness = Harness::new().await;
    let client = harness.user_owned_client(ClientPolicy::Public).await;
    let tokens = harness.tokens(&client).await;
    let code = harness.code(&client, Some(s256())).await;
    assert_eq!(
        harness
            .store
            .delete_client(client.id.parse().unwrap(), START)
            .await
            .unwrap(),
        ClientDeletion::Deleted
    );
    assert!(!harness.is_live(&tokens.access).await);
    assert_eq!(
        harness.refresh(&client, &tokens.refresh).await.error(),
        error(401, "invalid_client")
    );
    assert_eq!(
        harness.post(&exchange(&client, &code)).await.error(),
        error(401, "invalid_client")
    );
}

// Proves: spec 3.11
#[tokio::test]
async fn a_secret_is_renewed_without_a_gap() {
    let harness = Harness::new().await;
    let client = harness.client(ClientPolicy::Secret).await;
    let id: ClientId = client.id.parse().unwrap();
    let third = ClientSecret::from_random([3; 32]);
    let proves = async |secret: &str| {
        let code = harness.code(&client, Some(s256())).await;
        harness
            .post(&exchange(&client, &code).with("client_secret", secret))
            .await
            .status
            == 200
    };
    let [first, second] = &client.secrets;
    assert!(proves(first).await && proves(second).await && !proves(third.expose()).await);
    let registered = RegisteredSecret::new(&third, START);
    assert_eq!(
        harness
            .store
            .add_client_secret(id, registered)
            .await
            .unwrap(),
        SecretAddition::Added
    );
    assert!(
        !proves(first).await && proves(second).await && proves(third.expose()).await,
        "the third replaced the oldest"
    );
    assert_eq!(
        harness.store.remove_older_secret(id).await.unwrap(),
        SecretRemoval::Removed
    );
    assert!(
        !proves(second).await && proves(third.expose()).await,
        "the older one is invalid at once"
    );
}
