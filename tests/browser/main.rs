//! Pages in Chromium, driven over WebDriver, as people use them: with and without scripts, on a telephone, in the dark, by keyboard alone.
//!
//! `scripts/browser` installs what is needed. Everything stays on this machine: the browser resolves no name.

#[path = "../support/mod.rs"]
mod support;

mod browser;
mod driver;
mod installed;
mod world;

mod consent;
