//! Storage traits and their implementations.
//!
//! # The contract
//!
//! * **One method is one transition.** A writing method takes effect wholly or not at all, also
//!   under concurrent calls and across a crash. There is no transaction object that a caller could
//!   forget to commit.
//! * **Outcomes are values, errors are backend failures.** A code that was redeemed before is a
//!   [`Redemption`], not an error. A [`StorageError`] means that the backend could not complete the
//!   call.
//! * **Stores see digests, never secrets.** A reader of the database cannot authenticate with
//!   anything stored in it.
//! * **Stores never read a clock** to decide an outcome. The parameter `at` is the current time,
//!   and a row with `expires_at == at` is expired. A backend with a clock that all nodes share
//!   reports it ([`StoreClock::now`]), and may then delete only rows that have expired by that
//!   clock too.
//! * **Stores keep whole seconds.** Callers pass times and lifetimes without fractions of a second.
//!   The state of a [`RateLimiter`] alone has microseconds, and so do the times passed to it.
//! * **Acknowledged changes are durable.** After a method returns, every later call sees its
//!   effect, through any handle and after a restart.
//! * **Inserts delete expired rows**, in small batches: see [`retention`].
//!
//! The conformance suite in `testing` (feature `testing`) checks all of this for a store that
//! implements all traits, what concerns the protocol for a [`ProtocolStorage`] alone, and what
//! concerns syncs for a [`SyncStore`] alone.
//!
//! # Layers
//!
//! A service asks for the layers that it uses, and a backend implements those of its services:
//!
//! | Layer | Traits | Used by |
//! |---|---|---|
//! | protocol | [`ClientLookup`], [`GrantStore`], [`SigningKeyStore`]: [`ProtocolStorage`], 20 methods | the endpoints of OAuth, and their pages |
//! | consents | [`ConsentStore`] | the consent page, `/v1/grants`, the console |
//! | management | [`ClientRegistry`] | `/v1/applications`, `/v1/clients`, the console |
//! | accounts | [`AccountStore`] | the built-in accounts |
//! | console sessions | [`UserSessionStore`] | the console |
//! | API keys | [`ApiKeyStore`] | the data API, `/v1/api-keys` |
//! | calendar feeds | [`CalendarFeedStore`], in the database of the API keys | the data API's calendars, the console |
//! | audit | [`AuditStore`] | the stored audit log |
//! | school | [`DirectoryStore`] | the directory behind the data API |
//! | school history | [`SchoolHistoryStore`], with the school in one store | the directory, the turn of the school year |
//! | rate limits | [`RateLimiter`] | the data API, if nodes share limits |
//! | syncs | [`SyncStore`] | the schedule of a sync, its page in the console, `X-Data-As-Of` |
//!
//! The first five must be in one database: a transition that spans layers is one method of one
//! store, such as an approval with its consent ([`approve_session`](GrantStore::approve_session)),
//! and the removal of an application ([`delete_application`](ClientRegistry::delete_application)),
//! a client ([`delete_client`](ClientRegistry::delete_client)) or an account
//! ([`remove_account`](AccountStore::remove_account)) with its sessions, grants and consents. A
//! method skips what belongs to a layer that its backend lacks.
//!
//! API keys may be in another store. The service then revokes them
//! ([`revoke_api_keys_of`](ApiKeyStore::revoke_api_keys_of)) *after* the transition that ends their
//! owner's access. Both steps can be repeated: access that has ended stays ended, and the
//! revocation runs again.
//!
//! # Outcomes
//!
//! The enums that stores return are exhaustive (not `#[non_exhaustive]`): each lists every result
//! that a transition can have, and a service handles each of them. A new variant is a change of the
//! contract, and the compiler then leads to every place that has to decide about it; a wildcard arm
//! would treat it as something else. What services return to their hosts (outcomes of [`Accounts`],
//! reasons of rejection, configuration errors, events) is `#[non_exhaustive]`: there a new variant
//! is one more reason why nothing was done.
//!
//! [`Accounts`]: crate::http::auth_server::Accounts

mod accounts;
mod api_keys;
mod audit;
mod calendar_feeds;
mod client_lookup;
mod client_registry;
mod client_registry_outcomes;
mod consents;
mod directory;
mod error;
mod grant_usage;
mod grants;
pub(crate) mod hidden_key_fields;
pub mod memory;
mod rate_limit;
#[cfg(feature = "redis")]
pub mod redis;
pub mod retention;
mod school_history;
mod signing_keys;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub mod sql;
mod store_clock;
mod sync_runs;
mod table_size;
mod token_request_records;
mod user_sessions;

pub use accounts::{AccountChange, AccountRemoval, AccountStore, LeaverChange, PasswordChange};
pub use api_keys::{ApiKeyAction, ApiKeyStore, ApiKeyUpdate, LimitedCreation, Renewal};
pub use audit::{AuditStore, MAX_LISTED_AUDIT_RECORDS, MAX_SWEPT_AUDIT_RECORDS};
pub use calendar_feeds::{CalendarFeedCreation, CalendarFeedStore};
pub use client_lookup::ClientLookup;
pub use client_registry::ClientRegistry;
pub use client_registry_outcomes::{
    ApplicationPatch, ClientCreation, ClientDeletion, ClientFilter, ClientUpdate, OwnerRemoval,
    Paged, RegistryChange, ScopeApproval, ScopeClient, ScopeCreation, ScopePatch,
    ScopeRequestCreation, ScopeRequestFilter, SecretAddition, SecretRemoval,
};
pub use consents::{ConsentStore, GrantRevocation, MAX_LISTED_CONSENTS, MAX_LISTED_GRANTS};
pub use directory::{DatasetVersion, DirectoryRow, DirectoryRows, DirectoryStore, DirectoryWrite};
pub use error::StorageError;
pub use grant_usage::{ClientSummary, GrantUsage, MAX_USAGE_CLIENTS, ScopeUsage};
pub use grants::{
    Approval, ApprovalLimits, ApprovalOutcome, ApprovedSession, ConsentMode, GrantStore,
    Redemption, RefreshBinding, Rotation, SignIn, TokenLifetimes,
};
pub use rate_limit::RateLimiter;
pub use school_history::{
    DeletedHistory, Erasure, HistoryChange, HistoryFilter, SchoolHistoryStore, TurnedRecords,
    TurnedStudent,
};
pub use signing_keys::{SigningKeyInstallation, SigningKeyRevocation, SigningKeyStore};
pub use store_clock::StoreClock;
pub use sync_runs::{Lease, LeaseAcquisition, MAX_LISTED_SYNC_RUNS, SyncStore};
pub use table_size::TableSize;
pub use token_request_records::TokenRequestRecords;
pub use user_sessions::{MAX_LISTED_USER_SESSIONS, UserSessionStore};

/// Result of creating a record; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Creation {
    /// The record is stored.
    Created,
    /// A record with the same id or the same unique property exists. Nothing changed.
    AlreadyExists,
}

/// Storage of the protocol core: everything that a host with its own users needs, without
/// management, console and remembered consents. Implemented for every type that implements the
/// three traits, which have 20 methods without default.
pub trait ProtocolStorage: ClientLookup + GrantStore + SigningKeyStore {}

impl<S: ClientLookup + GrantStore + SigningKeyStore + ?Sized> ProtocolStorage for S {}

/// All storage of the authorization service and the console, except that of API keys and audit
/// records. Implemented for every type that implements the traits.
pub trait AuthStorage:
    ProtocolStorage + ConsentStore + ClientRegistry + AccountStore + UserSessionStore
{
}

impl<S: ProtocolStorage + ConsentStore + ClientRegistry + AccountStore + UserSessionStore + ?Sized>
    AuthStorage for S
{
}

/// All storage traits that every host of the services needs; [`SyncStore`] and [`CalendarFeedStore`]
/// are left out. A host may also use one store for the school data and another for the authorization
/// service.
pub trait Storage: DirectoryStore + ApiKeyStore + AuthStorage + RateLimiter + AuditStore {}

impl<S: DirectoryStore + ApiKeyStore + AuthStorage + RateLimiter + AuditStore + ?Sized> Storage
    for S
{
}
