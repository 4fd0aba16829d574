//! What a person ends of what they are signed in to.

use super::permission::id_of;
use super::{Denial, Desk, NotDone};
use crate::http::audit::EventKind;
use crate::store::OwnedApiKeys;

impl Desk<'_> {
    /// Ends one of the person's sessions in the console.
    pub(crate) async fn end_session(&self, id: &str) -> Result<(), NotDone> {
        let subject = self.person.id.clone();
        if !self.office.storage.end_user_session(&subject, id_of(id)?).await? {
            return Err(Denial::unknown().into());
        }
        self.office.record(self.origin, EventKind::SignedOut { subject: Some(subject), client: None });
        Ok(())
    }

    /// Ends all that the person is signed in to, here and on the way to clients, and all of their grants, and revokes their API keys unless those
    /// are to be kept.
    pub(crate) async fn sign_out_everywhere(&self, keys: OwnedApiKeys) -> Result<(), NotDone> {
        let subject = self.person.id.clone();
        let grants = self.office.storage.revoke_grants_of(&subject, keys, self.now()).await?;
        let api_keys = keys == OwnedApiKeys::Revoke;
        self.office.record(self.origin, EventKind::SignedOutEverywhere { subject, grants, api_keys });
        Ok(self.office.end_api_keys(&self.person.id, keys).await?)
    }
}
