use crate::domain::{
    AuthorizationCodeDigest, AuthorizationSession, ClientId, ClientProof, CodeBinding, Generation,
    Grant, GrantId, LiveGrant, Scope, ScopeSet, SubjectId, Timestamp,
};
use crate::store::{Approval, Redemption, RefreshBinding, Rotation, TokenLifetimes};

/// A grant from its approval on.
pub(super) struct GrantRow {
    id: GrantId,
    code: AuthorizationCodeDigest,
    binding: CodeBinding,
    created_at: Timestamp,
    code_expires_at: Timestamp,
    redeemed: Option<Redeemed>,
    revoked_at: Option<Timestamp>,
}

/// State of a grant after its code was redeemed.
struct Redeemed {
    at: Timestamp,
    rotated_at: Timestamp,
    grant: Grant,
}

impl GrantRow {
    pub(super) fn new(
        approval: &Approval,
        session: &AuthorizationSession,
        subject: SubjectId,
        at: Timestamp,
    ) -> Self {
        Self {
            id: approval.grant,
            code: approval.code,
            binding: CodeBinding {
                client: session.client,
                redirect_uri: session.redirect_uri.clone(),
                challenge: session.challenge.clone(),
                subject,
                scopes: session.scopes.clone(),
            },
            created_at: at,
            code_expires_at: approval.code_expires_at,
            redeemed: None,
            revoked_at: None,
        }
    }

    pub(super) const fn id(&self) -> GrantId {
        self.id
    }

    pub(super) const fn client(&self) -> ClientId {
        self.binding.client
    }

    pub(super) const fn scopes(&self) -> &ScopeSet {
        &self.binding.scopes
    }

    /// Removes a scope, also from tokens that are issued later.
    pub(super) fn remove_scope(&mut self, scope: &Scope) {
        self.binding.scopes = self.binding.scopes.without(scope);
        if let Some(redeemed) = &mut self.redeemed {
            redeemed.grant.scopes = redeemed.grant.scopes.without(scope);
        }
    }

    pub(super) const fn code(&self) -> AuthorizationCodeDigest {
        self.code
    }

    pub(super) const fn subject(&self) -> &SubjectId {
        &self.binding.subject
    }

    /// The time at which the grant ended or, unless it is used again, will end. The idle expiry is
    /// never later than the absolute one.
    pub(super) fn ends_at(&self) -> Timestamp {
        let end = self
            .redeemed
            .as_ref()
            .map_or(self.code_expires_at, |redeemed| {
                redeemed.grant.idle_expires_at
            });
        self.revoked_at.unwrap_or(end)
    }

    /// Whether tokens can be issued from it, by its unredeemed code or by a refresh.
    pub(super) fn is_usable(&self, at: Timestamp) -> bool {
        self.revoked_at.is_none() && self.ends_at() > at
    }

    pub(super) fn last_used_at(&self) -> Timestamp {
        self.redeemed
            .as_ref()
            .map_or(self.created_at, |redeemed| redeemed.rotated_at)
    }

    pub(super) fn code_binding(&self) -> CodeBinding {
        self.binding.clone()
    }

    /// `None` before the code is redeemed, because no refresh token has been issued.
    pub(super) fn refresh_binding(&self) -> Option<RefreshBinding> {
        let redeemed = self.redeemed.as_ref()?;
        Some(RefreshBinding {
            client: self.binding.client,
            proof: redeemed.grant.proof,
            subject: self.binding.subject.clone(),
            scopes: redeemed.grant.scopes.clone(),
            generation: redeemed.grant.generation,
        })
    }

    pub(super) fn redeem(
        &mut self,
        proof: ClientProof,
        lifetimes: TokenLifetimes,
        at: Timestamp,
    ) -> Redemption {
        if let Some(Redeemed { at: first, .. }) = self.redeemed {
            self.revoke(at);
            return Redemption::AlreadyRedeemed {
                grant: self.id,
                at: first,
            };
        }
        if self.revoked_at.is_some() {
            return Redemption::Revoked;
        }
        if self.code_expires_at <= at {
            return Redemption::Expired;
        }
        let expires_at = at.plus(lifetimes.absolute);
        let grant = Grant {
            id: self.id,
            client: self.binding.client,
            subject: self.binding.subject.clone(),
            scopes: self.binding.scopes.clone(),
            proof,
            generation: Generation::FIRST,
            idle_expires_at: at.plus(lifetimes.idle).min(expires_at),
            expires_at,
        };
        self.redeemed = Some(Redeemed {
            at,
            rotated_at: at,
            grant: grant.clone(),
        });
        Redemption::Redeemed(grant)
    }

    pub(super) fn rotate(
        &mut self,
        presented: Generation,
        lifetimes: TokenLifetimes,
        at: Timestamp,
    ) -> Rotation {
        let Some(Redeemed {
            rotated_at, grant, ..
        }) = &mut self.redeemed
        else {
            return Rotation::NotFound;
        };
        if self.revoked_at.is_some() {
            return Rotation::Revoked;
        }
        if has_expired(grant, at) {
            return Rotation::Expired;
        }
        if presented > grant.generation {
            return Rotation::NotFound;
        }
        if presented == grant.generation {
            let Some(next) = presented.next() else {
                return Rotation::Expired;
            };
            grant.generation = next;
            grant.idle_expires_at = at.plus(lifetimes.idle).min(grant.expires_at);
            *rotated_at = at;
            return Rotation::Rotated(grant.clone());
        }
        if presented.next() == Some(grant.generation)
            && at <= rotated_at.plus(lifetimes.retry_window)
        {
            return Rotation::Repeated(grant.clone());
        }
        self.revoke(at);
        Rotation::Reused { grant: self.id }
    }

    /// Revokes the grant, which keeps the time of its first revocation.
    pub(super) fn revoke(&mut self, at: Timestamp) {
        self.revoked_at.get_or_insert(at);
    }

    pub(super) const fn is_revoked(&self) -> bool {
        self.revoked_at.is_some()
    }

    /// The grant as it is listed for its user, if it is live.
    pub(super) fn to_live_grant(&self, at: Timestamp) -> Option<LiveGrant> {
        let redeemed = self.redeemed.as_ref().filter(|_| self.is_live(at))?;
        Some(LiveGrant {
            id: self.id,
            client: self.binding.client,
            scopes: redeemed.grant.scopes.clone(),
            since: redeemed.at,
            last_used_at: redeemed.rotated_at,
        })
    }

    pub(super) fn is_live(&self, at: Timestamp) -> bool {
        self.revoked_at.is_none()
            && self
                .redeemed
                .as_ref()
                .is_some_and(|redeemed| !has_expired(&redeemed.grant, at))
    }
}

/// Whether the idle or the absolute expiry has passed.
fn has_expired(grant: &Grant, at: Timestamp) -> bool {
    grant.idle_expires_at <= at || grant.expires_at <= at
}
