/// Whether this is a long run (`scripts/test --long`).
#[allow(
    clippy::disallowed_methods,
    reason = "the environment of the tests, not of the library"
)]
pub fn is_long_run() -> bool {
    std::env::var_os("LYCEUM_LONG").is_some_and(|value| value == "1")
}
