//! Who people are: accounts and their passwords, and one budget of failed attempts for every door at which somebody signs in.

mod accounts;
mod attempts;
mod authenticator;
mod config_error;
mod doorkeeper;
mod known_networks;
mod owned_api_keys;
mod owner_removal;
mod workers;

pub(in crate::http) use accounts::password_fields;
pub use accounts::{
    AccountCreation, Accounts, AccountsBuilder, NewPassword, PasswordFault, PasswordPolicy, PasswordReset, PasswordVerdict,
    StandardPasswordPolicy,
};
pub use attempts::SignInLimits;
pub use authenticator::{AccountRead, Authenticator, SignInVerdict};
pub use config_error::ConfigError;
pub(crate) use doorkeeper::{Doorkeeper, Entry, Proven};
pub(in crate::http) use owned_api_keys::revoke_owned_api_keys;
pub(in crate::http) use owner_removal::owner_removal_changes;
