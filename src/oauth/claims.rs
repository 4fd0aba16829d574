use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::domain::{ClientId, GrantId, KeyId, Scope, ScopeSet, Subject, Timestamp};

/// What an access token says: the claims of service.md, and those that RFC 9068 adds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessTokenClaims {
    /// The issuer, a URL.
    #[serde(rename = "iss")]
    pub issuer: String,
    /// The user's e-mail address, or the client's id in a token without a user.
    #[serde(rename = "sub")]
    pub subject: String,
    /// The applications that define the scopes, so that each of them finds its own id there.
    #[serde(rename = "aud")]
    pub audience: Vec<String>,
    /// The client, under the name of RFC 9068.
    #[serde(rename = "client_id")]
    pub client: String,
    /// The client, under the name of service.md.
    #[serde(rename = "clientId")]
    pub client_of_service: String,
    /// What the user may do in the service; absent without a user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// The scopes, one by one.
    pub scopes: Vec<String>,
    /// The scopes, separated by single spaces.
    pub scope: String,
    /// When it was issued, in epoch seconds.
    #[serde(rename = "iat")]
    pub issued_at: i64,
    /// The first moment at which it does not hold any more, in epoch seconds.
    #[serde(rename = "exp")]
    pub expires_at: i64,
    /// The id of this one token: the id of its grant and a full stop, if it has a grant, and a random part.
    #[serde(rename = "jti")]
    pub id: String,
    /// The id of the key that signs it.
    #[serde(rename = "kid")]
    pub key: String,
}

/// What an access token is issued from.
#[derive(Debug, Clone, Copy)]
pub struct Issuance<'a> {
    /// The issuer, a URL without a trailing slash.
    pub issuer: &'a str,
    /// Whom the token speaks for.
    pub holder: Holder<'a>,
    /// The client.
    pub client: ClientId,
    /// The scopes of this token: at least one, and none that was not granted.
    pub scopes: &'a ScopeSet,
    /// The key that is going to sign it.
    pub key: &'a KeyId,
    /// 128 random bits, which make the token's id unique.
    pub random: [u8; 16],
    /// Now.
    pub issued_at: Timestamp,
    /// How long it holds.
    pub lifetime: Duration,
}

/// Whom a token speaks for.
#[derive(Debug, Clone, Copy)]
pub enum Holder<'a> {
    /// A user, who granted it.
    User {
        /// The grant.
        grant: GrantId,
        /// The user of the grant.
        subject: &'a Subject,
    },
    /// The client itself (RFC 6749 §4.4).
    Client,
}

/// What a token stands on: it is alive no longer than that is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A user's grant.
    Grant(GrantId),
    /// The client itself.
    Client(ClientId),
}

impl AccessTokenClaims {
    /// The claims of a new token.
    pub fn new(issuance: Issuance<'_>) -> Self {
        let client = issuance.client.to_string();
        let random = format!("{:032x}", u128::from_be_bytes(issuance.random));
        let (subject, role, id) = match issuance.holder {
            Holder::User { grant, subject } => {
                (subject.email.as_str().to_owned(), Some(subject.role.as_str().to_owned()), format!("{grant}.{random}"))
            }
            Holder::Client => (client.clone(), None, random),
        };
        Self {
            issuer: issuance.issuer.to_owned(),
            subject,
            audience: issuance.scopes.applications().iter().map(ToString::to_string).collect(),
            client: client.clone(),
            client_of_service: client,
            role,
            scopes: issuance.scopes.iter().map(ToString::to_string).collect(),
            scope: issuance.scopes.to_string(),
            issued_at: issuance.issued_at.seconds(),
            expires_at: issuance.issued_at.plus(issuance.lifetime).seconds(),
            id,
            key: issuance.key.as_str().to_owned(),
        }
    }

    /// The grant that the token was issued from, by which this service knows whether it was revoked.
    pub fn grant(&self) -> Option<GrantId> {
        self.id.split_once('.')?.0.parse().ok()
    }

    /// What the token stands on; `None` for one that this service cannot have issued.
    pub fn origin(&self) -> Option<Origin> {
        match self.grant() {
            Some(grant) => Some(Origin::Grant(grant)),
            None if self.subject == self.client && self.role.is_none() => self.client.parse().ok().map(Origin::Client),
            None => None,
        }
    }

    /// Leaves out the scopes that are not among these.
    pub fn keep_only(&mut self, scopes: &ScopeSet) {
        self.scopes.retain(|scope| scope.parse().is_ok_and(|scope| scopes.contains(&scope)));
        self.scope = self.scopes.join(" ");
    }

    /// Whether the token allows this.
    pub fn allows(&self, scope: &Scope) -> bool {
        let scope = scope.to_string();
        self.scopes.contains(&scope)
    }
}

/// Whether a token with these scopes stays short enough for a header: beside them it has room for everything else in the 8 KiB that
/// [`TokenVerifier`](crate::crypto::TokenVerifier) reads and that servers take.
pub(super) fn fits_a_token(scopes: &ScopeSet) -> bool {
    const ROOM: usize = 4096;
    // Each is there twice, in `scopes` and in `scope`, and each application once, in `aud`.
    let of_scopes: usize = scopes.iter().map(|scope| 2 * scope.to_string().len() + 4).sum();
    of_scopes + 41 * scopes.applications().len() <= ROOM
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Role;
    use crate::oauth::fixtures::SCOPES;

    fn claims() -> AccessTokenClaims {
        let subject = Subject { id: "7".parse().unwrap(), email: "kim@school.example".parse().unwrap(), role: Role::User, number: None };
        claims_of(Holder::User { grant: GrantId::from_random([2; 16]), subject: &subject })
    }

    fn claims_of(holder: Holder<'_>) -> AccessTokenClaims {
        AccessTokenClaims::new(Issuance {
            issuer: "https://auth.school.example",
            holder,
            client: ClientId::from_random([1; 16]),
            scopes: &ScopeSet::parse(SCOPES).unwrap(),
            key: &"k".repeat(43).parse().unwrap(),
            random: [3; 16],
            issued_at: Timestamp::from_seconds(1_790_000_000),
            lifetime: Duration::from_secs(3600),
        })
    }

    #[test]
    fn decision_3_14_a_token_has_the_claims_of_the_specification_and_of_rfc_9068() {
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
        assert_eq!(serde_json::from_str::<AccessTokenClaims>(&text).unwrap(), claims());
        assert!(serde_json::from_str::<AccessTokenClaims>(&text.replace("\"scopes\":[", "\"scopes\":[1,")).is_err());
    }

    #[test]
    fn a_token_knows_its_grant_and_its_scopes() {
        assert_eq!(claims().grant(), Some(GrantId::from_random([2; 16])));
        assert_eq!(AccessTokenClaims { id: "something else".to_owned(), ..claims() }.grant(), None);
        assert!(claims().allows(&Scope::self_read()));
        assert!(!claims().allows(&Scope::manage()));
    }

    #[test]
    fn decision_3_16_a_token_of_the_client_itself_has_the_client_for_its_subject_and_neither_role_nor_grant() {
        let own = claims_of(Holder::Client);
        assert_eq!((&*own.subject, own.grant()), (&*own.client, None));
        assert_eq!(own.origin(), Some(Origin::Client(ClientId::from_random([1; 16]))));
        let json = serde_json::to_value(&own).unwrap();
        assert!(json.get("role").is_none(), "{json}");
        assert_eq!(serde_json::from_value::<AccessTokenClaims>(json).unwrap(), own);
    }

    #[test]
    fn a_token_that_stands_on_nothing_has_no_origin() {
        assert_eq!(claims().origin(), Some(Origin::Grant(GrantId::from_random([2; 16]))));
        let own = claims_of(Holder::Client);
        for strange in [
            AccessTokenClaims { id: "something else".to_owned(), ..claims() },
            AccessTokenClaims { id: own.id.clone(), ..claims() },
            AccessTokenClaims { role: Some("ADMIN".to_owned()), ..own.clone() },
            AccessTokenClaims { subject: "kim@school.example".to_owned(), ..own },
        ] {
            assert_eq!(strange.origin(), None, "{strange:?}");
        }
    }
}
