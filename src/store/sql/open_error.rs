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
    /// The database has no schema of ours, or an older one, and was not to be migrated. It was left as it is.
    #[cfg(feature = "postgres")]
    NotMigrated {
        /// The database.
        database: String,
        /// The version of its schema, 0 for none.
        schema: i64,
        /// The version that this build needs.
        known: i64,
    },
    /// The server cannot be reached at the moment, or does not let us in.
    #[cfg(feature = "postgres")]
    Unreachable {
        /// The database.
        database: String,
        /// What is in the way.
        reason: String,
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
            #[cfg(feature = "postgres")]
            Self::NotMigrated { database, schema: 0, .. } => {
                write!(f, "the database {database:?} has no tables of lyceum yet: open it once with migrations allowed")
            }
            #[cfg(feature = "postgres")]
            Self::NotMigrated { database, schema, known } => {
                write!(
                    f,
                    "the schema of the database {database:?} is {schema}, and {known} is needed: open it once with migrations allowed"
                )
            }
            #[cfg(feature = "postgres")]
            Self::Unreachable { database, reason } => write!(f, "the database {database:?} cannot be reached: {reason}"),
            Self::Unusable { database, reason } => write!(f, "the database {database:?} cannot be used: {reason}"),
        }
    }
}

impl Error for OpenError {}
