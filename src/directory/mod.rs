//! The school's records in memory, over any store.
//!
//! A [`DirectoryStore`](crate::store::DirectoryStore) holds the records. [`Directory`] loads them
//! into a [`Snapshot`] that serves every list, checks constraints between records on each write,
//! and follows what other processes write.

mod builder;
mod change;
mod commit;
mod constraints;
mod delta;
mod engine;
mod freshness;
mod history;
mod profiles;
mod record_limit;
mod record_list;
mod shared_directory;
mod snapshot_refresh;
mod version_history;
mod write_batch;
// Only OpenAPI and the console read most of a definition.
#[cfg_attr(
    not(all(feature = "openapi", feature = "console")),
    allow(dead_code, unused_imports)
)]
mod resource;
mod school;
mod snapshot;

pub use builder::DirectoryBuilder;
pub use change::{DirectoryChange, RejectionReason, WriteOutcome};
pub use delta::{Changes, Cursor, Delta};
pub use engine::ListView;
pub use record_limit::TooManyRecords;
pub use record_list::RecordList;
pub use resource::{EnumValues, Field, Object, Parameter, Query, QueryError, Resource};
pub use shared_directory::Directory;
pub use snapshot::Snapshot;

#[cfg(feature = "import")]
pub(crate) use commit::MAX_READ_TURNS;
pub(crate) use engine::{DeltaInfo, QueryableList, ResultSet};
#[cfg(feature = "import")]
pub(crate) use history::HistoryStep;
pub(crate) use record_list::{AnyRecordList, ListSnapshot};
#[cfg(feature = "import")]
pub(crate) use resource::unescape_formula;
#[cfg_attr(
    not(all(feature = "openapi", feature = "console")),
    allow(unused_imports)
)]
pub(crate) use resource::{
    ConsoleFormat, FieldInfo, FieldType, ObjectType, PAGE, Pagination, ParameterInfo,
    ParameterReader, ParameterType, QueryKind, RenderOptions, ResourceDefinition, UPDATED_SINCE,
    escape_formula, is_identifier,
};
#[cfg(any(feature = "auth-server", feature = "import"))]
pub(crate) use school::SchoolResources;

#[cfg(test)]
pub(crate) mod fixtures;
#[cfg(test)]
mod tests;
