use tokio::signal::unix::{SignalKind, signal};

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
