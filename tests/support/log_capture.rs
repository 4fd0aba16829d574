//! What is told to `tracing` on one thread, as its own formatter writes it.

use std::io::{self, Write};
use std::sync::{Arc, LazyLock, Mutex};

use tracing::Dispatch;
use tracing::subscriber::{DefaultGuard, NoSubscriber};
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::util::SubscriberInitExt;

#[derive(Default)]
pub struct CapturedLog(Mutex<String>);

/// Where there is one listener alone, `tracing` decides for all threads by whether the first one
/// that comes by is subscriber_guard.
static SECOND: LazyLock<Dispatch> = LazyLock::new(|| Dispatch::new(NoSubscriber::new()));

/// Listens on this thread until the guard is dropped; spans are told when they close.
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
