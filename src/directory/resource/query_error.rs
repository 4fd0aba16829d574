use std::fmt;

use crate::domain::InvalidValue;

/// An error in the parameters of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum QueryError {
    /// The value of a parameter breaks a rule.
    Invalid {
        /// The parameter; for an invalid range of days `date`, `fromDate` or `toDate`.
        name: &'static str,
        /// The rule that it breaks.
        rule: InvalidValue,
    },
    /// A parameter is given twice, or together with its alias.
    Repeated(String),
    /// The list has no such parameter.
    Unknown {
        /// The name.
        name: String,
        /// The parameters of the list.
        known: Vec<&'static str>,
    },
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid { name, rule } => write!(f, "the parameter {name} {rule}"),
            Self::Repeated(name) => write!(f, "the parameter {name} is given twice"),
            Self::Unknown { name, known } => write!(
                f,
                "there is no parameter {name}; there are {}",
                known.join(", ")
            ),
        }
    }
}

impl std::error::Error for QueryError {}
