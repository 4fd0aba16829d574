use std::fmt;

use crate::domain::Invalid;

/// Why parameters make no query.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum QueryError {
    /// The value of a parameter breaks a rule.
    Invalid {
        /// The parameter; of a range of days that makes no sense, `date`, `fromDate` or `toDate`.
        name: &'static str,
        /// The rule.
        rule: Invalid,
    },
    /// A parameter, or a parameter and its other name, is given twice.
    Repeated(String),
    /// The list has no such parameter.
    Unknown {
        /// The name.
        name: String,
        /// The parameters that the list has.
        known: Vec<&'static str>,
    },
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid { name, rule } => write!(f, "the parameter {name} {rule}"),
            Self::Repeated(name) => write!(f, "the parameter {name} is given twice"),
            Self::Unknown { name, known } => write!(f, "there is no parameter {name}; there are {}", known.join(", ")),
        }
    }
}

impl std::error::Error for QueryError {}
