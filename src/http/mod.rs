//! HTTP services and their shared building blocks.

#[cfg(any(feature = "data-api", feature = "auth-server"))]
pub mod audit;
#[cfg(feature = "auth-server")]
pub mod auth_server;
mod body;
mod client_address;
#[cfg(feature = "auth-server")]
mod clock_check;
#[cfg(any(feature = "auth-server", feature = "openapi"))]
mod compressible_document;
#[cfg(any(feature = "data-api", feature = "auth-server", feature = "guard"))]
mod config_error;
#[cfg(feature = "console")]
pub mod console;
#[cfg(any(feature = "data-api", feature = "auth-server"))]
mod content_encoding;
#[cfg(feature = "auth-server")]
mod cookie;
#[cfg(any(feature = "data-api", feature = "auth-server"))]
mod cors;
#[cfg(feature = "data-api")]
pub mod data_api;
#[cfg(feature = "console")]
mod data_client;
#[cfg(any(feature = "data-api", feature = "auth-server", feature = "guard"))]
mod document;
#[cfg(any(feature = "data-api", feature = "auth-server"))]
mod entity_tags;
#[cfg(any(feature = "data-api", feature = "auth-server"))]
mod error_reasons;
#[cfg(any(feature = "auth-server", feature = "guard"))]
mod existing_scopes;
#[cfg(any(feature = "data-api", feature = "auth-server", feature = "guard"))]
mod failure_cause;
#[cfg(any(feature = "data-api", feature = "auth-server", feature = "guard"))]
mod form_decoding;
#[cfg(any(feature = "data-api", feature = "auth-server"))]
pub(crate) mod form_urlencoded;
mod forwarded;
#[cfg(any(feature = "data-api", feature = "auth-server"))]
mod gcra_limiter;
#[cfg(feature = "guard")]
pub mod guard;
#[cfg(feature = "auth-server")]
mod issuer;
#[cfg(feature = "data-api")]
mod key_limit;
#[cfg(feature = "data-api")]
mod key_owner_check;
#[cfg(feature = "auth-server")]
mod login;
#[cfg(feature = "console")]
mod mailer;
#[cfg(feature = "auth-server")]
mod management;
#[cfg(any(feature = "data-api", feature = "auth-server"))]
mod network_limiter;
#[cfg(feature = "openapi")]
mod openapi;
#[cfg(feature = "auth-server")]
mod pages;
#[cfg(any(feature = "data-api", feature = "auth-server", feature = "guard"))]
mod protected_resource;
#[cfg(any(feature = "data-api", feature = "auth-server", feature = "guard"))]
mod public_url;
#[cfg(any(feature = "data-api", feature = "auth-server"))]
mod quality_values;
#[cfg(any(feature = "data-api", feature = "serve"))]
mod readiness;
#[cfg(feature = "openapi")]
mod reference;
#[cfg(feature = "auth-server")]
mod request_body;
mod request_id;
#[cfg(any(feature = "data-api", feature = "auth-server", feature = "guard"))]
mod request_metrics;
#[cfg(any(feature = "data-api", feature = "auth-server", feature = "guard"))]
mod request_trace;
#[cfg(feature = "auth-server")]
mod response;
#[cfg(any(feature = "data-api", feature = "auth-server"))]
mod response_future;
#[cfg(any(feature = "data-api", feature = "auth-server", feature = "guard"))]
mod retry_after;
mod sensitive_headers;
#[cfg(feature = "serve")]
mod serve;
#[cfg(any(feature = "data-api", feature = "auth-server"))]
mod service;
#[cfg(any(feature = "data-api", feature = "auth-server"))]
mod sharded_mutex;
#[cfg(feature = "console")]
mod sync_control;
mod trusted_proxies;
#[cfg(any(feature = "auth-server", feature = "serve"))]
mod uncached_response;
#[cfg(any(feature = "data-api", feature = "auth-server"))]
mod usage_recorder;
#[cfg(any(feature = "data-api", feature = "auth-server", feature = "serve"))]
mod wire;

#[cfg(feature = "console")]
pub use self::mailer::{Mail, MailError, MailPurpose, Mailer};
#[cfg(any(feature = "data-api", feature = "auth-server", feature = "guard"))]
pub use self::{
    config_error::ConfigError, failure_cause::FailureCause, protected_resource::ProtectedResource,
};
#[cfg(feature = "auth-server")]
pub use self::{
    management::{ErrorReason as ManagementErrorReason, Management},
    pages::{Branding, CustomPages, Page},
};
#[cfg(feature = "openapi")]
pub use self::{
    openapi::ApiDescription,
    reference::{ApiReference, DescriptionConflict},
};
#[cfg(any(feature = "data-api", feature = "auth-server", feature = "guard"))]
pub(crate) use crate::catch_panic::catch_panic;
#[cfg(any(
    feature = "data-api",
    feature = "auth-server",
    feature = "guard",
    feature = "tls"
))]
pub use crate::clock::{Clock, SystemClock};
pub use body::Body;
pub use client_address::ClientAddress;
#[cfg(feature = "console")]
pub use data_client::DataClient;
#[cfg(feature = "data-api")]
pub(crate) use key_limit::KeyLimit;
#[cfg(feature = "console")]
pub use management::AccountErrorReason;
#[cfg(any(feature = "data-api", feature = "serve"))]
pub use readiness::Readiness;
pub use request_id::RequestId;
#[cfg(any(feature = "data-api", feature = "auth-server"))]
pub use response_future::ResponseFuture;
#[cfg(feature = "doctor")]
pub(crate) use serve::certificate_validity;
#[cfg(feature = "tls")]
pub use serve::{CertificateError, Certificates};
#[cfg(feature = "serve")]
pub use serve::{Listener, RequestBody, ServeOptions, inherited_socket_names, serve, serve_with};
#[cfg(feature = "console")]
pub use sync_control::SyncControl;
pub use trusted_proxies::{TrustedProxies, TrustedProxiesService};
