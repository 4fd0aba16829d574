//! Traces, sent to an OpenTelemetry collector by OTLP over HTTP.
//!
//! Only the spans of requests are sent. They have the fields of the span `lyceum.request`: no path,
//! query, key, token or name.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use axum::Router;
use axum::body::Bytes;
use axum::extract::Request;
use axum::http::{self, Uri};
use axum::middleware::{Next, from_fn};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use lyceum::http::{ClientAddress, TrustedProxies};
use opentelemetry::Context;
use opentelemetry::context::FutureExt;
use opentelemetry::propagation::TextMapPropagator;
use opentelemetry::trace::TracerProvider;
use opentelemetry_http::hyper::HyperClient;
use opentelemetry_http::{HeaderExtractor, HttpClient, HttpError};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tokio::runtime::Handle;
use tracing::Subscriber;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::registry::LookupSpan;

use crate::BoxError;

/// Target of the spans that are sent.
const REQUESTS: &str = "lyceum::request";
/// Time in which the collector must accept spans, and in which the last ones are sent at the stop.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Sends the spans of requests to a collector.
pub struct Traces(SdkTracerProvider);

impl Traces {
    /// Prepares the export to an endpoint. Nothing is sent yet.
    pub fn new(endpoint: &Uri) -> Result<Self, BoxError> {
        let client: Arc<dyn HttpClient> = if endpoint.scheme_str() == Some("https") {
            Arc::new(HyperClient::new(with_tls()?, TIMEOUT, None))
        } else {
            Arc::new(HyperClient::new(HttpConnector::new(), TIMEOUT, None))
        };
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(OnRuntime {
                client,
                runtime: Handle::current(),
            })
            .with_protocol(Protocol::HttpBinary)
            .with_endpoint(endpoint.to_string())
            .with_timeout(TIMEOUT)
            .build()?;
        let resource = Resource::builder().with_service_name("lyceum").build();
        let provider = SdkTracerProvider::builder()
            .with_resource(resource)
            .with_batch_exporter(exporter);
        Ok(Self(provider.build()))
    }

    /// The layer that makes spans of OpenTelemetry.
    pub fn layer<S>(&self) -> impl Layer<S> + use<S>
    where
        S: Subscriber + for<'span> LookupSpan<'span>,
    {
        tracing_opentelemetry::layer()
            .with_tracer(self.0.tracer("lyceum"))
            .with_location(false)
            .with_threads(false)
            .with_tracked_inactivity(false)
            .with_filter(Targets::new().with_target(REQUESTS, LevelFilter::INFO))
    }

    /// Sends the remaining spans.
    pub async fn close(self) -> Result<(), BoxError> {
        let closed = move || self.0.shutdown_with_timeout(TIMEOUT);
        Ok(tokio::task::spawn_blocking(closed).await??)
    }
}

/// Makes the `traceparent` of a request from a trusted proxy the parent of the request's span. From
/// other peers it is ignored, because a client could otherwise write into the traces of others.
pub fn continue_traces(app: Router, proxies: &TrustedProxies) -> Router {
    let proxies = proxies.clone();
    app.layer(from_fn(move |request: Request, next: Next| {
        let peer = request.extensions().get();
        let parent = match peer {
            Some(ClientAddress(peer)) if proxies.trusts(*peer) => {
                TraceContextPropagator::new().extract(&HeaderExtractor(request.headers()))
            }
            _ => Context::new(),
        };
        next.run(request).with_context(parent)
    }))
}

/// A client that trusts the authorities of the system.
fn with_tls() -> Result<HttpsConnector<HttpConnector>, BoxError> {
    Ok(HttpsConnectorBuilder::new()
        .with_native_roots()?
        .https_only()
        .enable_http1()
        .build())
}

/// Sends requests on the runtime: the thread that exports spans has none.
#[derive(Debug)]
struct OnRuntime {
    client: Arc<dyn HttpClient>,
    runtime: Handle,
}

#[async_trait]
impl HttpClient for OnRuntime {
    async fn send_bytes(
        &self,
        request: http::Request<Bytes>,
    ) -> Result<http::Response<Bytes>, HttpError> {
        let client = Arc::clone(&self.client);
        let sent = async move { client.send_bytes(request).await };
        self.runtime.spawn(sent).await?
    }
}
