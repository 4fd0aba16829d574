//! Data pages during failures of the data API.

use async_trait::async_trait;
use http::StatusCode;
use http::header::RETRY_AFTER;
use lyceum::domain::{Quota, RateLimitDecision, RateLimitKey, Timestamp};
use lyceum::http::data_api::LimiterFailureMode;
use lyceum::store::{RateLimiter, StorageError};
use std::num::NonZeroU32;

use super::*;
use crate::pages::assert_safe;

/// A rate limiter that fails or panics.
#[derive(Debug)]
struct FailingLimiter {
    panics: bool,
}

#[async_trait]
impl RateLimiter for FailingLimiter {
    async fn take_many(
        &self,
        _: &RateLimitKey,
        _: Quota,
        _: NonZeroU32,
        _: Timestamp,
    ) -> Result<RateLimitDecision, StorageError> {
        assert!(!self.panics, "secret panic");
        Err(StorageError::unavailable(
            "secret host is down",
            "secret cause",
        ))
    }
}

/// Fails if a page shows the cause, or `Retry-After` does not reach the browser.
#[tokio::test]
async fn a_data_api_that_cannot_answer_is_an_error_page_that_says_nothing_of_the_cause() {
    for (panics, status, retry_after) in [
        (false, StatusCode::SERVICE_UNAVAILABLE, "5"),
        (true, StatusCode::INTERNAL_SERVER_ERROR, ""),
    ] {
        let broken = Arc::new(FailingLimiter { panics });
        let (harness, _) = harness_with(|builder| {
            builder
                .rate_limiter(broken)
                .on_limiter_failure(LimiterFailureMode::FailClosed)
        })
        .await;
        let mut browser = browser(&harness).await;
        for path in ["/data/students", "/data/students.csv"] {
            let page = browser.get(path).await;
            assert_safe(&page);
            assert_eq!(
                (page.status, page.header(RETRY_AFTER)),
                (status, retry_after)
            );
            assert!(
                !page.body.contains("secret") && page.body.contains(page.header("x-request-id")),
                "{}",
                page.body
            );
        }
    }
}

/// Fails if the data API does not check the key's expiry itself.
#[tokio::test]
async fn a_key_that_has_ended_by_the_clock_of_the_data_api_is_none() {
    let later = lyceum::testing::ManualClock::new(school_fixtures::NOW.plus(ApiKey::VALIDITY));
    let (harness, _) = harness_with(|builder| builder.clock(Arc::new(later))).await;
    let mut browser = browser(&harness).await;
    for path in ["/data/students", "/data/students.csv"] {
        let page = browser.get(path).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND);
        assert_safe(&page);
    }
}
