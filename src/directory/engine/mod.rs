//! The query engine: lists of records that do not change, laid out for reading.
//!
//! Each kind of record is a [`Shelf`](shelf::Shelf) in id order. A record is known by its position there. A filter by value is a set of
//! positions made beforehand, so a query intersects sets, then searches text only in what is left, and counts exactly. An order is a
//! permutation of the positions, made when it is first asked for. A new list takes over what has not changed from the one before,
//! with its renderings.

mod calendar;
mod clubs;
mod column;
mod facet;
mod log;
mod order;
mod projects;
mod selection;
mod shelf;
mod students;

pub(super) use calendar::Calendar;
pub(super) use clubs::Clubs;
pub(super) use projects::Projects;
pub(super) use shelf::{Entry, Identified};
pub(super) use students::Students;

#[cfg(test)]
mod tests;
