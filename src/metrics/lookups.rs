use super::Counters;
use super::list::CACHE_LOOKUPS;

/// Looks into something that is kept to spare work.
#[derive(Debug)]
pub(crate) struct Lookups {
    cache: &'static str,
    outcomes: Counters<2>,
}

impl Lookups {
    pub(crate) fn of(cache: &'static str) -> Self {
        Self { cache, outcomes: Counters::new(CACHE_LOOKUPS) }
    }

    /// One look, and whether it found what was wanted.
    pub(crate) fn count(&self, is_hit: bool) {
        self.outcomes.count([self.cache, if is_hit { "hit" } else { "miss" }]);
    }
}
