//! The sync with the portal NEIS, against a server that replays its answers: what the directory
//! holds after each of them.

#[path = "../support/certificates.rs"]
#[allow(dead_code, reason = "this program uses a part of it")]
mod certificates;
#[path = "../support/log_capture.rs"]
#[allow(dead_code, reason = "this program uses a part of it")]
mod log_capture;
#[path = "../support/metrics_capture.rs"]
#[allow(dead_code, reason = "this program uses a part of it")]
mod metrics_capture;

mod harness;
mod key;
mod portal;
mod records;
mod rows;
mod schedule;
