//! Management of applications, scopes, clients, API keys and grants, with its permission checks.
//!
//! All operations go through a [`ManagementSession`] of [`Management`], for the JSON API and for
//! the console. New records are owned by the session's user.

mod access;
#[cfg(feature = "console")]
mod account_errors;
#[cfg(feature = "console")]
mod accounts;
mod api_key_settings;
mod api_keys;
mod applications;
mod approvals;
#[cfg(feature = "console")]
mod authorized_apps;
#[cfg(feature = "console")]
mod calendar_feeds;
mod change_limiter;
mod client_owners;
mod clients;
#[cfg(feature = "console")]
mod counts;
mod display_names;
mod error;
mod error_reasons;
mod grants;
#[cfg(feature = "console")]
mod invitations;
#[cfg(feature = "data-api")]
mod leavers;
#[cfg(not(feature = "data-api"))]
mod no_students;
#[cfg(feature = "console")]
mod password_links;
mod permission;
#[cfg(feature = "console")]
mod requested_fields;
#[cfg(feature = "console")]
mod school;
#[cfg(feature = "console")]
mod school_year;
#[cfg(feature = "console")]
mod scope_requests;
mod scopes;
mod secret_usage;
mod secrets;
mod service;
mod session;
#[cfg(feature = "console")]
mod sign_out;
#[cfg(feature = "data-api")]
mod students;
#[cfg(feature = "console")]
mod usage;
mod user_limits;

pub(crate) use access::AuthenticatedBy;
#[cfg(feature = "console")]
pub use account_errors::AccountErrorReason;
#[cfg(feature = "console")]
pub(crate) use api_keys::DEFAULT_WINDOW;
pub(crate) use api_keys::{parse_api_scopes, parse_quota};
#[cfg(feature = "console")]
pub(crate) use authorized_apps::AuthorizedApp;
pub(crate) use change_limiter::ChangeLimiter;
pub(crate) use error::{ManagementError, Rejection};
pub use error_reasons::ErrorReason;
#[cfg(not(feature = "data-api"))]
pub(crate) use no_students::Students;
#[cfg(feature = "console")]
pub(crate) use permission::Changeable;
#[cfg(feature = "console")]
pub(crate) use school::OpenedUpload;
pub(crate) use secret_usage::SecretUsageRecorder;
pub use service::Management;
pub(crate) use session::ManagementSession;
#[cfg(feature = "data-api")]
pub(crate) use students::Students;
pub use user_limits::UserLimits;
