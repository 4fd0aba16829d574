//! Rate limits of API keys on a real server of Redis or Valkey.

#[path = "../support/metrics_capture.rs"]
mod metrics_capture;
mod server;
#[path = "../support/skip.rs"]
mod skip;

use std::sync::Arc;
use std::time::Duration;

use http::Request;
use lyceum::DataApi;
use lyceum::directory::Directory;
use lyceum::domain::{
    ApiKey, ApiKeyId, ApiKeySecret, ApiScopes, Quota, RateLimitDecision, RateLimitKey, Timestamp,
};
use lyceum::http::data_api::LimiterFailureMode;
use lyceum::store::memory::MemoryStore;
use lyceum::store::redis::RedisLimiter;
use lyceum::store::{ApiKeyStore, Creation, RateLimiter};
use lyceum::testing::ManualClock;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use server::{Server, needs_redis};
use tower::ServiceExt;

const SECOND: i64 = 1_000_000;
const NOW: Timestamp = Timestamp::from_seconds(1_795_188_600);

fn quota(limit: u32, seconds: u64, burst: u32) -> Quota {
    Quota::new(limit, Duration::from_secs(seconds), burst).unwrap()
}

fn key(number: usize) -> RateLimitKey {
    RateLimitKey::new("test", &number.to_be_bytes())
}

// Proves: spec 2.13
#[tokio::test]
async fn every_verdict_of_redis_is_that_of_the_quota() {
    needs_redis!();
    let server = Server::start().await;
    let limiter = RedisLimiter::open(&server.url()).await.unwrap();
    let quotas = [
        quota(100, 60, 100),
        quota(1, 5, 1),
        quota(3, 1, 2),
        quota(7, 10, 3),
        quota(1, 366 * 24 * 3600, 2),
        quota(999_999, 1, u32::MAX),
    ];
    let steps = proptest::sample::select(vec![0, 1, SECOND / 3, SECOND, -SECOND, 20 * SECOND]);
    let calls = proptest::collection::vec((0..4_usize, steps, 0..quotas.len()), 2_000..2_001);
    let calls = calls
        .new_tree(&mut TestRunner::deterministic())
        .unwrap()
        .current();
    let (mut arrivals, mut now) = ([None; 4], NOW.micros());
    for (call, (number, step, quota)) in calls.into_iter().enumerate() {
        now += step;
        let at = Timestamp::from_micros(now);
        let expected = quotas[quota].check(arrivals[number], at);
        let verdict = limiter.take(&key(number), quotas[quota], at).await.unwrap();
        assert_eq!(
            verdict, expected,
            "call {call}, for key {number} at {now} under {:?}",
            quotas[quota]
        );
        if let RateLimitDecision::Allowed { arrival, .. } = expected {
            arrivals[number] = Some(arrival);
        }
    }
}

// Proves: spec 2.13
#[tokio::test]
async fn each_take_is_one_script_call_and_a_key_expires_once_its_quota_is_full() {
    needs_redis!();
    let server = Server::start().await;
    let limiter = RedisLimiter::open(&server.url()).await.unwrap();
    for number in 0..10 {
        let _ = limiter
            .take(&key(number % 2), quota(1, 100, 3), NOW)
            .await
            .unwrap();
    }
    let statistics: String = server.ask(&["INFO", "commandstats"]).await;
    let calls = |command: &str| {
        statistics
            .lines()
            .find(|line| line.starts_with(&format!("cmdstat_{command}:")))
            .map(|line| line.split([':', ',']).nth(1).unwrap())
    };
    assert_eq!(
        (calls("eval"), calls("evalsha")),
        (Some("calls=10"), None),
        "{statistics}"
    );
    let names: Vec<String> = server.ask(&["KEYS", "*"]).await;
    assert_eq!(names.len(), 2);
    for name in names {
        let milliseconds: i64 = server.ask(&["PTTL", &name]).await;
        assert!(
            (350_000..=360_000).contains(&milliseconds),
            "300 seconds, and a minute for clocks that are behind: {milliseconds}"
        );
    }
}

// Proves: spec 2.13
#[tokio::test]
async fn of_many_takers_at_two_nodes_a_burst_is_allowed() {
    needs_redis!();
    let server = Server::start().await;
    let nodes = [
        RedisLimiter::open(&server.url()).await.unwrap(),
        RedisLimiter::open(&server.url()).await.unwrap(),
    ]
    .map(Arc::new);
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..64 {
        let node = nodes[number % 2].clone();
        tasks.spawn(async move { node.take(&key(0), quota(10, 60, 10), NOW).await.unwrap() });
    }
    let mut left: Vec<u32> = tasks
        .join_all()
        .await
        .into_iter()
        .filter_map(|verdict| match verdict {
            RateLimitDecision::Allowed { remaining, .. } => Some(remaining),
            RateLimitDecision::Denied { .. } => None,
        })
        .collect();
    left.sort_unstable();
    assert_eq!(left, Vec::from_iter(0..10));
}

#[tokio::test]
async fn beyond_the_moments_that_scripts_count_nothing_breaks() {
    needs_redis!();
    let server = Server::start().await;
    let limiter = RedisLimiter::open(&server.url()).await.unwrap();
    for (number, quota) in [quota(1, 366 * 24 * 3600, u32::MAX), quota(1, 1, 1)]
        .into_iter()
        .enumerate()
    {
        for now in [i64::MIN, -1, 0, NOW.micros(), i64::MAX, 0, i64::MIN] {
            let at = Timestamp::from_micros(now);
            let _ = limiter.take(&key(number), quota, at).await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_value_that_is_no_count_is_an_error_and_no_outage() {
    needs_redis!();
    let server = Server::start().await;
    let limiter = RedisLimiter::open(&server.url()).await.unwrap();
    let _ = limiter.take(&key(0), quota(1, 60, 1), NOW).await.unwrap();
    let names: Vec<String> = server.ask(&["KEYS", "*"]).await;
    let _: () = server.ask(&["SET", &names[0], "nonsense"]).await;
    assert!(
        !limiter
            .take(&key(0), quota(1, 60, 1), NOW)
            .await
            .unwrap_err()
            .is_unavailable()
    );
}

#[tokio::test]
async fn a_url_that_is_none_is_refused_and_a_password_is_never_shown() {
    for url in [
        "",
        "redis.example",
        "http://redis.example",
        "rediss://redis.example",
    ] {
        assert!(
            !RedisLimiter::open(url).await.unwrap_err().is_unavailable(),
            "{url:?}"
        );
    }
    let limiter = RedisLimiter::open("redis://:secret@127.0.0.1:1/0")
        .await
        .unwrap();
    let error = limiter
        .take(&key(0), quota(1, 60, 1), NOW)
        .await
        .unwrap_err();
    assert!(
        error.is_unavailable() && !format!("{limiter:?} {error:?}").contains("secret"),
        "{error:?}"
    );
}

const SECRET: [u8; 16] = [7; 16];

async fn api(
    limiter: Arc<RedisLimiter>,
    on_failure: LimiterFailureMode,
    clock: &ManualClock,
) -> DataApi {
    let store = Arc::new(MemoryStore::new());
    let secret = ApiKeySecret::from_random(SECRET);
    let key = ApiKey::new(
        ApiKeyId::from_random([7; 16]),
        &secret,
        "test".parse().unwrap(),
        ApiScopes::built_in(),
        NOW,
    );
    assert_eq!(store.create_api_key(key).await.unwrap(), Creation::Created);
    let builder = DataApi::builder(Directory::open(store.clone()).await.unwrap(), store)
        .clock(Arc::new(clock.clone()));
    builder
        .rate_limiter(limiter)
        .rate_limit(quota(2, 60, 2))
        .on_limiter_failure(on_failure)
        .build()
        .unwrap()
}

async fn status(api: &DataApi) -> u16 {
    let secret = ApiKeySecret::from_random(SECRET);
    let request = Request::get("/v1/clubs")
        .header("x-api-key", secret.expose())
        .body(())
        .unwrap();
    api.clone()
        .oneshot(request)
        .await
        .unwrap()
        .status()
        .as_u16()
}

// Proves: spec 2.13
/// Fails if the limiter does not connect again.
#[tokio::test]
async fn while_redis_is_unavailable_the_host_decides_whether_requests_pass_and_afterwards_they_are_counted_again()
 {
    needs_redis!();
    let mut server = Server::start().await;
    let limiter = Arc::new(RedisLimiter::open(&server.url()).await.unwrap());
    let clock = ManualClock::new(NOW);
    let (open, closed) = (
        api(limiter.clone(), LimiterFailureMode::FailOpen, &clock).await,
        api(limiter, LimiterFailureMode::FailClosed, &clock).await,
    );
    assert_eq!(
        [
            status(&open).await,
            status(&closed).await,
            status(&open).await,
            status(&closed).await
        ],
        [200, 200, 429, 429],
        "they share a key"
    );
    server.stop();
    for _ in 0..3 {
        assert_eq!([status(&open).await, status(&closed).await], [200, 503]);
        clock.advance(Duration::from_secs(1));
    }
    server.start_again().await;
    // The first call after the outage may still meet the connection that was lost.
    for service in [&open, &closed] {
        for _ in 0..5 {
            clock.advance(Duration::from_secs(1));
            status(service).await;
        }
    }
    clock.advance(Duration::from_secs(120));
    assert_eq!(
        [
            status(&open).await,
            status(&closed).await,
            status(&open).await,
            status(&closed).await
        ],
        [200, 200, 429, 429]
    );
}

/// Fails if a node needs the server to start.
#[tokio::test]
async fn a_limiter_may_be_opened_before_its_server_is_there() {
    needs_redis!();
    let mut server = Server::start().await;
    server.stop();
    let limiter = RedisLimiter::open(&server.url()).await.unwrap();
    assert!(
        limiter
            .take(&key(0), quota(1, 60, 1), NOW)
            .await
            .unwrap_err()
            .is_unavailable()
    );
    server.start_again().await;
    let mut verdict = limiter.take(&key(0), quota(1, 60, 1), NOW).await;
    for _ in 0..5 {
        if verdict.is_err() {
            verdict = limiter.take(&key(0), quota(1, 60, 1), NOW).await;
        }
    }
    assert!(
        matches!(verdict, Ok(RateLimitDecision::Allowed { .. })),
        "{verdict:?}"
    );
}

/// Fails if an error of the server is not recorded.
#[test]
fn calls_and_errors_of_an_outage_are_measured() {
    needs_redis!();
    metrics_capture::capture_metrics(async |metrics| {
        let mut server = Server::start().await;
        let limiter = RedisLimiter::open(&server.url()).await.unwrap();
        limiter.take(&key(1), quota(1, 60, 1), NOW).await.unwrap();
        server.stop();
        limiter
            .take(&key(1), quota(1, 60, 1), NOW)
            .await
            .unwrap_err();
        let errors = ["failed", "unavailable"]
            .map(|kind| metrics.value("lyceum_store_errors_total", &["redis", kind]));
        let calls = metrics.value(
            "lyceum_store_duration_seconds_count",
            &["redis", "take_many"],
        );
        assert_eq!((calls, errors), (2.0, [0.0, 1.0]), "{}", metrics.text());
    });
}
