//! Definitions of lists: what a list has, declared once.
//!
//! A [`Resource`] names the fields of a record with their types, and says of each how it is filtered, whether it sorts and whether it is personal.
//! The data API reads its parameters, JSON, CSV, field policies and OpenAPI from it, the engine its indexes and orders, and the console its form
//! and table.

mod days;
mod definition;
mod error;
mod field;
mod json;
mod object;
mod parameter;
mod parse;
mod query;
mod words;

pub use definition::Resource;
pub use error::QueryError;
pub use field::Field;
pub use object::Object;
pub use parameter::Parameter;
pub use query::Query;
pub use words::Words;

pub(crate) use definition::{Definition, Pagination, is_word};
pub(crate) use object::{FieldInfo, FieldType, ObjectType, RenderOptions};
pub(crate) use parameter::{ParameterInfo, ParameterType};
pub(crate) use parse::{CHANGES, PAGE, ParameterReader};
pub(crate) use query::{Request, Value};

pub(super) use field::Accessor;
