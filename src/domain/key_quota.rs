use std::time::Duration;

use crate::domain::{Invalid, Quota};

/// The rate limit of one key, in place of the one that all others have: in the parts by which people know it, and as the [`Quota`] that they
/// come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyQuota {
    limit: u32,
    window_seconds: u32,
    burst: u32,
    quota: Quota,
}

impl KeyQuota {
    /// `limit` calls in any window of so many seconds, up to `burst` at once.
    ///
    /// # Errors
    /// When [`Quota::new`] refuses them.
    pub fn new(limit: u32, window_seconds: u32, burst: u32) -> Result<Self, Invalid> {
        let quota = Quota::new(limit, Duration::from_secs(window_seconds.into()), burst)?;
        Ok(Self { limit, window_seconds, burst, quota })
    }

    /// How many calls are allowed in a window.
    pub const fn limit(&self) -> u32 {
        self.limit
    }

    /// The length of a window, in seconds.
    pub const fn window_seconds(&self) -> u32 {
        self.window_seconds
    }

    /// How many calls are allowed at once.
    pub const fn burst(&self) -> u32 {
        self.burst
    }

    /// What calls are checked against.
    pub const fn quota(&self) -> Quota {
        self.quota
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_keys_quota_is_that_of_its_parts() {
        let quota = KeyQuota::new(500, 60, 50).unwrap();
        assert_eq!((quota.limit(), quota.window_seconds(), quota.burst()), (500, 60, 50));
        assert_eq!(quota.quota(), Quota::new(500, Duration::from_secs(60), 50).unwrap());
        for (limit, window, burst) in [(0, 60, 1), (1, 60, 0), (1, 0, 1), (1, u32::MAX, 1)] {
            assert!(KeyQuota::new(limit, window, burst).is_err(), "{limit} in {window}, {burst} at once");
        }
    }
}
