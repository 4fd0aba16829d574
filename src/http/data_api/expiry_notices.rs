//! Notices that a key expires soon: a response header for its users, and a notifier for its owner.

use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::domain::{ApiKey, ApiKeyId, Timestamp};
use crate::store::ApiKeyStore;

/// Time before its expiry in which responses to a key carry the notice.
const NOTICE_PERIOD: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Maximum number of keys whose notices are remembered.
const MAX_REMEMBERED: usize = 10_000;

/// Notifies owners, for example by mail, that their keys expire soon.
///
/// ```
/// use std::sync::mpsc::Sender;
///
/// use lyceum::domain::ApiKey;
/// use lyceum::http::data_api::KeyExpiryNotifier;
///
/// /// Hands messages to a thread that sends them.
/// #[derive(Debug)]
/// struct Mails(Sender<String>);
///
/// impl KeyExpiryNotifier for Mails {
///     fn key_expires_soon(&self, key: &ApiKey) {
///         let owner = key.owner.as_ref().map_or("admin", |owner| owner.as_str());
///         let text = format!("to {owner}: the key {} expires at {}", key.hint, key.expires_at);
///         let _ = self.0.send(text);
///     }
/// }
/// ```
pub trait KeyExpiryNotifier: Debug + Send + Sync + 'static {
    /// Called when a key is used in its last seven days. It is called once for each expiry,
    /// regardless of the number of nodes and restarts, and again after a renewal. Unused keys cause
    /// no notice. The call is part of a request, so it must neither block nor panic.
    fn key_expires_soon(&self, key: &ApiKey);
}

/// The host's notifier, and the notices that this node has seen claimed.
pub(super) struct ExpiryNotices {
    notifier: Arc<dyn KeyExpiryNotifier>,
    claimed: Mutex<HashMap<ApiKeyId, Timestamp>>,
}

impl ExpiryNotices {
    pub(super) fn new(notifier: Arc<dyn KeyExpiryNotifier>) -> Self {
        Self {
            notifier,
            claimed: Mutex::default(),
        }
    }

    /// Notifies the host if the key expires soon and no node has done so. If the store fails, the
    /// next request tries again.
    pub(super) async fn notify_once(&self, store: &dyn ApiKeyStore, key: &ApiKey, now: Timestamp) {
        if !expires_soon(key.expires_at, now) || self.is_claimed(key) {
            return;
        }
        match store.claim_expiry_notice(key.id, key.expires_at).await {
            Ok(claimed_here) => {
                self.mark_claimed(key, now);
                if claimed_here {
                    self.notifier.key_expires_soon(key);
                }
            }
            Err(error) => {
                tracing::warn!(target: "lyceum::data", %error, "the expiry notice of an API key could not be claimed")
            }
        }
    }

    fn is_claimed(&self, key: &ApiKey) -> bool {
        self.claimed
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&key.id)
            == Some(&key.expires_at)
    }

    fn mark_claimed(&self, key: &ApiKey, now: Timestamp) {
        let mut claimed = self.claimed.lock().unwrap_or_else(PoisonError::into_inner);
        if claimed.len() >= MAX_REMEMBERED {
            claimed.retain(|_, end| now < *end);
        }
        if claimed.len() < MAX_REMEMBERED {
            claimed.insert(key.id, key.expires_at);
        }
    }
}

pub(super) fn expires_soon(expires_at: Timestamp, now: Timestamp) -> bool {
    now >= expires_at.minus(NOTICE_PERIOD)
}
