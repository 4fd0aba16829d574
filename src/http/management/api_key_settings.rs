//! Changes of an API key's settings: owners narrow them, administrators change them freely.

use std::sync::Arc;

use super::permission::Changeable;
use super::{ManagementError, ManagementSession, Rejection};
use crate::domain::{ApiKey, ApiKeySettings, HiddenFields, Quota, Role};
use crate::http::audit::ManagedObject;
use crate::store::ApiKeyUpdate;
use crate::store::hidden_key_fields::hide_fields;

impl ManagementSession<'_> {
    /// The fields that keys hide which the user makes, until an administrator approves a request.
    pub(crate) fn protected_fields(&self) -> HiddenFields {
        let fields = self.management.protected_fields.get(&self.user.role);
        fields.copied().unwrap_or_default()
    }

    /// Changes the settings of a key, if they are still those of `key`. An owner keeps or removes
    /// scopes, hides further fields, lowers the limit, and asks for protected fields; an
    /// administrator changes them all, within the scopes of the own role. Nodes see the change as
    /// they see a revocation.
    pub(crate) async fn change_api_key(
        &self,
        key: &Changeable<Arc<ApiKey>>,
        new: ApiKeySettings,
    ) -> Result<(), ManagementError> {
        let old = key.settings();
        let is_owners = key.owner.as_ref() == Some(&self.user.id);
        let new = ApiKeySettings {
            requested: self.allowed_request(&old, &new, is_owners),
            ..new
        };
        if !self.is_administrator() {
            self.check_narrower(&old, &new)?;
        }
        if !new.scopes.is_subset(&old.scopes) {
            self.check_api_scopes(&new.scopes)?;
        }
        let fields = [
            ("description", old.description != new.description),
            ("scopes", old.scopes != new.scopes),
            ("hiddenFields", old.hidden != new.hidden),
            (
                "requestedFields",
                old.waiting_fields() != new.waiting_fields(),
            ),
            ("rateLimit", old.quota != new.quota),
        ];
        if fields.iter().all(|(_, differs)| !differs) {
            return Ok(());
        }
        self.check_still_authenticated().await?;
        match self
            .api_key_store()?
            .update_api_key(key.id, &old, new)
            .await?
        {
            ApiKeyUpdate::Updated => {}
            ApiKeyUpdate::Conflict => return Err(Rejection::key_changed_meanwhile().into()),
            ApiKeyUpdate::Revoked | ApiKeyUpdate::NotFound => {
                return Err(Rejection::not_found().into());
            }
        }
        self.record_changed_fields(ManagedObject::ApiKey(key.id), &fields);
        Ok(())
    }

    /// Hides the fields that keys of the owner's role hide, before a renewal, unless an administrator
    /// has approved them. The key of a former administrator shows such fields.
    pub(super) async fn hide_unapproved_fields(
        &self,
        key: &Arc<ApiKey>,
    ) -> Result<(), ManagementError> {
        let protected = self.protected_fields_of_owner(key).await?;
        let unapproved = |key: &ApiKeySettings| protected.difference(key.approved_fields());
        if hide_fields(self.api_key_store()?, key, unapproved).await? {
            let object = ManagedObject::ApiKey(key.id);
            self.record_changed_fields(object, &[("hiddenFields", true)]);
        }
        Ok(())
    }

    /// The fields that keys of the owner's role hide. Owners who are no users at the moment have the
    /// role of users.
    pub(super) async fn protected_fields_of_owner(
        &self,
        key: &ApiKey,
    ) -> Result<HiddenFields, ManagementError> {
        let by_role = &self.management.protected_fields;
        let Some(owner) = key.owner.as_ref().filter(|_| !by_role.is_empty()) else {
            return Ok(HiddenFields::default());
        };
        if *owner == self.user.id {
            return Ok(self.protected_fields());
        }
        let authenticator = &self.management.login_service.authenticator;
        let owner = authenticator.subject(owner).await?;
        let role = owner.map_or(Role::User, |owner| owner.role);
        Ok(by_role.get(&role).copied().unwrap_or_default())
    }

    /// The requested fields of new settings. Those that wait are hidden, and protected unless the
    /// request is older. Approved ones stay approved while they are shown; fields that an
    /// administrator shows in the key of somebody else are approved too.
    fn allowed_request(
        &self,
        old: &ApiKeySettings,
        new: &ApiKeySettings,
        is_owners: bool,
    ) -> HiddenFields {
        let known = self.protected_fields().union(old.requested);
        let waiting = new.requested.intersection(new.hidden).intersection(known);
        let shown = if self.is_administrator() && !is_owners {
            old.hidden.difference(new.hidden)
        } else {
            HiddenFields::default()
        };
        let approved = old.approved_fields().union(shown).difference(new.hidden);
        waiting.union(approved)
    }

    /// Refuses settings that allow more than the old ones.
    fn check_narrower(&self, old: &ApiKeySettings, new: &ApiKeySettings) -> Result<(), Rejection> {
        let refused = |may: &'static str, field| {
            Err(Rejection::administrators_only(may).with_parameter(field))
        };
        if !new.scopes.is_subset(&old.scopes) {
            return refused("may add a scope to a key", "scopes");
        }
        if !old.hidden.is_subset(new.hidden) {
            return refused("may show a field that a key hides", "hiddenFields");
        }
        let field = match (new.quota, old.quota.or(self.management.api_key_limit)) {
            _ if new.quota == old.quota => return Ok(()),
            (Some(new), Some(current)) if new.is_within(&current) => return Ok(()),
            (Some(new), Some(current)) => raised_field(&new, &current),
            _ => "rateLimit",
        };
        refused("may raise the limit of a key", field)
    }
}

/// The field by which a new limit allows more than the current one.
fn raised_field(new: &Quota, current: &Quota) -> &'static str {
    let with_current_burst = Quota::new(new.limit(), new.window(), current.burst());
    if with_current_burst.is_ok_and(|new| new.is_within(current)) {
        "rateBurst"
    } else if new.limit() <= current.limit() {
        "rateWindowSeconds"
    } else {
        "rateLimit"
    }
}
