//! Texts about the review of clients in English.

use crate::http::pages::texts::{MessageTemplate, PluralMessage, ReviewTexts};

pub(super) const EN: ReviewTexts = ReviewTexts {
    // A client's page.
    label: "ReviewTexts",
    verified: "Verified",
    unverified: "Unverified",
    assumed: "Not reviewed yet",
    verified_by: MessageTemplate("by {}"),
    unverified_lead: "No administrator has verified this client yet. Its users are told so, and an error does not send them back to it without a click.",
    verified_lead: "If you change its name or add a redirect URI, an administrator has to verify it again.",

    // The review.
    count: PluralMessage {
        one: "{} client to review",
        other: "{} clients to review",
    },
    list: "Clients to review",
    list_lead: "No administrator has verified these. “Not reviewed yet” are those from before the review of clients: they count as verified.",
    list_empty: "There is nothing to review.",
    verify: "Verify",
    verify_title: MessageTemplate("Verify {}?"),
    verify_effect: "Its users are no longer told that it is unverified, and errors send them back to it. Look at its name, its owner and where it sends users:",
    owner: MessageTemplate("Owner: {}"),
    redirect_uri: MessageTemplate("Redirect URI: {}"),
    take_back: "Take back",
    take_back_title: MessageTemplate("Take back the verification of {}?"),
    take_back_effect: "Its users are told that it is unverified, and an error does not send them back to it without a click. What they have allowed goes on.",
    done_verified: "The client is verified.",
    done_taken_back: "The client is unverified now.",

    // Pages of an authorization.
    registered_by: MessageTemplate(
        "{} registered this app, and no administrator has verified it. Allow it only if you trust them.",
    ),
    not_sent_back: MessageTemplate(
        "No administrator has verified this app, so you decide whether you go back to it, at {}.",
    ),
    go_to: MessageTemplate("Go to {}"),
};
