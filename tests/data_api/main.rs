//! Tests of the data API by requests and responses, on an in-memory store.

#[path = "../support/log_capture.rs"]
mod log_capture;
#[path = "../support/schemas.rs"]
mod schemas;
#[path = "../support/wire_doc.rs"]
mod wire_doc;

mod calendars;
mod checks;
mod client;
mod clubs_and_projects;
#[cfg(feature = "compression")]
mod compression;
mod conditional;
mod configuration;
mod connection;
mod cross_origin;
mod custom_lists;
#[path = "../../examples/custom_resource.rs"]
#[allow(dead_code, reason = "only its list is used")]
mod custom_resource;
mod data_as_of;
mod directory;
mod envelope;
mod error_log;
mod filters;
mod formats;
mod health;
mod hidden_fields;
mod hostile_input;
mod key_cache;
mod key_owners;
mod keys;
mod limits;
mod metrics;
mod neis;
mod openapi;
mod paging;
mod parameters;
mod problem_json;
mod recording_store;
mod response_cache;
mod routes;
mod school;
mod school_fixtures;
#[path = "../support/school_records.rs"]
mod school_records;
mod sorting;
mod store_failures;
mod updated_since;
mod wire_table;
