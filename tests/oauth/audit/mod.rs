//! Contents of logs and events.

mod capture;
mod events;
mod headers;
mod metrics;
mod request_lookup;
mod secrets;
