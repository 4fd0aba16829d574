//! Requests for hidden fields of API keys: owners ask, administrators decide.

use std::sync::Arc;

use super::permission::Changeable;
use super::{ManagementError, ManagementSession, Rejection};
use crate::domain::{ApiKey, ApiKeySettings, AuditFilter, HiddenFields, PageRequest, Timestamp};
use crate::http::audit::{EventName, StoredEvent};
use crate::store::Paged;

/// Number of a key's newest events in which a decision is looked for.
const LATEST_EVENTS: u32 = 20;

/// A decision about the request for hidden fields of a key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FieldsDecision {
    pub(crate) is_approved: bool,
    pub(crate) at: Timestamp,
}

impl ManagementSession<'_> {
    /// The keys whose owners ask to have hidden fields shown, for administrators. None without a
    /// store of keys.
    pub(crate) async fn api_keys_with_requests(
        &self,
        page: PageRequest,
    ) -> Result<Paged<Arc<ApiKey>>, ManagementError> {
        if !self.is_administrator() {
            return Err(Rejection::administrators_only("decides about hidden fields").into());
        }
        Ok(match &self.management.api_keys {
            Some(store) => store.api_keys_with_requests(page).await?,
            None => Paged {
                total: 0,
                items: Vec::new(),
            },
        })
    }

    /// Shows the fields that the owner of a key asks for, or refuses the request; for
    /// administrators.
    pub(crate) async fn decide_requested_fields(
        &self,
        key: &Changeable<Arc<ApiKey>>,
        is_approved: bool,
    ) -> Result<(), ManagementError> {
        if !self.is_administrator() {
            return Err(Rejection::administrators_only("decides about hidden fields").into());
        }
        let old = key.settings();
        let waiting = old.waiting_fields();
        let new = if is_approved {
            ApiKeySettings {
                hidden: old.hidden.difference(waiting),
                ..old
            }
        } else {
            ApiKeySettings {
                requested: old.requested.difference(waiting),
                ..old
            }
        };
        self.change_api_key(key, new).await
    }

    /// Takes back the request for hidden fields of a key.
    pub(crate) async fn withdraw_requested_fields(
        &self,
        key: &Changeable<Arc<ApiKey>>,
    ) -> Result<(), ManagementError> {
        let old = key.settings();
        // An administrator may have decided since the page was shown.
        if old.waiting_fields().is_empty() {
            return Err(Rejection::key_changed_meanwhile().into());
        }
        let new = ApiKeySettings {
            requested: old.approved_fields(),
            ..old
        };
        self.change_api_key(key, new).await
    }

    /// What an administrator decided about the last request for hidden fields of a key, as far as
    /// its newest events say. The caller has checked that the user may see the key.
    pub(crate) async fn decision_about_fields(
        &self,
        key: &ApiKey,
    ) -> Result<Option<FieldsDecision>, ManagementError> {
        let Some(store) = self.management.audit.store() else {
            return Ok(None);
        };
        let filter = AuditFilter {
            kind: EventName::Managed.as_str().parse().ok(),
            api_key: Some(key.id),
            ..AuditFilter::default()
        };
        for entry in store.audit_records(&filter, None, LATEST_EVENTS).await? {
            let event = StoredEvent::parse(entry.record.json.as_str());
            let changes = |field| event.fields.iter().any(|name| name == field);
            if changes("requestedFields") {
                let is_owners = entry.record.subject == key.owner;
                return Ok((!is_owners).then(|| FieldsDecision {
                    is_approved: changes("hiddenFields"),
                    at: entry.record.at,
                }));
            }
        }
        Ok(None)
    }

    /// The fields that a renewal of the key hides: those that keys of its owner's role hide, unless
    /// an administrator has approved them. The key of a former administrator has such fields.
    pub(crate) async fn fields_hidden_by_renewal(
        &self,
        key: &ApiKey,
    ) -> Result<HiddenFields, ManagementError> {
        let protected = self.protected_fields_of_owner(key).await?;
        let shown = protected.difference(key.hidden);
        Ok(shown.difference(key.settings().approved_fields()))
    }
}
