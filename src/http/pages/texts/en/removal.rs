//! Effects of removing an account or changing its password, in English.

use crate::http::pages::texts::{PluralMessage, RemovalTexts};

pub(super) const EN: RemovalTexts = RemovalTexts {
    revoke_keys: "Revoke all API keys too",
    revoke_keys_hint: "Programs that use them stop working until they get a new key. Keep the keys only if nobody else can know them.",
    suspends: PluralMessage {
        one: "Their client is suspended: nobody signs in to it and it gets no tokens until you give it to another person.",
        other: "Their {} clients are suspended: nobody signs in to them and they get no tokens until you give them to other people.",
    },
    suspended: "Suspended",
    suspended_since: "Suspended since",
    suspended_lead: "Its owner has left. Nobody signs in to it and it gets no tokens until an administrator gives it to another person.",
    reassigned: "The service's own clients keep working. Where this person knows the secrets, make a new one and remove the older one.",
    transfer_client: "Give to another person",
    transfer_to_service: "Give to the service itself",
    transfer_client_lead: "The person manages the client from then on, and a suspended client is in use again, without its secrets: make a new one. Check first where its redirect URIs lead.",
    done_client_given: "The client has been given away.",
};
