use crate::http::audit::{Change, ManagedObject};
use crate::store::OwnerRemoval;

/// Changes to record for the objects of a removed owner: each object with the change and the
/// changed fields.
pub(in crate::http) fn owner_removal_changes(
    removal: &OwnerRemoval,
) -> impl Iterator<Item = (ManagedObject, Change, Vec<&'static str>)> {
    let suspended = removal.suspended_clients.iter().map(|client| {
        (
            ManagedObject::Client(*client),
            Change::Suspended,
            Vec::new(),
        )
    });
    let clients = removal.reassigned_clients.iter().map(|client| {
        (
            ManagedObject::Client(*client),
            Change::Changed,
            vec!["owner"],
        )
    });
    let applications = removal.reassigned_applications.iter().map(|application| {
        (
            ManagedObject::Application(*application),
            Change::Changed,
            vec!["owner"],
        )
    });
    suspended.chain(clients).chain(applications)
}
