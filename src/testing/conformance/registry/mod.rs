pub(super) mod clients;
pub(super) mod limits;

use super::fixtures::{application, count, definition, in_korean, owner, scope};
use super::store_under_test::{CONCURRENT_CALLERS, ExpectOk, StoreUnderTest};
use crate::domain::{Application, ApplicationId, ScopeDefinition, ScopeId, ShortText};
use crate::store::{Creation, ScopeCreation};

cases! { Storage, registry as __conformance_registry:
    an_application_is_kept_unless_its_id_is_taken
    a_scope_name_is_unique_in_its_application
    a_scope_needs_its_application
    a_scope_tells_the_name_of_its_application
    of_many_applications_with_one_id_one_is_kept
    of_many_scopes_with_one_name_one_is_kept
}

async fn an_application_is_kept_unless_its_id_is_taken(store: &StoreUnderTest) {
    let first = application(1);
    store.fixtures().create_application(first.clone()).await;
    assert_eq!(
        store
            .create_application(Application {
                name: ShortText::from_static("Other"),
                ..first.clone()
            })
            .await
            .expect_ok(),
        Creation::AlreadyExists
    );
    assert_eq!(
        store.application(first.id).await.expect_ok(),
        Some(first),
        "a refused application changes nothing"
    );
    let namesake = Application {
        name: application(1).name,
        ..application(2)
    };
    assert_eq!(
        store.create_application(namesake).await.expect_ok(),
        Creation::Created,
        "a name may be used twice"
    );
    assert_eq!(store.application(application(3).id).await.expect_ok(), None);
    let impostor = Application {
        owner: owner(),
        ..Application::built_in()
    };
    assert_eq!(
        store.create_application(impostor).await.expect_ok(),
        Creation::AlreadyExists,
        "the built-in application exists already"
    );
    assert_eq!(
        store.application(ApplicationId::Service).await.expect_ok(),
        Some(Application::built_in())
    );
}

async fn a_scope_name_is_unique_in_its_application(store: &StoreUnderTest) {
    let [one, other] = [application(1), application(2)];
    for application in [&one, &other] {
        store
            .fixtures()
            .create_application(application.clone())
            .await;
    }
    let kept = definition(1, &one, "read");
    store.fixtures().create_scope(kept.clone()).await;
    assert_eq!(
        store
            .create_scope(definition(2, &one, "read"))
            .await
            .expect_ok(),
        ScopeCreation::NameTaken
    );
    assert_eq!(
        store
            .create_scope(definition(1, &one, "write"))
            .await
            .expect_ok(),
        ScopeCreation::NameTaken,
        "the id is taken"
    );
    assert_eq!(
        store
            .create_scope(definition(3, &other, "read"))
            .await
            .expect_ok(),
        ScopeCreation::Created,
        "another application may use the name"
    );
    let asked = [scope(one.id, "read"), scope(one.id, "write")]
        .into_iter()
        .collect();
    assert_eq!(
        store.scope_definitions(&asked).await.expect_ok(),
        [kept],
        "refused definitions change nothing"
    );
}

async fn a_scope_needs_its_application(store: &StoreUnderTest) {
    let absent = definition(1, &application(1), "read");
    assert_eq!(
        store.create_scope(absent.clone()).await.expect_ok(),
        ScopeCreation::UnknownApplication
    );
    assert_eq!(
        store
            .scope_definitions(&[absent.scope].into_iter().collect())
            .await
            .expect_ok(),
        []
    );
}

async fn a_scope_tells_the_name_of_its_application(store: &StoreUnderTest) {
    let application = application(1);
    store
        .fixtures()
        .create_application(application.clone())
        .await;
    let pretended = ScopeDefinition {
        application_name: ShortText::from_static("Your bank"),
        application_name_translations: in_korean("내 은행"),
        ..definition(1, &application, "read")
    };
    store.fixtures().create_scope(pretended.clone()).await;
    let definitions = store
        .scope_definitions(&[pretended.scope].into_iter().collect())
        .await
        .expect_ok();
    assert_eq!(
        definitions,
        [definition(1, &application, "read")],
        "the names are the application's, whatever the definition contains"
    );
}

fn number(caller: usize) -> u8 {
    u8::try_from(caller).unwrap_or_default()
}

async fn of_many_applications_with_one_id_one_is_kept(store: &StoreUnderTest) {
    let answers = store.race(async |store, caller| {
        let contender = Application {
            name: format!("Racer {caller}").parse().expect("a line"),
            ..application(1)
        };
        (
            contender.clone(),
            store.create_application(contender).await.expect_ok(),
        )
    });
    let winners: Vec<_> = answers
        .into_iter()
        .filter(|(_, answer)| *answer == Creation::Created)
        .map(|(contender, _)| contender)
        .collect();
    assert_eq!(
        winners.len(),
        1,
        "of {CONCURRENT_CALLERS} applications with one id exactly one is created"
    );
    assert_eq!(
        store.application(application(1).id).await.expect_ok(),
        winners.into_iter().next()
    );
}

async fn of_many_scopes_with_one_name_one_is_kept(store: &StoreUnderTest) {
    let application = application(1);
    store
        .fixtures()
        .create_application(application.clone())
        .await;
    let contender = |caller: usize| ScopeDefinition {
        id: ScopeId::from_random([u8::try_from(caller + 10).unwrap_or_default(); 16]),
        ..definition(1, &application, "read")
    };
    let answers =
        store.race(async |store, caller| store.create_scope(contender(caller)).await.expect_ok());
    assert_eq!(
        count(&answers, |answer| *answer == ScopeCreation::Created),
        1,
        "of {CONCURRENT_CALLERS} scopes with one name exactly one is created"
    );
    let winner = answers
        .iter()
        .position(|answer| *answer == ScopeCreation::Created)
        .map(contender);
    let definitions = store
        .scope_definitions(&[scope(application.id, "read")].into_iter().collect())
        .await
        .expect_ok();
    assert_eq!(
        definitions.into_iter().next(),
        winner,
        "the stored scope is the one that was created"
    );
}
