//! Names on the wire of the portal: the queries, the answers and the rows.

mod answer;
mod dishes;
mod meals;
mod query;
mod result_code;
mod row;
mod schedules;
mod timetables;

pub use result_code::ResultCode;

pub(super) use answer::{Answer, parse_answer};
pub(super) use query::Query;
pub(super) use result_code::Meaning;
pub(super) use row::{BadRow, Row};
