use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::domain::{ClientId, GrantId, KeyId, Scope, ScopeSet, Subject, Timestamp};

/// Claims of an access token: those of spec 3.14 and of RFC 9068.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessTokenClaims {
    /// The issuer, a URL.
    #[serde(rename = "iss")]
    pub issuer: String,
    /// The user's e-mail address, or the client's id in a token without a user.
    #[serde(rename = "sub")]
    pub subject: String,
    /// The applications that define the scopes. Each application checks for its own id.
    #[serde(rename = "aud")]
    pub audience: Vec<String>,
    /// The client, as `client_id` (RFC 9068).
    #[serde(rename = "client_id")]
    pub client: String,
    /// The client, as `clientId` (spec 3.14).
    #[serde(rename = "clientId")]
    pub client_id_alias: String,
    /// The user's role; absent without a user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// The scopes as a list.
    pub scopes: Vec<String>,
    /// The scopes separated by single spaces.
    pub scope: String,
    /// When it was issued, in epoch seconds.
    #[serde(rename = "iat")]
    pub issued_at: i64,
    /// When it expires, in epoch seconds; the first second at which it is invalid.
    #[serde(rename = "exp")]
    pub expires_at: i64,
    /// The id of the token: the id of its grant and a full stop, if it has a grant, and a random
    /// part.
    #[serde(rename = "jti")]
    pub id: String,
    /// The id of the signing key.
    #[serde(rename = "kid")]
    pub key: String,
}

/// Parameters for the claims of a new access token.
#[derive(Debug, Clone, Copy)]
pub struct AccessTokenParameters<'a> {
    /// The issuer, a URL without a trailing slash.
    pub issuer: &'a str,
    /// The user or client that the token is about.
    pub token_subject: TokenSubject<'a>,
    /// The client.
    pub client: ClientId,
    /// The scopes: at least one, all of them granted.
    pub scopes: &'a ScopeSet,
    /// The signing key.
    pub key: &'a KeyId,
    /// 128 random bits, which make the token's id unique.
    pub random: [u8; 16],
    /// The time of issue.
    pub issued_at: Timestamp,
    /// The lifetime.
    pub lifetime: Duration,
}

/// Subject of a token.
#[derive(Debug, Clone, Copy)]
pub enum TokenSubject<'a> {
    /// A user, with the grant.
    User {
        /// The grant.
        grant: GrantId,
        /// The user of the grant.
        subject: &'a Subject,
    },
    /// The client itself (RFC 6749 §4.4).
    Client,
}

/// Source of a token's authorization. The token is active only while its source is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenOrigin {
    /// A user's grant.
    Grant(GrantId),
    /// The client itself.
    Client(ClientId),
}

impl AccessTokenClaims {
    /// Creates the claims of a new token.
    pub fn new(parameters: AccessTokenParameters<'_>) -> Self {
        let client = parameters.client.to_string();
        let random = format!("{:032x}", u128::from_be_bytes(parameters.random));
        let (subject, role, id) = match parameters.token_subject {
            TokenSubject::User { grant, subject } => (
                subject.email.as_str().to_owned(),
                Some(subject.role.as_str().to_owned()),
                format!("{grant}.{random}"),
            ),
            TokenSubject::Client => (client.clone(), None, random),
        };
        Self {
            issuer: parameters.issuer.to_owned(),
            subject,
            audience: parameters
                .scopes
                .applications()
                .iter()
                .map(ToString::to_string)
                .collect(),
            client: client.clone(),
            client_id_alias: client,
            role,
            scopes: parameters.scopes.iter().map(ToString::to_string).collect(),
            scope: parameters.scopes.to_string(),
            issued_at: parameters.issued_at.seconds(),
            expires_at: parameters.issued_at.plus(parameters.lifetime).seconds(),
            id,
            key: parameters.key.as_str().to_owned(),
        }
    }

    /// The grant that the token was issued from, to check whether it is revoked.
    pub fn grant(&self) -> Option<GrantId> {
        self.id.split_once('.')?.0.parse().ok()
    }

    /// The source of the authorization; `None` for a token that this service cannot have issued.
    pub fn origin(&self) -> Option<TokenOrigin> {
        match self.grant() {
            Some(grant) => Some(TokenOrigin::Grant(grant)),
            None if self.subject == self.client && self.role.is_none() => {
                self.client.parse().ok().map(TokenOrigin::Client)
            }
            None => None,
        }
    }

    /// Removes the scopes that are not in `scopes`.
    pub fn retain_scopes(&mut self, scopes: &ScopeSet) {
        self.scopes
            .retain(|scope| scope.parse().is_ok_and(|scope| scopes.contains(&scope)));
        self.scope = self.scopes.join(" ");
    }

    /// Whether the token has the scope.
    pub fn allows(&self, scope: &Scope) -> bool {
        let scope = scope.to_string();
        self.scopes.contains(&scope)
    }
}

/// Whether a token with these scopes is short enough for a header. Leaves room for the other claims
/// within the 8 KiB that [`TokenVerifier`](crate::crypto::TokenVerifier) and servers accept.
pub(super) fn fits_access_token(scopes: &ScopeSet) -> bool {
    const SCOPE_BYTES: usize = 4096;
    // Each scope appears in `scopes` and in `scope`, and each application once in `aud`.
    let scope_bytes: usize = scopes
        .iter()
        .map(|scope| 2 * scope.to_string().len() + 4)
        .sum();
    scope_bytes + 41 * scopes.applications().len() <= SCOPE_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Role;
    use crate::oauth::fixtures::SCOPES;

    fn claims() -> AccessTokenClaims {
        let subject = Subject {
            id: "7".parse().unwrap(),
            email: "kim@school.example".parse().unwrap(),
            role: Role::User,
            numeric_id: None,
            student: None,
        };
        claims_of(TokenSubject::User {
            grant: GrantId::from_random([2; 16]),
            subject: &subject,
        })
    }

    fn claims_of(token_subject: TokenSubject<'_>) -> AccessTokenClaims {
        AccessTokenClaims::new(AccessTokenParameters {
            issuer: "https://auth.school.example",
            token_subject,
            client: ClientId::from_random([1; 16]),
            scopes: &ScopeSet::parse(SCOPES).unwrap(),
            key: &"k".repeat(43).parse().unwrap(),
            random: [3; 16],
            issued_at: Timestamp::from_seconds(1_790_000_000),
            lifetime: Duration::from_secs(3600),
        })
    }

    // Proves: spec 3.14
    #[test]
    fn a_token_has_the_claims_of_the_specification_and_of_rfc_9068() {
        insta::assert_snapshot!(serde_json::to_string_pretty(&claims()).unwrap(), @r#"
        {
          "iss": "https://auth.school.example",
          "sub": "kim@school.example",
          "aud": [
            "service",
            "7d444840-9dc0-41d1-b245-5ffdce74fad2"
          ],
          "client_id": "01010101-0101-4101-8101-010101010101",
          "clientId": "01010101-0101-4101-8101-010101010101",
          "role": "USER",
          "scopes": [
            "service:self_read",
            "7d444840-9dc0-41d1-b245-5ffdce74fad2:read"
          ],
          "scope": "service:self_read 7d444840-9dc0-41d1-b245-5ffdce74fad2:read",
          "iat": 1790000000,
          "exp": 1790003600,
          "jti": "02020202-0202-4202-8202-020202020202.03030303030303030303030303030303",
          "kid": "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"
        }
        "#);
    }

    #[test]
    fn claims_are_read_back_as_they_were_written() {
        let text = serde_json::to_string(&claims()).unwrap();
        assert_eq!(
            serde_json::from_str::<AccessTokenClaims>(&text).unwrap(),
            claims()
        );
        assert!(
            serde_json::from_str::<AccessTokenClaims>(
                &text.replace("\"scopes\":[", "\"scopes\":[1,")
            )
            .is_err()
        );
    }

    #[test]
    fn a_token_knows_its_grant_and_its_scopes() {
        assert_eq!(claims().grant(), Some(GrantId::from_random([2; 16])));
        assert_eq!(
            AccessTokenClaims {
                id: "something else".to_owned(),
                ..claims()
            }
            .grant(),
            None
        );
        assert!(claims().allows(&Scope::self_read()));
        assert!(!claims().allows(&Scope::manage()));
    }

    // Proves: spec 3.16
    #[test]
    fn a_token_of_the_client_itself_has_the_client_for_its_subject_and_neither_role_nor_grant() {
        let own = claims_of(TokenSubject::Client);
        assert_eq!((&*own.subject, own.grant()), (&*own.client, None));
        assert_eq!(
            own.origin(),
            Some(TokenOrigin::Client(ClientId::from_random([1; 16])))
        );
        let json = serde_json::to_value(&own).unwrap();
        assert!(json.get("role").is_none(), "{json}");
        assert_eq!(
            serde_json::from_value::<AccessTokenClaims>(json).unwrap(),
            own
        );
    }

    #[test]
    fn a_token_without_a_grant_or_client_subject_has_no_origin() {
        assert_eq!(
            claims().origin(),
            Some(TokenOrigin::Grant(GrantId::from_random([2; 16])))
        );
        let own = claims_of(TokenSubject::Client);
        for strange in [
            AccessTokenClaims {
                id: "something else".to_owned(),
                ..claims()
            },
            AccessTokenClaims {
                id: own.id.clone(),
                ..claims()
            },
            AccessTokenClaims {
                role: Some("ADMIN".to_owned()),
                ..own.clone()
            },
            AccessTokenClaims {
                subject: "kim@school.example".to_owned(),
                ..own
            },
        ] {
            assert_eq!(strange.origin(), None, "{strange:?}");
        }
    }
}
