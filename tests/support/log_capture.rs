//! Captures the log lines of one thread, as `tracing_subscriber` formats them.

use std::io::{self, Write};
use std::sync::{Arc, LazyLock, Mutex};

use tracing::Dispatch;
use tracing::subscriber::{DefaultGuard, NoSubscriber};
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::util::SubscriberInitExt;

#[derive(Default)]
pub struct CapturedLog(Mutex<String>);

/// A second subscriber. With a single one, `tracing` caches for all threads whether the first thread
/// that reaches an event has a subscriber.
static SECOND: LazyLock<Dispatch> = LazyLock::new(|| Dispatch::new(NoSubscriber::new()));

/// Captures the events of this thread until the guard is dropped, and a line for each span that
/// closes.
pub fn capture_log() -> (Arc<CapturedLog>, DefaultGuard) {
    LazyLock::force(&SECOND);
    let log = Arc::new(CapturedLog::default());
    let subscriber = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_span_events(FmtSpan::CLOSE)
        .with_writer(log.clone());
    (log, subscriber.finish().set_default())
}

impl CapturedLog {
    pub fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().lines().map(str::to_owned).collect()
    }
}

impl Write for &CapturedLog {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .lock()
            .unwrap()
            .push_str(std::str::from_utf8(bytes).unwrap());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
