//! HTTP services and their shared building blocks.

pub mod audit;
pub mod auth_server;
mod body;
mod client_address;
mod clock_check;
mod config_error;
#[cfg(feature = "ui")]
pub mod console;
mod cookie;
mod cors;
pub mod data_api;
#[cfg(feature = "ui")]
mod data_client;
mod entity_tags;
pub(crate) mod form_urlencoded;
mod forwarded;
mod gcra_limiter;
pub mod guard;
mod issuer;
mod key_owner_check;
mod login;
mod management;
mod network_limiter;
#[cfg(feature = "openapi")]
mod openapi;
mod pages;
mod protected_resource;
mod public_url;
mod quality_values;
#[cfg(feature = "openapi")]
mod reference;
mod request_metrics;
mod response;
mod response_future;
mod sensitive_headers;
#[cfg(feature = "serve")]
mod serve;
mod service;
mod sharded_mutex;
mod trusted_proxies;
mod wire;

pub(crate) use crate::catch_panic::catch_panic;
pub use crate::clock::{Clock, SystemClock};
pub use body::Body;
pub use client_address::ClientAddress;
pub use config_error::ConfigError;
#[cfg(feature = "ui")]
pub use data_client::DataClient;
pub use management::Management;
#[cfg(feature = "openapi")]
pub use openapi::ApiDescription;
pub use pages::{CustomPages, Page};
pub use protected_resource::ProtectedResource;
#[cfg(feature = "openapi")]
pub use reference::{ApiReference, DescriptionConflict};
pub use response_future::{FailureCause, ResponseFuture};
#[cfg(feature = "serve")]
pub use serve::{RequestBody, ServeOptions, serve, serve_with};
pub use trusted_proxies::{TrustedProxies, TrustedProxiesService};
