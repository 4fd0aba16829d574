//! What people manage: applications, scopes, clients, API keys and grants; who may see and change what, and the changes themselves.
//!
//! Everything here goes by one person at a [`Desk`] of the [`Office`], whether a program or a browser asked for them. Whoever stands there is
//! the owner of what is made.

mod access;
mod api_keys;
mod applications;
mod approvals;
mod caps;
mod clients;
#[cfg(feature = "ui")]
mod connections;
mod desk;
mod display_names;
mod grants;
mod not_done;
mod office;
mod owners;
mod pace;
#[cfg(feature = "ui")]
mod people;
mod permission;
mod scopes;
mod secrets;
#[cfg(feature = "ui")]
mod session_ends;
mod students;
#[cfg(feature = "ui")]
mod usage;

pub(crate) use access::Access;
pub(crate) use api_keys::{NewApiKey, known_scopes, own_quota};
pub use caps::Caps;
#[cfg(feature = "ui")]
pub(crate) use connections::Connection;
pub(crate) use desk::Desk;
pub(crate) use not_done::{Denial, NotDone};
pub use office::Office;
pub(crate) use pace::Pace;
#[cfg(feature = "ui")]
pub(crate) use permission::Changeable;
