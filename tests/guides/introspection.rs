use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderValue, Request, Uri};
use http_body_util::{BodyExt, Full, Limited};
use hyper_util::client::legacy::{Client, connect::HttpConnector};
use lyceum::domain::Timestamp;
use lyceum::http::guard::{BoxError, Caller, RevocationCheck};

#[derive(Debug)]
pub struct Introspection {
    /// `{issuer}/v1/oauth/introspect`.
    pub address: Uri,
    /// `Basic …`, of a client with a secret that has the same owner as this service's application.
    pub credentials: HeaderValue,
    pub client: Client<HttpConnector, Full<Bytes>>,
}

#[async_trait]
impl RevocationCheck for Introspection {
    async fn is_active(&self, token: &str, _: &Caller, _: Timestamp) -> Result<bool, BoxError> {
        let request = Request::post(self.address.clone())
            .header(AUTHORIZATION, self.credentials.clone())
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(Full::from(format!("token={token}")))?;
        let answer = async {
            let response = self.client.request(request).await?;
            if response.status() != 200 {
                return Err(
                    format!("introspection was answered with {}", response.status()).into(),
                );
            }
            let body = Limited::new(response.into_body(), 64 * 1024)
                .collect()
                .await?
                .to_bytes();
            Ok(serde_json::from_slice::<serde_json::Value>(&body)?["active"] == true)
        };
        tokio::time::timeout(Duration::from_secs(5), answer).await?
    }
}
