use std::sync::Arc;

use crate::domain::{Account, Client};

/// Records that decide a token request, all read at one moment.
#[derive(Debug, Clone)]
pub struct TokenRequestRecords<B> {
    /// The client that the request names, as
    /// [`ClientLookup::client`](super::ClientLookup::client) returns it.
    pub client: Option<Arc<Client>>,
    /// The values to prove: a [`CodeBinding`](crate::domain::CodeBinding) for a code, a
    /// [`RefreshBinding`](super::RefreshBinding) for a grant.
    pub binding: Option<B>,
    /// The built-in account of the binding's user, as
    /// [`AccountStore::account`](super::AccountStore::account) returns it.
    pub account: Option<Account>,
}
