//! `Guard` in front of a service, by its public interface alone.

mod answers;
mod flow;
mod forged;
mod hosts;
mod key_cache;
#[allow(dead_code, reason = "the token endpoint's tests need more of it")]
#[path = "../oauth/token/world.rs"]
mod world;

mod bench;
