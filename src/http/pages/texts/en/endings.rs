//! What ends with an account or its password, in English.

use crate::http::pages::texts::Endings;

pub(super) const EN: Endings = Endings {
    revoke_keys: "Revoke all API keys too",
    revoke_keys_hint: "Programs that use them stop working until they get a new key. Keep the keys only if nobody else can know them.",
};
