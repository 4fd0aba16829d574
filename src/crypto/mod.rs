//! Signing, key formats, and derived secrets.

mod entropy;
mod external_login_token;
mod form_token;
mod jose;
mod jwk;
mod jwt;
mod key_encryption;
mod key_error;
mod master_key;
mod refresh_token;
mod signer;
mod signing_key;
mod token_verifier;

pub use entropy::{Entropy, SystemEntropy};
pub(crate) use external_login_token::{login_token, signed_in_token};
#[cfg(feature = "ui")]
pub(crate) use form_token::FormSession;
pub(crate) use form_token::FormTokens;
pub(crate) use jose::{NumericDate, TimeBoundClaims};
pub use jwk::{jwk_set, thumbprint};
pub use jwt::{ACCESS_TOKEN_TYPE, sign_token};
pub(crate) use jwt::{TokenHeader, sign_with_header};
pub use key_error::KeyError;
pub use master_key::MasterKey;
pub(crate) use refresh_token::RefreshTokens;
pub use signer::{Signer, SigningError};
pub(crate) use signing_key::reseal_signing_key;
pub use signing_key::{generate_signing_key, import_signing_key, open_signing_key};
pub(crate) use token_verifier::UnverifiedToken;
pub use token_verifier::{InvalidKeySet, InvalidToken, TokenVerifier};

#[cfg(test)]
mod fixtures;
