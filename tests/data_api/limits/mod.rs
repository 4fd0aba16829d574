//! Rate limits of keys, and of failed requests (spec 2.13).

mod bad_keys;
mod key_quotas;
mod limiter_outages;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use http::Request;
use lyceum::DataApi;
use lyceum::domain::Quota;
use lyceum::http::ClientAddress;
use lyceum::http::data_api::DataApiBuilder;
use lyceum::testing::ManualClock;

use crate::client::{TestResponse, request, send};
use crate::school_fixtures::{self, NOW};

const SCHOOL: &str = "192.0.2.1";

fn quota(limit: u32, seconds: u64, burst: u32) -> Quota {
    Quota::new(limit, Duration::from_secs(seconds), burst).unwrap()
}

async fn builder() -> (DataApiBuilder, ManualClock) {
    let clock = ManualClock::new(NOW);
    (
        school_fixtures::builder()
            .await
            .clock(Arc::new(clock.clone())),
        clock,
    )
}

/// Creates a request with a key, from an address.
fn from(address: &str, key: &str) -> Request<()> {
    let mut request = request("GET", "/v1/clubs", Some(key));
    request
        .extensions_mut()
        .insert(ClientAddress(address.parse::<IpAddr>().unwrap()));
    request
}

async fn status(api: &DataApi, address: &str, key: &str) -> u16 {
    send(api, from(address, key)).await.status.as_u16()
}

/// The rate limit headers of a response: limit, remaining, policy, state.
fn told(answer: &TestResponse) -> [&str; 4] {
    [
        "x-ratelimit-limit",
        "x-ratelimit-remaining",
        "ratelimit-policy",
        "ratelimit",
    ]
    .map(|name| answer.header(name))
}
