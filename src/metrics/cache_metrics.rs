use super::definitions::CACHE_LOOKUPS;
use super::measurement::Counters;

/// Hit and miss counters of one cache.
#[derive(Debug)]
pub(crate) struct CacheMetrics {
    cache: &'static str,
    outcomes: Counters<2>,
}

impl CacheMetrics {
    pub(crate) fn new(cache: &'static str) -> Self {
        Self {
            cache,
            outcomes: Counters::new(CACHE_LOOKUPS),
        }
    }

    /// Counts one lookup as a hit or a miss.
    pub(crate) fn count(&self, is_hit: bool) {
        self.outcomes
            .increment([self.cache, if is_hit { "hit" } else { "miss" }]);
    }
}
