//! The query engine: lists of records that do not change, laid out for reading.
//!
//! Each list has a [`RecordTable`](record_table::RecordTable) in id order. A record is known by its position there. A filter by value is a set of
//! positions made beforehand, so a query intersects sets, then searches text only in what is left, and counts exactly. An order is a
//! permutation of the positions, made when it is first asked for. A new list takes over what has not changed from the one before,
//! with its renderings. Which filters and orders a list has is its [`Resource`](super::Resource)'s.

mod calendar;
mod list;
mod log;
mod order;
mod record_table;
mod selection;
mod text_index;
mod value_index;
mod view;

pub use view::ListView;

pub(super) use calendar::Calendar;
pub(super) use list::List;
pub(crate) use list::{ChangeInfo, Listed, Selected};
pub(super) use record_table::Entry;

#[cfg(test)]
mod tests;
