use std::sync::Arc;

use super::permission::id_of;
use super::{Denial, Desk, NotDone};
use crate::domain::{Client, GrantId, LiveGrant};
use crate::http::audit::EventKind;
use crate::store::Withdrawal;

impl Desk<'_> {
    /// Which clients have access in the person's name.
    pub(crate) async fn grants(&self) -> Result<Vec<(LiveGrant, Arc<Client>)>, NotDone> {
        let grants = self.office.storage.grants_of(&self.person.id, self.now()).await?;
        let clients = self.office.clients_by_id(grants.iter().map(|grant| grant.client).collect()).await?;
        // A client that has just been deleted took its grants along.
        let known = grants.into_iter().filter_map(|grant| clients.get(&grant.client).cloned().map(|client| (grant, client)));
        Ok(known.collect())
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
