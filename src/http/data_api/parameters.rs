use fluent_uri::pct_enc::EString;
use fluent_uri::pct_enc::encoder::{Data, Query as QueryEncoder};

use super::failure::Failure;
use crate::directory::{CHANGES, Definition, PAGE, ParameterReader, Query, QueryError};
use crate::domain::Date;
use crate::http::pairs;

/// The query that a request's query string makes, and the query string of links to other parts of the answer, without the parameter in which these
/// differ. It ends in `&` unless it is empty.
pub(super) fn read(definition: &Definition, query: &str, today: Date, ignores_unknown: bool) -> Result<(Query, String), Failure> {
    let given = pairs::parse(query).map_err(|_| Failure::QueryMalformed)?;
    if given.iter().any(|(name, _)| name.is_empty()) {
        return Err(Failure::QueryMalformed);
    }
    if let Some(name) = pairs::repeated(&given) {
        return Err(Failure::ParameterRepeated(name.to_owned()));
    }
    let mut given = ParameterReader::new(given);
    let query = definition.parse(&mut given, today)?;
    let taken = given.finish(ignores_unknown)?;
    let left_out = if query.is_for_changes() { CHANGES } else { PAGE };
    let mut links = EString::<QueryEncoder>::new();
    for (name, value) in taken.iter().filter(|(name, _)| *name != left_out) {
        links.encode_str::<Data>(name);
        links.push('=');
        links.encode_str::<Data>(value);
        links.push('&');
    }
    Ok((query, links.into_string()))
}

impl From<QueryError> for Failure {
    fn from(error: QueryError) -> Self {
        match error {
            QueryError::Invalid { name, rule } => Self::ParameterInvalid { name, rule },
            QueryError::Repeated(name) => Self::ParameterRepeated(name),
            QueryError::Unknown { name, known } => Self::ParameterUnknown { name, known },
        }
    }
}
