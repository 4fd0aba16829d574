//! Password hashing and verification.

use std::iter;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use argon2::{Algorithm, Argon2, Params, Version};

use super::argon2_memory::Argon2Memory;
use crate::crypto::Entropy;
use crate::domain::{AccountId, InvalidValue, Password, PasswordHash};
use crate::http::ConfigError;
use crate::http::login::worker_pool::{QueueFull, QueuePriority, WorkerPool};
use crate::store::StorageError;

/// Memory in KiB and passes over it.
pub(super) type HashingCost = (u32, u32);

/// Hashes passwords with argon2id on dedicated threads.
#[derive(Debug)]
pub(super) struct PasswordHashing {
    argon2: Argon2<'static>,
    workers: WorkerPool<Argon2Memory>,
    /// A hash of an unknown password for each cost that accounts may have. A check does the work of
    /// all of them, with the account's own hash in place of the dummy of its cost, so that it takes
    /// the same time for unknown accounts.
    dummy_hashes: Arc<[(HashingCost, PasswordHash)]>,
    checks: Arc<AtomicU64>,
}

/// Result of a password check.
pub(super) struct PasswordCheck {
    pub(super) is_right: bool,
    /// The password hashed at the current cost, if the stored hash has another cost.
    pub(super) rehashed: Option<PasswordHash>,
}

impl PasswordHashing {
    /// Starts the threads. New hashes have the cost `today`; existing ones may have one of
    /// `former`.
    pub(super) fn start(
        today: HashingCost,
        former: &[HashingCost],
        workers: (usize, usize),
        entropy: &dyn Entropy,
    ) -> Result<Self, ConfigError> {
        let costs = iter::once(today).chain(former.iter().copied().filter(|cost| *cost != today));
        let mut memory = Argon2Memory::default();
        let dummy_hashes = costs
            .map(|cost| dummy_hash(&mut memory, cost, entropy))
            .collect::<Result<_, _>>()?;
        let argon2 = argon2id(today)?;
        let workers = WorkerPool::start(workers.0, workers.1).map_err(ConfigError::Threads)?;
        Ok(Self {
            argon2,
            workers,
            dummy_hashes,
            checks: Arc::default(),
        })
    }

    /// Number of password hashes computed for checks since the start.
    pub(super) fn checks(&self) -> u64 {
        self.checks.load(Ordering::Relaxed)
    }

    /// Hashes a new password. Only signed-in users choose one, so this may use reserved slots.
    pub(super) async fn hash(
        &self,
        password: &Password,
        salt: [u8; 16],
    ) -> Result<Result<PasswordHash, StorageError>, QueueFull> {
        let (argon2, password) = (self.argon2.clone(), password.clone());
        self.workers
            .run(QueuePriority::Reserved, move |memory| {
                hash(memory, &argon2, &password, salt)
            })
            .await
    }

    /// Runs the estimate of a new password on the hashing threads, with the priority of a hash.
    pub(super) async fn estimate(
        &self,
        estimate: impl FnOnce() -> bool + Send + 'static,
    ) -> Result<bool, QueueFull> {
        self.workers
            .run(QueuePriority::Reserved, move |_| estimate())
            .await
    }

    /// Checks a password against a stored hash; without a stored hash it is always wrong.
    pub(super) async fn check(
        &self,
        stored: Option<PasswordHash>,
        password: &Password,
        salt: [u8; 16],
        priority: QueuePriority,
    ) -> Result<Result<PasswordCheck, StorageError>, QueueFull> {
        let (argon2, password) = (self.argon2.clone(), password.clone());
        let (dummy_hashes, checks) = (Arc::clone(&self.dummy_hashes), Arc::clone(&self.checks));
        let checked = move |memory: &mut Argon2Memory| {
            let checked = check(
                memory,
                &argon2,
                (&*dummy_hashes, &*checks),
                stored.as_ref(),
                &password,
                salt,
            );
            memory.shrink_to(&argon2);
            checked
        };
        self.workers.run(priority, checked).await
    }
}

fn check(
    memory: &mut Argon2Memory,
    argon2: &Argon2<'_>,
    (dummy_hashes, checks): (&[(HashingCost, PasswordHash)], &AtomicU64),
    stored: Option<&PasswordHash>,
    password: &Password,
    salt: [u8; 16],
) -> Result<PasswordCheck, StorageError> {
    let mut matches = |hash: &PasswordHash| {
        checks.fetch_add(1, Ordering::Relaxed);
        Ok(memory.verify(password, &parsed(hash)?))
    };
    let stored_cost = stored.map(cost).transpose()?;
    for (_, dummy_hash) in dummy_hashes
        .iter()
        .filter(|(cost, _)| Some(*cost) != stored_cost)
    {
        let _: bool = matches(dummy_hash)?;
    }
    let is_right = stored.map(&mut matches).transpose()?.unwrap_or(false);
    let is_old = stored_cost != Some((argon2.params().m_cost(), argon2.params().t_cost()));
    let rehashed = if is_right && is_old {
        Some(hash(memory, argon2, password, salt)?)
    } else {
        None
    };
    Ok(PasswordCheck { is_right, rehashed })
}

fn hash(
    memory: &mut Argon2Memory,
    argon2: &Argon2<'_>,
    password: &Password,
    salt: [u8; 16],
) -> Result<PasswordHash, StorageError> {
    let hashed = memory.hash(argon2, password, salt);
    hashed
        .map_err(|error| StorageError::failed("a password could not be hashed", error.to_string()))
}

fn parsed(hash: &PasswordHash) -> Result<argon2::PasswordHash<'_>, StorageError> {
    argon2::PasswordHash::new(hash.without_mark()).map_err(|_| damaged())
}

fn cost(hash: &PasswordHash) -> Result<HashingCost, StorageError> {
    let params = Params::try_from(&parsed(hash)?).map_err(|_| damaged())?;
    Ok((params.m_cost(), params.t_cost()))
}

fn damaged() -> StorageError {
    StorageError::corrupt("a password hash is damaged")
}

fn dummy_hash(
    memory: &mut Argon2Memory,
    cost: HashingCost,
    entropy: &dyn Entropy,
) -> Result<(HashingCost, PasswordHash), ConfigError> {
    let unguessable = AccountId::from_random(entropy.bytes()).to_string();
    let unguessable = Password::new(&unguessable).map_err(ConfigError::HashingCost)?;
    let hash = hash(memory, &argon2id(cost)?, &unguessable, entropy.bytes())
        .map_err(|_| invalid_cost())?;
    Ok((cost, hash))
}

fn argon2id((memory_kib, passes): HashingCost) -> Result<Argon2<'static>, ConfigError> {
    let params = Params::new(memory_kib, passes, 1, None).map_err(|_| invalid_cost())?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn invalid_cost() -> ConfigError {
    ConfigError::HashingCost(InvalidValue::new("must be a cost that argon2id knows"))
}

#[cfg(test)]
impl PasswordHashing {
    /// The threads, for tests that block them.
    pub(super) const fn workers(&self) -> &WorkerPool<Argon2Memory> {
        &self.workers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crypto::SystemEntropy;

    fn hashing(today: HashingCost, former: &[HashingCost]) -> PasswordHashing {
        PasswordHashing::start(today, former, (1, 8), &SystemEntropy).unwrap()
    }

    fn password(text: &str) -> Password {
        Password::new(text).unwrap()
    }

    #[tokio::test]
    async fn an_unknown_address_costs_the_same_work_as_every_account_also_of_a_former_cost() {
        let (old, today) = (hashing((8, 1), &[]), hashing((16, 2), &[(8, 1)]));
        for (cost, dummy_hash) in &*today.dummy_hashes {
            assert_eq!(
                super::cost(dummy_hash).unwrap(),
                *cost,
                "the dummy hash has its declared cost"
            );
        }
        let stored = [
            None,
            Some(
                old.hash(&password("right"), [1; 16])
                    .await
                    .unwrap()
                    .unwrap(),
            ),
            Some(
                today
                    .hash(&password("right"), [1; 16])
                    .await
                    .unwrap()
                    .unwrap(),
            ),
        ];
        for stored in stored {
            let before = today.checks();
            assert!(
                !today
                    .check(stored, &password("wrong"), [2; 16], QueuePriority::Normal)
                    .await
                    .unwrap()
                    .unwrap()
                    .is_right
            );
            assert_eq!(today.checks() - before, 2, "one of each cost");
        }
    }

    #[tokio::test]
    async fn a_right_password_is_hashed_again_where_its_hash_has_another_cost() {
        let (old, today) = (hashing((8, 1), &[]), hashing((16, 2), &[]));
        let stored = old
            .hash(&password("right"), [1; 16])
            .await
            .unwrap()
            .unwrap();
        let check = async |stored: &PasswordHash, text| {
            today
                .check(
                    Some(stored.clone()),
                    &password(text),
                    [2; 16],
                    QueuePriority::Normal,
                )
                .await
                .unwrap()
                .unwrap()
        };
        assert!(check(&stored, "wrong").await.rehashed.is_none());
        let rehashed = check(&stored, "right")
            .await
            .rehashed
            .expect("it is hashed again");
        assert_eq!(cost(&rehashed).unwrap(), (16, 2));
        let again = check(&rehashed, "right").await;
        assert!(again.is_right && again.rehashed.is_none(), "once is enough");
    }
}
