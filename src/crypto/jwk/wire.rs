use jsonwebtoken::jwk::EllipticCurve;
use serde::Serialize;

/// Members of an RSA key's thumbprint, in order (RFC 7638 §3.2).
#[derive(Serialize)]
pub(super) struct RsaMembers<'a> {
    pub(super) e: &'a str,
    pub(super) kty: &'static str,
    pub(super) n: &'a str,
}

/// Members of an elliptic curve key's thumbprint, in order.
#[derive(Serialize)]
pub(super) struct EcMembers<'a> {
    pub(super) crv: &'a EllipticCurve,
    pub(super) kty: &'static str,
    pub(super) x: &'a str,
    pub(super) y: &'a str,
}
