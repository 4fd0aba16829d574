//! The school's directory in memory, over any store.
//!
//! A [`DirectoryStore`](crate::store::DirectoryStore) keeps the records; [`Directory`] loads them into a [`Snapshot`] that answers every list,
//! checks the rules between records when it writes, and follows what other processes write.

mod change;
mod changes;
mod draft;
mod engine;
mod handle;
mod history;
mod limit;
mod looks;
mod profiles;
mod rules;
mod snapshot;

pub use change::{DirectoryChange, Refusal, Writing};
pub use changes::{Changes, ChangesQuery, Cursor, Delta};
pub use handle::{Directory, DirectoryBuilder};
pub use limit::TooManyRecords;
pub use snapshot::Snapshot;

#[cfg(test)]
mod sample;
#[cfg(test)]
mod tests;
