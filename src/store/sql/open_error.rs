use std::error::Error;
use std::fmt;

/// Why a database could not be opened. It prints as one line that names the database: the file, or the server's host and the database's
/// name, never a password.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// The database belongs to something else: it has tables that are not ours, or the file is no SQLite database. It was left as it is.
    Foreign {
        /// The database.
        database: String,
    },
    /// The database was written by a newer version of this library. It was left as it is.
    Newer {
        /// The database.
        database: String,
        /// The version of its schema.
        schema: i64,
        /// The newest version that this build knows.
        known: i64,
    },
    /// The database cannot be used, for instance because its folder is missing or nobody may write there.
    Unusable {
        /// The database.
        database: String,
        /// What is in the way.
        reason: String,
    },
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign { database } => write!(f, "{database:?} is not a database of lyceum"),
            Self::Newer { database, schema, known } => {
                write!(
                    f,
                    "the database {database:?} was written by a newer version: its schema is {schema}, the newest known here is {known}"
                )
            }
            Self::Unusable { database, reason } => write!(f, "the database {database:?} cannot be used: {reason}"),
        }
    }
}

impl Error for OpenError {}
