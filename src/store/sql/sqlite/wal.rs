use std::time::Duration;

use rusqlite::Connection;

use super::connection::BUSY_TIMEOUT;

/// Number of log pages, of 4 KiB each, from which a checkpoint runs between two batches.
pub(super) const CHECKPOINT_PAGES: i64 = 1000;
/// Number of pages from which the log is restarted.
pub(super) const MAX_WAL_PAGES: i64 = 4 * CHECKPOINT_PAGES;
/// Time that the writer waits for readers of the log before it restarts the log.
const RESTART_TIMEOUT: Duration = Duration::from_millis(100);

/// Checkpoints of the write-ahead log between two batches.
///
/// A checkpointed log restarts by itself only when no reader uses it. If reads overlap there is no
/// such moment, so when the log is long the writer waits for its readers. Reads that begin
/// meanwhile use only the database file.
#[derive(Debug)]
pub(super) struct Wal {
    /// Number of pages at which the log is restarted.
    restart_at: i64,
}

impl Default for Wal {
    fn default() -> Self {
        Self {
            restart_at: MAX_WAL_PAGES,
        }
    }
}

impl Wal {
    /// Checkpoints the log if enough pages are pending, and restarts it if it is long.
    pub(super) fn checkpoint_if_needed(&mut self, connection: &Connection) {
        if is_read_only(connection) {
            return;
        }
        match run_checkpoint(connection, "NOOP") {
            Ok(log) if log.pages >= self.restart_at => self.restart(connection, log.pages),
            Ok(log) => {
                if log.pages < MAX_WAL_PAGES {
                    // The log restarted by itself, so there is no long read any more.
                    self.restart_at = MAX_WAL_PAGES;
                }
                if log.pending_pages() >= CHECKPOINT_PAGES {
                    passive_checkpoint(connection);
                }
            }
            Err(_) => {}
        }
    }

    fn restart(&mut self, connection: &Connection, pages: i64) {
        let restarted = connection
            .busy_timeout(RESTART_TIMEOUT)
            .and_then(|()| run_checkpoint(connection, "RESTART"));
        // Setting the timeout cannot fail.
        let _ = connection.busy_timeout(BUSY_TIMEOUT);
        self.restart_at = match restarted {
            Ok(log) if !log.is_busy => MAX_WAL_PAGES,
            // A read takes long. Waiting for it after every batch would delay every write.
            _ => pages + CHECKPOINT_PAGES,
        };
        if let Err(error) = restarted {
            tracing::warn!(%error, "the write-ahead log could not be restarted; it is tried again");
        }
    }
}

/// Status of the log that a checkpoint reports.
#[derive(Clone, Copy)]
pub(super) struct WalStatus {
    is_busy: bool,
    pages: i64,
    checkpointed: i64,
}

impl WalStatus {
    /// The number of pages that are not checkpointed.
    pub(super) const fn pending_pages(&self) -> i64 {
        self.pages - self.checkpointed
    }
}

/// Checkpoints the log if at least this many pages are pending, without blocking readers.
pub(super) fn checkpoint_if_waiting(connection: &Connection, pages: i64) {
    if !is_read_only(connection)
        && run_checkpoint(connection, "NOOP").is_ok_and(|log| log.pending_pages() >= pages)
    {
        passive_checkpoint(connection);
    }
}

/// Whether the file was opened for reading only: its log stays as it is.
fn is_read_only(connection: &Connection) -> bool {
    connection.is_readonly("main").unwrap_or_default()
}

fn passive_checkpoint(connection: &Connection) {
    if let Err(error) = run_checkpoint(connection, "PASSIVE") {
        tracing::warn!(%error, "the write-ahead log could not be written back; it is tried again");
    }
}

/// Runs a checkpoint and returns the log's status.
pub(super) fn run_checkpoint(connection: &Connection, mode: &str) -> rusqlite::Result<WalStatus> {
    connection
        .prepare_cached(&format!("PRAGMA wal_checkpoint({mode})"))?
        .query_row([], |row| {
            Ok(WalStatus {
                is_busy: row.get(0)?,
                pages: row.get(1)?,
                checkpointed: row.get(2)?,
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_a_long_read_the_log_is_kept_short_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lyceum.db");
        let writer = Connection::open(&path).unwrap();
        writer.execute_batch("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE pages (bytes)").unwrap();
        let reader = Connection::open(&path).unwrap();
        reader
            .execute_batch("BEGIN; SELECT count(*) FROM pages")
            .unwrap();
        let mut log = Wal::default();
        let mut write = |bytes: i64| {
            writer
                .execute("INSERT INTO pages VALUES (zeroblob(?1))", [bytes])
                .unwrap();
            log.checkpoint_if_needed(&writer);
            log.restart_at
        };
        assert!(
            (0..8).any(|_| write(4 << 20) > MAX_WAL_PAGES),
            "the reader does not delay the restart"
        );
        reader.execute_batch("COMMIT").unwrap();
        assert!(
            (0..50).any(|_| write(64 << 10) == MAX_WAL_PAGES),
            "the log stays long after one long read"
        );
    }
}
