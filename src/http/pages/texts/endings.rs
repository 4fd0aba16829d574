use super::Counted;

/// What ends with an account or its password, and what becomes of clients whose owner has left.
#[derive(Debug)]
pub(crate) struct Endings {
    pub(crate) revoke_keys: &'static str,
    pub(crate) revoke_keys_hint: &'static str,
    pub(crate) suspends: Counted,
    pub(crate) suspended: &'static str,
    pub(crate) suspended_since: &'static str,
    pub(crate) suspended_lead: &'static str,
    pub(crate) reassigned: &'static str,
    pub(crate) transfer_client: &'static str,
    pub(crate) transfer_to_service: &'static str,
    pub(crate) transfer_client_lead: &'static str,
    pub(crate) done_client_given: &'static str,
}
