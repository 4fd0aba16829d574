//! What is kept, as traits.
//!
//! # The contract
//!
//! * **One method is one transition.** A writing method happens wholly or not at all, also under concurrent calls and across a crash. There is
//!   no transaction object, so a caller cannot forget one.
//! * **Outcomes are values, errors are broken backends.** A code that was used before is a [`Redemption`], not an error; a [`StorageError`] means
//!   that the backend could not answer.
//! * **Stores see digests, never secrets.** Nothing that a store holds can be presented by someone who reads it.
//! * **Stores never read a clock.** `at` is the only now, and a moment `at == expires_at` is expired.
//! * **What a method has acknowledged stays.** After it returns, every later call sees it, through any handle and after a restart.
//!
//! The conformance suite in `testing` (feature `testing`) checks all of this for any implementation.

mod accounts;
mod api_keys;
mod directory;
mod error;
mod grants;
mod keys;
pub mod memory;
mod registry;
#[cfg(feature = "sqlite")]
pub mod sql;

pub use accounts::AccountStore;
pub use api_keys::ApiKeyStore;
pub use directory::{DatasetVersion, DirectoryChange, Refusal, SchoolDirectory, Writing};
pub use error::StorageError;
pub use grants::{Approval, ApprovalOutcome, GrantStore, Redemption, RefreshBinding, Rotation, SignIn, TokenLifetimes};
pub use keys::{KeyInstallation, KeyStore};
pub use registry::{ClientCreation, ClientRegistry, ScopeCreation};

/// Whether something new was kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Creation {
    /// It is kept from now on.
    Created,
    /// Something with the same id or the same unique property is there already; nothing changed.
    Taken,
}

/// Everything that the services keep, in one place: an umbrella that any type with all the parts stands under.
///
/// The services ask only for the traits they need, so a host may also keep the school in one store and sign-in in another.
pub trait Storage: SchoolDirectory + ApiKeyStore + AccountStore + ClientRegistry + GrantStore + KeyStore {}

impl<S: SchoolDirectory + ApiKeyStore + AccountStore + ClientRegistry + GrantStore + KeyStore + ?Sized> Storage for S {}
