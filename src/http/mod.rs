//! The only rooms that know HTTP.

mod address;
mod answer;
mod arrivals;
pub mod audit;
pub mod auth_server;
mod body;
mod client_address;
mod clock_check;
#[cfg(feature = "ui")]
pub mod console;
mod cookie;
mod cors;
pub mod data_api;
mod forwarded;
pub mod guard;
mod issuer;
mod key_owners;
mod manage;
mod network_limit;
#[cfg(feature = "openapi")]
mod openapi;
mod pages;
pub(crate) mod pairs;
mod protected_resource;
#[cfg(feature = "ui")]
mod reading_room;
#[cfg(feature = "openapi")]
mod reference;
mod requests;
mod respond;
mod sensitive;
#[cfg(feature = "serve")]
mod serve;
mod shards;
mod sign_in;
mod trusted_proxies;
mod wire;

pub use crate::clock::{Clock, SystemClock};
pub(crate) use crate::panics::unless_it_panics;
pub use body::Body;
pub use client_address::ClientAddress;
pub use manage::Office;
#[cfg(feature = "openapi")]
pub use openapi::ApiDescription;
pub use pages::{Page, Pages};
pub use protected_resource::ProtectedResource;
#[cfg(feature = "ui")]
pub use reading_room::ReadingRoom;
#[cfg(feature = "openapi")]
pub use reference::{ApiReference, DescriptionConflict};
pub use respond::{FailureCause, ResponseFuture};
#[cfg(feature = "serve")]
pub use serve::{RequestBody, ServeOptions, serve, serve_with};
pub use trusted_proxies::{BehindProxies, TrustedProxies};
