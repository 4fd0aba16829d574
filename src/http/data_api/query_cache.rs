use std::hash::{Hash, Hasher};
use std::sync::Arc;

use base64ct::{Base64UrlUnpadded, Encoding};
use quick_cache::Equivalent;
use quick_cache::sync::Cache;
use sha2::{Digest, Sha256};

use super::error::Error;
use super::list_registry::ListId;
use super::parameters;
use crate::directory::{Query, ResourceDefinition};
use crate::domain::Date;

/// Maximum number of cached queries, and maximum length of one in bytes.
const CAPACITY: usize = 1_000;
const MAX_QUERY_LENGTH: usize = 512;

/// A parsed query.
pub(super) struct ParsedQuery {
    pub(super) query: Query,
    /// Digest of the query, independent of its spelling.
    pub(super) digest: String,
    /// Query string of page links, without the parameter that differs between them. It ends in `&`
    /// unless it is empty.
    pub(super) link_query: String,
    /// Default date of the query. An entry of another day is stale.
    today: Date,
}

/// Cache of parsed queries. Clients repeat their queries, so most need not be parsed again.
pub(super) struct QueryCache(Cache<(ListId, Box<str>), Arc<ParsedQuery>>);

impl QueryCache {
    pub(super) fn new() -> Self {
        Self(Cache::new(CAPACITY))
    }

    /// Returns the query from the cache, or parses it.
    ///
    /// # Errors
    /// When the query is refused. Errors are not cached.
    pub(super) fn get_or_parse(
        &self,
        (list, definition): (ListId, &ResourceDefinition),
        query_string: &str,
        today: Date,
        ignores_unknown: bool,
    ) -> Result<Arc<ParsedQuery>, Error> {
        if let Some(parsed) = self
            .0
            .get(&QueryKeyRef(list, query_string))
            .filter(|parsed| parsed.today == today)
        {
            return Ok(parsed);
        }
        let (query, link_query) =
            parameters::parse(definition, query_string, today, ignores_unknown)?;
        let parsed = Arc::new(ParsedQuery {
            digest: digest(&query),
            query,
            link_query,
            today,
        });
        if query_string.len() <= MAX_QUERY_LENGTH {
            self.0
                .insert((list, query_string.into()), Arc::clone(&parsed));
        }
        Ok(parsed)
    }
}

/// A borrowed key, for look-ups without an allocation.
#[derive(Hash)]
struct QueryKeyRef<'a>(ListId, &'a str);

impl Equivalent<(ListId, Box<str>)> for QueryKeyRef<'_> {
    fn equivalent(&self, (list, query): &(ListId, Box<str>)) -> bool {
        self.0 == *list && *self.1 == **query
    }
}

fn digest(query: &Query) -> String {
    let mut hasher = Sha256Hasher(Sha256::new_with_prefix(env!("CARGO_PKG_VERSION")));
    query.hash(&mut hasher);
    Base64UrlUnpadded::encode_string(&hasher.0.finalize()[..15])
}

/// SHA-256 of a `Hash` value. The digest is part of the response cache's key: a collision would
/// return the response to another query.
struct Sha256Hasher(Sha256);

impl Hasher for Sha256Hasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Required by the trait and unused: callers read the whole digest.
    fn finish(&self) -> u64 {
        self.0
            .clone()
            .finalize()
            .first_chunk()
            .map_or(0, |first| u64::from_be_bytes(*first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DataApi;
    use crate::directory::{Directory, QueryKind};
    use crate::store::memory::MemoryStore;

    async fn api() -> DataApi {
        let store = Arc::new(MemoryStore::new());
        DataApi::builder(Directory::open(store.clone()).await.unwrap(), store)
            .build()
            .unwrap()
    }

    fn parsed(
        api: &DataApi,
        queries: &QueryCache,
        path: &str,
        query: &str,
        day: &str,
    ) -> Arc<ParsedQuery> {
        let lists = &api.0.lists;
        let list = lists.find_by_path(path).unwrap();
        let parsed = queries.get_or_parse(
            (list, lists.definition(list)),
            query,
            day.parse().unwrap(),
            false,
        );
        parsed.unwrap_or_else(|_| panic!("{query} is refused"))
    }

    #[tokio::test]
    async fn a_query_without_days_is_for_the_day_of_the_request() {
        let (api, queries) = (api().await, QueryCache::new());
        for day in ["2026-11-22", "2026-11-22", "2026-11-23"] {
            let first = parsed(&api, &queries, "/v1/neis/meals", "", day);
            let QueryKind::Days(days) = first.query.kind else {
                panic!()
            };
            assert_eq!(days.from().to_string(), day);
        }
    }

    #[tokio::test]
    async fn a_parsed_query_is_cached_for_its_list_alone() {
        let (api, queries) = (api().await, QueryCache::new());
        let parse = |path, query: &str| parsed(&api, &queries, path, query, "2026-11-22");
        let students = parse("/v1/students", "size=2&page=1");
        assert!(Arc::ptr_eq(
            &students,
            &parse("/v1/students", "size=2&page=1")
        ));
        let respelled = parse("/v1/students", "page=1&size=%32");
        assert_eq!(
            (&students.digest, &students.link_query),
            (&respelled.digest, &respelled.link_query)
        );
        assert_ne!(students.digest, parse("/v1/clubs", "size=2&page=1").digest);
        assert_ne!(
            students.digest,
            parse("/v1/students", "size=2&page=2").digest
        );
        assert_eq!(students.link_query, "size=2&");
        let long = parse(
            "/v1/students",
            &format!("{}size=2", "&".repeat(MAX_QUERY_LENGTH)),
        );
        assert_eq!(Arc::strong_count(&long), 1, "a long query is cached");
    }
}
