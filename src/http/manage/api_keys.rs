//! The keys of the data API.

use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;

use super::permission::Changeable;
use super::{Denial, Desk, NotDone};
use crate::domain::{ApiKey, ApiKeyId, ApiKeyRenewal, ApiKeySecret, ApiScopes, HiddenFields, Invalid, Line, PageRequest, Quota};
#[cfg(feature = "ui")]
use crate::domain::{Date, DateRange};
use crate::http::audit::{Change, Object, Rule};
use crate::store::{ApiKeyStore, Issuance, Registered, Renewal};

/// The window of a limit whose window nobody tells.
const WINDOW: Duration = Duration::from_secs(60);

/// What is wished of a new key.
pub(crate) struct NewApiKey {
    pub(crate) description: Line,
    pub(crate) scopes: ApiScopes,
    pub(crate) hidden: HiddenFields,
    /// A limit of its own, which only administrators give.
    pub(crate) quota: Option<Quota>,
}

impl Desk<'_> {
    /// The person's own keys, also of an administrator.
    #[cfg(feature = "ui")]
    pub(crate) async fn own_api_keys(&self, page: PageRequest) -> Result<Registered<Arc<ApiKey>>, NotDone> {
        Ok(self.api_key_store()?.api_keys(Some(&self.person.id), page).await?)
    }

    /// How many calls a key that the person has come to see made on each of these days, without those on which it made none.
    #[cfg(feature = "ui")]
    pub(crate) async fn calls_of(&self, key: &ApiKey, days: DateRange) -> Result<Vec<(Date, u64)>, NotDone> {
        Ok(self.api_key_store()?.api_key_usage(key.id, days).await?)
    }

    /// The scopes that keys of the person's role may have.
    #[cfg(feature = "ui")]
    pub(crate) fn possible_api_scopes(&self) -> ApiScopes {
        let allowed = self.office.api_key_scopes.get(&self.person.role);
        self.office.api_scopes.iter().filter(|scope| allowed.is_none_or(|allowed| allowed.contains(scope))).cloned().collect()
    }

    /// The person's keys; everybody's for an administrator.
    pub(crate) async fn api_keys(&self, page: PageRequest) -> Result<Registered<Arc<ApiKey>>, NotDone> {
        Ok(self.api_key_store()?.api_keys(self.listed(), page).await?)
    }

    /// A new key, with its value, which nobody is shown again.
    pub(crate) async fn issue_api_key(&self, new: NewApiKey) -> Result<(ApiKey, ApiKeySecret), NotDone> {
        self.check_privileged("rateLimit", false, new.quota.is_some())?;
        self.check_api_scopes(&new.scopes)?;
        let (secret, at_most) = (ApiKeySecret::from_random(self.office.entropy.bytes()), self.office.api_keys_per_owner);
        let key = ApiKey {
            owner: Some(self.person.id.clone()),
            hidden: new.hidden,
            quota: new.quota,
            ..ApiKey::issued(ApiKeyId::from_random(self.office.entropy.bytes()), &secret, new.description, new.scopes, self.now())
        };
        match self.api_key_store()?.issue_api_key(key.clone(), at_most).await? {
            Issuance::Issued => {}
            Issuance::OwnerHasEnough => return Err(enough(at_most).into()),
            Issuance::Taken => return Err(NotDone::Failed("a new API key's id or value was taken")),
        }
        self.managed(Object::ApiKey(key.id), Change::Created);
        if !self.access_holds().await? {
            if self.api_key_store()?.revoke_api_key(key.id, self.now()).await? {
                self.managed(Object::ApiKey(key.id), Change::Deleted);
            }
            return Err(NotDone::AccessEnded);
        }
        Ok((key, secret))
    }

    /// The key with a new value. The replaced value works for the overlap, 24 hours if none is given, and the values before it until their own
    /// ends. A user who may not have the key's scopes any more does not keep them by renewing.
    pub(crate) async fn renew_api_key(
        &self,
        key: &Changeable<Arc<ApiKey>>,
        overlap: Option<Duration>,
    ) -> Result<(Arc<ApiKey>, ApiKeySecret), NotDone> {
        let overlap = overlap.unwrap_or(ApiKey::OVERLAP);
        // A key lasts no longer, so more would mean nothing.
        if overlap > ApiKey::VALIDITY {
            return Err(Denial::invalid("overlapSeconds", &Invalid::new("must be at most 2592000, which are 30 days")).into());
        }
        self.check_api_scopes(&key.scopes)?;
        let secret = ApiKeySecret::from_random(self.office.entropy.bytes());
        self.check_access().await?;
        let renewal = ApiKeyRenewal { digest: secret.digest(), hint: secret.hint(), overlap };
        let key = match self.api_key_store()?.renew_api_key(key.id, renewal, self.now()).await? {
            Renewal::Renewed(key) => key,
            Renewal::TooManyValues => return Err(too_many_values().into()),
            Renewal::Revoked | Renewal::Unknown => return Err(Denial::unknown().into()),
            Renewal::Taken => return Err(NotDone::Failed("a new value of an API key was taken")),
        };
        self.managed(Object::ApiKey(key.id), Change::Renewed);
        // The key itself is older than the request, and perhaps somebody else's, so it stays; nobody is shown the new value.
        self.check_access().await?;
        Ok((key, secret))
    }

    /// Lets the key work no more, whatever its value.
    pub(crate) async fn revoke_api_key(&self, key: &Changeable<Arc<ApiKey>>) -> Result<(), NotDone> {
        if !self.api_key_store()?.revoke_api_key(key.id, self.now()).await? {
            return Err(Denial::unknown().into());
        }
        self.managed(Object::ApiKey(key.id), Change::Deleted);
        Ok(())
    }

    /// Where there is no store of keys, there are none.
    pub(super) fn api_key_store(&self) -> Result<&dyn ApiKeyStore, Denial> {
        self.office.api_keys.as_deref().ok_or_else(Denial::unknown)
    }

    /// Refuses scopes that the host does not allow to keys of the person's role.
    fn check_api_scopes(&self, scopes: &ApiScopes) -> Result<(), Denial> {
        if self.office.api_key_scopes.get(&self.person.role).is_none_or(|allowed| scopes.is_subset(allowed)) {
            return Ok(());
        }
        let description = "The scopes have one that keys of your role may not have.";
        Err(Denial::new(Rule::ScopeNotAllowed, StatusCode::FORBIDDEN, description).of_field("scopes"))
    }
}

/// The scopes of a key, by their names, from those that keys can have; at least one.
pub(crate) fn known_scopes(names: &[String], known: &ApiScopes) -> Result<ApiScopes, Denial> {
    let scope = |name: &String| known.iter().find(|scope| scope.as_str() == name).cloned();
    let scopes: ApiScopes = names.iter().map(scope).collect::<Option<_>>().ok_or_else(|| {
        let description = format!("Each of the scopes must be one of {}.", known.to_string().replace(' ', ", "));
        Denial::new(Rule::ScopeUnknown, StatusCode::BAD_REQUEST, description).of_field("scopes")
    })?;
    if scopes.is_empty() { Err(Denial::invalid("scopes", &Invalid::new("must name a scope"))) } else { Ok(scopes) }
}

/// A key's own limit: how many requests, in how many seconds, and how many at once.
pub(crate) fn own_quota(limit: Option<u32>, window: Option<u32>, burst: Option<u32>) -> Result<Option<Quota>, Denial> {
    let Some(limit) = limit else {
        return if window.or(burst).is_none() { Ok(None) } else { Err(Denial::missing("rateLimit")) };
    };
    let window = window.map_or(WINDOW, |seconds| Duration::from_secs(seconds.into()));
    Quota::new(limit, window, burst.unwrap_or(limit)).map(Some).map_err(|rule| Denial::invalid("rateLimit", &rule))
}

fn enough(at_most: u32) -> Denial {
    let description = format!("You have all the API keys that one user may have, which are {at_most}. A deleted one counts for a day.");
    Denial::new(Rule::TooManyApiKeys, StatusCode::CONFLICT, description)
}

fn too_many_values() -> Denial {
    let most = ApiKey::MAX_LIVE_VALUES;
    let description =
        format!("The API key has {most} values that work, which is the most. Renew it without an overlap, or when one has ended.");
    Denial::new(Rule::TooManyKeyValues, StatusCode::CONFLICT, description)
}
