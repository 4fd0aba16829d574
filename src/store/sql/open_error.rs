use std::error::Error;
use std::fmt;

/// Error of opening a database. It prints as one line that names the database: the file, or the
/// server's host and the database's name. It never contains a password.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// The database belongs to another application: it has other tables, or the file is no SQLite
    /// database. It was not changed.
    Foreign {
        /// The database.
        database: String,
    },
    /// The database was written by a newer version of this library, beside which this one may not
    /// run. It was not changed.
    Newer {
        /// The database.
        database: String,
        /// The version of its schema.
        schema: i64,
        /// The newest version that this build supports.
        supported: i64,
    },
    /// The database has no schema of this library, or an older one, and migrations were not
    /// allowed. It was not changed.
    NotMigrated {
        /// The database.
        database: String,
        /// The version of its schema, 0 for none.
        schema: i64,
        /// The version that this build needs.
        supported: i64,
    },
    /// The database is a backup, or was restored from one, and was not made safe to serve: what was
    /// revoked after the backup is valid in it. It was not changed.
    Restored {
        /// The database.
        database: String,
    },
    /// The server cannot be reached at the moment, or rejects the connection.
    #[cfg(feature = "postgres")]
    Unreachable {
        /// The database.
        database: String,
        /// The cause.
        reason: String,
    },
    /// The database cannot be used, for example because its folder is missing or read-only.
    Unusable {
        /// The database.
        database: String,
        /// The cause.
        reason: String,
    },
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign { database } => write!(f, "{database:?} is not a database of lyceum"),
            Self::Newer {
                database,
                schema,
                supported,
            } => {
                write!(
                    f,
                    "the database {database:?} was written by a newer version: its schema is {schema}, the newest known here is {supported}"
                )
            }
            Self::NotMigrated {
                database,
                schema: 0,
                ..
            } => {
                write!(
                    f,
                    "the database {database:?} has no tables of lyceum yet: open it once with migrations allowed"
                )
            }
            Self::NotMigrated {
                database,
                schema,
                supported,
            } => {
                write!(
                    f,
                    "the schema of the database {database:?} is {schema}, and {supported} is needed: open it once with migrations allowed"
                )
            }
            Self::Restored { database } => write!(
                f,
                "the database {database:?} is a backup or was restored from one, and what was revoked since is valid in it"
            ),
            #[cfg(feature = "postgres")]
            Self::Unreachable { database, reason } => {
                write!(f, "the database {database:?} cannot be reached: {reason}")
            }
            Self::Unusable { database, reason } => {
                write!(f, "the database {database:?} cannot be used: {reason}")
            }
        }
    }
}

impl Error for OpenError {}
