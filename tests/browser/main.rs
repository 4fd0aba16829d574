//! Pages in Chromium, driven over WebDriver, as people use them: with and without scripts, on a telephone, in the dark, by keyboard alone.
//!
//! `scripts/browser` installs what is needed. Everything stays on this machine: the browser resolves no name.

#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "this program uses a part of it")]
mod support;

mod browser;
mod driver;
mod examined;
mod installed;
mod world;

mod bites;
mod consent;
mod console;
mod cross_origin;
mod hostile;
mod language;
mod managing;
mod own_pages;
mod pages;
mod refused;
mod screens;
