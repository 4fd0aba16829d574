use std::sync::{Arc, Mutex, PoisonError};

use crate::http::audit::{AuditLog, Event};

/// Audit log that keeps every event in memory, for assertions. Clones share the same events.
///
/// ```
/// use std::sync::Arc;
///
/// use lyceum::domain::SigningAlgorithm;
/// use lyceum::http::audit::RefusalRule;
/// use lyceum::http::auth_server::AuthServer;
/// use lyceum::store::memory::MemoryStore;
/// use lyceum::testing::MemoryAuditLog;
/// use tower::ServiceExt;
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let log = MemoryAuditLog::default();
/// let server = AuthServer::builder(Arc::new(MemoryStore::new()), "https://school.example", lyceum::testing::master_key(7))
///     .signing_algorithm(SigningAlgorithm::Es256)
///     .audit(Arc::new(log.clone()))
///     .build()
///     .await?;
/// server.oneshot(http::Request::get("/nowhere").body(String::new())?).await?;
/// assert!(log.events().last().unwrap().to_json().contains(RefusalRule::NotFound.as_str()));
/// # Ok::<_, Box<dyn std::error::Error>>(()) })?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct MemoryAuditLog(Arc<Mutex<Vec<Event>>>);

impl MemoryAuditLog {
    /// The recorded events, oldest first.
    pub fn events(&self) -> Vec<Event> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl AuditLog for MemoryAuditLog {
    fn record(&self, event: &Event) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(event.clone());
    }
}
