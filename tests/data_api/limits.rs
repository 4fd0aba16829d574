//! How many requests a key may make, and how many may fail (decisions 2.13).

use std::io::{self, Write};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use http::Request;
use lyceum::DataApi;
use lyceum::domain::{ApiKey, ApiKeyRenewal, ApiKeySecret, ApiScopes, Quota, RateKey, RateVerdict};
use lyceum::http::data_api::{DataApiBuilder, LimiterFailure};
use lyceum::http::{ClientAddress, TrustedProxies};
use lyceum::store::memory::MemoryStore;
use lyceum::store::{ApiKeyStore, Creation, RateLimiter, Renewal, StorageError};
use lyceum::testing::ManualClock;
use tower::{Layer, ServiceExt};
use tracing_subscriber::util::SubscriberInitExt;

use crate::calls::{Answer, get, request, send};
use crate::school::{self, CLUB_KEY, EXPIRED_KEY, FULL_KEY, NOW, REVOKED_KEY, STRANGE_KEY};

const SCHOOL: &str = "192.0.2.1";

fn quota(limit: u32, seconds: u64, burst: u32) -> Quota {
    Quota::new(limit, Duration::from_secs(seconds), burst).unwrap()
}

async fn builder() -> (DataApiBuilder, ManualClock) {
    let clock = ManualClock::at(NOW);
    (school::builder().await.clock(Arc::new(clock.clone())), clock)
}

/// A request with a key, from an address.
fn from(address: &str, key: &str) -> Request<()> {
    let mut request = request("GET", "/v1/clubs", Some(key));
    request.extensions_mut().insert(ClientAddress(address.parse::<IpAddr>().unwrap()));
    request
}

async fn status(api: &DataApi, address: &str, key: &str) -> u16 {
    send(api, from(address, key)).await.status.as_u16()
}

/// What an answer tells of the limit: limit, remaining, policy, state.
fn told(answer: &Answer) -> [&str; 4] {
    ["x-ratelimit-limit", "x-ratelimit-remaining", "ratelimit-policy", "ratelimit"].map(|name| answer.header(name))
}

#[tokio::test]
async fn decision_2_13_a_key_may_make_100_requests_at_once_and_then_one_in_600_milliseconds() {
    let (builder, clock) = builder().await;
    let api = builder.build().unwrap();
    for left in (0..100).rev() {
        let answer = get(&api, "/v1/clubs").await;
        assert_eq!((answer.status.as_u16(), answer.header("x-ratelimit-remaining")), (200, left.to_string().as_str()));
    }
    let denied = get(&api, "/v1/clubs").await;
    assert_eq!((denied.status.as_u16(), denied.reason().0.as_str()), (429, "rate_limited"));
    assert_eq!(denied.json()["status"], "TOO_MANY_REQUESTS");
    assert_eq!(denied.header("retry-after"), "1", "600 milliseconds, rounded up");
    assert_eq!(told(&denied), ["100", "0", r#""default";q=100;w=60"#, r#""default";r=0;t=1"#]);
    assert_eq!(denied.header("cache-control"), "private, no-cache");
    clock.advance(Duration::from_secs(1));
    assert_eq!(get(&api, "/v1/clubs").await.status, 200);
    clock.advance(Duration::from_secs(60));
    assert_eq!(get(&api, "/v1/clubs").await.header("x-ratelimit-remaining"), "99", "a rested key is whole again");
}

#[tokio::test]
async fn decision_2_13_every_answer_after_the_key_tells_of_the_limit() {
    let (builder, _) = builder().await;
    let api = builder.build().unwrap();
    let first = get(&api, "/v1/clubs").await;
    assert_eq!(told(&first), ["100", "99", r#""default";q=100;w=60"#, r#""default";r=99;t=1"#]);
    let mut again = request("GET", "/v1/clubs", Some(FULL_KEY));
    again.headers_mut().insert("if-none-match", first.headers["etag"].clone());
    let mut conditional = request("GET", "/v1/clubs", Some(FULL_KEY));
    conditional.headers_mut().insert("if-match", "\"other\"".parse().unwrap());
    for (number, (request, status)) in [
        (again, 304),
        (request("GET", "/v1/clubs?x=1", Some(FULL_KEY)), 400),
        (conditional, 412),
        (request("HEAD", "/v1/clubs", Some(FULL_KEY)), 200),
    ]
    .into_iter()
    .enumerate()
    {
        let answer = send(&api, request).await;
        assert_eq!((answer.status.as_u16(), answer.header("x-ratelimit-remaining")), (status, (98 - number).to_string().as_str()));
    }
    let forbidden = send(&api, request("GET", "/v1/students", Some(CLUB_KEY))).await;
    assert_eq!((forbidden.status.as_u16(), forbidden.header("x-ratelimit-remaining")), (403, "99"));
    for untold in [request("GET", "/v1/health", None), request("GET", "/v1/clubs", None), request("GET", "/v1/clubs", Some(STRANGE_KEY))] {
        assert_eq!(told(&send(&api, untold).await), [""; 4]);
    }
}

#[tokio::test]
async fn decision_2_13_the_time_told_is_until_all_is_there_again_or_one_when_nothing_is_left() {
    let (builder, clock) = builder().await;
    let api = builder.rate_limit(quota(4, 40, 3)).build().unwrap();
    let mut states = Vec::new();
    for _ in 0..4 {
        let answer = get(&api, "/v1/clubs").await;
        states.push((answer.header("ratelimit").to_owned(), answer.header("retry-after").to_owned()));
        assert_eq!(answer.header("ratelimit-policy"), r#""default";q=4;w=40"#);
    }
    let state = |state: &str, retry: &str| (format!("\"default\";{state}"), retry.to_owned());
    assert_eq!(states, [state("r=2;t=10", ""), state("r=1;t=20", ""), state("r=0;t=10", ""), state("r=0;t=10", "10")]);
    let api_of_fractions = school::builder().await.rate_limit(quota(4, 10, 1)).build().unwrap();
    assert_eq!(get(&api_of_fractions, "/v1/clubs").await.header("ratelimit"), r#""default";r=0;t=3"#);
    assert_eq!(get(&api_of_fractions, "/v1/clubs").await.header("retry-after"), "3", "two and a half seconds, rounded up");
    clock.advance(Duration::from_secs(10));
    assert_eq!(get(&api, "/v1/clubs").await.status, 200, "whoever waits as long as they were told is let in");
}

#[tokio::test]
async fn decision_2_13_a_denied_request_costs_nothing() {
    let (builder, clock) = builder().await;
    let api = builder.rate_limit(quota(1, 10, 1)).build().unwrap();
    assert_eq!(get(&api, "/v1/clubs").await.status, 200);
    for second in 0..10_u64 {
        assert_eq!(get(&api, "/v1/clubs").await.header("retry-after"), (10 - second).to_string());
        clock.advance(Duration::from_secs(1));
    }
    assert_eq!(get(&api, "/v1/clubs").await.status, 200);
}

#[tokio::test]
async fn decision_2_3_the_limit_comes_after_the_key_and_before_the_scope() {
    let (builder, _) = builder().await;
    let api = builder.rate_limit(quota(1, 60, 1)).build().unwrap();
    assert_eq!(send(&api, request("GET", "/v1/students?x=%", Some(CLUB_KEY))).await.status, 403);
    for (method, path, key, status) in [
        ("GET", "/v1/students?x=%", CLUB_KEY, 429),
        ("GET", "/v1/students?x=%", STRANGE_KEY, 401),
        ("POST", "/v1/students", CLUB_KEY, 405),
        ("GET", "/v1/nothing", CLUB_KEY, 404),
    ] {
        assert_eq!(send(&api, request(method, path, Some(key))).await.status, status, "{method} {path}");
    }
}

#[tokio::test]
async fn decision_2_13_services_that_share_a_limiter_share_its_counts() {
    let store = school::store().await;
    let node = async || {
        let builder = school::over(store.clone()).await.clock(Arc::new(school::Still));
        builder.rate_limiter(store.clone()).rate_limit(quota(2, 60, 2)).build().unwrap()
    };
    let (one, other) = (node().await, node().await);
    assert_eq!(get(&one, "/v1/clubs").await.status, 200);
    assert_eq!(get(&other, "/v1/clubs").await.header("x-ratelimit-remaining"), "0");
    assert_eq!(get(&one, "/v1/clubs").await.status, 429);
}

#[tokio::test]
async fn a_host_that_limits_elsewhere_turns_it_off() {
    let (builder, _) = builder().await;
    let api = builder.rate_limit(quota(1, 60, 1)).without_rate_limit().build().unwrap();
    for _ in 0..3 {
        let answer = get(&api, "/v1/clubs").await;
        assert_eq!((answer.status.as_u16(), told(&answer)), (200, [""; 4]));
    }
}

#[tokio::test]
async fn s40_the_limit_follows_the_key_and_no_header_address_or_spelling() {
    let store = school::store().await;
    assert_eq!(store.create_api_key(school::key(0xAB, ApiScopes::built_in())).await.unwrap(), Creation::Created);
    let api = school::over(store).await.clock(Arc::new(school::Still)).rate_limit(quota(3, 60, 3)).build().unwrap();
    let lower = "abababab-abab-4bab-abab-abababababab";
    let mut statuses = Vec::new();
    for (number, key) in [lower, &lower.to_uppercase(), lower, &lower.to_uppercase(), lower].into_iter().enumerate() {
        let mut request = from(&format!("198.51.100.{number}"), key);
        for header in ["x-forwarded-for", "x-real-ip", "x-client-ip"] {
            request.headers_mut().insert(header, format!("203.0.113.{number}").parse().unwrap());
        }
        request.headers_mut().insert("forwarded", format!("for=203.0.113.{number}").parse().unwrap());
        statuses.push(send(&api, request).await.status.as_u16());
    }
    assert_eq!(statuses, [200, 200, 200, 429, 429]);
    assert_eq!(status(&api, SCHOOL, CLUB_KEY).await, 200, "another key has its own");
}

#[tokio::test]
async fn s40_bad_keys_are_counted_for_the_client_that_a_trusted_proxy_names_and_no_other() {
    let (builder, _) = builder().await;
    let api = builder.bad_key_limit(quota(1, 60, 1)).build().unwrap();
    let api = TrustedProxies::x_forwarded_for(&["10.0.0.0/8"]).unwrap().layer(api);
    let status = async |peer: &str, forwarded: &str| {
        let mut request = from(peer, STRANGE_KEY);
        request.headers_mut().insert("x-forwarded-for", forwarded.parse().unwrap());
        api.clone().oneshot(request).await.unwrap().status().as_u16()
    };
    assert_eq!(status("10.0.0.1", "198.51.100.1").await, 401);
    assert_eq!(status("10.0.0.1", "198.51.100.1").await, 429);
    assert_eq!(status("10.0.0.2", "198.51.100.1").await, 429, "by whichever proxy");
    assert_eq!(status("10.0.0.1", "203.0.113.9, 198.51.100.1").await, 429, "what the client made up changes nothing");
    assert_eq!(status("10.0.0.1", "198.51.100.2").await, 401, "another client");
    assert_eq!(status(SCHOOL, "203.0.113.1").await, 401);
    assert_eq!(status(SCHOOL, "203.0.113.2").await, 429, "nobody trusts that peer");
}

/// A limiter that answers only when told to.
#[derive(Debug, Default)]
struct Moody {
    counts: MemoryStore,
    answers: AtomicBool,
    asked: AtomicUsize,
}

#[async_trait]
impl RateLimiter for Moody {
    async fn take_many(&self, key: &RateKey, quota: Quota, calls: NonZeroU32, now_micros: i64) -> Result<RateVerdict, StorageError> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        if self.answers.load(Ordering::SeqCst) {
            return self.counts.take_many(key, quota, calls, now_micros).await;
        }
        Err(StorageError::unavailable("secret limiter is down", "secret cause"))
    }
}

#[tokio::test]
async fn decision_2_13_requests_pass_while_the_limiter_does_not_answer_and_are_told_what_is_known() {
    let (builder, clock) = builder().await;
    let limiter = Arc::new(Moody::default());
    let api = builder.rate_limit(quota(1, 60, 1)).rate_limiter(limiter.clone()).build().unwrap();
    for _ in 0..3 {
        let answer = get(&api, "/v1/clubs").await;
        assert_eq!((answer.status.as_u16(), told(&answer)), (200, ["1", "", r#""default";q=1;w=60"#, ""]));
    }
    limiter.answers.store(true, Ordering::SeqCst);
    clock.advance(Duration::from_secs(1));
    assert_eq!(get(&api, "/v1/clubs").await.header("x-ratelimit-remaining"), "0");
    assert_eq!(get(&api, "/v1/clubs").await.status, 429);
}

#[tokio::test]
async fn decision_2_13_a_limiter_that_does_not_answer_is_asked_once_a_second() {
    let (builder, clock) = builder().await;
    let limiter = Arc::new(Moody::default());
    let api = builder.rate_limiter(limiter.clone()).build().unwrap();
    for second in 1..=3 {
        for _ in 0..5 {
            assert_eq!(get(&api, "/v1/clubs").await.status, 200);
        }
        assert_eq!(limiter.asked.load(Ordering::SeqCst), second);
        clock.advance(Duration::from_secs(1));
    }
    clock.set(NOW.minus(Duration::from_secs(3600)));
    get(&api, "/v1/clubs").await;
    assert_eq!(limiter.asked.load(Ordering::SeqCst), 4, "a clock that was set back leaves it alone no longer");
}

#[tokio::test]
async fn decision_2_13_the_log_says_once_that_the_limiter_went_and_once_that_it_is_back() {
    let log = Arc::new(Log::default());
    let _listening = tracing_subscriber::fmt().with_ansi(false).with_writer(log.clone()).finish().set_default();
    let (builder, clock) = builder().await;
    let limiter = Arc::new(Moody::default());
    let api = builder.rate_limiter(limiter.clone()).build().unwrap();
    for answers in [false, false, true, true, false] {
        limiter.answers.store(answers, Ordering::SeqCst);
        get(&api, "/v1/clubs").await;
        clock.advance(Duration::from_secs(1));
    }
    let lines: Vec<String> = log.0.lock().unwrap().lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    for (line, words) in lines.iter().zip(["WARN", "INFO", "WARN"]) {
        assert!(line.contains(words) && line.contains("lyceum::data"), "{line}");
        assert_eq!(line.contains("cause=secret limiter is down: secret cause"), words == "WARN", "{line}");
    }
}

#[derive(Default)]
struct Log(Mutex<String>);

impl Write for &Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().push_str(std::str::from_utf8(bytes).unwrap());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn decision_2_13_requests_are_503_while_the_limiter_does_not_answer_if_the_host_wants_so() {
    let (builder, clock) = builder().await;
    let limiter = Arc::new(Moody::default());
    let api = builder.rate_limiter(limiter.clone()).on_limiter_failure(LimiterFailure::Closed).build().unwrap();
    for cause in ["secret limiter is down", "the rate limiter is away"] {
        let answer = get(&api, "/v1/clubs").await;
        assert_eq!((answer.status.as_u16(), answer.reason().0.as_str()), (503, "service_unavailable"));
        assert!(!answer.body.contains("limiter") && answer.header("retry-after").parse::<u32>().unwrap() >= 1);
        assert_eq!(answer.cause.as_deref(), Some(cause));
    }
    assert_eq!(status(&api, SCHOOL, STRANGE_KEY).await, 401, "it was not asked about that");
    limiter.answers.store(true, Ordering::SeqCst);
    clock.advance(Duration::from_secs(1));
    assert_eq!(get(&api, "/v1/clubs").await.status, 200);
}

#[tokio::test]
async fn decision_2_13_bad_keys_are_limited_per_address_whatever_is_wrong_with_them() {
    for bad in ["nonsense", STRANGE_KEY, REVOKED_KEY, EXPIRED_KEY] {
        let (builder, clock) = builder().await;
        let api = builder.bad_key_limit(quota(2, 20, 2)).build().unwrap();
        assert_eq!([status(&api, SCHOOL, bad).await, status(&api, SCHOOL, bad).await], [401, 401], "{bad}");
        let answer = send(&api, from(SCHOOL, bad)).await;
        assert_eq!((answer.status.as_u16(), answer.reason().0.as_str()), (429, "bad_keys_limited"), "{bad}");
        assert_eq!((answer.header("retry-after"), told(&answer)), ("10", [""; 4]));
        assert_eq!(status(&api, "192.0.2.2", bad).await, 401, "another address");
        clock.advance(Duration::from_secs(10));
        assert_eq!([status(&api, SCHOOL, bad).await, status(&api, SCHOOL, bad).await], [401, 429], "{bad}");
    }
}

#[tokio::test]
async fn s40_bad_keys_never_lock_out_a_good_one() {
    let (builder, _) = builder().await;
    let api = builder.bad_key_limit(quota(1, 60, 1)).build().unwrap();
    for _ in 0..50 {
        status(&api, SCHOOL, STRANGE_KEY).await;
    }
    assert_eq!(status(&api, SCHOOL, STRANGE_KEY).await, 429);
    let good = send(&api, from(SCHOOL, FULL_KEY)).await;
    assert_eq!((good.status.as_u16(), good.header("x-ratelimit-remaining")), (200, "99"), "and has all that is its own");
    assert_eq!(status(&api, SCHOOL, CLUB_KEY).await, 200, "also one that was never seen before");
}

#[tokio::test]
async fn s40_a_key_that_was_bad_before_it_was_issued_is_good_at_once() {
    let store = school::store().await;
    let secret = ApiKeySecret::from_random([9; 16]);
    let api = school::over(store.clone()).await.clock(Arc::new(school::Still)).bad_key_limit(quota(1, 60, 1)).build().unwrap();
    assert_eq!([status(&api, SCHOOL, secret.expose()).await, status(&api, SCHOOL, secret.expose()).await], [401, 429]);
    assert_eq!(store.create_api_key(school::key(9, ApiScopes::built_in())).await.unwrap(), Creation::Created);
    assert_eq!(status(&api, SCHOOL, secret.expose()).await, 200);
}

#[tokio::test]
async fn s40_one_ipv6_subscriber_is_one_address() {
    let (builder, _) = builder().await;
    let api = builder.bad_key_limit(quota(1, 60, 1)).build().unwrap();
    assert_eq!(status(&api, "2001:db8::1", STRANGE_KEY).await, 401);
    assert_eq!(status(&api, "2001:db8::2", STRANGE_KEY).await, 429);
    assert_eq!(status(&api, "2001:db8:0:1::1", STRANGE_KEY).await, 401);
    assert_eq!(status(&api, SCHOOL, STRANGE_KEY).await, 401);
    assert_eq!(status(&api, "::ffff:192.0.2.1", STRANGE_KEY).await, 429);
}

#[tokio::test]
async fn a_missing_key_and_a_client_without_an_address_are_not_counted() {
    let (builder, _) = builder().await;
    let api = builder.bad_key_limit(quota(1, 60, 1)).build().unwrap();
    for _ in 0..3 {
        let mut without_key = from(SCHOOL, FULL_KEY);
        without_key.headers_mut().remove("x-api-key");
        assert_eq!(send(&api, without_key).await.status, 401);
        assert_eq!(send(&api, request("GET", "/v1/clubs", Some(STRANGE_KEY))).await.status, 401);
    }
    assert_eq!(status(&api, SCHOOL, STRANGE_KEY).await, 401);
}

/// Fails if a renewal gives a key another limit, beside that of its value until now.
#[tokio::test]
async fn decision_2_13_both_values_of_a_renewed_key_share_one_limit() {
    let (store, new) = (school::store().await, ApiKeySecret::from_random([0xCD; 16]));
    let api = school::over(store.clone()).await.clock(Arc::new(school::Still)).rate_limit(quota(2, 60, 2)).build().unwrap();
    assert_eq!(status(&api, SCHOOL, FULL_KEY).await, 200);
    let key = store.api_key(&ApiKeySecret::presented(FULL_KEY).unwrap().digest()).await.unwrap().unwrap();
    let renewal = ApiKeyRenewal { digest: new.digest(), hint: new.hint(), overlap: ApiKey::OVERLAP };
    assert!(matches!(store.renew_api_key(key.id, renewal, NOW).await.unwrap(), Renewal::Renewed(_)));
    assert_eq!(status(&api, SCHOOL, new.expose()).await, 200);
    for value in [FULL_KEY, new.expose()] {
        assert_eq!(status(&api, SCHOOL, value).await, 429);
    }
}

/// Fails if all keys have the limit of the host.
#[tokio::test]
async fn decision_2_13_a_key_may_have_a_limit_of_its_own() {
    let store = school::store().await;
    for (number, own) in [(0x71, Some(quota(3, 60, 2))), (0x72, None)] {
        let key = ApiKey { quota: own, ..school::key(number, ApiScopes::built_in()) };
        assert_eq!(store.create_api_key(key).await.unwrap(), Creation::Created);
    }
    let api = school::over(store).await.clock(Arc::new(school::Still)).rate_limit(quota(1, 60, 1)).build().unwrap();
    for (number, policy, statuses) in [(0x71, r#""default";q=3;w=60"#, [200, 200, 429]), (0x72, r#""default";q=1;w=60"#, [200, 429, 429])] {
        let key = ApiKeySecret::from_random([number; 16]);
        for status in statuses {
            let answer = send(&api, request("GET", "/v1/clubs", Some(key.expose()))).await;
            assert_eq!((answer.status.as_u16(), answer.header("ratelimit-policy")), (status, policy));
        }
    }
}
