//! Independent OAuth clients in Rust, Node and Python use the server over a real port without
//! adaptations, and independent JOSE libraries verify its tokens with the published keys. A minimal
//! browser fills in the pages.

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
