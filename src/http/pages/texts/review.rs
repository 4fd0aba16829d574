use super::{Counted, Filled};

/// What the pages say of the review of clients, and of a client that no administrator has verified.
#[derive(Debug)]
pub(crate) struct Review {
    // A client's page.
    pub(crate) label: &'static str,
    pub(crate) verified: &'static str,
    pub(crate) unverified: &'static str,
    pub(crate) assumed: &'static str,
    pub(crate) verified_by: Filled,
    pub(crate) unverified_lead: &'static str,
    pub(crate) verified_lead: &'static str,

    // The review.
    pub(crate) count: Counted,
    pub(crate) list: &'static str,
    pub(crate) list_lead: &'static str,
    pub(crate) list_empty: &'static str,
    pub(crate) verify: &'static str,
    pub(crate) verify_title: Filled,
    pub(crate) verify_effect: &'static str,
    pub(crate) owner: Filled,
    pub(crate) redirect_uri: Filled,
    pub(crate) take_back: &'static str,
    pub(crate) take_back_title: Filled,
    pub(crate) take_back_effect: &'static str,
    pub(crate) done_verified: &'static str,
    pub(crate) done_taken_back: &'static str,

    // The pages of a sign-in.
    pub(crate) registered_by: Filled,
    pub(crate) not_sent_back: Filled,
    pub(crate) go_to: Filled,
}
