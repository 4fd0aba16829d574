//! Store failures: no detail reaches the client, and the service keeps running.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use lyceum::DataApi;
use lyceum::directory::Directory;
use lyceum::domain::{
    ApiKey, ApiKeyDailyUsage, ApiKeyDigest, ApiKeyId, ApiKeyRenewal, ApiKeySettings, ApiScopes,
    DailyCalls, DateRange, PageRequest, SubjectId, Timestamp,
};
use lyceum::http::data_api::DataApiBuilder;
use lyceum::store::{
    ApiKeyStore, ApiKeyUpdate, Creation, DatasetVersion, DirectoryRows, DirectoryStore,
    DirectoryWrite, LimitedCreation, Paged, Renewal, StorageError,
};
use lyceum::testing::ManualClock;

use crate::client::{TestResponse, request, send};
use crate::school_fixtures::{self, FULL_KEY};

#[derive(Debug, Clone, Copy)]
pub enum Fault {
    Failed,
    Unavailable,
    Panic,
    /// Calls never complete.
    Hangs,
}

/// Loads an empty school once, knows one key, and fails at everything else.
#[derive(Debug)]
pub struct FailingStore {
    fault: Fault,
    /// Number of version queries.
    pub looks: AtomicUsize,
    loads: AtomicUsize,
}

impl FailingStore {
    pub fn with(fault: Fault) -> Self {
        Self {
            fault,
            looks: AtomicUsize::new(0),
            loads: AtomicUsize::new(0),
        }
    }

    fn fail<T>(&self) -> Result<T, StorageError> {
        match self.fault {
            Fault::Failed | Fault::Hangs => Err(StorageError::failed(
                "secret table is damaged",
                "secret cause",
            )),
            Fault::Unavailable => Err(StorageError::unavailable(
                "secret host is down",
                "secret cause",
            )),
            Fault::Panic => panic!("secret panic"),
        }
    }
}

#[async_trait]
impl DirectoryStore for FailingStore {
    async fn directory_version(&self) -> Result<DatasetVersion, StorageError> {
        self.looks.fetch_add(1, Ordering::Relaxed);
        if matches!(self.fault, Fault::Hangs) {
            return std::future::pending().await;
        }
        self.fail()
    }

    async fn load_directory(&self) -> Result<DirectoryRows, StorageError> {
        if self.loads.fetch_add(1, Ordering::Relaxed) > 0 {
            return self.fail();
        }
        Ok(DirectoryRows::empty(DatasetVersion {
            lineage: 1,
            number: 0,
            mark: 0,
        }))
    }

    async fn directory_changes(
        &self,
        _: DatasetVersion,
    ) -> Result<Option<DirectoryRows>, StorageError> {
        self.fail()
    }

    async fn write_directory(
        &self,
        _: DatasetVersion,
        _: Arc<DirectoryRows>,
    ) -> Result<DirectoryWrite, StorageError> {
        self.fail()
    }
}

#[async_trait]
impl ApiKeyStore for FailingStore {
    async fn create_api_key(&self, _: ApiKey) -> Result<Creation, StorageError> {
        self.fail()
    }

    async fn issue_api_key(&self, _: ApiKey, _: u32) -> Result<LimitedCreation, StorageError> {
        self.fail()
    }

    async fn api_key(&self, digest: &ApiKeyDigest) -> Result<Option<Arc<ApiKey>>, StorageError> {
        let key = school_fixtures::key(1, ApiScopes::built_in());
        if key.digest.matches(digest) {
            Ok(Some(Arc::new(key)))
        } else {
            self.fail()
        }
    }

    async fn api_keys_by_id(&self, _: &[ApiKeyId]) -> Result<Vec<Arc<ApiKey>>, StorageError> {
        self.fail()
    }

    async fn api_keys(
        &self,
        _: Option<&SubjectId>,
        _: PageRequest,
    ) -> Result<Paged<Arc<ApiKey>>, StorageError> {
        self.fail()
    }

    async fn api_keys_with_requests(
        &self,
        _: PageRequest,
    ) -> Result<Paged<Arc<ApiKey>>, StorageError> {
        self.fail()
    }

    async fn renew_api_key(
        &self,
        _: ApiKeyId,
        _: ApiKeyRenewal,
        _: Timestamp,
    ) -> Result<Renewal, StorageError> {
        self.fail()
    }

    async fn update_api_key(
        &self,
        _: ApiKeyId,
        _: &ApiKeySettings,
        _: ApiKeySettings,
    ) -> Result<ApiKeyUpdate, StorageError> {
        self.fail()
    }

    async fn record_api_key_usage(&self, _: Vec<ApiKeyDailyUsage>) -> Result<(), StorageError> {
        self.fail()
    }

    async fn usage_of_api_keys(
        &self,
        _: &[ApiKeyId],
        _: DateRange,
    ) -> Result<BTreeMap<ApiKeyId, Vec<DailyCalls>>, StorageError> {
        self.fail()
    }

    async fn claim_expiry_notice(&self, _: ApiKeyId, _: Timestamp) -> Result<bool, StorageError> {
        self.fail()
    }

    async fn revoke_api_key(&self, _: ApiKeyId, _: Timestamp) -> Result<bool, StorageError> {
        self.fail()
    }

    async fn revoke_api_keys_of(&self, _: &SubjectId, _: Timestamp) -> Result<usize, StorageError> {
        self.fail()
    }
}

const PATHS: [&str; 6] = [
    "/v1/students",
    "/v1/clubs",
    "/v1/projects",
    "/v1/neis/meals",
    "/v1/neis/schedules",
    "/v1/neis/timetables",
];

pub async fn api(fault: Fault) -> DataApi {
    builder(
        Arc::new(FailingStore::with(fault)),
        &ManualClock::new(school_fixtures::NOW),
    )
    .await
    .build()
    .unwrap()
}

/// Starts a service on a store that worked until a second ago, with a directory without outage
/// tolerance.
pub async fn builder(store: Arc<FailingStore>, clock: &ManualClock) -> DataApiBuilder {
    let directory = Directory::builder(store.clone())
        .clock(Arc::new(clock.clone()))
        .outage_tolerance(Duration::ZERO);
    let directory = directory.open().await.unwrap();
    clock.advance(Duration::from_secs(1));
    DataApi::builder(directory, store)
        .clock(Arc::new(school_fixtures::FixedClock))
        .entropy(Arc::new(school_fixtures::ConstantEntropy))
}

fn says_nothing(answer: &TestResponse) {
    assert!(!answer.body.contains("secret"), "{}", answer.body);
    assert!(!format!("{:?}", answer.headers).contains("secret"));
    let json = answer.json();
    assert_eq!(json["requestId"], school_fixtures::REQUEST_ID);
    assert_eq!(json["code"], answer.status.as_u16());
    assert!(json.get("data").is_none());
}

// Proves: spec 2.2
#[tokio::test]
async fn a_store_that_fails_is_500_and_the_cause_is_for_the_log_alone() {
    for path in PATHS {
        let answer = send(
            &api(Fault::Failed).await,
            request("GET", path, Some(FULL_KEY)),
        )
        .await;
        assert_eq!(
            (answer.status.as_u16(), answer.json()["status"].as_str()),
            (500, Some("INTERNAL_SERVER_ERROR")),
            "{path}"
        );
        assert_eq!(answer.cause.as_deref(), Some("secret table is damaged"));
        says_nothing(&answer);
    }
}

// Proves: spec 2.2
#[tokio::test]
async fn a_store_that_is_unavailable_is_503_with_retry_after() {
    for path in PATHS {
        let answer = send(
            &api(Fault::Unavailable).await,
            request("GET", path, Some(FULL_KEY)),
        )
        .await;
        assert_eq!(
            (answer.status.as_u16(), answer.json()["status"].as_str()),
            (503, Some("SERVICE_UNAVAILABLE")),
            "{path}"
        );
        assert!(answer.header("retry-after").parse::<u32>().unwrap() >= 1);
        assert_eq!(answer.cause.as_deref(), Some("secret host is down"));
        says_nothing(&answer);
    }
}

// Proves: threats 41
/// Fails if panics are not caught.
#[tokio::test]
async fn a_panicking_store_is_a_500_in_the_error_envelope_and_the_service_continues() {
    let api = api(Fault::Panic).await;
    for path in PATHS {
        let answer = send(&api, request("GET", path, Some(FULL_KEY))).await;
        assert_eq!(
            (answer.status.as_u16(), answer.reason().0.as_str()),
            (500, "internal_error"),
            "{path}"
        );
        assert_eq!(answer.header("cache-control"), "private, no-cache");
        assert_eq!(
            answer.header("content-length"),
            answer.body.len().to_string()
        );
        assert!(answer.cause.is_some());
        says_nothing(&answer);
    }
    let headed = send(&api, request("HEAD", "/v1/clubs", Some(FULL_KEY))).await;
    assert_eq!((headed.status.as_u16(), headed.body.as_str()), (500, ""));
    assert_eq!(
        send(&api, request("GET", "/v1/health", None)).await.status,
        200
    );
}

#[tokio::test]
async fn a_failed_key_lookup_is_not_a_401() {
    let other_key = Some(school_fixtures::UNKNOWN_KEY);
    assert_eq!(
        send(
            &api(Fault::Failed).await,
            request("GET", "/v1/clubs", other_key)
        )
        .await
        .status,
        500
    );
    assert_eq!(
        send(
            &api(Fault::Unavailable).await,
            request("GET", "/v1/clubs", other_key)
        )
        .await
        .status,
        503
    );
    assert_eq!(
        send(
            &api(Fault::Panic).await,
            request("GET", "/v1/clubs", other_key)
        )
        .await
        .status,
        500
    );
}

// Proves: spec 2.15
#[tokio::test]
async fn a_store_that_fails_is_not_ready_and_the_service_is_healthy() {
    for fault in [Fault::Failed, Fault::Unavailable, Fault::Panic] {
        let answer = send(&api(fault).await, request("GET", "/v1/health/ready", None)).await;
        assert_eq!(answer.status, 503, "{fault:?}");
        says_nothing(&answer);
        assert_eq!(
            send(&api(fault).await, request("GET", "/v1/health", None))
                .await
                .status,
            200
        );
    }
}
