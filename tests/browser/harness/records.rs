//! Records in the harness's store.

use lyceum::crypto::Entropy;
use lyceum::domain::{
    ApiKey, ApiKeyId, ApiKeySecret, ApiScopes, Application, ApplicationId, Client, ClientId,
    ClientPolicy, ClientSecret, RegisteredSecret, Scope, ScopeDefinition, ScopeId, ScopeSet,
    ShortText, SubjectId, Translations, Verification,
};
use lyceum::http::Clock;
use lyceum::store::memory::MemoryStore;
use lyceum::store::{ClientRegistry, Creation, ScopeCreation};
use lyceum::testing::ManualClock;

use super::{Names, bytes, random};

pub(super) async fn application(
    store: &MemoryStore,
    names: Names,
    owner: &SubjectId,
    clock: &ManualClock,
    entropy: &dyn Entropy,
) -> (ApplicationId, [Scope; 2], [ScopeId; 2]) {
    let (id, name): (_, ShortText) = (
        ApplicationId::from_random(bytes(entropy)),
        names.application.parse().unwrap(),
    );
    let application = Application {
        id,
        name: name.clone(),
        name_translations: Translations::default(),
        owner: owner.clone(),
        created_at: clock.now(),
    };
    assert_eq!(
        store.create_application(application).await.unwrap(),
        Creation::Created
    );
    let (mut scopes, mut ids) = (Vec::new(), Vec::new());
    for (scope, description) in names.scopes {
        let definition = ScopeDefinition {
            id: ScopeId::from_random(bytes(entropy)),
            scope: Scope {
                application: id,
                name: scope.parse().unwrap(),
            },
            description: description.parse().unwrap(),
            application_name: name.clone(),
            description_translations: Translations::default(),
            application_name_translations: Translations::default(),
            approval_required: false,
        };
        scopes.push(definition.scope.clone());
        ids.push(definition.id);
        assert_eq!(
            store.create_scope(definition).await.unwrap(),
            ScopeCreation::Created
        );
    }
    (id, scopes.try_into().unwrap(), ids.try_into().unwrap())
}

pub(super) fn client(
    name: &str,
    owner: &SubjectId,
    secret: &ClientSecret,
    callback: &str,
    scopes: &[Scope],
    clock: &ManualClock,
) -> Client {
    Client {
        id: ClientId::from_random(random()),
        name: name.parse().unwrap(),
        owner: owner.clone(),
        policy: ClientPolicy::Secret,
        secrets: vec![RegisteredSecret::new(secret, clock.now())],
        redirect_uris: vec![callback.parse().unwrap()],
        allowed_scopes: scopes.iter().cloned().collect::<ScopeSet>(),
        plain_pkce_allowed: false,
        pkce_required: false,
        first_party: false,
        client_credentials_allowed: false,
        iss_omitted: false,
        policy_uri: None,
        verification: Verification::Assumed,
        created_at: clock.now(),
        suspended_at: None,
    }
}

/// A key with every scope, and its value.
pub(super) fn api_key(
    description: &str,
    owner: &SubjectId,
    clock: &ManualClock,
    entropy: &dyn Entropy,
) -> (ApiKey, ApiKeySecret) {
    let secret = ApiKeySecret::from_random(bytes(entropy));
    let key = ApiKey::new(
        ApiKeyId::from_random(bytes(entropy)),
        &secret,
        description.parse().unwrap(),
        ApiScopes::built_in(),
        clock.now(),
    );
    let key = ApiKey {
        owner: Some(owner.clone()),
        ..key
    };
    (key, secret)
}
