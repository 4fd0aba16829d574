//! A client for the tests of this module.

use crate::domain::{
    Client, ClientId, ClientPolicy, ClientSecret, RegisteredSecret, ScopeSet, ShortText, SubjectId,
    Timestamp, Verification,
};

pub(super) const REDIRECT_URI: &str = "https://client.example/callback";
/// RFC 7636, appendix B.
pub(super) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub(super) const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
pub(super) const SCOPES: &str = "service:self_read 7d444840-9dc0-41d1-b245-5ffdce74fad2:read";

/// One of the two secrets of every confidential client.
pub(super) fn secret(number: u8) -> ClientSecret {
    ClientSecret::from_random([number; 32])
}

pub(super) fn client(policy: ClientPolicy) -> Client {
    let secrets = if policy == ClientPolicy::Public {
        vec![]
    } else {
        vec![secret(1), secret(2)]
    };
    Client {
        id: ClientId::from_random([1; 16]),
        name: ShortText::from_static("A client"),
        owner: SubjectId::service(),
        policy,
        secrets: secrets
            .iter()
            .map(|secret| RegisteredSecret::new(secret, Timestamp::from_seconds(0)))
            .collect(),
        redirect_uris: vec![REDIRECT_URI.parse().unwrap()],
        allowed_scopes: ScopeSet::parse(SCOPES).unwrap(),
        plain_pkce_allowed: false,
        pkce_required: false,
        first_party: false,
        client_credentials_allowed: false,
        iss_omitted: false,
        policy_uri: None,
        verification: Verification::Assumed,
        created_at: Timestamp::from_seconds(0),
        suspended_at: None,
    }
}
