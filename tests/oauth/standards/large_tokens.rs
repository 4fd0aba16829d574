//! The longest tokens: every issued token can be verified.

use lyceum::domain::{
    ApplicationId, ClientPolicy, Role, Scope, ScopeDefinition, ScopeId, ScopeSet, Translations,
};
use lyceum::store::ScopeCreation;
use serde_json::json;

use super::revoke::revoke_fields;
use crate::token::harness::*;

/// Two hundred scopes of these applications, with names of this length.
async fn scopes(harness: &Harness, applications: &[ApplicationId], length: usize) -> Vec<Scope> {
    let mut scopes = Vec::new();
    for number in 0..200 {
        let name = format!("{number:03}{}", "x".repeat(length - 3))
            .parse()
            .unwrap();
        let scope = Scope {
            application: applications[number % applications.len()],
            name,
        };
        let definition = ScopeDefinition {
            id: ScopeId::from_random(harness.entropy.bytes()),
            scope: scope.clone(),
            description: "Anything".parse().unwrap(),
            application_name: "Timetable".parse().unwrap(),
            description_translations: Translations::default(),
            application_name_translations: Translations::default(),
            approval_required: false,
        };
        assert_eq!(
            harness.store.create_scope(definition).await.unwrap(),
            ScopeCreation::Created
        );
        scopes.push(scope);
    }
    scopes
}

/// Fails if more scopes are granted than the verifier reads: such a token could not be used,
/// introspected or revoked.
#[tokio::test]
async fn the_longest_tokens_that_are_issued_are_read_and_longer_ones_are_refused_before_they_are_issued()
 {
    let harness = Harness::new().await;
    harness.users.sign_in_as("kim", Role::Admin);
    harness
        .users
        .set_email_and_role(&format!("{}@school.example", "k".repeat(64)), Role::Admin);
    for (applications, length) in [(1, 3), (1, 100), (200, 3), (7, 20)] {
        let mut ids = Vec::new();
        for _ in 0..applications {
            ids.push(harness.application("owner").await);
        }
        let all = scopes(&harness, &ids, length).await;
        let allowed: ScopeSet = all.iter().cloned().collect();
        let client = harness.client_with(ClientPolicy::Secret, |client| {
            (client.allowed_scopes, client.client_credentials_allowed) = (allowed.clone(), true);
        });
        let client = client.await;
        let first = |count: usize| {
            all[..count]
                .iter()
                .cloned()
                .collect::<ScopeSet>()
                .to_string()
        };
        let fields = |scopes: &str| {
            let fields = [
                ("grant_type", "client_credentials"),
                ("client_id", &client.id),
                ("client_secret", &client.secrets[0]),
            ];
            Fields::new(&fields).with("scope", scopes)
        };

        let (mut good, mut too_many) = (1, 200);
        while too_many - good > 1 {
            let middle = usize::midpoint(good, too_many);
            if harness.post(&fields(&first(middle))).await.status == 200 {
                good = middle
            } else {
                too_many = middle
            }
        }
        let longest = harness.post(&fields(&first(good))).await.json()["access_token"]
            .as_str()
            .unwrap()
            .to_owned();
        assert!(
            longest.len() > 4 * 1024,
            "{} bytes of {good} scopes leave room for more",
            longest.len()
        );
        assert_eq!(
            harness.introspect(&client, &longest).await["active"],
            true,
            "{good} scopes, {} bytes",
            longest.len()
        );
        assert_eq!(
            harness.post(&fields(&first(too_many))).await.error(),
            error(400, "invalid_scope")
        );
        assert_eq!(
            harness.post(&fields("")).await.error(),
            error(400, "invalid_scope"),
            "all that are allowed are too many as well"
        );

        let tokens = harness.tokens_for(&client, &first(good)).await;
        assert_eq!(
            harness.introspect(&client, &tokens.access).await["active"],
            true,
            "{} bytes",
            tokens.access.len()
        );
        assert_eq!(
            harness
                .send(revoke_fields(&client, &tokens.access).to_request("/v1/oauth/revoke"))
                .await
                .status,
            200
        );
        assert_eq!(
            harness.introspect(&client, &tokens.refresh).await,
            json!({"active": false})
        );

        let at = |scopes: &str| {
            let redirect = "redirect_uri=https%3A%2F%2Fapp.example%2Fcallback&response_type=code";
            let scopes = scopes.replace(':', "%3A").replace(' ', "+");
            format!(
                "/v1/oauth/authorize?client_id={}&{redirect}&scope={scopes}",
                client.id
            )
        };
        assert_eq!(harness.get(&at(&first(good))).await.status, 303);
        for too_many in [first(too_many), String::new()] {
            assert_eq!(
                harness.get(&at(&too_many)).await.error(),
                error(400, "invalid_scope")
            );
        }
    }
}
