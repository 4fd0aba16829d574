//! One set of statements for SQL databases.
