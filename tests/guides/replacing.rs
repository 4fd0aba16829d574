use std::error::Error;

use lyceum::crypto::{Entropy, SystemEntropy};
use lyceum::domain::{
    Client, ClientId, ClientPolicy, ClientSecret, ClientSecretDigest, RedirectUri,
    RegisteredSecret, ScopeSet, SubjectId, Timestamp, Verification,
};
use lyceum::store::{ClientCreation, ClientRegistry};

/// A client of the former server.
pub struct Former<'a> {
    pub id: &'a str,
    pub name: &'a str,
    pub redirect_uris: &'a [&'a str],
    pub scopes: &'a str,
    pub secret: FormerSecret<'a>,
}

/// Form in which the former server stores the client's secret.
pub enum FormerSecret<'a> {
    /// The secret itself.
    Clear(&'a str),
    /// Its SHA-256, without a salt.
    Sha256([u8; 32]),
    /// bcrypt, argon2 or a SHA-256 with a salt, which cannot be carried over.
    Hashed,
}

/// Registers a client of the former server. Returns the new secret if it needs one, for its owner.
pub async fn take_over(
    store: &impl ClientRegistry,
    former: Former<'_>,
    owner: SubjectId,
    now: Timestamp,
) -> Result<Option<ClientSecret>, Box<dyn Error>> {
    let (digest, new) = match former.secret {
        FormerSecret::Clear(text) => (ClientSecret::import(text)?.digest(), None),
        FormerSecret::Sha256(digest) => (ClientSecretDigest::from_bytes(digest), None),
        FormerSecret::Hashed => {
            let mut bits = [0; 32];
            SystemEntropy.fill(&mut bits);
            let secret = ClientSecret::from_random(bits);
            (secret.digest(), Some(secret))
        }
    };
    let client = Client {
        // An id that is no UUID in lower case cannot be kept: register such a client anew, with
        // `ClientId::from_random`.
        id: former.id.parse::<ClientId>()?,
        name: former.name.parse()?,
        owner,
        // Either the secret or PKCE authenticates it, as before for clients without a secret.
        policy: ClientPolicy::SecretOrPkce,
        secrets: vec![RegisteredSecret {
            digest,
            created_at: now,
            last_four: None,
            last_used_at: None,
        }],
        redirect_uris: former
            .redirect_uris
            .iter()
            .map(|uri| uri.parse())
            .collect::<Result<Vec<RedirectUri>, _>>()?,
        // The applications and scopes must exist already.
        allowed_scopes: ScopeSet::parse(former.scopes)?,
        plain_pkce_allowed: false,
        pkce_required: false,
        first_party: false,
        client_credentials_allowed: false,
        iss_omitted: false,
        // It is listed for review; until then its users see no difference.
        policy_uri: None,
        verification: Verification::Assumed,
        created_at: now,
        suspended_at: None,
    };
    match store.create_client(client).await? {
        ClientCreation::Created => Ok(new),
        refused => Err(format!("{} was not registered: {refused:?}", former.id).into()),
    }
}
