//! Strangers to this library use the server over a real port, as it is: other people's OAuth
//! clients, in Rust, Node and Python, ask for tokens, and other people's JOSE libraries check them
//! with the published keys. A browser of a few lines walks through the pages.

#[path = "../support/browser.rs"]
mod browser;
#[path = "../support/report.rs"]
mod report;
#[path = "../support/mod.rs"]
mod support;

mod deployment;
mod java;
mod prerequisites;
mod rust;
mod script;
mod scripts;
