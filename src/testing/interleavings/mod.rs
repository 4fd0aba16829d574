//! Every order in which concurrent calls can reach a store, and whether it answers rightly in each: for people who write a backend.
//!
//! Two calls that race once a year are hard to catch by starting many at once. Here exactly one of them moves at a time, from one statement
//! to the next, and the search tries every order of their steps. What came of a run is held against a small [`Model`]: some order
//! of the calls, one after the other, must explain all their outcomes and the state that they left.
//!
//! A backend has to do one thing: await [`Turn::pass`] before each statement that it sends and before it commits, in tests. Each handle
//! stands for a node of its own and has a turn of its own. [`Nodes`] holds them, and knows how to ask a backend with locks who waits. No
//! run sleeps or times out: a call has come to its next boundary, has ended, or waits for a lock that another holds.
//!
//! What is searched is what is watched. The crate's own store on PostgreSQL sends `BEGIN` by itself when it is watched, so that a search can
//! stand before the first statement, and in one packet with that statement when it is not. The server runs the same statements in the same
//! order; `BEGIN` takes neither a lock nor a snapshot.
//!
//! ```
//! use std::sync::Arc;
//!
//! use lyceum::store::memory::MemoryStore;
//! use lyceum::testing::interleavings::{Explored, Extent, Nodes, explore, pairs};
//!
//! // The memory store does each call in one step, so two calls have two orders. A backend would keep its turn beside its connection.
//! let store = Arc::new(MemoryStore::new());
//! let nodes = Nodes::new(|_turn| store.clone());
//!
//! let mut explored = Explored::default();
//! for story in pairs() {
//!     explored += explore(&nodes, &story, Extent::EVERY)?;
//! }
//! assert_eq!(explored.interleavings, 2 * explored.stories);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Failure`] prints the story and its schedule, such as `0 0 1 0 1 1`. [`replay`] runs that one order again:
//!
//! ```
//! # use std::sync::Arc;
//! # use lyceum::store::memory::MemoryStore;
//! use lyceum::testing::interleavings::{Nodes, Operation, Story, replay};
//!
//! # let store = Arc::new(MemoryStore::new());
//! # let nodes = Nodes::new(|_turn| store.clone());
//! let key = |key| Operation::InstallKey { sequence: 1, key, at: 0 };
//! replay(&nodes, &Story::new("two nodes that make the first key", &[], &[key(1), key(2)]), &"1 0".parse()?)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod accounts;
mod api_keys;
mod audit_trail;
mod consents;
mod explore;
mod grants;
mod handle;
mod history;
mod model;
mod names;
mod neis;
mod nodes;
mod operation;
mod registry;
mod run;
mod schedule;
mod school;
mod stories;
mod story;
mod turn;
mod usage;
mod user_sessions;

pub(in crate::testing) use accounts::somebody_else_administers;
pub use explore::{Explored, Extent, explore, replay};
pub use model::{Client, Model, Outcome};
pub use neis::Neis;
pub use nodes::{Call, Nodes};
pub use operation::Operation;
pub use schedule::Schedule;
pub use stories::{pairs, single_calls, triples};
pub use story::{Failure, Story};
pub use turn::{Turn, died};

pub(super) use handle::Handle;
pub(super) use history::consistent;
pub(super) use names::Names;
pub(super) use run::{answer, answers};
pub(super) use turn::Death;
