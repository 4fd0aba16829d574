//! Telling, while there is time, that a key ends: whoever uses it by a header, its owner through the host.

use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::domain::{ApiKey, ApiKeyId, Timestamp};
use crate::store::ApiKeyStore;

/// How long before its end the answers to a key tell of it.
const TOLD: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// How many keys are remembered whose end was told of.
const REMEMBERED: usize = 10_000;

/// Lets a host tell the owners of keys, for example by mail, that these end.
///
/// ```
/// use std::sync::mpsc::Sender;
///
/// use lyceum::domain::ApiKey;
/// use lyceum::http::data_api::KeyExpiryNotice;
///
/// /// Hands messages to a thread that sends them.
/// #[derive(Debug)]
/// struct Mails(Sender<String>);
///
/// impl KeyExpiryNotice for Mails {
///     fn ends_soon(&self, key: &ApiKey) {
///         let owner = key.owner.as_ref().map_or("nobody", |owner| owner.as_str());
///         let _ = self.0.send(format!("to {owner}: the key {} ends at {}", key.hint, key.expires_at));
///     }
/// }
/// ```
pub trait KeyExpiryNotice: Debug + Send + Sync + 'static {
    /// Takes a key that is used in its last seven days: once for each end that it comes to, whatever the number of nodes and restarts, and again
    /// after a renewal. A key that nobody uses has no one to miss it. It is called in the middle of a request, so it must neither wait nor panic.
    fn ends_soon(&self, key: &ApiKey);
}

/// The host's notice, and the ends that need no more telling, as far as this node knows.
pub(super) struct Notices {
    notice: Arc<dyn KeyExpiryNotice>,
    settled: Mutex<HashMap<ApiKeyId, Timestamp>>,
}

impl Notices {
    pub(super) fn new(notice: Arc<dyn KeyExpiryNotice>) -> Self {
        Self { notice, settled: Mutex::default() }
    }

    /// Tells the host that the key ends, if that is soon and nobody has. While the store cannot say whether somebody has, the next request asks
    /// again.
    pub(super) async fn tell(&self, store: &dyn ApiKeyStore, key: &ApiKey, now: Timestamp) {
        if !is_soon(key.expires_at, now) || self.is_settled(key) {
            return;
        }
        match store.claim_expiry_notice(key.id, key.expires_at).await {
            Ok(is_ours) => {
                self.settle(key, now);
                if is_ours {
                    self.notice.ends_soon(key);
                }
            }
            Err(error) => tracing::warn!(target: "lyceum::data", %error, "whether the end of an API key was told of is not known"),
        }
    }

    fn is_settled(&self, key: &ApiKey) -> bool {
        self.settled.lock().unwrap_or_else(PoisonError::into_inner).get(&key.id) == Some(&key.expires_at)
    }

    fn settle(&self, key: &ApiKey, now: Timestamp) {
        let mut settled = self.settled.lock().unwrap_or_else(PoisonError::into_inner);
        if settled.len() >= REMEMBERED {
            settled.retain(|_, end| now < *end);
        }
        if settled.len() < REMEMBERED {
            settled.insert(key.id, key.expires_at);
        }
    }
}

pub(super) fn is_soon(ends: Timestamp, now: Timestamp) -> bool {
    now >= ends.minus(TOLD)
}
