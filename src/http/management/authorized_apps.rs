//! Authorized apps: the clients that have access on behalf of a user. All grants and the consent of
//! one client form one app.

use std::collections::HashSet;
use std::sync::Arc;

use super::permission::parse_id;
use super::{ManagementError, ManagementSession, Rejection};
use crate::domain::{Client, ClientId, Scope, ScopeDefinition, ScopeSet, Timestamp};
use crate::http::audit::EventKind;

/// Maximum number of scope definitions read at once.
const BATCH_SIZE: usize = 200;

/// A client to which a user has given access.
#[derive(Debug)]
pub(crate) struct AuthorizedApp {
    pub(crate) client: Arc<Client>,
    pub(crate) allowed: AppAccess,
}

/// A client's access: the scopes of its grants and of the remembered consent.
#[derive(Debug)]
pub(crate) struct AppAccess {
    client: ClientId,
    pub(crate) scopes: ScopeSet,
    /// Start of the oldest live grant; without one, time of the consent.
    pub(crate) since: Timestamp,
    /// Time of the last token issued, if a grant is live.
    pub(crate) last_used_at: Option<Timestamp>,
}

impl ManagementSession<'_> {
    /// The user's authorized apps, those with a live grant first.
    pub(crate) async fn authorized_apps(&self) -> Result<Vec<AuthorizedApp>, ManagementError> {
        let allowed = self.access_by_client().await?;
        let mut clients = self
            .management
            .clients_by_id(allowed.iter().map(|allowed| allowed.client).collect())
            .await?;
        // A client may have been deleted in the meantime.
        let known = allowed.into_iter().filter_map(|allowed| {
            Some(AuthorizedApp {
                client: clients.remove(&allowed.client)?,
                allowed,
            })
        });
        Ok(known.collect())
    }

    /// The user's authorized app for the client with this id.
    pub(crate) async fn authorized_app(
        &self,
        client: &str,
    ) -> Result<AuthorizedApp, ManagementError> {
        let id = parse_id(client)?;
        let allowed = self
            .access_by_client()
            .await?
            .into_iter()
            .find(|allowed| allowed.client == id)
            .ok_or_else(Rejection::not_found)?;
        let client = self
            .management
            .storage
            .client(id)
            .await?
            .ok_or_else(Rejection::not_found)?;
        Ok(AuthorizedApp { client, allowed })
    }

    /// The definitions of the scopes of these apps, without duplicates.
    pub(crate) async fn scopes_of(
        &self,
        authorized_apps: &[AuthorizedApp],
    ) -> Result<Vec<ScopeDefinition>, ManagementError> {
        let scopes: HashSet<&Scope> = authorized_apps
            .iter()
            .flat_map(|authorized_app| authorized_app.allowed.scopes.iter())
            .collect();
        let scopes: Vec<&Scope> = scopes.into_iter().collect();
        let mut definitions = Vec::new();
        for batch in scopes.chunks(BATCH_SIZE) {
            let batch = batch.iter().copied().cloned().collect();
            definitions.extend(self.management.storage.scope_definitions(&batch).await?);
        }
        Ok(definitions)
    }

    /// Revokes all grants of the client for the user, and deletes the remembered consent.
    pub(crate) async fn revoke_authorized_app(&self, client: &str) -> Result<(), ManagementError> {
        let (subject, client) = (&self.user.id, parse_id(client)?);
        // The consent is deleted first: otherwise the client could get a new grant without asking
        // while its grants are revoked one by one.
        let mut had_access = self.consents()?.delete_consent(subject, &client).await?;
        if had_access {
            self.management.record(
                self.origin,
                EventKind::ConsentWithdrawn {
                    subject: subject.clone(),
                    client,
                },
            );
        }
        // The store returns a limited number of grants at once.
        loop {
            let live = self.consents()?.grants_of(subject, self.now()).await?;
            let of_client: Vec<_> = live
                .into_iter()
                .filter(|grant| grant.client == client)
                .collect();
            if of_client.is_empty() {
                break;
            }
            had_access = true;
            for grant in of_client {
                self.end_grant(grant.id).await?;
            }
        }
        if had_access {
            Ok(())
        } else {
            Err(Rejection::not_found().into())
        }
    }

    /// The access of each client.
    async fn access_by_client(&self) -> Result<Vec<AppAccess>, ManagementError> {
        let (consents, subject) = (self.consents()?, &self.user.id);
        let mut all: Vec<AppAccess> = Vec::new();
        for grant in consents.grants_of(subject, self.now()).await? {
            let last_used_at = Some(grant.last_used_at);
            add(
                &mut all,
                AppAccess {
                    client: grant.client,
                    scopes: grant.scopes,
                    since: grant.since,
                    last_used_at,
                },
            );
        }
        for (client, consent) in consents.consents_of(subject).await? {
            add(
                &mut all,
                AppAccess {
                    client,
                    scopes: consent.scopes,
                    since: consent.granted_at,
                    last_used_at: None,
                },
            );
        }
        Ok(all)
    }
}

/// Adds access, merged with the access of the same client that was added before.
fn add(all: &mut Vec<AppAccess>, new: AppAccess) {
    let Some(known) = all.iter_mut().find(|known| known.client == new.client) else {
        return all.push(new);
    };
    known.scopes = known.scopes.union(&new.scopes);
    if new.last_used_at.is_some() {
        known.since = known.since.min(new.since);
        known.last_used_at = known.last_used_at.max(new.last_used_at);
    }
}
