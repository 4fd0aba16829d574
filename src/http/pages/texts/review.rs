use super::{MessageTemplate, PluralMessage};

/// Texts about the review of clients and about unverified clients.
#[derive(Debug)]
pub(crate) struct ReviewTexts {
    // Client page.
    pub(crate) label: &'static str,
    pub(crate) verified: &'static str,
    pub(crate) unverified: &'static str,
    pub(crate) assumed: &'static str,
    pub(crate) verified_by: MessageTemplate,
    pub(crate) unverified_lead: &'static str,
    pub(crate) verified_lead: &'static str,

    // Review pages.
    pub(crate) count: PluralMessage,
    pub(crate) list: &'static str,
    pub(crate) list_lead: &'static str,
    pub(crate) list_empty: &'static str,
    pub(crate) verify: &'static str,
    pub(crate) verify_title: MessageTemplate,
    pub(crate) verify_effect: &'static str,
    pub(crate) owner: MessageTemplate,
    pub(crate) redirect_uri: MessageTemplate,
    pub(crate) take_back: &'static str,
    pub(crate) take_back_title: MessageTemplate,
    pub(crate) take_back_effect: &'static str,
    pub(crate) done_verified: &'static str,
    pub(crate) done_taken_back: &'static str,

    // Pages of an authorization.
    pub(crate) registered_by: MessageTemplate,
    pub(crate) not_sent_back: MessageTemplate,
    pub(crate) go_to: MessageTemplate,
}
