//! Signing, key formats, and derived secrets.

mod entropy;
#[cfg(feature = "auth-server")]
mod external_login_token;
#[cfg(feature = "auth-server")]
mod form_token;
#[cfg(any(feature = "auth-server", feature = "guard"))]
mod jose;
#[cfg(feature = "auth-server")]
mod jwk;
#[cfg(feature = "auth-server")]
mod jwt;
#[cfg(feature = "auth-server")]
mod key_encryption;
mod key_error;
#[cfg(feature = "auth-server")]
mod master_key;
#[cfg(feature = "console")]
mod password_link;
#[cfg(feature = "auth-server")]
mod refresh_token;
#[cfg(feature = "console")]
mod seal;
#[cfg(feature = "auth-server")]
mod signer;
#[cfg(feature = "auth-server")]
mod signing_key;
#[cfg(any(feature = "auth-server", feature = "guard"))]
mod token_verifier;

pub use entropy::{Entropy, SystemEntropy};
pub use key_error::KeyError;

#[cfg(any(feature = "auth-server", feature = "guard"))]
pub use self::{
    jose::ACCESS_TOKEN_TYPE,
    token_verifier::{InvalidKeySet, InvalidToken, TokenVerifier},
};

#[cfg(feature = "guard")]
pub(crate) use self::{
    jose::{NumericDate, TimeBoundClaims},
    token_verifier::UnverifiedToken,
};

#[cfg(feature = "auth-server")]
pub use self::{
    jwk::{jwk_set, thumbprint},
    jwt::sign_token,
    master_key::MasterKey,
    signer::{Signer, SigningError},
    signing_key::{generate_signing_key, import_signing_key, open_signing_key},
};

#[cfg(feature = "auth-server")]
pub(crate) use self::{
    external_login_token::{login_token, signed_in_token},
    form_token::FormTokens,
    jwt::{TokenHeader, sign_with_header},
    refresh_token::RefreshTokens,
    signing_key::reseal_signing_key,
};

#[cfg(feature = "console")]
pub(crate) use self::{
    form_token::{FormSession, UserForms},
    password_link::{PasswordLinkToken, PasswordLinks},
    seal::{Seal, SealError},
};

#[cfg(test)]
mod fixtures;
