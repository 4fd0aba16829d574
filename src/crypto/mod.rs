//! Signing, key formats, and secrets that are derived instead of kept.

mod entropy;
mod external_session;
mod form_token;
mod jwk;
mod key_error;
mod master_key;
mod refresh_token;
mod sealed;
mod signer;
mod signing_key;
mod token;
mod verifier;
mod wire;

pub use entropy::{Entropy, SystemEntropy};
pub(crate) use external_session::{login_token, signed_in_token};
#[cfg(feature = "ui")]
pub(crate) use form_token::FormSession;
pub(crate) use form_token::FormTokens;
pub use jwk::{key_set, thumbprint};
pub use key_error::KeyError;
pub use master_key::MasterKey;
pub(crate) use refresh_token::RefreshTokens;
pub use signer::{Signer, SigningError};
pub(crate) use signing_key::reseal;
pub use signing_key::{generate, import, open};
pub use token::{ACCESS_TOKEN_TYPE, sign_token};
pub(crate) use token::{TokenHeader, sign_under};
pub(crate) use verifier::PresentedToken;
pub use verifier::{KeySetRejected, TokenRejected, TokenVerifier};
pub(crate) use wire::{BoundedClaims, Moment};

#[cfg(test)]
mod rsa_sizes;
#[cfg(test)]
mod vectors;
