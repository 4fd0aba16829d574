//! The data API through its front door: requests in, answers out, on a store in memory.

mod calls;
mod checks;
mod clubs_and_projects;
mod configuration;
mod envelope;
mod failing;
mod filters;
mod health;
mod hostile;
mod limits;
mod neis;
mod paging;
mod parameters;
mod routes;
mod school;
mod sorting;
mod wire_table;
