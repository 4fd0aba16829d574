//! The same requests to the data API over several directories on one store, compared byte by byte.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::HeaderName;
use http::{HeaderMap, HeaderValue, Request, StatusCode};
use serde_json::Value;
use tower::Service;

use super::addresses::{Address, ENDPOINTS};
use super::batches;
use crate::DataApi;
use crate::crypto::Entropy;
use crate::directory::Directory;
use crate::domain::{ApiKey, ApiKeyId, ApiKeySecret, ApiScopes, Line, Timestamp};
use crate::http::FailureCause;
use crate::store::memory::MemoryStore;
use crate::store::{ApiKeyStore, DirectoryStore, StorageError};
use crate::testing::ManualClock;
use crate::testing::conformance::school::School;
use crate::testing::school::dice::Dice;

/// 2026-05-20T03:00:00Z: a day that has meals, events and lessons.
const NOW: Timestamp = Timestamp::from_seconds(1_779_246_000);

/// How many requests follow each batch of changes.
const REQUESTS: usize = 24;

/// What was asked and found, so that a comparison can show that it asked something.
#[derive(Debug, Clone, Default)]
pub struct Books {
    /// How many requests were compared.
    pub requests: usize,
    /// How many answers had at least one record.
    pub with_records: usize,
    /// How many requests were refused with a 4xx.
    pub refused: usize,
    /// How many batches of changes were written or refused.
    pub batches: usize,
    /// Of each parameter, and each sort key and direction, how many answers had a record, or two where the order is asked for.
    topics: BTreeMap<String, usize>,
}

impl Books {
    /// The parameters, sort keys and directions that no answer with a record was about.
    pub fn unanswered(&self) -> Vec<String> {
        topics().filter(|topic| !self.topics.contains_key(topic)).collect()
    }

    /// How many parameters, sort keys and directions answers with records were about.
    pub fn topics(&self) -> usize {
        topics().filter(|topic| self.topics.contains_key(topic)).count()
    }

    /// Adds what another comparison counted.
    pub fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.with_records += other.with_records;
        self.refused += other.refused;
        self.batches += other.batches;
        for (topic, count) in &other.topics {
            *self.topics.entry(topic.clone()).or_default() += count;
        }
    }

    fn count(&mut self, address: &Address, answer: &Answer) {
        let records = answer.records();
        self.requests += 1;
        self.with_records += usize::from(records > 0);
        self.refused += usize::from(answer.status.is_client_error());
        for topic in address.topics().filter(|topic| records > usize::from(topic.contains("sortBy="))) {
            *self.topics.entry(topic).or_default() += 1;
        }
    }
}

/// Writes `count` random batches to a store, which is empty at first, and after every batch sends the same random requests to three data APIs:
/// over the directory that wrote, over one that followed the changes, and over one that was just loaded. Status, headers and body must be
/// the same to the byte. The seed decides everything.
///
/// ```
/// use std::sync::Arc;
///
/// use lyceum::store::memory::MemoryStore;
/// use lyceum::testing::differential;
///
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// let books = differential::compare_answers(Arc::new(MemoryStore::new()), 1, 3).await?;
/// assert!(books.with_records > 0);
/// # Ok::<_, lyceum::store::StorageError>(()) }).unwrap();
/// ```
///
/// # Errors
/// When the store cannot read or write.
///
/// # Panics
/// When two answers differ, with the seed, the request in its shortest form that still differs, and both answers.
pub async fn compare_answers(store: Arc<dyn DirectoryStore>, seed: u64, count: usize) -> Result<Books, StorageError> {
    let writer = School::over(Arc::clone(&store)).await?.into_directory();
    let follower = School::over(Arc::clone(&store)).await?.into_directory();
    let mut services = vec![Answering::over("the writer", writer.clone()).await?, Answering::over("a follower", follower).await?];
    let (mut books, mut dice) = (Books::default(), Dice::new(!seed));
    for (number, batch) in batches(seed).take(count).enumerate() {
        let _ = writer.write(batch).await?;
        services.truncate(2);
        let loaded = School::over(Arc::clone(&store)).await?.into_directory();
        services.push(Answering::over("just loaded", loaded).await?);
        books.batches += 1;
        for _ in 0..REQUESTS {
            let address = Address::random(&mut dice);
            match common(&services, &address).await {
                Ok(answer) => books.count(&address, &answer),
                Err(difference) => {
                    let (address, difference) = shortened(&services, address, difference).await;
                    panic!("seed {seed}, after batch {number}: {address}\n{difference}");
                }
            }
        }
    }
    Ok(books)
}

/// Everything that can be asked about.
fn topics() -> impl Iterator<Item = String> {
    ENDPOINTS.iter().flat_map(|endpoint| endpoint.topics())
}

/// A data API over a directory.
pub(super) struct Answering {
    name: &'static str,
    api: DataApi,
    key: String,
}

impl Answering {
    pub(super) async fn over(name: &'static str, directory: Directory) -> Result<Self, StorageError> {
        let secret = ApiKeySecret::from_random([7; 16]);
        let id = ApiKeyId::from_random([7; 16]);
        let key = ApiKey::issued(id, &secret, Line::literal("comparison"), ApiScopes::built_in(), NOW);
        let key = ApiKey { expires_at: NOW.plus(Duration::from_secs(3600)), ..key };
        // The store that is compared need not keep keys.
        let keys = MemoryStore::new();
        let _ = keys.create_api_key(key).await?;
        let builder = DataApi::builder(directory, Arc::new(keys)).clock(Arc::new(ManualClock::at(NOW))).entropy(Arc::new(Constant));
        let api = builder.without_rate_limit().build().expect("the defaults are good");
        Ok(Self { name, api, key: secret.expose().to_owned() })
    }

    /// What this address is answered with, asked with one more header or none.
    pub(super) async fn get(&self, address: &str, header: Option<(HeaderName, &HeaderValue)>) -> Answer {
        let mut request = Request::get(address).header("x-api-key", &self.key).body(()).expect("an encoded address");
        request.headers_mut().extend(header.map(|(name, value)| (name, value.clone())));
        let response = match self.api.clone().call(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        };
        let (head, body) = response.into_parts();
        let cause = head.extensions.get::<FailureCause>().map(|cause| format!("{:?}", cause.error()));
        Answer { status: head.status, headers: head.headers, body: body.as_bytes().clone(), cause }
    }
}

/// What a client sees, and for the one who reads a failure also what the log would say.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    body: Bytes,
    cause: Option<String>,
}

impl Answer {
    fn is_same(&self, other: &Self) -> bool {
        (self.status, &self.headers, &self.body) == (other.status, &other.headers, &other.body)
    }

    /// `data` of the envelope.
    pub(super) fn data(&self) -> Value {
        let mut json: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        json["data"].take()
    }

    /// How many records the answer lists.
    fn records(&self) -> usize {
        self.data().as_object().and_then(|data| data.values().find_map(Value::as_array)).map_or(0, Vec::len)
    }

    /// The answer from a little before the place where the bodies part.
    fn shown(&self, name: &str, parting: usize) -> String {
        let from = parting.saturating_sub(200).min(self.body.len());
        let until = (parting + 200).min(self.body.len());
        let excerpt = String::from_utf8_lossy(&self.body[from..until]).escape_debug().to_string();
        format!("{name}: {} {:?} {:?}\n  …{excerpt}…", self.status, self.headers, self.cause)
    }
}

/// The answer that all services give, or how two of them differ. None may fail.
async fn common(services: &[Answering], address: &Address) -> Result<Answer, String> {
    let mut first: Option<(&str, Answer)> = None;
    for service in services {
        let answer = service.get(&address.to_string(), None).await;
        if answer.status.is_server_error() {
            return Err(answer.shown(service.name, 0));
        }
        match &first {
            Some((name, one)) if !one.is_same(&answer) => {
                let parting = one.body.iter().zip(&answer.body).take_while(|(one, other)| one == other).count();
                return Err(format!("{}\n{}", one.shown(name, parting), answer.shown(service.name, parting)));
            }
            Some(_) => {}
            None => first = Some((service.name, answer)),
        }
    }
    first.map(|(_, answer)| answer).ok_or_else(|| "there is no store to ask".to_owned())
}

/// The request without the parameters that the difference does not need.
async fn shortened(services: &[Answering], mut address: Address, mut difference: String) -> (Address, String) {
    for at in (0..address.parameters.len()).rev() {
        let mut shorter = address.clone();
        shorter.parameters.remove(at);
        if let Err(still) = common(services, &shorter).await {
            (address, difference) = (shorter, still);
        }
    }
    (address, difference)
}

/// Every request has the same id.
#[derive(Debug)]
struct Constant;

impl Entropy for Constant {
    fn fill(&self, buffer: &mut [u8]) {
        buffer.fill(7);
    }
}
