use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use http::Method;
use lyceum::domain::{
    AuthorizationCode, AuthorizationSession, ClientId, Email, GrantId, Role, ScopeSet, SessionToken, Subject, SubjectId, Timestamp,
};
use lyceum::store::sql::SqlStore;
use lyceum::store::{Approval, ApprovalOutcome, GrantStore, SignIn};
use serde_json::Value;
use tokio::sync::mpsc;

use crate::server::Server;
use crate::support::{self, Client};

const CODES: usize = 1000;
/// Far away, so that the time that this test takes does not matter.
const EXPIRES: Timestamp = Timestamp::from_seconds(32_503_680_000);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_kill_9_during_1000_exchanges_leaves_no_code_spendable_twice_and_the_database_intact() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("school.db");
    let (server, ready) = Server::ready(&database);
    server.stop();
    let codes = issue_codes(&database, &ready).await;

    let mut spent = HashSet::new();
    let mut kills = 0;
    // Three lives, each killed in the middle of its exchanges, then one that answers everything that is left.
    for until in [150, 400, 700, CODES] {
        let (mut server, ready) = Server::ready(&database);
        let (answers, mut answered) = mpsc::unbounded_channel();
        let client = Client::new();
        let left: Vec<String> = codes.iter().filter(|code| !spent.contains(*code)).cloned().collect();
        let queue = Arc::new(std::sync::Mutex::new(left.into_iter()));
        for _ in 0..16 {
            let (queue, answers, client, ready) = (queue.clone(), answers.clone(), client.clone(), ready.clone());
            tokio::spawn(async move {
                while let Some(code) = { queue.lock().unwrap().next() } {
                    let Some(status) = exchange(&client, &ready, &code).await else { break };
                    let _ = answers.send((code, status));
                }
            });
        }
        drop(answers);
        while let Some((code, status)) = answered.recv().await {
            // A code whose answer the kill swallowed may have been spent: then it is refused here, and that is right.
            assert!(status == 200 || status == 400, "{status}");
            if status == 200 {
                assert!(spent.insert(code), "a code was spent twice");
            }
            if spent.len() == until && until < CODES {
                server.signal("KILL");
                kills += 1;
            }
        }
        server.signal("KILL");
        server.wait();
    }

    let (server, ready) = Server::ready(&database);
    let client = Client::new();
    for code in &codes {
        assert_eq!(exchange(&client, &ready, code).await, Some(400), "a code can be spent after the crash");
    }
    server.stop();
    let connection = rusqlite::Connection::open(&database).unwrap();
    let integrity: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(integrity, "ok");
    println!("{kills} kills, {} of {CODES} codes spent exactly once, {} lost their answer", spent.len(), CODES - spent.len());
    assert!(spent.len() > 900, "only {} codes were spent", spent.len());
}

async fn exchange(client: &Client, ready: &Value, code: &str) -> Option<u16> {
    let form = support::encode(&[
        ("grant_type", "authorization_code"),
        ("code", code),
        ("redirect_uri", "http://127.0.0.1:1/demo/callback"),
        ("client_id", ready["client"]["id"].as_str().unwrap()),
        ("client_secret", ready["client"]["secret"].as_str().unwrap()),
    ]);
    let url = format!("{}/v1/oauth/token", ready["auth_url"].as_str().unwrap());
    let request = support::request(Method::POST, &url, &[("content-type", "application/x-www-form-urlencoded")], form);
    client.send(request).await.ok().map(|answer| answer.status.as_u16())
}

/// Codes as the service would issue them, put into the store without a thousand sign-ins.
async fn issue_codes(database: &Path, ready: &Value) -> Vec<String> {
    let store = SqlStore::sqlite(database).unwrap();
    let client: ClientId = ready["client"]["id"].as_str().unwrap().parse().unwrap();
    let scopes = ScopeSet::collect(ready["scopes"].as_array().unwrap().iter().map(|scope| scope.as_str().unwrap())).unwrap();
    let user = ready["user"]["email"].as_str().unwrap().parse::<Email>().unwrap();
    let subject = Subject { id: account_of(&store, &user).await, email: user, role: Role::User };
    let now = Timestamp::from_seconds(0);
    let mut codes = Vec::with_capacity(CODES);
    for number in 0..CODES as u64 {
        let seed = |kind: u8| {
            let mut bytes = [kind; 32];
            bytes[..8].copy_from_slice(&number.to_be_bytes());
            bytes
        };
        let session = SessionToken::from_random(seed(1)).digest();
        let signed_in = SessionToken::from_random(seed(2)).digest();
        let code = AuthorizationCode::from_random(seed(3));
        let pending = AuthorizationSession {
            client,
            redirect_uri: "http://127.0.0.1:1/demo/callback".to_owned(),
            state: None,
            scopes: scopes.clone(),
            challenge: None,
            subject: None,
            created_at: now,
            expires_at: EXPIRES,
        };
        store.open_session(session, pending).await.unwrap();
        assert!(matches!(store.sign_in(&session, signed_in, subject.clone(), now).await.unwrap(), SignIn::SignedIn(_)));
        let grant = GrantId::from_random(std::array::from_fn(|at| seed(4)[at]));
        let approval = Approval { grant, code: code.digest(), code_expires_at: EXPIRES };
        assert!(matches!(store.approve_session(&signed_in, approval, now).await.unwrap(), ApprovalOutcome::Approved(_)));
        codes.push(code.expose().to_owned());
    }
    codes
}

async fn account_of(store: &SqlStore, email: &Email) -> SubjectId {
    use lyceum::store::AccountStore;
    store.account_by_email(email).await.unwrap().unwrap().id.into()
}
