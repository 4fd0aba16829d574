//! Requests for scopes that need an approval: owners of clients ask, owners of applications decide.

use std::sync::Arc;

use super::display_names::check_reason;
use super::permission::{Changeable, parse_id};
use super::{ManagementError, ManagementSession, Rejection};
use crate::domain::{
    Client, ClientId, PageRequest, ScopeDefinition, ScopeId, ScopeRefusal, ScopeRequest,
    ScopeRequestState, ShortText,
};
use crate::http::audit::{Change, ManagedObject};
use crate::store::{Paged, ScopeRequestCreation, ScopeRequestFilter};

impl ManagementSession<'_> {
    /// Asks the owner of the scope's application to approve the client for the scope. Scopes that
    /// need no approval are not found.
    pub(crate) async fn request_scope(
        &self,
        client: &Changeable<Arc<Client>>,
        scope: &str,
        reason: ShortText,
    ) -> Result<ScopeRequestCreation, ManagementError> {
        check_reason(&reason)?;
        let scope: ScopeId = parse_id(scope)?;
        let definition = self.registry()?.scope(scope).await?;
        let definition = definition
            .filter(|definition| definition.approval_required)
            .ok_or_else(Rejection::not_found)?;
        let limit = self.effective_limit(self.management.user_limits.scope_requests_per_client);
        let request = ScopeRequest {
            scope,
            client: client.id,
            asked_by: self.user.id.clone(),
            reason,
            asked_at: self.now(),
            state: ScopeRequestState::Waiting,
        };
        let creation = self.registry()?.request_scope(request, limit).await?;
        match creation {
            ScopeRequestCreation::Requested => {
                self.record_scope_request(&definition, client.id, Change::Created);
            }
            ScopeRequestCreation::UnknownScope | ScopeRequestCreation::UnknownClient => {
                return Err(Rejection::not_found().into());
            }
            ScopeRequestCreation::AlreadyWaiting
            | ScopeRequestCreation::AlreadyApproved
            | ScopeRequestCreation::LimitReached => {}
        }
        Ok(creation)
    }

    /// The requests of a client that the user may see, in every state.
    pub(crate) async fn scope_requests_of_client(
        &self,
        client: &Client,
    ) -> Result<Vec<ScopeRequest>, ManagementError> {
        let filter = ScopeRequestFilter::Of(client.id);
        let found = self
            .registry()?
            .scope_requests(filter, PageRequest::LARGEST)
            .await?;
        Ok(found.items)
    }

    /// The requests of all clients of the user, in every state. One statement of the store.
    #[cfg(feature = "console")]
    pub(crate) async fn scope_requests_of_own_clients(
        &self,
    ) -> Result<Vec<ScopeRequest>, ManagementError> {
        let filter = ScopeRequestFilter::OfClientsOf(&self.user.id);
        let found = self
            .registry()?
            .scope_requests(filter, PageRequest::LARGEST)
            .await?;
        Ok(found.items)
    }

    /// The requests that wait for the user, the owner of the applications.
    pub(crate) async fn waiting_requests(
        &self,
        page: PageRequest,
    ) -> Result<Paged<ScopeRequest>, ManagementError> {
        let filter = ScopeRequestFilter::WaitingFor(&self.user.id);
        Ok(self.registry()?.scope_requests(filter, page).await?)
    }

    /// All requests that wait, for administrators.
    pub(crate) async fn all_waiting_requests(
        &self,
        page: PageRequest,
    ) -> Result<Paged<ScopeRequest>, ManagementError> {
        if !self.is_administrator() {
            return Err(Rejection::administrators_only("sees the requests of everybody").into());
        }
        let filter = ScopeRequestFilter::Waiting;
        Ok(self.registry()?.scope_requests(filter, page).await?)
    }

    /// The scope with this id, if the user may approve clients for it.
    pub(crate) async fn approvable_scope(
        &self,
        id: &str,
    ) -> Result<Changeable<ScopeDefinition>, ManagementError> {
        let scope = self.registry()?.scope(parse_id(id)?).await?;
        let scope = scope.ok_or_else(Rejection::not_found)?;
        let application = scope.scope.application.to_string();
        self.changeable_scope(&application, id).await
    }

    /// The request of a client for the scope, if it waits.
    #[cfg(feature = "console")]
    pub(crate) async fn waiting_request(
        &self,
        definition: &Changeable<ScopeDefinition>,
        client: &str,
    ) -> Result<Option<ScopeRequest>, ManagementError> {
        let filter = ScopeRequestFilter::Of(parse_id(client)?);
        let requests = self
            .registry()?
            .scope_requests(filter, PageRequest::LARGEST)
            .await?;
        Ok(requests.items.into_iter().find(|request| {
            request.scope == definition.id && request.state == ScopeRequestState::Waiting
        }))
    }

    /// Approves the client of a request, if it still waits. Returns whether it did.
    #[cfg(feature = "console")]
    pub(crate) async fn approve_scope_request(
        &self,
        definition: &Changeable<ScopeDefinition>,
        request: &ScopeRequest,
    ) -> Result<bool, ManagementError> {
        let (client, now) = (request.client, self.now());
        let is_approved = self
            .registry()?
            .approve_scope_request(definition.id, client, request.asked_at, now)
            .await?;
        if is_approved {
            let scope = definition.scope.clone();
            let approval = ManagedObject::ScopeApproval { scope, client };
            self.record_change(approval, Change::Created);
        }
        Ok(is_approved)
    }

    /// Refuses a request that waits. The reason is for the user who made it.
    pub(crate) async fn refuse_scope_request(
        &self,
        definition: &Changeable<ScopeDefinition>,
        client: &str,
        reason: ShortText,
    ) -> Result<(), ManagementError> {
        check_reason(&reason)?;
        let client = parse_id(client)?;
        let refusal = ScopeRefusal {
            reason,
            at: self.now(),
        };
        if !self
            .registry()?
            .refuse_scope_request(definition.id, client, refusal)
            .await?
        {
            return Err(Rejection::not_found().into());
        }
        self.record_scope_request(definition, client, Change::Refused);
        Ok(())
    }

    /// Deletes a request of the client.
    pub(crate) async fn withdraw_scope_request(
        &self,
        client: &Changeable<Arc<Client>>,
        scope: &str,
    ) -> Result<(), ManagementError> {
        let definition = self.registry()?.scope(parse_id(scope)?).await?;
        let definition = definition.ok_or_else(Rejection::not_found)?;
        if !self
            .registry()?
            .withdraw_scope_request(definition.id, client.id)
            .await?
        {
            return Err(Rejection::not_found().into());
        }
        self.record_scope_request(&definition, client.id, Change::Deleted);
        Ok(())
    }

    fn record_scope_request(&self, definition: &ScopeDefinition, client: ClientId, change: Change) {
        let scope = definition.scope.clone();
        self.record_change(ManagedObject::ScopeRequest { scope, client }, change);
    }
}
