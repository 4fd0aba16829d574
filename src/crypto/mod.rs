//! Signing, key formats, and derived secrets.

mod entropy;
mod external_session;
mod form_token;
mod jose;
mod jwk;
mod key_error;
mod master_key;
mod refresh_token;
mod sealed;
mod signer;
mod signing_key;
mod token;
mod verifier;

pub use entropy::{Entropy, SystemEntropy};
pub(crate) use external_session::{login_token, signed_in_token};
#[cfg(feature = "ui")]
pub(crate) use form_token::FormSession;
pub(crate) use form_token::FormTokens;
pub(crate) use jose::{NumericDate, TimeBoundClaims};
pub use jwk::{jwk_set, thumbprint};
pub use key_error::KeyError;
pub use master_key::MasterKey;
pub(crate) use refresh_token::RefreshTokens;
pub use signer::{Signer, SigningError};
pub(crate) use signing_key::reseal_signing_key;
pub use signing_key::{generate_signing_key, import_signing_key, open_signing_key};
pub use token::{ACCESS_TOKEN_TYPE, sign_token};
pub(crate) use token::{TokenHeader, sign_with_header};
pub(crate) use verifier::UnverifiedToken;
pub use verifier::{InvalidKeySet, InvalidToken, TokenVerifier};

#[cfg(test)]
mod rsa_test_keys;
#[cfg(test)]
mod test_vectors;
