//! What is kept, as traits.
//!
//! # The contract
//!
//! * **One method is one transition.** A writing method happens wholly or not at all, also under concurrent calls and across a crash. There is
//!   no transaction object, so a caller cannot forget one.
//! * **Outcomes are values, errors are broken backends.** A code that was used before is a [`Redemption`], not an error; a [`StorageError`] means
//!   that the backend could not answer.
//! * **Stores see digests, never secrets.** Nothing that a store holds can be presented by someone who reads it.
//! * **Stores never read a clock** to answer by it. `at` is the only now, and a moment `at == expires_at` is expired. A backend with a clock that
//!   all nodes share tells it ([`StoreClock::now`]) and may sweep less by it: what has not ended by that clock.
//! * **What a method has acknowledged stays.** After it returns, every later call sees it, through any handle and after a restart.
//! * **What adds a row takes some away.** Whatever has had its time goes in small batches when something new comes: see [`sweep`].
//!
//! The conformance suite in `testing` (feature `testing`) checks all of this for any implementation.

mod accounts;
mod api_keys;
mod audit_trail;
mod clock;
mod directory;
mod error;
mod grants;
mod keys;
pub mod memory;
mod rate_limit;
#[cfg(feature = "redis")]
pub mod redis;
mod registry;
mod registry_outcomes;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub mod sql;
pub mod sweep;
mod token_records;
mod usage;
mod user_sessions;

pub use accounts::{AccountChange, AccountRemoval, AccountStore, PasswordChange};
pub use api_keys::{ApiKeyStore, Issuance, OwnedApiKeys, Renewal};
pub use audit_trail::{AUDIT_RECORDS_SHOWN, AUDIT_RECORDS_SWEPT, AuditTrail};
pub use clock::StoreClock;
pub use directory::{Advance, DatasetVersion, DirectoryRow, DirectoryRows, DirectoryStore};
pub use error::StorageError;
pub use grants::{
    Approval, ApprovalCaps, ApprovalOutcome, ApprovedSession, Assent, CONSENTS_SHOWN, GRANTS_SHOWN, GrantStore, Redemption, RefreshBinding,
    Rotation, SignIn, TokenLifetimes, Withdrawal,
};
pub use keys::{KeyInstallation, KeyRevocation, KeyStore};
pub use rate_limit::RateLimiter;
pub use registry::ClientRegistry;
pub use registry_outcomes::{
    ClientCreation, ClientDeletion, ClientFilter, ClientUpdate, OwnerRemoval, Registered, RegistryChange, ScopeApproval, ScopeChange,
    ScopeClient, ScopeCreation, SecretAddition, SecretRemoval,
};
pub use token_records::TokenRecords;
pub use usage::{GrantUsage, ListingClient, ScopeUsage, USAGE_CLIENTS_NAMED};
pub use user_sessions::{USER_SESSIONS_SHOWN, UserSessionStore};

/// Whether something new was kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Creation {
    /// It is kept from now on.
    Created,
    /// Something with the same id or the same unique property is there already; nothing changed.
    Taken,
}

/// What the authorization service needs. Any type with all five parts is one.
pub trait AuthStorage: ClientRegistry + GrantStore + KeyStore + AccountStore + UserSessionStore {}

impl<S: ClientRegistry + GrantStore + KeyStore + AccountStore + UserSessionStore + ?Sized> AuthStorage for S {}

/// Everything that the services keep, in one place. A host may also keep the school in one store and sign-in in another.
pub trait Storage: DirectoryStore + ApiKeyStore + AuthStorage + RateLimiter + AuditTrail {}

impl<S: DirectoryStore + ApiKeyStore + AuthStorage + RateLimiter + AuditTrail + ?Sized> Storage for S {}
