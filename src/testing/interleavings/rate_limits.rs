//! Operations on rate limits.

use std::num::NonZeroU32;

use super::model::{Model, OperationOutcome};
use super::operation::Operation;
use super::run_ids::{RATE_BURST, RATE_WINDOW, RunIds};
use super::store_handle::StoreHandle;
use crate::domain::{Quota, RateLimitDecision};
use crate::store::StorageError;

/// Declares the operations of this kind.
macro_rules! operations {
    ($next:ident! $at:ident {$($others:tt)*} $($rest:ident)*) => { $next! { $at { $($others)* rate_limits {
        /// Takes one call of a quota of two in 60 seconds.
        TakeRateLimit { key: u8, $at: i64 },
    } } $($rest)* } };
}
pub(super) use operations;

pub(super) async fn call(
    operation: Operation,
    handle: &StoreHandle,
    ids: RunIds,
) -> Result<OperationOutcome, StorageError> {
    let store = handle.store();
    Ok(match operation {
        Operation::TakeRateLimit { key, at } => match store
            .take_many(
                &ids.rate_key(key),
                quota(),
                NonZeroU32::MIN,
                ids.timestamp(at),
            )
            .await?
        {
            RateLimitDecision::Allowed { remaining, .. } => OperationOutcome::Allowed { remaining },
            RateLimitDecision::Denied { retry_after } => OperationOutcome::RateLimited {
                seconds: retry_after.as_secs(),
            },
        },
        other => unreachable!("{other:?} is not of this kind"),
    })
}

/// Returns the operations that show the state of the records that an operation touches.
pub(super) fn checks(operation: Operation, at: i64) -> Vec<Operation> {
    match operation {
        Operation::TakeRateLimit { key, .. } => vec![Operation::TakeRateLimit { key, at }],
        other => unreachable!("{other:?} is not of this kind"),
    }
}

fn quota() -> Quota {
    Quota::new(RATE_BURST, RATE_WINDOW, RATE_BURST).expect("a quota")
}

impl Model {
    pub(super) fn rate_limits(&mut self, operation: Operation) -> OperationOutcome {
        match operation {
            Operation::TakeRateLimit { key, at } => self.take_call(key, at),
            other => unreachable!("{other:?} is not of this kind"),
        }
    }

    /// Allows two calls at once, and then one each 30 seconds.
    fn take_call(&mut self, key: u8, at: i64) -> OperationOutcome {
        let over = self.rates.get(&key).map_or(at, |over| *over.max(&at));
        let early = over - at - 30;
        if early > 0 {
            return OperationOutcome::RateLimited {
                seconds: early.unsigned_abs(),
            };
        }
        self.rates.insert(key, over + 30);
        OperationOutcome::Allowed {
            remaining: if over == at { 1 } else { 0 },
        }
    }
}
