//! Definitions of lists.
//!
//! A [`Resource`] names the fields of a record with their types, and for each field its filter, its
//! sort order and whether it is personal. The data API derives parameters, JSON, CSV, field
//! policies and OpenAPI from it, the engine its indexes and orders, and the console its form and
//! table.

mod date_range;
mod definition;
mod enum_values;
mod field;
mod formula;
mod json;
mod object;
mod parameter;
mod parse_query;
mod query;
mod query_error;

pub use definition::Resource;
pub use enum_values::EnumValues;
pub use field::Field;
pub use object::Object;
pub use parameter::Parameter;
pub use query::Query;
pub use query_error::QueryError;

pub(crate) use definition::{Pagination, ResourceDefinition, is_identifier};
pub(crate) use formula::escape_formula;
#[cfg(feature = "import")]
pub(crate) use formula::unescape_formula;
pub(crate) use object::{ConsoleFormat, FieldInfo, FieldType, ObjectType, RenderOptions};
pub(crate) use parameter::{ParameterInfo, ParameterType};
pub(crate) use parse_query::{PAGE, ParameterReader, UPDATED_SINCE};
pub(crate) use query::{FilterValue, QueryKind};

pub(super) use field::Accessor;
