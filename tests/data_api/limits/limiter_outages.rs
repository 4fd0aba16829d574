//! Requests while the limiter is unavailable.

use std::io::{self, Write};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use lyceum::domain::{Quota, RateLimitDecision, RateLimitKey, Timestamp};
use lyceum::http::data_api::LimiterFailureMode;
use lyceum::store::memory::MemoryStore;
use lyceum::store::{RateLimiter, StorageError};
use tracing_subscriber::util::SubscriberInitExt;

use super::{SCHOOL, builder, quota, status, told};
use crate::client::get;
use crate::school_fixtures::{NOW, UNKNOWN_KEY};

/// A limiter that is unavailable unless `answers` is set.
#[derive(Debug, Default)]
struct FlakyLimiter {
    counts: MemoryStore,
    answers: AtomicBool,
    asked: AtomicUsize,
}

#[async_trait]
impl RateLimiter for FlakyLimiter {
    async fn take_many(
        &self,
        key: &RateLimitKey,
        quota: Quota,
        calls: NonZeroU32,
        at: Timestamp,
    ) -> Result<RateLimitDecision, StorageError> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        if self.answers.load(Ordering::SeqCst) {
            return self.counts.take_many(key, quota, calls, at).await;
        }
        Err(StorageError::unavailable(
            "secret limiter is down",
            "secret cause",
        ))
    }
}

// Proves: spec 2.13
#[tokio::test]
async fn requests_pass_while_the_limiter_is_unavailable_with_the_known_headers() {
    let (builder, clock) = builder().await;
    let limiter = Arc::new(FlakyLimiter::default());
    let api = builder
        .rate_limit(quota(1, 60, 1))
        .rate_limiter(limiter.clone())
        .build()
        .unwrap();
    for _ in 0..3 {
        let answer = get(&api, "/v1/clubs").await;
        assert_eq!(
            (answer.status.as_u16(), told(&answer)),
            (200, ["1", "", r#""default";q=1;w=60"#, ""])
        );
    }
    limiter.answers.store(true, Ordering::SeqCst);
    clock.advance(Duration::from_secs(1));
    assert_eq!(
        get(&api, "/v1/clubs").await.header("x-ratelimit-remaining"),
        "0"
    );
    assert_eq!(get(&api, "/v1/clubs").await.status, 429);
}

// Proves: spec 2.13
#[tokio::test]
async fn a_limiter_that_does_not_answer_is_asked_once_a_second() {
    let (builder, clock) = builder().await;
    let limiter = Arc::new(FlakyLimiter::default());
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
    assert_eq!(
        limiter.asked.load(Ordering::SeqCst),
        4,
        "queried at once after the clock was set back"
    );
}

// Proves: spec 2.13
#[tokio::test]
async fn the_log_says_once_that_the_limiter_went_and_once_that_it_is_back() {
    // With one subscriber alone, tracing asks only it whether an event is of interest, also when
    // the first thread that reaches the event has none.
    let _second = tracing::Dispatch::new(tracing::subscriber::NoSubscriber::new());
    let log = Arc::new(Log::default());
    let _listening = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_writer(log.clone())
        .finish()
        .set_default();
    let (builder, clock) = builder().await;
    let limiter = Arc::new(FlakyLimiter::default());
    let api = builder.rate_limiter(limiter.clone()).build().unwrap();
    for answers in [false, false, true, true, false] {
        limiter.answers.store(answers, Ordering::SeqCst);
        get(&api, "/v1/clubs").await;
        clock.advance(Duration::from_secs(1));
    }
    let lines: Vec<String> = log.0.lock().unwrap().lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    for (line, words) in lines.iter().zip(["WARN", "INFO", "WARN"]) {
        assert!(
            line.contains(words) && line.contains("lyceum::data"),
            "{line}"
        );
        assert_eq!(
            line.contains("cause=secret limiter is down: secret cause"),
            words == "WARN",
            "{line}"
        );
    }
}

#[derive(Default)]
struct Log(Mutex<String>);

impl Write for &Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .lock()
            .unwrap()
            .push_str(std::str::from_utf8(bytes).unwrap());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

// Proves: spec 2.13
#[tokio::test]
async fn requests_are_503_while_the_limiter_does_not_answer_if_the_host_wants_so() {
    let (builder, clock) = builder().await;
    let limiter = Arc::new(FlakyLimiter::default());
    let api = builder
        .rate_limiter(limiter.clone())
        .on_limiter_failure(LimiterFailureMode::FailClosed)
        .build()
        .unwrap();
    for cause in ["secret limiter is down", "the rate limiter is away"] {
        let answer = get(&api, "/v1/clubs").await;
        assert_eq!(
            (answer.status.as_u16(), answer.reason().0.as_str()),
            (503, "service_unavailable")
        );
        assert!(
            !answer.body.contains("limiter")
                && answer.header("retry-after").parse::<u32>().unwrap() >= 1
        );
        assert_eq!(answer.cause.as_deref(), Some(cause));
    }
    assert_eq!(
        status(&api, SCHOOL, UNKNOWN_KEY).await,
        401,
        "invalid keys do not query the limiter"
    );
    limiter.answers.store(true, Ordering::SeqCst);
    clock.advance(Duration::from_secs(1));
    assert_eq!(get(&api, "/v1/clubs").await.status, 200);
}
