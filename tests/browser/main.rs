//! Pages in Chromium, driven over WebDriver: with and without scripts, on a phone, in dark mode and
//! by keyboard alone.
//!
//! `scripts/browser` installs the prerequisites. The browser resolves no host names, so no request
//! leaves this machine.

#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "this program uses a part of it")]
mod support;

#[path = "../support/report.rs"]
mod report;

#[path = "../support/skip.rs"]
mod skip;

mod accessibility;
mod browser;
mod driver;
mod harness;
mod prerequisites;

mod accessibility_checker;
mod consent;
mod consent_edge_cases;
mod console;
mod cross_origin;
mod custom_pages;
mod hostile;
mod journeys;
mod language;
mod management;
mod page_list;
mod pages;
mod screenshots;
mod snapshots;
mod weight;
