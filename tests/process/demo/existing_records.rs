//! The demo on a database that has records already.

use std::sync::Arc;

use lyceum::directory::{Directory, DirectoryChange, WriteOutcome};
use lyceum::domain::{
    ApiKey, ApiKeyId, ApiKeySecret, ApiScopes, Application, ApplicationId, Client as OAuthClient,
    ClientId, ClientPolicy, Password, Role, ScopeSet, ShortText, SubjectId, Timestamp,
    Translations, Verification,
};
use lyceum::http::auth_server::{AccountCreationOutcome, Accounts};
use lyceum::sample_data::SampleSchool;
use lyceum::store::sql::SqlStore;
use lyceum::store::{ApiKeyStore, ClientCreation, ClientRegistry, Creation};
use serde_json::{Value, json};

use super::text;
use crate::server::Server;
use crate::support::Client;
use crate::test_database::{TestDatabase, on_each_database};

on_each_database!(a_database_with_records_of_its_own_stays_as_it_is,);

/// Fails if the demo adds sample data or an account to a database with records.
async fn a_database_with_records_of_its_own_stays_as_it_is(database: TestDatabase) {
    let tables = [
        "students",
        "meals",
        "events",
        "lessons",
        "accounts",
        "applications",
        "scopes",
        "clients",
        "api_keys",
    ];
    let count = |table: &str| database.count(&format!("SELECT count(*) FROM {table}"));
    let client = Client::new();
    for kind in [
        "a meal",
        "an account",
        "an application",
        "a client",
        "an API key",
    ] {
        database.prepare().await;
        database.run("DELETE FROM meals; DELETE FROM accounts; DELETE FROM clients; DELETE FROM api_keys; DELETE FROM applications WHERE id <> 'service'");
        database.run("UPDATE directory_version SET version = 0");
        keep(&database.store().await, kind).await;
        let before = tables.map(count);
        let (server, ready) = database.ready();
        assert_eq!(
            (&ready["event"], &ready["database"], &ready["user"]),
            (&json!("ready"), &json!("has_records"), &Value::Null),
            "{kind}"
        );
        let base = text(&ready["base_url"]);
        assert_eq!(
            client.get(&format!("{base}/v1/health"), &[]).await.status,
            200
        );
        assert_eq!(
            client
                .get(&format!("{base}/console/sign-in"), &[])
                .await
                .status,
            200,
            "the server serves the existing records"
        );
        server.stop();
        assert_eq!(
            tables.map(count),
            before,
            "the demo added to a database with {kind}"
        );
    }
    let mut server = Server::start(database.command(), &[]);
    let mut line = String::new();
    std::io::BufRead::read_line(&mut server.stdout, &mut line).unwrap();
    assert!(
        line.starts_with("  database ")
            && line.contains("has records of its own, so the demo added nothing"),
        "{line}"
    );
    server.stop();
}

/// Stores one record of this kind.
async fn keep(store: &SqlStore, kind: &str) {
    let (name, at) = (
        || ShortText::from_static("Ours"),
        Timestamp::from_seconds(1_790_000_000),
    );
    match kind {
        "a meal" => {
            let is_meal = |change: &DirectoryChange| matches!(change, DirectoryChange::PutMeal(_));
            let mut school = SampleSchool::new(1, "2026-09-21".parse().unwrap()).changes();
            school.retain(is_meal);
            school.truncate(1);
            let directory = Directory::open(Arc::new(store.clone())).await.unwrap();
            assert!(matches!(
                directory.write(school).await.unwrap(),
                WriteOutcome::Written(_)
            ));
        }
        "an account" => {
            let accounts = Accounts::builder(Arc::new(store.clone()))
                .hashing_cost(8, 1)
                .build()
                .unwrap();
            let password = Password::new("correct horse battery staple").unwrap();
            let created = accounts
                .create("head@ours.example".parse().unwrap(), &password, Role::Admin)
                .await
                .unwrap();
            assert!(matches!(created, AccountCreationOutcome::Created(_)));
        }
        "an application" => {
            let id = ApplicationId::from_random([7; 16]);
            let application = Application {
                id,
                name: name(),
                name_translations: Translations::default(),
                owner: SubjectId::service(),
                created_at: at,
            };
            assert_eq!(
                store.create_application(application).await.unwrap(),
                Creation::Created
            );
        }
        "a client" => {
            let client = OAuthClient {
                id: ClientId::from_random([7; 16]),
                name: name(),
                owner: SubjectId::service(),
                policy: ClientPolicy::Public,
                secrets: Vec::new(),
                redirect_uris: vec!["https://app.example/callback".parse().unwrap()],
                allowed_scopes: ScopeSet::default(),
                plain_pkce_allowed: false,
                pkce_required: false,
                first_party: false,
                client_credentials_allowed: false,
                iss_omitted: false,
                policy_uri: None,
                verification: Verification::Assumed,
                created_at: at,
                suspended_at: None,
            };
            assert_eq!(
                store.create_client(client).await.unwrap(),
                ClientCreation::Created
            );
        }
        _ => {
            let secret = ApiKeySecret::from_random([7; 16]);
            let key = ApiKey::new(
                ApiKeyId::from_random([7; 16]),
                &secret,
                name(),
                ApiScopes::built_in(),
                at,
            );
            assert_eq!(store.create_api_key(key).await.unwrap(), Creation::Created);
        }
    }
}
