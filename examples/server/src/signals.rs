use std::sync::Arc;
use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::Mutex;

use crate::BoxError;

/// Resolves at the first Ctrl-C or SIGTERM. The second one ends the process at once.
pub fn stop_signal() -> Result<impl Future<Output = ()>, BoxError> {
    let (mut interrupted, mut terminated) = (
        signal(SignalKind::interrupt())?,
        signal(SignalKind::terminate())?,
    );
    let mut signalled = async move || {
        tokio::select! {
            _ = interrupted.recv() => {}
            _ = terminated.recv() => {}
        }
    };
    Ok(async move {
        signalled().await;
        tokio::spawn(async move {
            signalled().await;
            std::process::exit(1);
        });
    })
}

/// Receives SIGHUP, which no longer ends the process once this is created.
#[derive(Clone)]
pub struct Hangups(Arc<Mutex<Signal>>);

impl Hangups {
    pub fn new() -> Result<Self, BoxError> {
        let hangups = signal(SignalKind::hangup())?;
        Ok(Self(Arc::new(Mutex::new(hangups))))
    }

    /// Sleeps for the time, or until the next SIGHUP.
    pub async fn sleep(self, time: Duration) {
        tokio::select! {
            _ = async { self.0.lock().await.recv().await } => {}
            () = tokio::time::sleep(time) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// Fails if files are read again only after the interval.
    #[tokio::test]
    async fn a_hangup_ends_a_sleep() {
        let hangups = Hangups::new().unwrap();
        let id = std::process::id().to_string();
        let sent = Command::new("kill").args(["-HUP", &id]).status().unwrap();
        assert!(sent.success());
        hangups.sleep(Duration::MAX).await;
    }
}
