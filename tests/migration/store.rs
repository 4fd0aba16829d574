//! Results of the store's methods on a database that version 1 filled.

use std::sync::Arc;
use std::time::Duration;

use lyceum::directory::{Delta, Directory};
use lyceum::domain::*;
use lyceum::store::*;

use crate::fixtures::*;

pub async fn finds_everything(shared: Arc<dyn Storage>) {
    let store = &*shared;
    accounts(store).await;
    api_keys(store).await;
    applications_and_clients(store).await;
    sessions(store).await;
    grants(store).await;
    what_is_new(store).await;
    let keys = store.signing_keys().await.unwrap();
    assert_eq!(
        keys.iter()
            .map(|key| key.id.to_string())
            .collect::<Vec<_>>(),
        [SIGNING_KEY]
    );
    assert_eq!(
        (keys[0].algorithm, keys[0].created_at),
        (SigningAlgorithm::Es256, START)
    );
    directory(&*shared).await;
    school(shared).await;
}

/// Checks that all records are loaded with the version that the database had, and with marks of
/// this version and the first one.
async fn directory(store: &dyn Storage) {
    let rows = store.load_directory().await.unwrap();
    assert_eq!(rows.version, store.directory_version().await.unwrap());
    assert_eq!(rows.version.number, 1);
    assert_eq!(
        rows.marks
            .iter()
            .map(|(number, _)| *number)
            .collect::<Vec<_>>(),
        [0, 1]
    );
    assert!(
        rows.marks[1] == (1, rows.version.mark) && rows.marks[0].1 != rows.marks[1].1,
        "marks are random: {:?}",
        rows.marks
    );
    assert!(
        rows.students
            .iter()
            .map(|row| (row.id.get(), row.changed))
            .eq((1..=8).map(|id| (id, 1))),
        "{:?}",
        rows.students
    );
    assert!(
        rows.clubs
            .iter()
            .map(|row| (row.id.get(), row.changed))
            .eq((1..=4).map(|id| (id, 1))),
        "{:?}",
        rows.clubs
    );
    let participants = |row: &DirectoryRow<ProjectId, Project>| {
        row.value
            .iter()
            .flat_map(|project| &project.participants)
            .count()
    };
    assert_eq!(
        rows.projects.iter().map(participants).collect::<Vec<_>>(),
        [2, 0, 1]
    );
    let versions = [
        rows.projects
            .iter()
            .map(|row| (row.value.is_some(), row.changed))
            .collect::<Vec<_>>(),
        rows.meals
            .iter()
            .map(|row| (row.value.is_some(), row.changed))
            .collect(),
        rows.events
            .iter()
            .map(|row| (row.value.is_some(), row.changed))
            .collect(),
        rows.lessons
            .iter()
            .map(|row| (row.value.is_some(), row.changed))
            .collect(),
    ];
    assert!(
        versions
            .iter()
            .all(|rows| !rows.is_empty() && rows.iter().all(|row| *row == (true, 1))),
        "{versions:?}"
    );
    let all = store
        .directory_changes(DatasetVersion {
            number: 0,
            mark: rows.marks[0].1,
            ..rows.version
        })
        .await
        .unwrap();
    let all = all.expect("the first version is known");
    assert_eq!(
        DirectoryRows {
            marks: rows.marks.clone(),
            ..all
        },
        rows,
        "following from the first version returns everything"
    );
}

/// Checks that its rows are in the data API's responses.
async fn school(store: Arc<dyn Storage>) {
    let school = Directory::open(store)
        .await
        .unwrap()
        .snapshot()
        .await
        .unwrap();
    let version = school.version();
    assert!(
        version.number == 1 && version.lineage != 0,
        "the directory has a lineage: {version:?}"
    );
    let (everybody, all) = (
        [("includeGraduates", "true"), ("includeWithdrawn", "true")],
        [("updatedSince", "0"), ("size", "1000")],
    );
    let (students, clubs, projects) = (school.students(), school.clubs(), school.projects());
    let found: Vec<_> = students
        .page(&students.query(&everybody).unwrap())
        .values()
        .cloned()
        .collect();
    let query = students.query(&[everybody, all].concat()).unwrap();
    let Delta::Changes(changes) = students.changes(&query) else {
        panic!("the first version is known")
    };
    let told: Vec<_> = changes
        .records
        .iter()
        .map(|record| record.value().clone())
        .collect();
    assert!(
        found == told && !told.is_empty(),
        "following from the first version returns all students: {told:?}"
    );
    let Delta::Changes(clubs) = clubs.changes(&clubs.query(&all).unwrap()) else {
        panic!()
    };
    let Delta::Changes(projects) = projects.changes(&projects.query(&all).unwrap()) else {
        panic!()
    };
    assert_eq!(
        (clubs.records.is_empty(), projects.records.is_empty()),
        (false, false),
        "and all other records"
    );
}

async fn accounts(store: &dyn Storage) {
    for (email, role) in [
        ("KIM.Haneul@school.example", Role::User),
        ("admin@school.example", Role::Admin),
    ] {
        let account = store
            .account_by_email(&email.parse().unwrap())
            .await
            .unwrap()
            .expect("the account exists");
        assert_eq!((account.role, account.created_at), (role, START));
        assert!(account.password_hash.as_phc().starts_with("$argon2id$"));
        assert_eq!(
            AccountStore::account(store, account.id)
                .await
                .unwrap()
                .unwrap()
                .email,
            account.email
        );
    }
}

async fn api_keys(store: &dyn Storage) {
    for (number, text, revoked_at, scopes) in [
        (1, API_KEY, None, ApiScopes::built_in()),
        (
            2,
            REVOKED_API_KEY,
            Some(START),
            [ApiScope::CLUB_READ].into_iter().collect(),
        ),
    ] {
        let secret = ApiKeySecret::from_random([number; 16]);
        assert_eq!(secret.expose(), text);
        let key = store
            .api_key(&secret.digest())
            .await
            .unwrap()
            .expect("the key exists");
        assert_eq!(
            (key.revoked_at, &key.scopes, key.expires_at),
            (revoked_at, &scopes, START.plus(ApiKey::VALIDITY))
        );
        let owner = (number == 2).then(|| {
            "0b0b0b0b-0b0b-4b0b-8b0b-0b0b0b0b0b0b"
                .parse::<SubjectId>()
                .unwrap()
        });
        assert_eq!((&key.owner, &*key.description), (&owner, "test"));
        assert_eq!(
            (
                &*key.previous,
                key.last_used_at,
                key.quota,
                key.hidden.is_empty()
            ),
            (&[][..], None, None, true),
            "the defaults apply"
        );
    }
}

async fn applications_and_clients(store: &dyn Storage) {
    let application = store
        .application(APPLICATION.parse().unwrap())
        .await
        .unwrap()
        .expect("the application exists");
    assert_eq!(
        (&*application.name, application.created_at),
        ("Timetable & Friends", START)
    );
    let scopes = ScopeSet::parse(&format!(
        "{APPLICATION}:read {APPLICATION}:write service:self_read {APPLICATION}:other"
    ))
    .unwrap();
    let definitions = store.scope_definitions(&scopes).await.unwrap();
    let described: Vec<_> = definitions
        .iter()
        .map(|definition| definition.description.as_str())
        .collect();
    assert_eq!(
        described,
        [
            "Read <your> timetable",
            "Change your timetable",
            "Read your basic information and student details",
            "Something else"
        ]
    );
    let allowed = ScopeSet::parse(&format!(
        "{APPLICATION}:read {APPLICATION}:write service:self_read"
    ))
    .unwrap();
    for (id, name, policy, secrets, redirect_uris, plain) in [
        (
            CLIENT,
            "Timetable <Plus>",
            ClientPolicy::SecretOrPkce,
            1,
            2,
            false,
        ),
        (
            PUBLIC_CLIENT,
            "Campus App",
            ClientPolicy::Public,
            0,
            2,
            false,
        ),
        (
            OLD_CLIENT,
            "Old Kiosk",
            ClientPolicy::SecretOrPkce,
            1,
            1,
            true,
        ),
    ] {
        let client = ClientLookup::client(store, id.parse().unwrap())
            .await
            .unwrap()
            .expect("the client exists");
        assert_eq!(
            (&*client.name, client.policy, client.plain_pkce_allowed),
            (name, policy, plain)
        );
        assert!(
            !client.first_party && !client.client_credentials_allowed && !client.pkce_required,
            "the defaults apply"
        );
        assert!(
            client.is_verified() && client.awaits_review() && !client.iss_omitted,
            "it counts as verified, and can be reviewed"
        );
        assert_eq!(
            (client.secrets.len(), client.redirect_uris.len()),
            (secrets, redirect_uris)
        );
        assert_eq!(
            client.allowed_scopes, allowed,
            "in the order of the registration"
        );
        let digest = ClientSecret::parse(CLIENT_SECRET).unwrap().digest();
        assert!(
            client
                .secrets
                .iter()
                .all(|secret| secret.digest.matches(&digest) && secret.created_at == START)
        );
    }
}

async fn sessions(store: &dyn Storage) {
    for (token, signed_in) in [(SESSION_AT_CONSENT, true), (SESSION_AT_LOGIN, false)] {
        let digest = SessionToken::parse(token).unwrap().digest();
        let session = GrantStore::session(store, &digest, NOW)
            .await
            .unwrap()
            .expect("the session exists");
        assert_eq!(
            (session.client.to_string(), session.redirect_uri.as_str()),
            (CLIENT.to_owned(), CALLBACK)
        );
        assert_eq!(
            (session.state.as_deref(), session.challenge.is_some()),
            (Some("xyz"), true)
        );
        assert_eq!(session.scopes.to_string(), format!("{APPLICATION}:read"));
        assert_eq!(
            (session.subject.is_some(), session.prompt.consent),
            (signed_in, false)
        );
    }
}

async fn grants(store: &dyn Storage) {
    let code = AuthorizationCode::parse(CODE).unwrap().digest();
    let binding = store
        .code_binding(&code)
        .await
        .unwrap()
        .expect("the code exists");
    assert_eq!(
        (binding.client.to_string(), binding.redirect_uri.as_str()),
        (CLIENT.to_owned(), CALLBACK)
    );
    let (live, revoked) = (LIVE_GRANT.parse().unwrap(), REVOKED_GRANT.parse().unwrap());
    let binding = store
        .refresh_binding(&live)
        .await
        .unwrap()
        .expect("the grant exists");
    assert_eq!(
        (binding.client.to_string(), binding.proof),
        (CLIENT.to_owned(), ClientProof::Pkce)
    );
    assert_eq!(binding.scopes.to_string(), format!("{APPLICATION}:read"));
    assert!(store.grant_is_live(&live, NOW).await.unwrap());
    assert!(!store.grant_is_live(&revoked, NOW).await.unwrap());
    let shown = store.grants_of(&binding.subject, NOW).await.unwrap();
    assert_eq!(
        shown.iter().map(|grant| grant.id).collect::<Vec<_>>(),
        [live],
        "users see the consents from before there was a list"
    );
    assert_eq!(
        store
            .consent(&binding.subject, &binding.client)
            .await
            .unwrap(),
        None,
        "and must approve once more"
    );
    let usage = store.client_usage(binding.client, NOW).await.unwrap();
    assert_eq!(
        usage,
        GrantUsage {
            live: 1,
            last_granted_at: Some(shown[0].since)
        },
        "live grants are counted"
    );
    let usage = store
        .application_usage(APPLICATION.parse().unwrap(), NOW)
        .await
        .unwrap()
        .expect("the application exists");
    assert_eq!((usage.clients.total, usage.grants.live), (3, 1));
}

/// Checks that data that version 1 did not store is empty.
async fn what_is_new(store: &dyn Storage) {
    let days =
        DateRange::new("2026-01-01".parse().unwrap(), "2026-12-31".parse().unwrap()).unwrap();
    let key = store
        .api_key(&ApiKeySecret::from_random([1; 16]).digest())
        .await
        .unwrap()
        .expect("the key exists");
    assert_eq!(store.api_key_usage(key.id, days).await.unwrap(), []);
    let idle = Duration::from_secs(3600);
    for account in store
        .accounts(None, PageRequest::new(0, 9).unwrap())
        .await
        .unwrap()
        .items
    {
        assert_eq!(
            store
                .user_sessions_of(&account.id.into(), idle, NOW)
                .await
                .unwrap(),
            []
        );
        assert_eq!(store.consents_of(&account.id.into()).await.unwrap(), []);
    }
    assert_eq!(
        store
            .audit_records(&AuditFilter::default(), None, 9)
            .await
            .unwrap(),
        []
    );
}

/// Returns a statement that inserts a consent to client 1 as version 9 stored it.
pub fn a_consent() -> String {
    let scopes = format!("{APPLICATION}:write service:self_read {APPLICATION}:read");
    let at = START.seconds();
    format!(
        "INSERT INTO consents (subject_id, client_id, scopes, granted_at) VALUES ('kim', '{CLIENT}', '{scopes}', {at})"
    )
}

/// Checks that deleting a scope removes it from grants and consents, including those from before
/// there was a row for each scope.
pub async fn loses_a_scope_that_goes(store: &dyn Storage) {
    let (subject, client) = ("kim".parse().unwrap(), CLIENT.parse().unwrap());
    let read: ScopeSet = ScopeSet::parse(&format!("{APPLICATION}:read")).unwrap();
    let definition = store.scope_definitions(&read).await.unwrap().remove(0);
    let usage = store
        .scope_usage(definition.id, NOW)
        .await
        .unwrap()
        .expect("the scope exists");
    assert_eq!(usage.grants.live, 1, "live grants are counted");
    assert_eq!(
        store.delete_scope(definition.id).await.unwrap(),
        RegistryChange::Done
    );
    let consent = store
        .consent(&subject, &client)
        .await
        .unwrap()
        .expect("the consent exists");
    assert_eq!(
        (consent.scopes.to_string(), consent.granted_at),
        (format!("{APPLICATION}:write service:self_read"), START)
    );
    let binding = store
        .refresh_binding(&LIVE_GRANT.parse().unwrap())
        .await
        .unwrap()
        .expect("the grant exists");
    assert!(binding.scopes.is_empty(), "{}", binding.scopes);
    assert_eq!(
        store
            .delete_application(APPLICATION.parse().unwrap())
            .await
            .unwrap(),
        RegistryChange::Done
    );
    let consent = store
        .consent(&subject, &client)
        .await
        .unwrap()
        .expect("the consent exists");
    assert_eq!(consent.scopes.to_string(), "service:self_read");
}
