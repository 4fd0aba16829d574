//! The demo's two developers: one with verified clients, and one whose client waits for approval.

use lyceum::domain::{
    ClientId, PageRequest, ScopeId, ScopeRefusal, ScopeRequestState, ShortText, Timestamp,
    Verification,
};
use lyceum::store::sql::SqlStore;
use lyceum::store::{ClientFilter, ClientLookup, ClientRegistry, ClientUpdate, ScopeRequestFilter};
use serde_json::{Value, json};

use super::{signed_in_as, text};
use crate::sign_in::Browser;
use crate::support::Client;
use crate::test_database::{TestDatabase, on_each_database};

const CLIENT: &str = "Attendance sheet";
const REASON: &str = "To call the roll at club meetings";

on_each_database!(
    a_client_waits_for_its_administrator_and_its_request_for_the_owner_of_the_application,
    consent_tells_verified_clients_from_others,
    a_second_start_keeps_what_was_decided_about_the_developers_client,
);

async fn a_client_waits_for_its_administrator_and_its_request_for_the_owner_of_the_application(
    database: TestDatabase,
) {
    let (server, ready) = database.ready();
    let store = database.store().await;
    let unverified = store
        .clients(ClientFilter::AwaitingReview, PageRequest::LARGEST)
        .await
        .unwrap();
    let ids: Vec<_> = unverified.items.iter().map(|client| client.id).collect();
    assert_eq!(ids, [developer_client(&ready)]);

    let scopes = format!("/console/clients/{}/scopes", developer_client(&ready));
    for (account, path, shown) in [
        ("admin", "/console/", [CLIENT, "Unverified"]),
        ("admin", "/console/admin/waiting", [CLIENT, REASON]),
        (
            "user",
            "/console/",
            ["1 scope request to review", "Demo web client"],
        ),
        ("user", "/console/applications/requests", [CLIENT, REASON]),
        ("developer", &scopes, ["See who is in your clubs", REASON]),
    ] {
        let mut browser = signed_in_as(&ready, account).await;
        let page = browser.open(path).await.body;
        for text in shown {
            assert!(page.contains(text), "{text} is not on {path}: {page}");
        }
    }
    let base = text(&ready["base_url"]);
    let students = format!("{base}/v1/students?size=1000");
    let key = [("x-api-key", text(&ready["api_key"]))];
    let students = Client::new().get(&students, &key).await.body;
    let email = format!("\"email\":{}", ready["developer"]["email"]);
    assert!(students.contains(&email), "the developer is no student");
    server.stop();
}

async fn consent_tells_verified_clients_from_others(database: TestDatabase) {
    let (server, ready) = database.ready();
    for (client, is_verified) in [
        ("client", true),
        ("console", true),
        ("developer_client", false),
    ] {
        let consent = consent(&ready, client).await;
        assert_eq!(
            (
                consent.contains("<strong class=\"badge good\">Verified</strong>"),
                consent.contains("No administrator has verified this app"),
            ),
            (is_verified, !is_verified),
            "{client}: {consent}"
        );
    }
    server.stop();
}

/// The consent page of a client, for the demo's user.
async fn consent(ready: &Value, client: &str) -> String {
    let (base, client) = (text(&ready["base_url"]), &ready[client]);
    let mut browser = Browser {
        client: Client::new(),
        origin: base.to_owned(),
        cookie: String::new(),
    };
    let (id, redirect_uri) = (text(&client["id"]), text(&client["redirect_uri"]));
    let authorize = format!(
        "{base}/v1/oauth/authorize?response_type=code&client_id={id}&redirect_uri={redirect_uri}&state=x"
    );
    let answer = browser.open(&authorize).await;
    let page = browser.open(answer.header("location")).await;
    let [email, password] = ["email", "password"].map(|name| text(&ready["user"][name]));
    let fields = [("email", email), ("password", password)];
    let answer = browser.submit(&page, &fields).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    browser.open(answer.header("location")).await.body
}

async fn a_second_start_keeps_what_was_decided_about_the_developers_client(database: TestDatabase) {
    let (server, first) = database.ready();
    let store = database.store().await;
    let id = developer_client(&first);
    let asked = requests(&store, id).await;
    assert_eq!(asked.len(), 1);
    let refusal = ScopeRefusal {
        reason: ShortText::from_static("Ask the club"),
        at: Timestamp::from_seconds(1_790_000_000),
    };
    let scope = asked[0].0;
    let is_refused = store.refuse_scope_request(scope, id, refusal.clone()).await;
    assert!(is_refused.unwrap());
    let client = store.client(id).await.unwrap().unwrap();
    let unverified = client.settings();
    let mut settings = unverified.clone();
    settings.verification = Verification::Verified {
        by: client.owner.clone(),
        at: Timestamp::from_seconds(1_790_000_000),
    };
    let update = store.update_client(id, &unverified, settings.clone());
    assert_eq!(update.await.unwrap(), ClientUpdate::Updated);
    server.stop();

    let (server, second) = database.ready();
    for name in ["developer", "developer_client", "user", "admin"] {
        let without_port = |ready: &Value| {
            let mut value = ready[name].clone();
            value["redirect_uri"] = json!(null);
            value
        };
        assert_eq!(without_port(&first), without_port(&second), "{name}");
    }
    let refused = ScopeRequestState::Refused(refusal);
    assert_eq!(requests(&store, id).await, [(scope, refused)]);
    let client = store.client(id).await.unwrap().unwrap();
    assert_eq!(client.settings(), settings);
    server.stop();
}

async fn requests(store: &SqlStore, client: ClientId) -> Vec<(ScopeId, ScopeRequestState)> {
    let filter = ScopeRequestFilter::Of(client);
    let found = store.scope_requests(filter, PageRequest::LARGEST).await;
    let found = found.unwrap().items.into_iter();
    found.map(|asked| (asked.scope, asked.state)).collect()
}

fn developer_client(ready: &Value) -> ClientId {
    text(&ready["developer_client"]["id"]).parse().unwrap()
}
