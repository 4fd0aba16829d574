use std::time::Duration;

use rusqlite::Connection;

use super::connection::PATIENCE;

/// How many pages of the log may wait before they are written back between two batches. A page has 4 KiB.
pub(super) const LOG_PAGES: i64 = 1000;
/// How many pages the log may have before it is started anew.
pub(super) const LONGEST_LOG: i64 = 4 * LOG_PAGES;
/// How long the writer waits for those who still read from the log when it is to be started anew.
const RESTART_PATIENCE: Duration = Duration::from_millis(100);

/// The write-ahead log between two batches.
///
/// Written back, the log starts anew by itself only at a moment at which nobody reads from it. Where reads overlap there is none, so
/// once it is long the writer waits for them: those that begin meanwhile read from the database alone.
#[derive(Debug)]
pub(super) struct Log {
    /// At how many pages the log is to be started anew.
    restart_at: i64,
}

impl Default for Log {
    fn default() -> Self {
        Self { restart_at: LONGEST_LOG }
    }
}

impl Log {
    /// Writes the log back when enough of it waits, and starts it anew when it is long.
    pub(super) fn keep_short(&mut self, connection: &Connection) {
        match log_pages(connection, "NOOP") {
            Ok(log) if log.pages >= self.restart_at => self.restart(connection, log.pages),
            Ok(log) => {
                if log.pages < LONGEST_LOG {
                    // It started anew by itself, so whoever read for long has gone.
                    self.restart_at = LONGEST_LOG;
                }
                if log.waiting() >= LOG_PAGES {
                    checkpoint(connection);
                }
            }
            Err(_) => {}
        }
    }

    fn restart(&mut self, connection: &Connection, pages: i64) {
        let restarted = connection.busy_timeout(RESTART_PATIENCE).and_then(|()| log_pages(connection, "RESTART"));
        // Setting the time alone cannot fail.
        let _ = connection.busy_timeout(PATIENCE);
        self.restart_at = match restarted {
            Ok(log) if !log.is_busy => LONGEST_LOG,
            // Somebody reads for long. To wait for them after every batch would cost each writer that time.
            _ => pages + LOG_PAGES,
        };
        if let Err(error) = restarted {
            tracing::warn!(%error, "the write-ahead log could not be started anew; it is tried again");
        }
    }
}

/// What a checkpoint says of the log.
#[derive(Clone, Copy)]
pub(super) struct LogPages {
    is_busy: bool,
    pages: i64,
    written_back: i64,
}

impl LogPages {
    /// How many pages are not yet written back.
    pub(super) const fn waiting(&self) -> i64 {
        self.pages - self.written_back
    }
}

/// Writes the log back into the database when at least this many pages wait, without keeping readers from anything.
pub(super) fn write_back(connection: &Connection, pages: i64) {
    if log_pages(connection, "NOOP").is_ok_and(|log| log.waiting() >= pages) {
        checkpoint(connection);
    }
}

fn checkpoint(connection: &Connection) {
    if let Err(error) = log_pages(connection, "PASSIVE") {
        tracing::warn!(%error, "the write-ahead log could not be written back; it is tried again");
    }
}

/// Runs a checkpoint and tells what it found.
pub(super) fn log_pages(connection: &Connection, mode: &str) -> rusqlite::Result<LogPages> {
    connection
        .prepare_cached(&format!("PRAGMA wal_checkpoint({mode})"))?
        .query_row([], |row| Ok(LogPages { is_busy: row.get(0)?, pages: row.get(1)?, written_back: row.get(2)? }))
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
        reader.execute_batch("BEGIN; SELECT count(*) FROM pages").unwrap();
        let mut log = Log::default();
        let mut write = |bytes: i64| {
            writer.execute("INSERT INTO pages VALUES (zeroblob(?1))", [bytes]).unwrap();
            log.keep_short(&writer);
            log.restart_at
        };
        assert!((0..8).any(|_| write(4 << 20) > LONGEST_LOG), "the reader holds nothing up");
        reader.execute_batch("COMMIT").unwrap();
        assert!((0..50).any(|_| write(64 << 10) == LONGEST_LOG), "one long read is held against the log for ever");
    }
}
