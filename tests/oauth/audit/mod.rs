//! What the log and the events tell, and what they must not.

mod capture;
mod explain;
mod headers;
mod measured;
mod secrets;
mod told;
