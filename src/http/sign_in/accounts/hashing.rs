//! Passwords and their hashes.

use std::iter;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use argon2::{Algorithm, Argon2, Params, Version};

use super::argon2_memory::Argon2Memory;
use crate::crypto::Entropy;
use crate::domain::{AccountId, Invalid, Password, PasswordHash};
use crate::http::sign_in::config_error::ConfigError;
use crate::http::sign_in::workers::{Busy, Place, Workers};
use crate::store::StorageError;

/// Memory in KiB and passes over it.
pub(super) type Cost = (u32, u32);

/// argon2id, on threads of its own.
#[derive(Debug)]
pub(super) struct Hashing {
    argon2: Argon2<'static>,
    workers: Workers<Argon2Memory>,
    /// A hash of each cost that accounts may have, of a password that nobody knows. A check does the work of all of them, with an account's
    /// own hash in the place of the one of its cost, so that it takes as long for somebody unknown as for anybody else.
    strangers: Arc<[(Cost, PasswordHash)]>,
    checks: Arc<AtomicU64>,
}

/// What a check came to.
pub(super) struct Checked {
    pub(super) is_right: bool,
    /// The right password at today's cost, if its hash has another.
    pub(super) rehashed: Option<PasswordHash>,
}

impl Hashing {
    /// Starts the threads. New hashes have the cost `today`; others may have one of `former`.
    pub(super) fn start(today: Cost, former: &[Cost], workers: (usize, usize), entropy: &dyn Entropy) -> Result<Self, ConfigError> {
        let costs = iter::once(today).chain(former.iter().copied().filter(|cost| *cost != today));
        let mut memory = Argon2Memory::default();
        let strangers = costs.map(|cost| stranger(&mut memory, cost, entropy)).collect::<Result<_, _>>()?;
        let argon2 = argon2id(today)?;
        let workers = Workers::start(workers.0, workers.1).map_err(ConfigError::Threads)?;
        Ok(Self { argon2, workers, strangers, checks: Arc::default() })
    }

    /// How many passwords have been checked against a hash since the start.
    pub(super) fn checks(&self) -> u64 {
        self.checks.load(Ordering::Relaxed)
    }

    /// The hash of a new password, which only those who are signed in choose.
    pub(super) async fn hash(&self, password: &Password, salt: [u8; 16]) -> Result<Result<PasswordHash, StorageError>, Busy> {
        let (argon2, password) = (self.argon2.clone(), password.clone());
        self.workers.run(Place::Kept, move |memory| hash(memory, &argon2, &password, salt)).await
    }

    /// Estimates a new password, which only those who are signed in choose, in the place of a hash.
    pub(super) async fn estimate(&self, estimate: impl FnOnce() -> bool + Send + 'static) -> Result<bool, Busy> {
        self.workers.run(Place::Kept, move |_| estimate()).await
    }

    /// Whether a password is that of a hash; never that of nobody.
    pub(super) async fn check(
        &self,
        kept: Option<PasswordHash>,
        password: &Password,
        salt: [u8; 16],
        place: Place,
    ) -> Result<Result<Checked, StorageError>, Busy> {
        let (argon2, password) = (self.argon2.clone(), password.clone());
        let (strangers, checks) = (Arc::clone(&self.strangers), Arc::clone(&self.checks));
        let checked = move |memory: &mut Argon2Memory| {
            let checked = check(memory, &argon2, (&*strangers, &*checks), kept.as_ref(), &password, salt);
            memory.shrink_to(&argon2);
            checked
        };
        self.workers.run(place, checked).await
    }
}

fn check(
    memory: &mut Argon2Memory,
    argon2: &Argon2<'_>,
    (strangers, checks): (&[(Cost, PasswordHash)], &AtomicU64),
    kept: Option<&PasswordHash>,
    password: &Password,
    salt: [u8; 16],
) -> Result<Checked, StorageError> {
    let mut matches = |hash: &PasswordHash| {
        checks.fetch_add(1, Ordering::Relaxed);
        Ok(memory.verify(password, &parsed(hash)?))
    };
    let kept_cost = kept.map(cost).transpose()?;
    for (_, stranger) in strangers.iter().filter(|(cost, _)| Some(*cost) != kept_cost) {
        let _: bool = matches(stranger)?;
    }
    let is_right = kept.map(&mut matches).transpose()?.unwrap_or(false);
    let is_old = kept_cost != Some((argon2.params().m_cost(), argon2.params().t_cost()));
    let rehashed = if is_right && is_old { Some(hash(memory, argon2, password, salt)?) } else { None };
    Ok(Checked { is_right, rehashed })
}

fn hash(memory: &mut Argon2Memory, argon2: &Argon2<'_>, password: &Password, salt: [u8; 16]) -> Result<PasswordHash, StorageError> {
    let hashed = memory.hash(argon2, password, salt);
    hashed.map_err(|error| StorageError::failed("a password could not be hashed", error.to_string()))
}

fn parsed(hash: &PasswordHash) -> Result<argon2::PasswordHash<'_>, StorageError> {
    argon2::PasswordHash::new(hash.as_phc()).map_err(|_| damaged())
}

fn cost(hash: &PasswordHash) -> Result<Cost, StorageError> {
    let params = Params::try_from(&parsed(hash)?).map_err(|_| damaged())?;
    Ok((params.m_cost(), params.t_cost()))
}

fn damaged() -> StorageError {
    StorageError::corrupt("a password hash is damaged")
}

fn stranger(memory: &mut Argon2Memory, cost: Cost, entropy: &dyn Entropy) -> Result<(Cost, PasswordHash), ConfigError> {
    let unguessable = AccountId::from_random(entropy.bytes()).to_string();
    let unguessable = Password::new(&unguessable).map_err(ConfigError::HashingCost)?;
    let hash = hash(memory, &argon2id(cost)?, &unguessable, entropy.bytes()).map_err(|_| impossible())?;
    Ok((cost, hash))
}

fn argon2id((memory_kib, passes): Cost) -> Result<Argon2<'static>, ConfigError> {
    let params = Params::new(memory_kib, passes, 1, None).map_err(|_| impossible())?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn impossible() -> ConfigError {
    ConfigError::HashingCost(Invalid::new("must be a cost that argon2id knows"))
}

#[cfg(test)]
impl Hashing {
    /// The threads, for tests that keep them busy.
    pub(super) const fn workers(&self) -> &Workers<Argon2Memory> {
        &self.workers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crypto::SystemEntropy;

    fn hashing(today: Cost, former: &[Cost]) -> Hashing {
        Hashing::start(today, former, (1, 8), &SystemEntropy).unwrap()
    }

    fn password(text: &str) -> Password {
        Password::new(text).unwrap()
    }

    #[tokio::test]
    async fn somebody_unknown_takes_the_same_work_as_every_account_also_of_a_former_cost() {
        let (old, today) = (hashing((8, 1), &[]), hashing((16, 2), &[(8, 1)]));
        for (cost, stranger) in &*today.strangers {
            assert_eq!(super::cost(stranger).unwrap(), *cost, "what stands for nobody has the cost that it stands for");
        }
        let kept = [
            None,
            Some(old.hash(&password("right"), [1; 16]).await.unwrap().unwrap()),
            Some(today.hash(&password("right"), [1; 16]).await.unwrap().unwrap()),
        ];
        for kept in kept {
            let before = today.checks();
            assert!(!today.check(kept, &password("wrong"), [2; 16], Place::Open).await.unwrap().unwrap().is_right);
            assert_eq!(today.checks() - before, 2, "one of each cost");
        }
    }

    #[tokio::test]
    async fn a_right_password_is_hashed_again_where_its_hash_has_another_cost() {
        let (old, today) = (hashing((8, 1), &[]), hashing((16, 2), &[]));
        let kept = old.hash(&password("right"), [1; 16]).await.unwrap().unwrap();
        let check = async |kept: &PasswordHash, text| {
            today.check(Some(kept.clone()), &password(text), [2; 16], Place::Open).await.unwrap().unwrap()
        };
        assert!(check(&kept, "wrong").await.rehashed.is_none());
        let rehashed = check(&kept, "right").await.rehashed.expect("it is hashed again");
        assert_eq!(cost(&rehashed).unwrap(), (16, 2));
        let again = check(&rehashed, "right").await;
        assert!(again.is_right && again.rehashed.is_none(), "once is enough");
    }
}
