use std::hash::{Hash, Hasher};
use std::sync::Arc;

use base64ct::{Base64UrlUnpadded, Encoding};
use quick_cache::Equivalent;
use quick_cache::sync::Cache;
use sha2::{Digest, Sha256};

use super::failure::Failure;
use super::lists::ListId;
use super::parameters;
use crate::directory::{Definition, Query};
use crate::domain::Date;

/// How many queries are kept, and how many bytes one may have.
const CAPACITY: usize = 1_000;
const MAX_LENGTH: usize = 512;

/// A query that was parsed.
pub(super) struct ParsedQuery {
    pub(super) query: Query,
    /// Names the query, however it is spelled.
    pub(super) digest: String,
    /// The query of the links to other pages, without the parameter in which they differ. It ends in `&` unless it is empty.
    pub(super) query_of_links: String,
    /// The default of queries without a date. An entry of another day is stale.
    today: Date,
}

/// The queries of the last requests. Clients repeat theirs, so most of them need not be parsed again.
pub(super) struct QueryCache(Cache<(ListId, Box<str>), Arc<ParsedQuery>>);

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
        (list, definition): (ListId, &Definition),
        query: &str,
        today: Date,
        ignores_unknown: bool,
    ) -> Result<Arc<ParsedQuery>, Failure> {
        if let Some(parsed) = self.0.get(&Spelling(list, query)).filter(|parsed| parsed.today == today) {
            return Ok(parsed);
        }
        let (asked, query_of_links) = parameters::read(definition, query, today, ignores_unknown)?;
        let parsed = Arc::new(ParsedQuery { digest: digest(&asked), query: asked, query_of_links, today });
        if query.len() <= MAX_LENGTH {
            self.0.insert((list, query.into()), Arc::clone(&parsed));
        }
        Ok(parsed)
    }
}

/// A borrowed key, for look-ups without an allocation.
#[derive(Hash)]
struct Spelling<'a>(ListId, &'a str);

impl Equivalent<(ListId, Box<str>)> for Spelling<'_> {
    fn equivalent(&self, (list, query): &(ListId, Box<str>)) -> bool {
        self.0 == *list && *self.1 == **query
    }
}

fn digest(query: &Query) -> String {
    let mut hasher = Sha256Hasher(Sha256::new_with_prefix(env!("CARGO_PKG_VERSION")));
    query.hash(&mut hasher);
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
    use crate::directory::{Directory, Request};
    use crate::store::memory::MemoryStore;

    async fn api() -> DataApi {
        let store = Arc::new(MemoryStore::new());
        DataApi::builder(Directory::open(store.clone()).await.unwrap(), store).build().unwrap()
    }

    fn parsed(api: &DataApi, queries: &QueryCache, path: &str, query: &str, day: &str) -> Arc<ParsedQuery> {
        let lists = &api.0.lists;
        let list = lists.at(path).unwrap();
        let parsed = queries.get_or_parse((list, lists.definition(list)), query, day.parse().unwrap(), false);
        parsed.unwrap_or_else(|_| panic!("{query} is refused"))
    }

    #[tokio::test]
    async fn a_query_without_days_is_of_the_day_on_which_it_is_asked() {
        let (api, queries) = (api().await, QueryCache::new());
        for day in ["2026-11-22", "2026-11-22", "2026-11-23"] {
            let asked = parsed(&api, &queries, "/v1/neis/meals", "", day);
            let Request::Days(days) = asked.query.request else { panic!() };
            assert_eq!(days.from().to_string(), day);
        }
    }

    #[tokio::test]
    async fn a_query_that_was_asked_is_kept_for_its_own_list_alone() {
        let (api, queries) = (api().await, QueryCache::new());
        let asked = |path, query: &str| parsed(&api, &queries, path, query, "2026-11-22");
        let students = asked("/v1/students", "size=2&page=1");
        assert!(Arc::ptr_eq(&students, &asked("/v1/students", "size=2&page=1")));
        let respelled = asked("/v1/students", "page=1&size=%32");
        assert_eq!((&students.digest, &students.query_of_links), (&respelled.digest, &respelled.query_of_links));
        assert_ne!(students.digest, asked("/v1/clubs", "size=2&page=1").digest);
        assert_ne!(students.digest, asked("/v1/students", "size=2&page=2").digest);
        assert_eq!(students.query_of_links, "size=2&");
        let long = asked("/v1/students", &format!("{}size=2", "&".repeat(MAX_LENGTH)));
        assert_eq!(Arc::strong_count(&long), 1, "a long query is kept");
    }
}
