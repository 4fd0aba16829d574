//! Resident memory of a process after many sign-ins, measured by the operating system.
//!
//! Each measurement runs in a separate process, because the tests of one binary share a process and
//! its memory.
#![cfg(target_os = "linux")]

use std::net::{IpAddr, Ipv4Addr};
use std::process::Command;
use std::sync::Arc;

use http::header::{CONTENT_TYPE, COOKIE, SET_COOKIE};
use http::{Request, StatusCode};
use lyceum::AuthServer;
use lyceum::crypto::MasterKey;
use lyceum::domain::{
    Client, ClientId, ClientPolicy, Password, Role, Scope, SigningAlgorithm, SubjectId, Timestamp,
    Verification,
};
use lyceum::http::auth_server::{AccountCreationOutcome, Accounts};
use lyceum::http::{Body, ClientAddress};
use lyceum::store::memory::MemoryStore;
use lyceum::store::sql::SqlStore;
use lyceum::store::{ClientCreation, Storage};
use tokio::task::JoinSet;
use tower::ServiceExt;

const SIGN_INS: u32 = 200;
/// Number of concurrent sign-ins.
const AT_ONCE: u32 = 10;
/// Two hashing threads need 38 MiB at the default cost.
const MOST_KIB: u64 = 60 * 1024;

const EMAIL: &str = "kim.haneul@school.example";
const PASSWORD: &str = "correct horse battery staple";

/// Fails if each hash allocates its working memory anew: the arena of the thread keeps what is
/// freed.
#[test]
fn two_hundred_sign_ins_over_memory_leave_the_process_small() {
    in_a_process_of_its_own("sign_ins_over_memory");
}

#[test]
fn two_hundred_sign_ins_over_sqlite_leave_the_process_small() {
    in_a_process_of_its_own("sign_ins_over_sqlite");
}

#[test]
#[ignore = "measures its process, and is run in one of its own"]
fn sign_ins_over_memory() {
    measure(Arc::new(MemoryStore::new()));
}

#[test]
#[ignore = "measures its process, and is run in one of its own"]
fn sign_ins_over_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    measure(Arc::new(
        SqlStore::sqlite(folder.path().join("school.db")).unwrap(),
    ));
}

fn in_a_process_of_its_own(test: &str) {
    let mut measurement = Command::new(std::env::current_exe().unwrap());
    let measured = measurement
        .args(["--exact", test, "--ignored", "--nocapture"])
        .output()
        .unwrap();
    let said = [measured.stdout, measured.stderr]
        .map(|text| String::from_utf8_lossy(&text).into_owned())
        .concat();
    assert!(
        measured.status.success() && said.contains("1 passed"),
        "{said}"
    );
    eprint!("{said}");
}

fn measure(store: Arc<dyn Storage>) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        // As programs do at their first start, with an `Accounts` that is dropped afterwards.
        create_account(store.clone()).await;
        let client = create_client(&*store).await;
        let server = AuthServer::builder(
            store,
            "https://auth.school.example",
            MasterKey::from_bytes(std::array::from_fn(|at| at as u8)),
        );
        let server = server
            .signing_algorithm(SigningAlgorithm::Es256)
            .build()
            .await
            .unwrap();
        let start = resident_kib();
        for first in (0..SIGN_INS).step_by(AT_ONCE as usize) {
            let mut people = JoinSet::new();
            for number in first..first + AT_ONCE {
                people.spawn(sign_in(
                    server.clone(),
                    client,
                    ClientAddress(IpAddr::V4(Ipv4Addr::from(0x0a00_0000 + number))),
                ));
            }
            people.join_all().await;
        }
        let end = resident_kib();
        eprintln!("resident: {start} KiB at the start, {end} KiB after {SIGN_INS} sign-ins");
        assert!(
            end.saturating_sub(start) <= MOST_KIB,
            "the process holds {} KiB more than at its start",
            end - start
        );
    });
}

async fn create_account(store: Arc<dyn Storage>) {
    let accounts = Accounts::new(store).unwrap();
    let created = accounts
        .create(
            EMAIL.parse().unwrap(),
            &Password::new(PASSWORD).unwrap(),
            Role::User,
        )
        .await
        .unwrap();
    assert!(matches!(created, AccountCreationOutcome::Created(_)));
}

async fn create_client(store: &dyn Storage) -> ClientId {
    let client = Client {
        id: ClientId::from_random([1; 16]),
        name: "Timetable".parse().unwrap(),
        owner: SubjectId::service(),
        policy: ClientPolicy::Public,
        secrets: Vec::new(),
        redirect_uris: vec!["https://app.example/callback".parse().unwrap()],
        allowed_scopes: [Scope::self_read()].into_iter().collect(),
        plain_pkce_allowed: false,
        pkce_required: false,
        first_party: false,
        client_credentials_allowed: false,
        iss_omitted: false,
        policy_uri: None,
        verification: Verification::Assumed,
        created_at: Timestamp::from_seconds(0),
        suspended_at: None,
    };
    let id = client.id;
    assert_eq!(
        store.create_client(client).await.unwrap(),
        ClientCreation::Created
    );
    id
}

/// Performs a sign-in on the pages of the service, with a password hash of the default cost.
async fn sign_in(server: AuthServer, client: ClientId, address: ClientAddress) {
    let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
    let query = format!(
        "response_type=code&client_id={client}&redirect_uri=https%3A%2F%2Fapp.example%2Fcallback&scope=service%3Aself_read"
    );
    let path = format!(
        "/v1/oauth/authorize?{query}&state=xyz&code_challenge_method=S256&code_challenge={challenge}"
    );
    let send = async |request: http::request::Builder, body: String| {
        let request = request
            .header("accept", "text/html")
            .extension(address)
            .body(Body::from(body))
            .unwrap();
        let answer = server.clone().oneshot(request).await.unwrap();
        let cookie = answer.headers().get(SET_COOKIE).map(|cookie| {
            cookie
                .to_str()
                .unwrap()
                .split(';')
                .next()
                .unwrap()
                .to_owned()
        });
        let body = String::from_utf8(answer.body().as_bytes().to_vec()).unwrap();
        (answer.status(), cookie.unwrap_or_default(), body)
    };
    let (status, session, page) = send(Request::get(path), String::new()).await;
    assert_eq!(status, StatusCode::SEE_OTHER, "{page}");
    let (_, _, page) = send(
        Request::get("/v1/oauth/login").header(COOKIE, &session),
        String::new(),
    )
    .await;
    let token = page
        .split("name=\"form_token\" value=\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .unwrap();
    let form = format!(
        "form_token={token}&email={EMAIL}&password={}",
        PASSWORD.replace(' ', "+")
    );
    let post = Request::post("/v1/oauth/login")
        .header(COOKIE, &session)
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded");
    let (status, _, page) = send(post, form).await;
    assert_eq!(status, StatusCode::SEE_OTHER, "{page}");
}

/// Returns the resident set size of this process.
fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}
