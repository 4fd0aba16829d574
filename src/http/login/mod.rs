//! User accounts, passwords, and limits on failed login attempts that all login pages share.

mod accounts;
mod attempts;
mod authenticator;
mod known_networks;
mod owned_api_keys;
mod owner_removal;
#[cfg(feature = "console")]
mod password_link;
mod service;
mod user_agent;
mod user_sessions;
mod worker_pool;

pub(in crate::http) use accounts::password_change_fields;
#[cfg(feature = "console")]
pub(in crate::http) use accounts::present_subject;
pub use accounts::{
    AccountCreationOutcome, Accounts, AccountsBuilder, NewPassword, PasswordChangeOutcome,
    PasswordPolicy, PasswordPolicyError, PasswordResetOutcome, StandardPasswordPolicy,
};
#[cfg(feature = "data-api")]
pub use accounts::{AddressList, LeaverReport, LineRefusal, RefusedLine};
pub use attempts::LoginLimits;
pub use authenticator::{AuthenticationOutcome, Authenticator, PreloadedAccount};
pub(in crate::http) use owned_api_keys::revoke_owned_api_keys;
pub(in crate::http) use owner_removal::owner_removal_changes;
#[cfg(feature = "console")]
pub(crate) use password_link::PasswordLinkError;
pub(crate) use service::{LoginOutcome, LoginService, VerifiedUser};
pub(crate) use user_sessions::{KeepSignedIn, SignedInUser, UserSessions};
#[cfg(feature = "console")]
pub(crate) use user_sessions::{OpenedSession, SessionLifetimes};
