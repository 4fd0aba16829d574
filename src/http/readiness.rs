use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(feature = "serve")]
use std::time::Duration;

/// Whether a load balancer should send requests to this process, shared by its clones.
///
/// Pass a clone to `DataApiBuilder::readiness`. Once the process begins to stop,
/// `/v1/health/ready` responds with 503, while all other requests are answered as before: balancers
/// choose another node before this one refuses connections.
#[derive(Debug, Clone, Default)]
pub struct Readiness(Arc<AtomicBool>);

impl Readiness {
    /// Creates the readiness of a process that is not stopping.
    pub fn new() -> Self {
        Self::default()
    }

    /// Turns the readiness to 503 for good.
    pub fn begin_stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the process has begun to stop.
    pub fn is_stopping(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Delays the stop of [`serve`](super::serve()), so that balancers notice it first: resolves
    /// `time` after `stop`, and the readiness is 503 from `stop` on.
    ///
    /// The time should be a little longer than the balancer's interval of health checks; zero where
    /// nothing checks. `serve` then accepts no more connections and finishes the requests in
    /// flight. When it has returned, flush what the services write in the background.
    ///
    /// ```no_run
    /// # use std::time::Duration;
    /// # use lyceum::DataApi;
    /// # use lyceum::http::Readiness;
    /// # async fn run(
    /// #     listener: tokio::net::TcpListener,
    /// #     api: DataApi,
    /// #     readiness: Readiness,
    /// #     signal: impl Future<Output = ()>,
    /// # ) -> Result<(), Box<dyn std::error::Error>> {
    /// let stop = readiness.drain(signal, Duration::from_secs(5));
    /// lyceum::http::serve(listener, api.clone(), stop).await?;
    /// api.flush().await?;
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "serve")]
    pub fn drain<F: Future<Output = ()>>(
        &self,
        stop: F,
        time: Duration,
    ) -> impl Future<Output = ()> + use<F> {
        let readiness = self.clone();
        async move {
            stop.await;
            readiness.begin_stop();
            tokio::time::sleep(time).await;
        }
    }
}
