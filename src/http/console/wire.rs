//! What sealed cookies carry to the next page, as JSON.

use serde::{Deserialize, Serialize};

/// A secret with the record that it belongs to. The page reads everything else anew.
#[derive(Serialize, Deserialize)]
pub(crate) enum ShownSecret {
    NewKey {
        key: String,
        secret: String,
    },
    RenewedKey {
        key: String,
        secret: String,
        /// When the value before it ends, in seconds.
        old_until: Option<i64>,
    },
    NewClient {
        client: String,
        secret: String,
    },
    AddedClientSecret {
        client: String,
        secret: String,
    },
    CalendarFeed {
        key: String,
        token: String,
    },
    GeneratedPassword {
        account: String,
        password: String,
    },
    PasswordLink {
        account: String,
        link: String,
        /// What became of the mail, if there was one.
        mail: Option<String>,
    },
}

/// A form and the session in which it was sent.
#[derive(Serialize, Deserialize)]
pub(crate) struct TypedForm {
    /// Path of the form's page.
    pub(crate) path: String,
    pub(crate) session: [u8; 32],
    pub(crate) token: String,
    pub(crate) fields: Vec<(String, String)>,
}
