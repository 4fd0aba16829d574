use super::{Registry, is_at_limit, paginate};
use crate::domain::{
    ClientId, PageRequest, ScopeId, ScopeRefusal, ScopeRequest, ScopeRequestState, Timestamp,
};
use crate::store::{Paged, ScopeApproval, ScopeRequestCreation, ScopeRequestFilter};

impl Registry {
    pub(super) fn request_scope(
        &mut self,
        request: ScopeRequest,
        limit: u32,
    ) -> ScopeRequestCreation {
        let key = (request.scope, request.client);
        if !self.scopes_by_id.contains_key(&request.scope) {
            return ScopeRequestCreation::UnknownScope;
        }
        if !self.clients.contains_key(&request.client) {
            return ScopeRequestCreation::UnknownClient;
        }
        if self.approvals.contains_key(&key) {
            return ScopeRequestCreation::AlreadyApproved;
        }
        if self
            .requests
            .get(&key)
            .is_some_and(|known| self.waits(known))
        {
            return ScopeRequestCreation::AlreadyWaiting;
        }
        let waiting = self
            .requests
            .values()
            .filter(|known| known.client == request.client && self.waits(known));
        if is_at_limit(waiting, limit) {
            return ScopeRequestCreation::LimitReached;
        }
        let request = ScopeRequest {
            state: ScopeRequestState::Waiting,
            ..request
        };
        self.requests.insert(key, request);
        ScopeRequestCreation::Requested
    }

    fn waits(&self, request: &ScopeRequest) -> bool {
        request.state == ScopeRequestState::Waiting
            && !self
                .approvals
                .contains_key(&(request.scope, request.client))
    }

    pub(super) fn scope_requests(
        &self,
        filter: ScopeRequestFilter<'_>,
        page: PageRequest,
    ) -> Paged<ScopeRequest> {
        let selected = self.requests.values().filter(|request| match filter {
            ScopeRequestFilter::Of(client) => request.client == client,
            ScopeRequestFilter::OfClientsOf(owner) => {
                let client = self.clients.get(&request.client);
                client.is_some_and(|client| client.owner == *owner)
            }
            ScopeRequestFilter::Waiting => self.waits(request),
            ScopeRequestFilter::WaitingFor(owner) => {
                self.waits(request)
                    && self
                        .scopes_by_id
                        .get(&request.scope)
                        .and_then(|scope| self.applications.get(&scope.application))
                        .is_some_and(|application| application.owner == *owner)
            }
        });
        let with_state = selected.map(|request| {
            let key = (request.scope, request.client);
            let mut request = request.clone();
            if let Some(at) = self.approvals.get(&key) {
                request.state = ScopeRequestState::Approved { at: *at };
            }
            request
        });
        paginate(
            with_state.collect(),
            |request| {
                (
                    request.asked_at,
                    request.scope.to_string(),
                    request.client.to_string(),
                )
            },
            page,
        )
    }

    pub(super) fn refuse_scope_request(
        &mut self,
        id: ScopeId,
        client: ClientId,
        refusal: ScopeRefusal,
    ) -> bool {
        let is_approved = self.approvals.contains_key(&(id, client));
        match self.requests.get_mut(&(id, client)) {
            Some(request) if request.state == ScopeRequestState::Waiting && !is_approved => {
                request.state = ScopeRequestState::Refused(refusal);
                true
            }
            _ => false,
        }
    }

    pub(super) fn approve_scope_request(
        &mut self,
        id: ScopeId,
        client: ClientId,
        asked_at: Timestamp,
        at: Timestamp,
    ) -> bool {
        let asked = self.requests.get(&(id, client)).filter(|request| {
            request.state == ScopeRequestState::Waiting && request.asked_at == asked_at
        });
        let waits = asked.is_some() && !self.approvals.contains_key(&(id, client));
        waits && self.approve_scope(id, client, at) == ScopeApproval::Approved
    }

    pub(super) fn withdraw_scope_request(&mut self, id: ScopeId, client: ClientId) -> bool {
        self.requests.remove(&(id, client)).is_some()
    }
}
