//! The only rooms that know HTTP.

pub mod audit;
pub mod auth_server;
mod body;
mod clock;
pub mod data_api;
pub(crate) mod pairs;
mod respond;
#[cfg(feature = "serve")]
mod serve;
mod wire;

pub use body::Body;
pub use clock::{Clock, SystemClock};
pub use respond::{ClientAddress, FailureCause, ResponseFuture};
#[cfg(feature = "serve")]
pub use serve::{RequestBody, serve};
