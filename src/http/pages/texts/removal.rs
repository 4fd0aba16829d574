use super::PluralMessage;

/// Effects of removing an account or changing its password, and texts about suspended clients.
#[derive(Debug)]
pub(crate) struct RemovalTexts {
    pub(crate) revoke_keys: &'static str,
    pub(crate) revoke_keys_hint: &'static str,
    pub(crate) suspends: PluralMessage,
    pub(crate) suspended: &'static str,
    pub(crate) suspended_since: &'static str,
    pub(crate) suspended_lead: &'static str,
    pub(crate) reassigned: &'static str,
    pub(crate) transfer_client: &'static str,
    pub(crate) transfer_to_service: &'static str,
    pub(crate) transfer_client_lead: &'static str,
    pub(crate) done_client_given: &'static str,
}
