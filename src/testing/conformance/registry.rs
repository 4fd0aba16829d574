use super::candidate::{Answered, Candidate, RACERS};
use super::given::{application, at, client, count, definition, owner, scope, scopes};
use crate::domain::{
    Application, ApplicationId, Client, ClientFault, ClientId, ClientPolicy, ClientSecretDigest, Line, PageRequest, RegisteredSecret,
    Scope, ScopeDefinition, ScopeId, ScopeSet,
};
use crate::store::{ClientCreation, ClientDeletion, ClientFilter, Creation, Issuance, RegistryChange, ScopeCreation};

pub(super) async fn the_service_and_its_scopes_are_there_from_the_start(store: &Candidate) {
    assert_eq!(store.application(ApplicationId::Service).await.answered(), Some(Application::of_the_service()));
    let definitions = store.scope_definitions(&scopes()).await.answered();
    assert_eq!(definitions, ScopeDefinition::of_the_service(), "every store holds the default scopes");
}

pub(super) async fn an_application_is_kept_unless_its_id_is_taken(store: &Candidate) {
    let first = application(1);
    assert_eq!(store.create_application(first.clone()).await.answered(), Creation::Created);
    assert_eq!(store.create_application(Application { name: Line::literal("Other"), ..first.clone() }).await.answered(), Creation::Taken);
    assert_eq!(store.application(first.id).await.answered(), Some(first), "a refused application changes nothing");
    let namesake = Application { name: application(1).name, ..application(2) };
    assert_eq!(store.create_application(namesake).await.answered(), Creation::Created, "a name may be used twice");
    assert_eq!(store.application(application(3).id).await.answered(), None);
    let impostor = Application { owner: owner(), ..Application::of_the_service() };
    assert_eq!(store.create_application(impostor).await.answered(), Creation::Taken, "the service's own application is there already");
}

pub(super) async fn a_scope_name_is_unique_in_its_application(store: &Candidate) {
    let [one, other] = [application(1), application(2)];
    for application in [&one, &other] {
        assert_eq!(store.create_application(application.clone()).await.answered(), Creation::Created);
    }
    let kept = definition(1, &one, "read");
    assert_eq!(store.create_scope(kept.clone()).await.answered(), ScopeCreation::Created);
    assert_eq!(store.create_scope(definition(2, &one, "read")).await.answered(), ScopeCreation::NameTaken);
    assert_eq!(store.create_scope(definition(1, &one, "write")).await.answered(), ScopeCreation::NameTaken, "the id is taken");
    assert_eq!(
        store.create_scope(definition(3, &other, "read")).await.answered(),
        ScopeCreation::Created,
        "another application is free to use the name"
    );
    let asked = [scope(one.id, "read"), scope(one.id, "write")].into_iter().collect();
    assert_eq!(store.scope_definitions(&asked).await.answered(), [kept], "refused definitions change nothing");
}

pub(super) async fn a_scope_needs_its_application(store: &Candidate) {
    let absent = definition(1, &application(1), "read");
    assert_eq!(store.create_scope(absent.clone()).await.answered(), ScopeCreation::UnknownApplication);
    assert_eq!(store.scope_definitions(&[absent.scope].into_iter().collect()).await.answered(), []);
}

pub(super) async fn a_scope_tells_the_name_of_its_application(store: &Candidate) {
    let application = application(1);
    assert_eq!(store.create_application(application.clone()).await.answered(), Creation::Created);
    let pretended = ScopeDefinition { application_name: Line::literal("Your bank"), ..definition(1, &application, "read") };
    assert_eq!(store.create_scope(pretended.clone()).await.answered(), ScopeCreation::Created);
    let definitions = store.scope_definitions(&[pretended.scope].into_iter().collect()).await.answered();
    assert_eq!(definitions, [definition(1, &application, "read")], "the name is the application's, whatever the definition says");
}

pub(super) async fn definitions_come_in_the_order_in_which_they_were_asked_for(store: &Candidate) {
    let application = application(1);
    assert_eq!(store.create_application(application.clone()).await.answered(), Creation::Created);
    for (number, name) in [(1, "b"), (2, "a"), (3, "c")] {
        assert_eq!(store.create_scope(definition(number, &application, name)).await.answered(), ScopeCreation::Created);
    }
    let of = |name| scope(application.id, name);
    let asked: ScopeSet = [of("c"), of("missing"), Scope::manage(), of("a"), of("b"), Scope::self_read()].into_iter().collect();
    let answer: Vec<_> = store.scope_definitions(&asked).await.answered().into_iter().map(|definition| definition.scope).collect();
    assert_eq!(answer, [of("c"), Scope::manage(), of("a"), of("b"), Scope::self_read()], "in their order, without those that do not exist");
    assert_eq!(store.scope_definitions(&ScopeSet::default()).await.answered(), []);
}

pub(super) async fn many_applications_come_in_the_order_in_which_they_were_asked_for(store: &Candidate) {
    for number in 1..=5 {
        assert_eq!(store.create_application(application(number)).await.answered(), Creation::Created);
    }
    let ids = [3, 1, 9, 3, 5].map(|number| application(number).id);
    let found = store.applications_by_id(&ids).await.answered();
    assert_eq!(found, [3, 1, 5].map(application), "each once, in their order, without those that do not exist");
    assert_eq!(store.applications_by_id(&[ApplicationId::Service]).await.answered(), [Application::of_the_service()]);
    assert_eq!(store.applications_by_id(&[]).await.answered(), []);
}

pub(super) async fn many_clients_come_whole_in_the_order_in_which_they_were_asked_for(store: &Candidate) {
    for number in 1..=5 {
        assert_eq!(store.create_client(client(number)).await.answered(), ClientCreation::Created);
    }
    let ids = [3, 1, 9, 3, 5].map(|number| client(number).id);
    let found: Vec<_> = store.clients_by_id(&ids).await.answered().iter().map(|client| Client::clone(client)).collect();
    assert_eq!(found, [3, 1, 5].map(client), "each once, in their order, with scopes and secrets, without those that do not exist");
    assert_eq!(store.clients_by_id(&[]).await.answered(), []);
}

pub(super) async fn a_client_is_found_as_it_was_kept(store: &Candidate) {
    let application = application(1);
    assert_eq!(store.create_application(application.clone()).await.answered(), Creation::Created);
    assert_eq!(store.create_scope(definition(1, &application, "read")).await.answered(), ScopeCreation::Created);
    let secret = |number| RegisteredSecret { digest: ClientSecretDigest::from_bytes([number; 32]), created_at: at(i64::from(number)) };
    for (number, policy) in (1..).zip(ClientPolicy::ALL) {
        let public = *policy == ClientPolicy::Public;
        let kept = Client {
            policy: *policy,
            secrets: if public { Vec::new() } else { vec![secret(9), secret(3)] },
            redirect_uris: ["https://z.example/", "http://127.0.0.1/cb", "com.example.app:/cb"]
                .map(|uri| uri.parse().expect("a redirect URI"))
                .into(),
            allowed_scopes: [Scope::self_read(), scope(application.id, "read"), Scope::manage()].into_iter().collect(),
            plain_pkce_allowed: !public,
            pkce_required: number == 2,
            client_credentials_allowed: !public,
            ..client(number)
        };
        assert_eq!(store.create_client(kept.clone()).await.answered(), ClientCreation::Created);
        assert_eq!(found(store, kept.id).await, Some(kept), "secrets, redirect URIs and scopes keep their order");
    }
    assert_eq!(found(store, client(99).id).await, None);
}

pub(super) async fn a_client_needs_a_free_id_and_scopes_that_exist(store: &Candidate) {
    let first = client(1);
    assert_eq!(store.create_client(first.clone()).await.answered(), ClientCreation::Created);
    assert_eq!(store.create_client(Client { name: Line::literal("Other"), ..client(1) }).await.answered(), ClientCreation::Taken);
    assert_eq!(found(store, first.id).await, Some(first), "a refused client changes nothing");
    let missing = scope(application(1).id, "read");
    let eager = Client { allowed_scopes: [Scope::self_read(), missing.clone()].into_iter().collect(), ..client(2) };
    assert_eq!(store.create_client(eager.clone()).await.answered(), ClientCreation::UnknownScope(missing));
    assert_eq!(found(store, eager.id).await, None, "a refused client is not kept");
    let modest = Client { allowed_scopes: ScopeSet::default(), ..client(2) };
    assert_eq!(
        store.create_client(modest.clone()).await.answered(),
        ClientCreation::Created,
        "a client may have no scope, and its id is still free"
    );
    assert_eq!(found(store, modest.id).await, Some(modest));
}

pub(super) async fn a_client_that_breaks_a_rule_is_refused(store: &Candidate) {
    let stranger = Client { first_party: false, ..client(1) };
    assert_eq!(
        store.create_client(stranger.clone()).await.answered(),
        ClientCreation::Refused(ClientFault::ManageIsForFirstParties),
        "service:manage is for the service's own clients"
    );
    assert_eq!(found(store, stranger.id).await, None, "a refused client is not kept");
    let anyone = Client { policy: ClientPolicy::Public, secrets: Vec::new(), client_credentials_allowed: true, ..client(1) };
    assert_eq!(
        store.create_client(anyone).await.answered(),
        ClientCreation::Refused(ClientFault::PublicWithCredentials),
        "nobody proves to be a public client"
    );
    assert_eq!(store.create_client(client(1)).await.answered(), ClientCreation::Created, "the id is still free");
}

pub(super) async fn nobody_gets_more_applications_scopes_or_clients_than_one_may_have(store: &Candidate) {
    let stranger = || "stranger".parse().expect("an id");
    assert_eq!(store.create_application(Application { owner: stranger(), ..application(9) }).await.answered(), Creation::Created);
    assert_eq!(store.create_client(Client { owner: stranger(), ..client(9) }).await.answered(), ClientCreation::Created);
    for number in [1, 2] {
        assert_eq!(store.register_application(application(number), 2).await.answered(), Issuance::Issued, "others' do not count");
        assert_eq!(store.register_client(client(number), 2).await.answered(), ClientCreation::Created);
        let kept = definition(number, &application(1), &format!("scope-{number}"));
        assert_eq!(store.register_scope(kept, 2).await.answered(), ScopeCreation::Created);
    }
    let (third, elsewhere) = (definition(3, &application(1), "scope-3"), definition(4, &application(2), "scope-1"));
    assert_eq!(store.register_application(application(3), 2).await.answered(), Issuance::OwnerHasEnough);
    assert_eq!(store.register_client(client(3), 2).await.answered(), ClientCreation::OwnerHasEnough);
    assert_eq!(store.register_scope(third.clone(), 2).await.answered(), ScopeCreation::ApplicationHasEnough);
    assert_eq!(store.application(application(3).id).await.answered(), None, "what was refused is not kept");
    assert_eq!(found(store, client(3).id).await, None);
    assert_eq!(store.scope(third.id).await.answered(), None);
    assert_eq!(store.register_scope(elsewhere, 2).await.answered(), ScopeCreation::Created, "each application has its own");
    assert_eq!(store.register_scope(definition(5, &application(3), "read"), 2).await.answered(), ScopeCreation::UnknownApplication);
    for refused in [Issuance::Taken, Issuance::OwnerHasEnough] {
        let at_most = if refused == Issuance::Taken { 3 } else { 0 };
        assert_eq!(store.register_application(application(1), at_most).await.answered(), refused);
    }
    assert_eq!(store.delete_scope(definition(1, &application(1), "scope-1").id).await.answered(), RegistryChange::Done);
    assert_eq!(store.delete_application(application(2).id).await.answered(), RegistryChange::Done);
    assert_eq!(store.delete_client(client(1).id, at(1)).await.answered(), ClientDeletion::Deleted);
    assert_eq!(store.register_scope(third, 2).await.answered(), ScopeCreation::Created, "what is deleted makes room");
    assert_eq!(store.register_application(application(3), 2).await.answered(), Issuance::Issued);
    assert_eq!(store.register_client(client(3), 2).await.answered(), ClientCreation::Created);
}

pub(super) async fn of_many_applications_registered_at_once_an_owner_gets_as_many_as_one_may_have(store: &Candidate) {
    let answers = store.race(async |store, racer| store.register_application(application(number(racer)), 5).await.answered());
    assert_eq!(count(&answers, |answer| *answer == Issuance::Issued), 5, "of {RACERS} applications exactly 5 are registered");
    assert_eq!(count(&answers, |answer| *answer == Issuance::OwnerHasEnough), RACERS - 5, "the others are told why not");
    assert_eq!(store.applications(Some(&owner()), first_page()).await.answered().total, 5);
}

pub(super) async fn of_many_scopes_registered_at_once_an_application_gets_as_many_as_one_may_have(store: &Candidate) {
    assert_eq!(store.create_application(application(1)).await.answered(), Creation::Created);
    let answers = store.race(async |store, racer| {
        let definition = definition(number(racer), &application(1), &format!("scope-{racer}"));
        store.register_scope(definition, 5).await.answered()
    });
    assert_eq!(count(&answers, |answer| *answer == ScopeCreation::Created), 5, "of {RACERS} scopes exactly 5 are registered");
    assert_eq!(count(&answers, |answer| *answer == ScopeCreation::ApplicationHasEnough), RACERS - 5, "the others are told why not");
    assert_eq!(store.scopes(Some(application(1).id), first_page()).await.answered().total, 5);
}

pub(super) async fn of_many_clients_registered_at_once_an_owner_gets_as_many_as_one_may_have(store: &Candidate) {
    let answers = store.race(async |store, racer| store.register_client(client(number(racer)), 5).await.answered());
    assert_eq!(count(&answers, |answer| *answer == ClientCreation::Created), 5, "of {RACERS} clients exactly 5 are registered");
    assert_eq!(count(&answers, |answer| *answer == ClientCreation::OwnerHasEnough), RACERS - 5, "the others are told why not");
    assert_eq!(store.clients(ClientFilter::OwnedBy(&owner()), first_page()).await.answered().total, 5);
}

fn number(racer: usize) -> u8 {
    u8::try_from(racer).unwrap_or_default()
}

fn first_page() -> PageRequest {
    PageRequest::new(0, 1).expect("a page")
}

pub(super) async fn of_many_applications_with_one_id_one_is_kept(store: &Candidate) {
    let answers = store.race(async |store, racer| {
        let contender = Application { name: format!("Racer {racer}").parse().expect("a line"), ..application(1) };
        (contender.clone(), store.create_application(contender).await.answered())
    });
    let winners: Vec<_> = answers.into_iter().filter(|(_, answer)| *answer == Creation::Created).map(|(contender, _)| contender).collect();
    assert_eq!(winners.len(), 1, "of {RACERS} applications with one id exactly one is created");
    assert_eq!(store.application(application(1).id).await.answered(), winners.into_iter().next());
}

pub(super) async fn of_many_scopes_with_one_name_one_is_kept(store: &Candidate) {
    let application = application(1);
    assert_eq!(store.create_application(application.clone()).await.answered(), Creation::Created);
    let contender = |racer: usize| ScopeDefinition {
        id: ScopeId::from_random([u8::try_from(racer + 10).unwrap_or_default(); 16]),
        ..definition(1, &application, "read")
    };
    let answers = store.race(async |store, racer| store.create_scope(contender(racer)).await.answered());
    assert_eq!(count(&answers, |answer| *answer == ScopeCreation::Created), 1, "of {RACERS} scopes with one name exactly one is created");
    let winner = answers.iter().position(|answer| *answer == ScopeCreation::Created).map(contender);
    let definitions = store.scope_definitions(&[scope(application.id, "read")].into_iter().collect()).await.answered();
    assert_eq!(definitions.into_iter().next(), winner, "the kept scope is the one that was created");
}

pub(super) async fn of_many_clients_with_one_id_one_is_kept(store: &Candidate) {
    let answers = store.race(async |store, racer| {
        let contender = Client { name: format!("Racer {racer}").parse().expect("a line"), ..client(1) };
        (contender.clone(), store.create_client(contender).await.answered())
    });
    let winners: Vec<_> =
        answers.into_iter().filter(|(_, answer)| *answer == ClientCreation::Created).map(|(contender, _)| contender).collect();
    assert_eq!(winners.len(), 1, "of {RACERS} clients with one id exactly one is created");
    assert_eq!(found(store, client(1).id).await, winners.into_iter().next());
}

async fn found(store: &Candidate, id: ClientId) -> Option<Client> {
    store.client(id).await.answered().map(|client| (*client).clone())
}
