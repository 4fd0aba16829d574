//! Whether owners of keys are still users, as a host has told lately.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::domain::{SubjectId, Timestamp};
use crate::http::key_owners::KeyOwners;
use crate::store::StorageError;

/// How long an answer is used that is due to be renewed, while the host does not answer.
const STALE: Duration = Duration::from_secs(60 * 60);

/// How long the last answer is used after the host was asked again: for the requests that come before it answers, or after it failed to.
const PAUSE: Duration = Duration::from_secs(5);

/// How many owners are remembered at once.
const REMEMBERED: usize = 10_000;

/// Asks a host about owners of keys, and remembers its answers.
pub(super) struct OwnerChecks {
    owners: Arc<dyn KeyOwners>,
    /// How long an answer holds.
    holds: Duration,
    answers: Mutex<HashMap<SubjectId, Answer>>,
}

#[derive(Debug, Clone, Copy)]
struct Answer {
    is_user: bool,
    given_at: Timestamp,
    /// When the host is asked again.
    due_at: Timestamp,
}

impl OwnerChecks {
    pub(super) fn new(owners: Arc<dyn KeyOwners>, holds: Duration) -> Self {
        Self { owners, holds, answers: Mutex::default() }
    }

    /// Whether the owner is a user, as the host said not longer ago than an answer holds.
    ///
    /// # Errors
    /// When the host does not answer, and has not answered lately.
    pub(super) async fn is_user(&self, owner: &SubjectId, now: Timestamp) -> Result<bool, StorageError> {
        let last = match self.last(owner, now) {
            // A clock that was set back does not make an answer hold longer.
            Some(last) if last.given_at <= now && now < last.due_at => return Ok(last.is_user),
            last => last,
        };
        match self.owners.is_user(owner).await {
            Ok(is_user) => {
                self.remember(owner, Answer { is_user, given_at: now, due_at: now.plus(self.holds) }, now);
                Ok(is_user)
            }
            Err(error) => match last.filter(|last| now < last.given_at.plus(STALE)) {
                Some(last) => {
                    tracing::warn!(target: "lyceum::data", %error, "whether the owner of an API key is a user is not known; the last answer holds");
                    Ok(last.is_user)
                }
                None => Err(error),
            },
        }
    }

    /// The last answer. If the host is to be asked again, the answer holds for other requests until it has been.
    fn last(&self, owner: &SubjectId, now: Timestamp) -> Option<Answer> {
        let mut answers = self.answers();
        let known = answers.get_mut(owner)?;
        let last = *known;
        if last.due_at <= now {
            known.due_at = now.plus(PAUSE);
        }
        Some(last)
    }

    fn remember(&self, owner: &SubjectId, answer: Answer, now: Timestamp) {
        let mut answers = self.answers();
        if answers.len() >= REMEMBERED && !answers.contains_key(owner) {
            answers.retain(|_, known| now < known.due_at);
            if answers.len() >= REMEMBERED {
                answers.clear();
            }
        }
        answers.insert(owner.clone(), answer);
    }

    fn answers(&self) -> MutexGuard<'_, HashMap<SubjectId, Answer>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for OwnerChecks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnerChecks").field("owners", &self.owners).field("holds", &self.holds).finish_non_exhaustive()
    }
}
