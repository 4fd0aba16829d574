use std::sync::Arc;
use std::time::Duration;

use http::Request;
use lyceum::DataApi;
use lyceum::directory::{Directory, Writing};
use lyceum::domain::{ApiKey, ApiKeyId, ApiKeySecret, ApiScopes, ClientPolicy, Role, ScopeSet};
use lyceum::http::Body;
use lyceum::store::memory::MemoryStore;
use lyceum::store::{ApiKeyStore, Creation};
use lyceum::testing::ManualClock;
use lyceum::testing::school::DemoSchool;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::token::world::*;

const PATHS: [&str; 2] = ["/userinfo", "/v1/oauth/userinfo"];

#[tokio::test]
async fn decision_3_20_a_client_learns_who_its_user_is() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Public).await;
    let tokens = world.tokens(&client).await;
    let answer = world.user_info(&tokens.access).await;
    let expected = json!({
        "id": 7,
        "email": "kim@school.example",
        "role": "USER",
        "status": "ACTIVE",
        "objectType": null,
        "isStudent": false,
        "student": null,
        "sub": "kim@school.example",
    });
    assert_eq!((answer.json(), answer.header("cache-control")), (expected, "no-store"));
    for path in PATHS {
        let request = |method| Request::builder().method(method).uri(path).header("authorization", format!("bearer {}", tokens.access));
        assert_eq!(world.send(request("GET").body(Body::empty()).unwrap()).await, answer);
        let head = world.send(request("HEAD").body(Body::empty()).unwrap()).await;
        assert_eq!((head.status.as_u16(), &*head.body), (200, ""));
        let post = world.send(request("POST").body(Body::empty()).unwrap()).await;
        assert_eq!((post.status.as_u16(), post.header("allow")), (405, "GET, HEAD, OPTIONS"));
    }
}

/// Fails if a client that parses a `long` cannot read the answer, or finds another user in it after the address has changed.
#[tokio::test]
async fn a_user_whose_id_is_no_number_has_one_that_stays() {
    let world = World::new().await;
    world.users.enter("3f2b8c1e-9d4a-4e6f-8a7b-0c1d2e3f4a5b", Role::User);
    let client = world.client(ClientPolicy::Public).await;
    let tokens = world.tokens(&client).await;
    for email in ["kim@school.example", "haneul@school.example"] {
        world.users.change(email, Role::User);
        let told = world.user_info(&tokens.access).await.json();
        assert_eq!((&told["id"], &told["sub"]), (&json!(760_847_704_308_741_i64), &json!(email)));
    }
}

/// Fails if the host's number is lost between the sign-in and the answer, or the derived one is answered in its place.
#[tokio::test]
async fn a_user_to_whom_the_host_gave_a_number_has_that_one() {
    let world = World::new().await;
    world.users.enter("3f2b8c1e-9d4a-4e6f-8a7b-0c1d2e3f4a5b", Role::User);
    let client = world.client(ClientPolicy::Public).await;
    let tokens = world.tokens(&client).await;
    for number in [0, 20_260_001, (1 << 53) - 1] {
        world.users.give_number(number);
        assert_eq!(world.user_info(&tokens.access).await.json()["id"], number);
    }
}

#[tokio::test]
async fn decision_3_20_it_is_the_user_of_today() {
    let world = World::new().await;
    let client = world.client(ClientPolicy::Public).await;
    let tokens = world.tokens(&client).await;
    world.users.change("haneul@school.example", Role::Admin);
    let body = world.user_info(&tokens.access).await.json();
    assert_eq!((&body["email"], &body["role"]), (&"haneul@school.example".into(), &"ADMIN".into()));
    world.users.set_reachable(false);
    assert_eq!(world.user_info(&tokens.access).await.error(), error(503, "temporarily_unavailable"));
    world.users.set_reachable(true);
    world.users.leave();
    assert_eq!(world.user_info(&tokens.access).await.error(), error(401, "invalid_token"));
}

/// A directory with an invented school, in which the students of these places have this address. The enrolled come first.
async fn directory(email: &str, places: &[usize]) -> (Arc<MemoryStore>, Directory) {
    let store = Arc::new(MemoryStore::new());
    let directory = Directory::open(store.clone()).await.unwrap();
    let mut school = DemoSchool::new(1, "2026-05-20".parse().unwrap());
    school.students.sort_by_key(|student| student.enrolment().is_none());
    for place in places {
        school.students[*place].email = email.parse().unwrap();
    }
    assert!(matches!(directory.write(school.changes()).await.unwrap(), Writing::Written(_)));
    (store, directory)
}

/// What the data API shows of the students who have this in their address.
async fn shown_by_the_data_api((store, directory): (Arc<MemoryStore>, Directory), email: &str) -> Vec<Value> {
    let secret = ApiKeySecret::from_random([1; 16]);
    let key = ApiKey::issued(ApiKeyId::from_random([1; 16]), &secret, "test".parse().unwrap(), ApiScopes::built_in(), START);
    assert_eq!(store.create_api_key(key).await.unwrap(), Creation::Created);
    let api = DataApi::builder(directory, store).clock(Arc::new(ManualClock::at(START))).build().unwrap();
    let path = format!("/v1/students?email={email}&includeGraduates=true&includeWithdrawn=true");
    let request = Request::get(path).header("x-api-key", secret.expose()).body(Body::empty()).unwrap();
    let answer = api.oneshot(request).await.unwrap();
    let body: Value = serde_json::from_slice(answer.body().as_bytes()).unwrap();
    body["data"]["students"].as_array().unwrap_or_else(|| panic!("{body}")).clone()
}

/// The answer of `/userinfo` over this directory, for the user kim@school.example.
async fn told_over(directory: Directory) -> Value {
    let world = World::with(|builder| builder.directory(directory)).await;
    let client = world.client(ClientPolicy::Public).await;
    world.user_info(&world.tokens(&client).await.access).await.json()
}

#[tokio::test]
async fn decision_3_20_a_user_who_is_a_student_is_shown_as_the_data_api_shows_one() {
    const ENROLLED: usize = 3;
    const GRADUATE: usize = 600;
    for places in [&[ENROLLED][..], &[GRADUATE], &[ENROLLED, GRADUATE]] {
        let school = directory("KIM@School.example", places).await;
        let told = told_over(school.1.clone()).await;
        let mut shown = shown_by_the_data_api(school, "kim@school.example").await;
        shown.retain(|student| student["email"] == "KIM@School.example");
        assert_eq!((&told["isStudent"], &told["objectType"], shown.len()), (&json!(true), &json!("STUDENT"), places.len()));
        let student = if places.len() == 1 { &shown[0] } else { shown.iter().find(|student| !student["grade"].is_null()).unwrap() };
        assert_eq!(&told["student"], student);
    }
}

#[tokio::test]
async fn decision_3_20_nobody_is_shown_a_student_whose_address_only_contains_theirs() {
    let told = told_over(directory("akim@school.example", &[3]).await.1).await;
    assert_eq!((&told["isStudent"], &told["objectType"], &told["student"]), (&json!(false), &Value::Null, &Value::Null));
}

/// The status, the `error` and the challenge.
async fn refused(world: &World, request: Request<Body>) -> (u16, String, String) {
    let answer = world.send(request).await;
    let (status, word) = answer.error();
    (status, word, answer.header("www-authenticate").to_owned())
}

#[tokio::test]
async fn rfc_6750_a_request_without_a_good_token_is_told_what_is_wrong_and_what_to_get() {
    const CHALLENGE: &str = r#"Bearer realm="service", scope="service:self_read""#;
    let world = World::new().await;
    let client = world.client(ClientPolicy::Public).await;
    let tokens = world.tokens(&client).await;
    let get = |path: &str, headers: &[&str]| {
        let request = headers.iter().fold(Request::get(path), |request, value| request.header("authorization", *value));
        request.body(Body::empty()).unwrap()
    };
    let bearer = format!("Bearer {}", tokens.access);
    let basic = basic(&client.id, &client.secrets[0]);
    for headers in [&[][..], &[&*basic], &["Bearer"], &[""]] {
        let (status, word, challenge) = refused(&world, get("/userinfo", headers)).await;
        assert_eq!((status, &*word, &*challenge), (401, "invalid_token", CHALLENGE), "{headers:?}");
    }
    let in_query = format!("/userinfo?access_token={}", tokens.access);
    for (path, headers) in
        [(&*in_query, &[][..]), (&in_query, &[&*bearer]), ("/userinfo", &[&bearer, &bearer]), ("/userinfo", &[&bearer, &basic])]
    {
        let (status, word, challenge) = refused(&world, get(path, headers)).await;
        assert_eq!((status, &*word), (400, "invalid_request"), "{path}");
        assert!(challenge.starts_with(CHALLENGE) && challenge.contains("error=\"invalid_request\""), "{challenge}");
    }
    for token in ["x", &tokens.refresh, &format!("{} ", tokens.access), &tokens.access.to_lowercase()] {
        let (status, word, challenge) = refused(&world, get("/userinfo", &[&format!("Bearer {token}")])).await;
        assert_eq!((status, &*word), (401, "invalid_token"), "{token}");
        assert!(challenge.contains("error=\"invalid_token\""), "{challenge}");
    }
    world.clock.advance(Duration::from_secs(3600));
    assert_eq!(refused(&world, get("/userinfo", &[&bearer])).await.1, "invalid_token");
}

#[tokio::test]
async fn rfc_6750_a_token_needs_the_scope_and_must_be_for_this_service() {
    let world = World::new().await;
    let application = world.application("somebody").await;
    let other = format!("{application}:read");
    let client = world.client_with(ClientPolicy::Secret, |client| {
        client.allowed_scopes = ScopeSet::parse(&format!("{SCOPES} {other}")).unwrap();
    });
    let client = client.await;
    let lacking = world.user_info(&world.tokens_for(&client, "service:manage").await.access).await;
    assert_eq!(lacking.error(), error(403, "insufficient_scope"));
    assert!(lacking.header("www-authenticate").contains("scope=\"service:self_read\", error=\"insufficient_scope\""));
    let foreign = world.user_info(&world.tokens_for(&client, &other).await.access).await;
    assert_eq!(foreign.error(), error(401, "invalid_token"));
}
