//! The query engine: immutable lists of records with indexes.
//!
//! Each list has a [`RecordTable`](record_table::RecordTable) in id order, and identifies a record
//! by its position there. An index maps each value of a filter to the set of positions that have
//! it. A query intersects these sets, then searches texts among the remaining records, and counts
//! exactly. A sort order is a permutation of the positions, built on first use. A new list reuses
//! the unchanged records of the previous list, with their cached JSON. The
//! [`Resource`](super::Resource) of a list defines its filters and orders.

mod bitmap_index;
mod change_log;
mod dated_list;
mod indexed_list;
mod list_view;
mod record_table;
mod selection;
mod sort_order;
mod text_index;

pub use list_view::ListView;

pub(super) use dated_list::DatedList;
pub(super) use indexed_list::IndexedList;
pub(crate) use indexed_list::{DeltaInfo, QueryableList, ResultSet};
pub(super) use record_table::RecordChange;

#[cfg(test)]
mod tests;
