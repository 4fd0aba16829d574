use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use http::request::Parts;
use http::{Request, Response};

use super::{Body, KeyLimit, ResponseFuture};
use crate::directory::ResourceDefinition;
use crate::domain::ApiKey;

/// In-process client of the data API for users who are signed in elsewhere. It reads with one of
/// the user's API keys, whose value is not stored, or for administrators without one; created by
/// [`DataApi::data_client`](crate::DataApi::data_client).
///
/// Responses are those of the data API to that key. Its scopes, hidden fields and rate limit apply.
/// Only the day of a student on the start page of the console does not count towards the limit; the
/// pages of a week and of a month count each of their requests. A request is no use of the key, so
/// that the statistics of a key are those of the program that has it. The console lets
/// administrators read without a key: every list with all fields, without a rate limit. It checks
/// the role at each request and records an audit event.
#[derive(Clone)]
pub struct DataClient(Arc<dyn DataService>);

/// Service that handles requests of callers that it trusts.
pub(crate) trait DataService: Send + Sync + 'static {
    /// Handles a request of this key. A revoked or expired key is refused as if it had been
    /// presented. The caller has checked that the key belongs to the user.
    fn call_with_key(&self, key: Arc<ApiKey>, limit: KeyLimit, head: Parts) -> ResponseFuture;

    /// Handles a request with the authority of the server: every list with all fields, without a
    /// rate limit. The caller has checked that the user is an administrator, and records the
    /// request.
    fn call_as_server(&self, head: Parts) -> ResponseFuture;

    /// Definitions of all lists.
    fn definitions(&self) -> Vec<&ResourceDefinition>;

    /// Writes the uses of keys that are not written yet. A failed write is logged and repeated
    /// later.
    fn write_key_usage(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}

impl DataClient {
    pub(crate) fn new(data: impl DataService) -> Self {
        Self(Arc::new(data))
    }

    /// Definitions of all lists.
    pub(crate) fn definitions(&self) -> Vec<&ResourceDefinition> {
        self.0.definitions()
    }

    /// Writes the uses of keys as [`DataService::write_key_usage`] does.
    pub(crate) async fn write_key_usage(&self) {
        self.0.write_key_usage().await;
    }

    /// Handles a request as [`DataService::call_with_key`] does.
    pub(crate) async fn call_with_key(
        &self,
        key: Arc<ApiKey>,
        limit: KeyLimit,
        request: Request<()>,
    ) -> Response<Body> {
        let (head, ()) = request.into_parts();
        self.0
            .call_with_key(key, limit, head)
            .await
            .unwrap_or_else(|never| match never {})
    }

    /// Handles a request as [`DataService::call_as_server`] does.
    pub(crate) async fn call_as_server(&self, request: Request<()>) -> Response<Body> {
        let (head, ()) = request.into_parts();
        self.0
            .call_as_server(head)
            .await
            .unwrap_or_else(|never| match never {})
    }
}

impl fmt::Debug for DataClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DataClient").finish_non_exhaustive()
    }
}
