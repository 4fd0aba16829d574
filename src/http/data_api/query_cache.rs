use std::hash::{Hash, Hasher};
use std::sync::Arc;

use base64ct::{Base64UrlUnpadded, Encoding};
use quick_cache::Equivalent;
use quick_cache::sync::Cache;
use sha2::{Digest, Sha256};

use super::builder::Settings;
use super::failure::Failure;
use super::question::Question;
use super::route::Resource;
use crate::domain::Date;

/// How many queries are kept, and how many bytes one may have.
const CAPACITY: usize = 1_000;
const MAX_LENGTH: usize = 512;

/// A query that was parsed.
pub(super) struct ParsedQuery {
    pub(super) question: Question,
    /// Names the question, however it is spelled.
    pub(super) digest: String,
    /// The query of the links to other pages, without the parameter in which they differ. It ends in `&` unless it is empty.
    pub(super) query_of_links: String,
    /// The default of queries without a date. An entry of another day is stale.
    today: Date,
}

/// The queries of the last requests. Clients repeat theirs, so most of them need not be parsed again.
pub(super) struct QueryCache(Cache<(Resource, Box<str>), Arc<ParsedQuery>>);

impl QueryCache {
    pub(super) fn new() -> Self {
        Self(Cache::new(CAPACITY))
    }

    /// The query, from the cache or parsed.
    ///
    /// # Errors
    /// When it is refused, which is not kept.
    pub(super) fn get_or_parse(
        &self,
        resource: Resource,
        query: &str,
        today: Date,
        settings: &Settings,
    ) -> Result<Arc<ParsedQuery>, Failure> {
        if let Some(parsed) = self.0.get(&Spelling(resource, query)).filter(|parsed| parsed.today == today) {
            return Ok(parsed);
        }
        let (question, taken) = Question::read(resource, query, today, settings)?;
        let query_of_links = taken.query_without(question.parameter_of_links());
        let parsed = Arc::new(ParsedQuery { digest: digest(&question), question, query_of_links, today });
        if query.len() <= MAX_LENGTH {
            self.0.insert((resource, query.into()), Arc::clone(&parsed));
        }
        Ok(parsed)
    }
}

/// A borrowed key, for look-ups without an allocation.
#[derive(Hash)]
struct Spelling<'a>(Resource, &'a str);

impl Equivalent<(Resource, Box<str>)> for Spelling<'_> {
    fn equivalent(&self, (resource, query): &(Resource, Box<str>)) -> bool {
        self.0 == *resource && *self.1 == **query
    }
}

fn digest(question: &Question) -> String {
    let mut hasher = Sha256Hasher(Sha256::new_with_prefix(env!("CARGO_PKG_VERSION")));
    question.hash(&mut hasher);
    Base64UrlUnpadded::encode_string(&hasher.0.finalize()[..15])
}

/// SHA-256 of what is hashed. The digest is part of the key of answers: a collision would serve the answer of another query.
struct Sha256Hasher(Sha256);

impl Hasher for Sha256Hasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The trait wants it; it is not used, for the whole digest is read.
    fn finish(&self) -> u64 {
        self.0.clone().finalize().first_chunk().map_or(0, |first| u64::from_be_bytes(*first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DataApi;
    use crate::directory::Directory;
    use crate::store::memory::MemoryStore;

    async fn api() -> DataApi {
        let store = Arc::new(MemoryStore::new());
        DataApi::builder(Directory::open(store.clone()).await.unwrap(), store).build().unwrap()
    }

    #[tokio::test]
    async fn a_query_without_days_is_of_the_day_on_which_it_is_asked() {
        let (api, queries) = (api().await, QueryCache::new());
        let meals = |day: &str| {
            let asked = queries.get_or_parse(Resource::Meals, "", day.parse().unwrap(), &api.0.settings).unwrap();
            let Question::Meals(days) = &asked.question else { panic!() };
            days.from().to_string()
        };
        for day in ["2026-11-22", "2026-11-22", "2026-11-23"] {
            assert_eq!(meals(day), day);
        }
    }

    #[tokio::test]
    async fn a_query_that_was_asked_is_kept_for_its_own_list_alone() {
        let (api, queries) = (api().await, QueryCache::new());
        let today = "2026-11-22".parse().unwrap();
        let asked = |resource, query| {
            queries.get_or_parse(resource, query, today, &api.0.settings).unwrap_or_else(|_| panic!("{query} is refused"))
        };
        let students = asked(Resource::Students, "size=2&page=1");
        assert!(Arc::ptr_eq(&students, &asked(Resource::Students, "size=2&page=1")));
        let respelled = asked(Resource::Students, "page=1&size=%32");
        assert_eq!((&students.digest, &students.query_of_links), (&respelled.digest, &respelled.query_of_links));
        assert_ne!(students.digest, asked(Resource::Clubs, "size=2&page=1").digest);
        assert_ne!(students.digest, asked(Resource::Students, "size=2&page=2").digest);
        assert_eq!(students.query_of_links, "size=2&");
        let long = asked(Resource::Students, &format!("{}size=2", "&".repeat(MAX_LENGTH)));
        assert_eq!(Arc::strong_count(&long), 1, "a long query is kept");
    }
}
