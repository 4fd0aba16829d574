//! Search through the orders of concurrent calls, for store backends: runs a scenario in every
//! order of its steps and checks each result against a model.
//!
//! Two calls that race once a year rarely do so when many are started at once. Here exactly one
//! call moves at a time, from one statement to the next, and the search tries every order of their
//! steps. The outcomes of a run are compared with a small [`Model`]: some sequential order of the
//! calls must explain all their outcomes and the state that they left.
//!
//! In tests, a backend awaits [`StepGate::before_step`] before each statement that it sends and
//! before it commits. Each handle stands for a node and has its own gate. [`Nodes`] holds the
//! handles; for a backend with locks it also queries which calls wait for one. No run sleeps or
//! times out: each call has reached its next boundary, has ended, or waits for a lock that another
//! call holds.
//!
//! A search covers the statements as they are sent under its gate. The crate's PostgreSQL store
//! sends `BEGIN` on its own when a gate is set, so that a search can pause before the first
//! statement, and otherwise in one packet with that statement. The server runs the same statements
//! in the same order; `BEGIN` takes neither a lock nor a snapshot.
//!
//! ```
//! use std::sync::Arc;
//!
//! use lyceum::store::memory::MemoryStore;
//! use lyceum::testing::interleavings::{SearchReport, SearchLimits, Nodes, explore, pairs};
//!
//! // The memory store executes each call in one step, so two calls have two orders. A backend
//! // stores the gate beside its connection.
//! let store = Arc::new(MemoryStore::new());
//! let nodes = Nodes::new(|_gate| store.clone());
//!
//! let mut report = SearchReport::default();
//! for scenario in pairs() {
//!     report += explore(&nodes, &scenario, SearchLimits::EXHAUSTIVE)?;
//! }
//! assert_eq!(report.interleavings, 2 * report.scenarios);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An [`InterleavingFailure`] prints the scenario and its schedule, such as `0 0 1 0 1 1`.
//! [`replay`] runs that one order again:
//!
//! ```
//! # use std::sync::Arc;
//! # use lyceum::store::memory::MemoryStore;
//! use lyceum::testing::interleavings::{Nodes, Operation, Scenario, replay};
//!
//! # let store = Arc::new(MemoryStore::new());
//! # let nodes = Nodes::new(|_gate| store.clone());
//! let key = |key| Operation::InstallSigningKey { sequence: 1, key, at: 0 };
//! replay(&nodes, &Scenario::new("two nodes that make the first key", &[], &[key(1), key(2)]), &"1 0".parse()?)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod accounts;
mod api_keys;
mod applications;
mod audit_trail;
mod clients;
mod consents;
mod directory;
mod explore;
mod grants;
mod history;
mod model;
mod neis;
mod nodes;
mod operation;
mod rate_limits;
mod run;
mod run_ids;
mod scenario;
mod scenarios;
mod schedule;
mod signing_keys;
mod step_gate;
mod store_handle;
mod usage;
mod user_sessions;

pub(in crate::testing) use accounts::create_other_administrator;
pub use clients::Client;
pub use explore::{SearchLimits, SearchReport, explore, replay};
pub use model::{Model, OperationOutcome};
pub use neis::Neis;
pub use nodes::{ActiveCall, Nodes};
pub use operation::Operation;
pub use scenario::{InterleavingFailure, Scenario};
pub use scenarios::{pairs, single_calls, triples};
pub use schedule::Schedule;
pub use step_gate::{StepGate, crash_error};

pub(super) use history::consistent_states;
pub(super) use run::{answer, answers};
pub(super) use run_ids::RunIds;
pub(super) use step_gate::CrashAction;
pub(super) use store_handle::StoreHandle;
