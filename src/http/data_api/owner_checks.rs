//! Whether owners of keys are still users, as a host has told lately.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::domain::{SubjectId, Timestamp};
use crate::flight::Flight;
use crate::http::key_owners::KeyOwners;
use crate::http::unless_it_panics;
use crate::store::StorageError;

/// How long an answer is used that is due to be renewed, while the host does not answer.
const STALE: Duration = Duration::from_secs(60 * 60);

/// How long the last answer is used while a new check runs or after one failed. A check
/// that takes longer is abandoned by the next request, which starts another; requests that waited for it use the last answer.
const PAUSE: Duration = Duration::from_secs(5);

/// The size of each half of the cache: at least the last 5,000 owners are remembered, at most twice as many.
const REMEMBERED: usize = 5_000;

/// Asks a host about owners of keys, and remembers its answers.
pub(super) struct OwnerChecks {
    owners: Arc<dyn KeyOwners>,
    /// How long an answer holds.
    holds: Duration,
    known: Mutex<Generations>,
}

/// A cache of owners in two halves. When the newer half is full, it replaces the older one; a look-up moves an owner to the newer half.
#[derive(Default)]
struct Generations {
    newer: HashMap<SubjectId, Known>,
    older: HashMap<SubjectId, Known>,
}

#[derive(Default)]
struct Known {
    last: Option<Answer>,
    asking: Option<Asking>,
}

#[derive(Debug, Clone, Copy)]
struct Answer {
    is_user: bool,
    given_at: Timestamp,
    /// When the host is asked again.
    due_at: Timestamp,
}

/// A running check, shared by all requests that wait for it.
struct Asking {
    begun_at: Timestamp,
    flight: Arc<Question>,
}

type Question = Flight<Result<bool, Arc<StorageError>>>;

impl OwnerChecks {
    pub(super) fn new(owners: Arc<dyn KeyOwners>, holds: Duration) -> Self {
        Self { owners, holds, known: Mutex::default() }
    }

    /// Whether the owner is a user, as the host said not longer ago than an answer holds.
    ///
    /// # Errors
    /// When the host does not answer, and has not answered lately.
    pub(super) async fn is_user(&self, owner: &SubjectId, now: Timestamp) -> Result<bool, StorageError> {
        if *owner == SubjectId::service() {
            return Ok(true);
        }
        let (question, last) = match self.question(owner, now) {
            Ok(is_user) => return Ok(is_user),
            Err(question) => question,
        };
        let answer = question.outcome().await;
        let is_user = matches!(answer, Some(Ok(true)));
        let given = matches!(answer, Some(Ok(_))).then(|| Answer { is_user, given_at: now, due_at: now.plus(self.holds) });
        self.known().of(owner).has_answered(&question, given);
        let error = match answer {
            Some(Ok(is_user)) => return Ok(is_user),
            Some(Err(error)) if error.is_unavailable() => StorageError::unavailable("the host's users cannot be asked", error),
            Some(Err(error)) => StorageError::failed("the host's users could not be asked", error),
            None => StorageError::unavailable("the host's users cannot be asked", "they did not answer in time"),
        };
        match last.filter(|last| now < last.given_at.plus(STALE)) {
            Some(last) => {
                tracing::warn!(target: "lyceum::data", %error, "whether the owner of an API key is a user is not known; the last answer holds");
                Ok(last.is_user)
            }
            None => Err(error),
        }
    }

    /// The answer, or the question to wait for and the last answer. While a question is new, the last answer holds for other requests; those who
    /// have none wait for the same question.
    fn question(&self, owner: &SubjectId, now: Timestamp) -> Result<bool, (Arc<Question>, Option<Answer>)> {
        let mut all = self.known();
        let known = all.of(owner);
        if let Some(last) = &mut known.last {
            // A clock that was set back does not make an answer hold longer.
            if last.given_at <= now && now < last.due_at {
                return Ok(last.is_user);
            }
            last.due_at = now.plus(PAUSE);
        }
        if let Some(asking) = &known.asking {
            if asking.begun_at <= now && now < asking.begun_at.plus(PAUSE) {
                return Err((Arc::clone(&asking.flight), known.last));
            }
            asking.flight.abandon();
        }
        let (owners, owner) = (Arc::clone(&self.owners), owner.clone());
        let flight = Flight::new(async move {
            let answer = unless_it_panics(owners.is_user(&owner)).await;
            answer.unwrap_or_else(|| Err(StorageError::failed("the host's users could not be asked", "it panicked"))).map_err(Arc::new)
        });
        known.asking = Some(Asking { begun_at: now, flight: Arc::clone(&flight) });
        Err((flight, known.last))
    }

    fn known(&self) -> MutexGuard<'_, Generations> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Generations {
    /// The owner's entry, moved to the newer half.
    fn of(&mut self, owner: &SubjectId) -> &mut Known {
        if !self.newer.contains_key(owner) {
            if self.newer.len() >= REMEMBERED {
                self.older = std::mem::take(&mut self.newer);
            }
            let known = self.older.remove(owner).unwrap_or_default();
            self.newer.insert(owner.clone(), known);
        }
        self.newer.entry(owner.clone()).or_default()
    }
}

impl Known {
    /// Stores the result of a check, unless another one has started since.
    fn has_answered(&mut self, question: &Arc<Question>, given: Option<Answer>) {
        if self.asking.take_if(|asking| Arc::ptr_eq(&asking.flight, question)).is_some() && given.is_some() {
            self.last = given;
        }
    }
}

impl fmt::Debug for OwnerChecks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnerChecks").field("owners", &self.owners).field("holds", &self.holds).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner(number: usize) -> SubjectId {
        format!("owner-{number}").parse().unwrap()
    }

    /// Fails if one owner too many has all the others forgotten.
    #[test]
    fn those_who_came_last_are_remembered_when_others_go() {
        let mut all = Generations::default();
        let given = Answer { is_user: true, given_at: Timestamp::from_seconds(0), due_at: Timestamp::from_seconds(60) };
        for number in 0..=2 * REMEMBERED {
            all.of(&owner(number)).last = Some(given);
            assert!(all.of(&owner(0)).last.is_some(), "who is asked about all the time stays, after {number}");
            assert!(all.newer.len() + all.older.len() <= 2 * REMEMBERED);
        }
        let is_known = |number: &usize| all.newer.contains_key(&owner(*number)) || all.older.contains_key(&owner(*number));
        assert_eq!((REMEMBERED + 1..=2 * REMEMBERED).filter(is_known).count(), REMEMBERED);
    }
}
