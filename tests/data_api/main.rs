//! The data API through its front door: requests in, answers out, on a store in memory.

#[path = "../support/schemas.rs"]
mod schemas;
#[path = "../support/wire_page.rs"]
mod wire_page;

mod calls;
mod checks;
mod clubs_and_projects;
mod compression;
mod conditional;
mod configuration;
mod connection;
mod cross_origin;
mod delta;
mod directory;
mod envelope;
mod failing;
mod filters;
mod formats;
mod health;
mod hidden_fields;
mod hostile;
mod kept_answers;
mod key_cache;
mod key_owners;
mod keys;
mod limits;
mod measured;
mod neis;
mod openapi;
mod own_lists;
#[path = "../../examples/own_resource.rs"]
#[allow(dead_code, reason = "its list is used, and not its server")]
mod own_resource;
mod paging;
mod parameters;
mod problems;
mod refusals;
mod routes;
mod school;
mod sorting;
mod watched;
mod wire_table;
