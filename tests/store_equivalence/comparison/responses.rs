//! Comparison of data API responses over several directories on one store, byte by byte.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::HeaderName;
use http::{HeaderMap, HeaderValue, Request, StatusCode};
use serde_json::Value;
use tower::Service;

use super::change_batches;
use super::open_directory;
use super::requests::{ENDPOINTS, RequestTarget};
use crate::rng::SeededRng;
use lyceum::DataApi;
use lyceum::crypto::Entropy;
use lyceum::directory::Directory;
use lyceum::domain::{ApiKey, ApiKeyId, ApiKeySecret, ApiScopes, ShortText, Timestamp};
use lyceum::http::FailureCause;
use lyceum::store::memory::MemoryStore;
use lyceum::store::{ApiKeyStore, DirectoryStore, StorageError};
use lyceum::testing::ManualClock;

/// 2026-05-20T03:00:00Z: a day that has meals, events and lessons.
const NOW: Timestamp = Timestamp::from_seconds(1_779_246_000);

/// Number of requests after each batch of changes.
const REQUESTS: usize = 24;

/// Counts of the compared requests, to show that a comparison was meaningful.
#[derive(Debug, Clone, Default)]
pub struct ComparisonReport {
    /// Number of requests that were compared.
    pub requests: usize,
    /// Number of responses with at least one record.
    pub with_records: usize,
    /// Number of requests that were refused with a 4xx status.
    pub refused: usize,
    /// Number of batches of changes that were written or rejected.
    pub batches: usize,
    /// For each parameter, sort key and direction: the number of responses with a record, or with
    /// two where the order matters.
    coverage: BTreeMap<String, usize>,
}

impl ComparisonReport {
    /// Returns the parameters, sort keys and directions that no response with a record covered.
    pub fn uncovered(&self) -> Vec<String> {
        coverage_keys()
            .filter(|key| !self.coverage.contains_key(key))
            .collect()
    }

    /// Returns the number of parameters, sort keys and directions that responses with records
    /// covered.
    pub fn covered(&self) -> usize {
        coverage_keys()
            .filter(|key| self.coverage.contains_key(key))
            .count()
    }

    /// Adds the counts of another comparison.
    pub fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.with_records += other.with_records;
        self.refused += other.refused;
        self.batches += other.batches;
        for (key, count) in &other.coverage {
            *self.coverage.entry(key.clone()).or_default() += count;
        }
    }

    fn count(&mut self, target: &RequestTarget, response: &ApiResponse) {
        let records = response.records();
        self.requests += 1;
        self.with_records += usize::from(records > 0);
        self.refused += usize::from(response.status.is_client_error());
        for key in target
            .coverage_keys()
            .filter(|key| records > usize::from(key.contains("sortBy=")))
        {
            *self.coverage.entry(key).or_default() += 1;
        }
    }
}

/// Writes `count` random batches to an initially empty store. After every batch it sends the same
/// random requests to three data APIs: over the directory that wrote, over one that followed the
/// changes, and over one that was just loaded. Status, headers and body must be identical. The seed
/// determines everything.
///
/// # Errors
/// When the store cannot read or write.
///
/// # Panics
/// When two responses differ, with the seed, both responses, and the shortest form of the request
/// for which they differ.
pub async fn compare_responses(
    store: Arc<dyn DirectoryStore>,
    seed: u64,
    count: usize,
) -> Result<ComparisonReport, StorageError> {
    let writer = open_directory(Arc::clone(&store)).await?;
    let follower = open_directory(Arc::clone(&store)).await?;
    let mut services = vec![
        ApiInstance::open("the writer", writer.clone()).await?,
        ApiInstance::open("a follower", follower).await?,
    ];
    let (mut report, mut rng) = (ComparisonReport::default(), SeededRng::new(!seed));
    for (number, batch) in change_batches(seed).take(count).enumerate() {
        let _ = writer.write(batch).await?;
        services.truncate(2);
        let loaded = open_directory(Arc::clone(&store)).await?;
        services.push(ApiInstance::open("just loaded", loaded).await?);
        report.batches += 1;
        for _ in 0..REQUESTS {
            let target = RequestTarget::random(&mut rng);
            match compare(&services, &target).await {
                Ok(response) => report.count(&target, &response),
                Err(difference) => {
                    let (target, difference) = shrink(&services, target, difference).await;
                    panic!("seed {seed}, after batch {number}: {target}\n{difference}");
                }
            }
        }
    }
    Ok(report)
}

/// Returns the coverage keys of all endpoints.
fn coverage_keys() -> impl Iterator<Item = String> {
    ENDPOINTS
        .iter()
        .flat_map(|endpoint| endpoint.coverage_keys())
}

/// Data API over a directory.
pub(super) struct ApiInstance {
    name: &'static str,
    api: DataApi,
    key: String,
}

impl ApiInstance {
    pub(super) async fn open(
        name: &'static str,
        directory: Directory,
    ) -> Result<Self, StorageError> {
        let secret = ApiKeySecret::from_random([7; 16]);
        let id = ApiKeyId::from_random([7; 16]);
        let key = ApiKey::new(
            id,
            &secret,
            ShortText::from_static("comparison"),
            ApiScopes::built_in(),
            NOW,
        );
        let key = ApiKey {
            expires_at: NOW.plus(Duration::from_secs(3600)),
            ..key
        };
        // The store under comparison needs no API keys.
        let keys = MemoryStore::new();
        let _ = keys.create_api_key(key).await?;
        let builder = DataApi::builder(directory, Arc::new(keys))
            .clock(Arc::new(ManualClock::new(NOW)))
            .entropy(Arc::new(ConstantEntropy));
        let api = builder
            .without_rate_limit()
            .build()
            .expect("the defaults are valid");
        Ok(Self {
            name,
            api,
            key: secret.expose().to_owned(),
        })
    }

    /// Returns the response to this target, optionally with one more header.
    pub(super) async fn get(
        &self,
        target: &str,
        header: Option<(HeaderName, &HeaderValue)>,
    ) -> ApiResponse {
        let mut request = Request::get(target)
            .header("x-api-key", &self.key)
            .body(())
            .expect("an encoded target");
        request
            .headers_mut()
            .extend(header.map(|(name, value)| (name, value.clone())));
        let response = match self.api.clone().call(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        };
        let (head, body) = response.into_parts();
        let cause = head
            .extensions
            .get::<FailureCause>()
            .map(|cause| format!("{:?}", cause.error()));
        ApiResponse {
            status: head.status,
            headers: head.headers,
            body: body.as_bytes().clone(),
            cause,
        }
    }
}

/// Response as a client receives it, and the log event for the message of a failure.
#[derive(Debug)]
pub(super) struct ApiResponse {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    body: Bytes,
    cause: Option<String>,
}

impl ApiResponse {
    fn is_same(&self, other: &Self) -> bool {
        (self.status, &self.headers, &self.body) == (other.status, &other.headers, &other.body)
    }

    /// Returns `data` of the envelope.
    pub(super) fn data(&self) -> Value {
        let mut json: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        json["data"].take()
    }

    /// Returns the number of records in the response.
    fn records(&self) -> usize {
        self.data()
            .as_object()
            .and_then(|data| data.values().find_map(Value::as_array))
            .map_or(0, Vec::len)
    }

    /// Returns the response from shortly before the position where the bodies differ.
    fn excerpt(&self, name: &str, divergence: usize) -> String {
        let from = divergence.saturating_sub(200).min(self.body.len());
        let until = (divergence + 200).min(self.body.len());
        let excerpt = String::from_utf8_lossy(&self.body[from..until])
            .escape_debug()
            .to_string();
        format!(
            "{name}: {} {:?} {:?}\n  …{excerpt}…",
            self.status, self.headers, self.cause
        )
    }
}

/// Returns the common response of all services, or a description of the difference. None may fail.
async fn compare(services: &[ApiInstance], target: &RequestTarget) -> Result<ApiResponse, String> {
    let mut first: Option<(&str, ApiResponse)> = None;
    for service in services {
        let response = service.get(&target.to_string(), None).await;
        if response.status.is_server_error() {
            return Err(response.excerpt(service.name, 0));
        }
        match &first {
            Some((name, one)) if !one.is_same(&response) => {
                let divergence = one
                    .body
                    .iter()
                    .zip(&response.body)
                    .take_while(|(one, other)| one == other)
                    .count();
                return Err(format!(
                    "{}\n{}",
                    one.excerpt(name, divergence),
                    response.excerpt(service.name, divergence)
                ));
            }
            Some(_) => {}
            None => first = Some((service.name, response)),
        }
    }
    first
        .map(|(_, response)| response)
        .ok_or_else(|| "the comparison has no instance".to_owned())
}

/// Removes the parameters that the difference does not need.
async fn shrink(
    services: &[ApiInstance],
    mut target: RequestTarget,
    mut difference: String,
) -> (RequestTarget, String) {
    for at in (0..target.parameters.len()).rev() {
        let mut shorter = target.clone();
        shorter.parameters.remove(at);
        if let Err(still) = compare(services, &shorter).await {
            (target, difference) = (shorter, still);
        }
    }
    (target, difference)
}

/// Entropy that gives every request the same id.
#[derive(Debug)]
struct ConstantEntropy;

impl Entropy for ConstantEntropy {
    fn fill(&self, buffer: &mut [u8]) {
        buffer.fill(7);
    }
}
