use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use super::permission::id_of;
use super::{Denial, Desk, NotDone};
use crate::domain::{Client, GrantId, LiveGrant};
use crate::http::audit::EventKind;
use crate::store::Withdrawal;

impl Desk<'_> {
    /// Which clients have access in the person's name.
    pub(crate) async fn grants(&self) -> Result<Vec<(LiveGrant, Arc<Client>)>, NotDone> {
        let mut clients = HashMap::new();
        let mut grants = Vec::new();
        for grant in self.office.storage.grants_of(&self.person.id, self.now()).await? {
            let client = match clients.entry(grant.client) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(place) => place.insert(self.office.storage.client(grant.client).await?),
            };
            // A client that has just been deleted took its grants along.
            if let Some(client) = client {
                grants.push((grant, Arc::clone(client)));
            }
        }
        Ok(grants)
    }

    /// Ends a grant of the person's, so that its client has to ask the next time.
    pub(crate) async fn withdraw_grant(&self, id: &str) -> Result<(), NotDone> {
        self.end_grant(id_of(id)?).await
    }

    pub(super) async fn end_grant(&self, grant: GrantId) -> Result<(), NotDone> {
        let subject = self.person.id.clone();
        match self.office.storage.withdraw_grant(&subject, &grant, self.now()).await? {
            Withdrawal::Withdrawn => {}
            Withdrawal::Unknown => return Err(Denial::unknown().into()),
        }
        self.office.record(self.origin, EventKind::GrantWithdrawn { grant, subject });
        Ok(())
    }
}
