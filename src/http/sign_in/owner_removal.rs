use crate::http::audit::{Change, Object};
use crate::store::OwnerRemoval;

/// What is recorded of things whose owner has left: each with what became of it and the fields that differ.
pub(in crate::http) fn owner_removal_changes(removal: &OwnerRemoval) -> impl Iterator<Item = (Object, Change, Vec<&'static str>)> {
    let suspended = removal.suspended_clients.iter().map(|client| (Object::Client(*client), Change::Suspended, Vec::new()));
    let clients = removal.reassigned_clients.iter().map(|client| (Object::Client(*client), Change::Changed, vec!["owner"]));
    let applications =
        removal.reassigned_applications.iter().map(|application| (Object::Application(*application), Change::Changed, vec!["owner"]));
    suspended.chain(clients).chain(applications)
}
