//! The authorization service, asked through its `tower::Service` as a browser or a client would ask.

mod harness;

mod authorize;
mod building;
mod consent;
mod external_login;
mod hostile_input;
mod limits;
mod login;
mod manage;
mod pages;
mod redirects;
mod remembered;
mod session;
mod standards;
mod token;
mod wire_table;
