use crate::domain::ClientId;
use crate::http::audit::ManagedObject;
use crate::http::audit::event_name::ManagedObjectType;

/// The type of the object, its id, and its client if the id does not name it.
pub(super) fn identify(object: &ManagedObject) -> (ManagedObjectType, String, Option<&ClientId>) {
    match object {
        ManagedObject::Application(id) => (ManagedObjectType::Application, id.to_string(), None),
        ManagedObject::Scope(scope) => (ManagedObjectType::Scope, scope.to_string(), None),
        ManagedObject::Client(id) => (ManagedObjectType::Client, id.to_string(), None),
        ManagedObject::ClientSecret(client) => {
            (ManagedObjectType::ClientSecret, client.to_string(), None)
        }
        ManagedObject::ScopeApproval { scope, client } => (
            ManagedObjectType::ScopeApproval,
            scope.to_string(),
            Some(client),
        ),
        ManagedObject::ScopeRequest { scope, client } => (
            ManagedObjectType::ScopeRequest,
            scope.to_string(),
            Some(client),
        ),
        ManagedObject::ApiKey(id) => (ManagedObjectType::ApiKey, id.to_string(), None),
        ManagedObject::CalendarFeed { feed, .. } => {
            (ManagedObjectType::CalendarFeed, feed.to_string(), None)
        }
        ManagedObject::Account(id) => (ManagedObjectType::Account, id.to_string(), None),
        ManagedObject::Password(account) => {
            (ManagedObjectType::Password, account.to_string(), None)
        }
        ManagedObject::Sessions(account) => {
            (ManagedObjectType::Sessions, account.to_string(), None)
        }
    }
}
