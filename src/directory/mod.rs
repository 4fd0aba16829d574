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
mod record_list;
// OpenAPI and the console read most of a definition.
#[cfg_attr(not(all(feature = "openapi", feature = "ui")), allow(dead_code, unused_imports))]
mod resource;
mod rules;
mod school;
mod snapshot;

pub use change::{DirectoryChange, Refusal, Writing};
pub use changes::{Changes, Cursor, Delta};
pub use engine::ListView;
pub use handle::{Directory, DirectoryBuilder};
pub use limit::TooManyRecords;
pub use record_list::RecordList;
pub use resource::{Field, Object, Parameter, Query, QueryError, Resource, Words};
pub use snapshot::Snapshot;

pub(crate) use engine::{ChangeInfo, Listed, Selected};
pub(crate) use record_list::{ListVersion, OwnList};
#[cfg_attr(not(all(feature = "openapi", feature = "ui")), allow(unused_imports))]
pub(crate) use resource::{
    CHANGES, Definition, FieldInfo, FieldType, ObjectType, PAGE, Pagination, ParameterInfo, ParameterReader, ParameterType, RenderOptions,
    Request, is_word,
};
pub(crate) use school::SchoolResources;

#[cfg(test)]
mod sample;
#[cfg(test)]
mod tests;
