use std::sync::Arc;

use super::Registry;
use crate::domain::{ApplicationId, Client, ClientId, SubjectId, Timestamp};
use crate::store::OwnerRemoval;

impl Registry {
    pub(super) fn set_client_owner(&mut self, id: ClientId, owner: SubjectId) -> bool {
        let Some(client) = self.clients.get_mut(&id) else {
            return false;
        };
        *client = Arc::new(client.with_owner(owner));
        true
    }

    /// Suspends the clients of an owner that are not first-party, and returns their ids.
    pub(in crate::store::memory) fn suspend_clients_of(
        &mut self,
        owner: &SubjectId,
        at: Timestamp,
    ) -> Vec<ClientId> {
        self.set_suspension(owner, Some(at), |client| {
            !client.first_party && !client.is_suspended()
        })
    }

    /// Ends the suspension of an owner's clients that began at `since`, and returns their ids.
    pub(in crate::store::memory) fn resume_clients_of(
        &mut self,
        owner: &SubjectId,
        since: Timestamp,
    ) -> Vec<ClientId> {
        self.set_suspension(owner, None, |client| client.suspended_at == Some(since))
    }

    fn set_suspension(
        &mut self,
        owner: &SubjectId,
        suspended_at: Option<Timestamp>,
        changes: impl Fn(&Client) -> bool,
    ) -> Vec<ClientId> {
        let mut changed = Vec::new();
        for client in self.clients.values_mut() {
            if client.owner == *owner && changes(client) {
                changed.push(client.id);
                *client = Arc::new(Client {
                    suspended_at,
                    ..Client::clone(client)
                });
            }
        }
        changed.sort_by_key(ClientId::to_string);
        changed
    }

    /// Suspends the clients of an owner who has left, and transfers the rest to the service.
    pub(in crate::store::memory) fn remove_owner(
        &mut self,
        owner: &SubjectId,
        at: Timestamp,
    ) -> OwnerRemoval {
        let mut removal = OwnerRemoval::default();
        if *owner == SubjectId::service() {
            return removal;
        }
        for client in self
            .clients
            .values_mut()
            .filter(|client| client.owner == *owner)
        {
            if client.first_party {
                removal.reassigned_clients.push(client.id);
                *client = Arc::new(Client {
                    owner: SubjectId::service(),
                    suspended_at: None,
                    ..Client::clone(client)
                });
            } else if !client.is_suspended() {
                removal.suspended_clients.push(client.id);
                *client = Arc::new(Client {
                    suspended_at: Some(at),
                    ..Client::clone(client)
                });
            }
        }
        for application in self
            .applications
            .values_mut()
            .filter(|application| application.owner == *owner)
        {
            removal.reassigned_applications.push(application.id);
            application.owner = SubjectId::service();
        }
        removal.suspended_clients.sort_by_key(ClientId::to_string);
        removal.reassigned_clients.sort_by_key(ClientId::to_string);
        removal
            .reassigned_applications
            .sort_by_key(ApplicationId::to_string);
        removal
    }
}
