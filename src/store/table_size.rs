/// Size of a table of a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableSize {
    /// Name of the table.
    pub name: String,
    /// Size with its indexes, in bytes.
    pub bytes: u64,
    /// Number of rows whose [retention](super::retention) has ended: a sweep may delete them.
    pub expired_rows: u64,
}
