use std::borrow::Cow;

use fluent_uri::pct_enc::EString;
use fluent_uri::pct_enc::encoder::{Data, Query as QueryEncoder};

use super::error::{Error, truncated};
use crate::directory::{
    PAGE, ParameterReader, Query, QueryError, ResourceDefinition, UPDATED_SINCE,
};
use crate::domain::Date;
use crate::http::form_urlencoded;

/// Parses a query string into a query, and into the query string of its page links, without the
/// parameter that differs between them. The latter ends in `&` unless it is empty.
pub(super) fn parse(
    definition: &ResourceDefinition,
    query: &str,
    today: Date,
    ignores_unknown: bool,
) -> Result<(Query, String), Error> {
    let pairs = form_urlencoded::parse(query).map_err(|_| Error::query_malformed())?;
    if pairs.iter().any(|(name, _)| name.is_empty()) {
        return Err(Error::query_malformed());
    }
    if let Some(name) = form_urlencoded::first_duplicate(&pairs) {
        let known = definition.known_parameter(name).map(Cow::Borrowed);
        let name = known.unwrap_or_else(|| Cow::Owned(truncated(name.to_owned())));
        return Err(Error::parameter_repeated(name));
    }
    let mut reader = ParameterReader::new(pairs);
    let query = definition.parse(&mut reader, today)?;
    let parameters = reader.finish(ignores_unknown)?;
    let omitted = if query.is_for_changes() {
        UPDATED_SINCE
    } else {
        PAGE
    };
    let mut links = EString::<QueryEncoder>::new();
    for (name, value) in parameters.iter().filter(|(name, _)| *name != omitted) {
        links.encode_str::<Data>(name);
        links.push('=');
        links.encode_str::<Data>(value);
        links.push('&');
    }
    Ok((query, links.into_string()))
}

impl From<QueryError> for Error {
    fn from(error: QueryError) -> Self {
        match error {
            QueryError::Invalid { name, rule } => Self::parameter_invalid(name, rule),
            QueryError::Repeated(name) => Self::parameter_repeated(truncated(name).into()),
            QueryError::Unknown { name, known } => {
                Self::parameter_unknown(truncated(name), known.join(", "))
            }
        }
    }
}
