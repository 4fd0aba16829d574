//! Which clients may do something in somebody's name: all that is allowed to one of them is one connection.

use std::collections::HashSet;
use std::sync::Arc;

use super::permission::id_of;
use super::{Denial, Desk, NotDone};
use crate::domain::{Client, ClientId, Scope, ScopeDefinition, ScopeSet, Timestamp};
use crate::http::audit::EventKind;

/// How many scopes are asked for at once.
const AT_ONCE: usize = 200;

/// A client that a person has let have something.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) client: Arc<Client>,
    pub(crate) allowed: Allowed,
}

/// What a client may do, or need not ask for again.
#[derive(Debug)]
pub(crate) struct Allowed {
    client: ClientId,
    pub(crate) scopes: ScopeSet,
    /// Since when it has had access; without a grant, when the person last said yes.
    pub(crate) since: Timestamp,
    /// When it last got tokens, if a grant of it lives.
    pub(crate) last_used_at: Option<Timestamp>,
}

impl Desk<'_> {
    /// The person's connections, those with a grant that lives first.
    pub(crate) async fn connections(&self) -> Result<Vec<Connection>, NotDone> {
        let allowed = self.allowed().await?;
        let mut clients = self.office.clients_by_id(allowed.iter().map(|allowed| allowed.client).collect()).await?;
        // A client that has just been deleted took all of it along.
        let known = allowed.into_iter().filter_map(|allowed| Some(Connection { client: clients.remove(&allowed.client)?, allowed }));
        Ok(known.collect())
    }

    /// The person's connection to the client with this id.
    pub(crate) async fn connection(&self, client: &str) -> Result<Connection, NotDone> {
        let id = id_of(client)?;
        let allowed = self.allowed().await?.into_iter().find(|allowed| allowed.client == id).ok_or_else(Denial::unknown)?;
        let client = self.office.storage.client(id).await?.ok_or_else(Denial::unknown)?;
        Ok(Connection { client, allowed })
    }

    /// What the scopes of the connections are for, each asked for once.
    pub(crate) async fn scopes_of(&self, connections: &[Connection]) -> Result<Vec<ScopeDefinition>, NotDone> {
        let scopes: HashSet<&Scope> = connections.iter().flat_map(|connection| connection.allowed.scopes.iter()).collect();
        let scopes: Vec<&Scope> = scopes.into_iter().collect();
        let mut definitions = Vec::new();
        for some in scopes.chunks(AT_ONCE) {
            let some = some.iter().copied().cloned().collect();
            definitions.extend(self.office.storage.scope_definitions(&some).await?);
        }
        Ok(definitions)
    }

    /// Ends all grants that the client has of the person's, and forgets what it need not ask for.
    pub(crate) async fn withdraw_connection(&self, client: &str) -> Result<(), NotDone> {
        let (subject, client) = (&self.person.id, id_of(client)?);
        // This comes first: otherwise the client could come back without asking while its grants end one by one.
        let mut was_there = self.office.storage.forget_consent(subject, &client).await?;
        if was_there {
            self.office.record(self.origin, EventKind::ConsentWithdrawn { subject: subject.clone(), client });
        }
        // A list does not hold more than so many.
        loop {
            let live = self.office.storage.grants_of(subject, self.now()).await?;
            let of_client: Vec<_> = live.into_iter().filter(|grant| grant.client == client).collect();
            if of_client.is_empty() {
                break;
            }
            was_there = true;
            for grant in of_client {
                self.end_grant(grant.id).await?;
            }
        }
        if was_there { Ok(()) } else { Err(Denial::unknown().into()) }
    }

    /// All that is allowed, a client at a time.
    async fn allowed(&self) -> Result<Vec<Allowed>, NotDone> {
        let (storage, subject) = (&self.office.storage, &self.person.id);
        let mut all: Vec<Allowed> = Vec::new();
        for grant in storage.grants_of(subject, self.now()).await? {
            let last_used_at = Some(grant.last_used_at);
            add(&mut all, Allowed { client: grant.client, scopes: grant.scopes, since: grant.since, last_used_at });
        }
        for (client, consent) in storage.consents_of(subject).await? {
            add(&mut all, Allowed { client, scopes: consent.scopes, since: consent.granted_at, last_used_at: None });
        }
        Ok(all)
    }
}

fn add(all: &mut Vec<Allowed>, new: Allowed) {
    let Some(known) = all.iter_mut().find(|known| known.client == new.client) else { return all.push(new) };
    known.scopes = known.scopes.union(&new.scopes);
    if new.last_used_at.is_some() {
        known.since = known.since.min(new.since);
        known.last_used_at = known.last_used_at.max(new.last_used_at);
    }
}
