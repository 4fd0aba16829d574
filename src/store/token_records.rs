use std::sync::Arc;

use crate::domain::{Account, Client};

/// What a request for tokens is decided by, all as it was at one moment.
#[derive(Debug, Clone)]
pub struct TokenRecords<B> {
    /// The client that the request names, as [`ClientRegistry::client`](super::ClientRegistry::client) returns it.
    pub client: Option<Arc<Client>>,
    /// What must be proven: a [`CodeBinding`](crate::domain::CodeBinding) of a code, a [`RefreshBinding`](super::RefreshBinding) of a grant.
    pub binding: Option<B>,
    /// The built-in account of the binding's user, as [`AccountStore::account`](super::AccountStore::account) returns it.
    pub account: Option<Account>,
}
