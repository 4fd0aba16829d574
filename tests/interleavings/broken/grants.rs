use lyceum::domain::*;
use lyceum::store::*;

use super::{BrokenStore, Fault, StorageResult};

delegate!(
    GrantStore for BrokenStore, except
    approve_session, redeem_authorization_code, rotate_refresh_token, revoke_grant,
    grant_is_live
);
delegate!(ConsentStore for BrokenStore, except consent, delete_consent, revoke_grant_and_consent);

impl BrokenStore {
    async fn approve_session(
        &self,
        session: &SessionDigest,
        approval: Approval,
        at: Timestamp,
    ) -> StorageResult<ApprovalOutcome> {
        self.gate.before_step().await?;
        let mut seen = self.store().session(session, at).await?;
        if let Some(seen) = &mut seen {
            // These grants omit deleted scopes too.
            seen.scopes = self
                .store()
                .scope_definitions(&seen.scopes)
                .await?
                .into_iter()
                .map(|definition| definition.scope)
                .collect();
        }
        if self.has(Fault::ApprovesInTwoTransactions) {
            return self
                .approve_in_two_transactions(session, approval, at)
                .await;
        }
        let remembered = self.remembered(seen.as_ref(), at);
        self.gate.before_step().await?;
        self.shared
            .grants
            .lock()
            .unwrap()
            .insert(approval.code, approval.grant);
        let is_remembered = approval.consent_mode == ConsentMode::Remembered;
        let approved = self.store().approve_session(session, approval, at).await?;
        if let (true, ApprovalOutcome::Approved(_), Some((of, consent))) =
            (is_remembered, &approved, remembered)
        {
            self.shared.consents.lock().unwrap().insert(of, consent);
        }
        Ok(match seen {
            Some(seen)
                if self.has(Fault::ApprovesTwice)
                    && seen.subject.is_some()
                    && approved != ApprovalOutcome::ConsentRequired =>
            {
                ApprovalOutcome::Approved(Box::new(ApprovedSession {
                    session: seen,
                    replaced: Vec::new(),
                }))
            }
            _ => approved,
        })
    }

    async fn redeem_authorization_code(
        &self,
        code: &AuthorizationCodeDigest,
        proof: ClientProof,
        lifetimes: TokenLifetimes,
        at: Timestamp,
    ) -> StorageResult<Redemption> {
        self.gate.before_step().await?;
        let grant = self.shared.grants.lock().unwrap().get(code).copied();
        let Some(grant) = grant else {
            return Ok(Redemption::NotFound);
        };
        let was_spent = self.store().refresh_binding(&grant).await?.is_some();
        self.gate.before_step().await?;
        if !was_spent
            && (self.has(Fault::WritesTheWholeRowBack) && self.is_revoked(&grant)
                || self.shared.dead_codes.lock().unwrap().contains(&grant))
        {
            let is_spent = self.store().refresh_binding(&grant).await?.is_some();
            return if is_spent {
                self.store()
                    .redeem_authorization_code(code, proof, lifetimes, at)
                    .await
            } else {
                Ok(Redemption::Revoked)
            };
        }
        let redemption = self
            .store()
            .redeem_authorization_code(code, proof, lifetimes, at)
            .await?;
        match &redemption {
            Redemption::Redeemed(issued) => drop(
                self.shared
                    .issued
                    .lock()
                    .unwrap()
                    .insert(grant, issued.clone()),
            ),
            Redemption::AlreadyRedeemed { .. }
                if !was_spent && self.has(Fault::RedeemsByCheckThenAct) =>
            {
                return Ok(Redemption::Redeemed(
                    self.shared.issued.lock().unwrap()[&grant].clone(),
                ));
            }
            _ => {}
        }
        Ok(redemption)
    }

    async fn rotate_refresh_token(
        &self,
        grant: &GrantId,
        presented: Generation,
        lifetimes: TokenLifetimes,
        at: Timestamp,
    ) -> StorageResult<Rotation> {
        self.gate.before_step().await?;
        let was_revoked = self.is_revoked(grant);
        let was_current = self
            .shared
            .generations
            .lock()
            .unwrap()
            .get(grant)
            .is_none_or(|current| *current == presented);
        self.gate.before_step().await?;
        if self.has(Fault::WritesTheWholeRowBack) && !was_revoked {
            self.shared.revoked.lock().unwrap().remove(grant);
        } else if self.has(Fault::WritesTheWholeRowBack) {
            return Ok(if self.store().refresh_binding(grant).await?.is_some() {
                Rotation::Revoked
            } else {
                Rotation::NotFound
            });
        }
        let rotation = self
            .store()
            .rotate_refresh_token(grant, presented, lifetimes, at)
            .await?;
        if let Rotation::Rotated(rotated) = &rotation {
            self.shared
                .generations
                .lock()
                .unwrap()
                .insert(*grant, rotated.generation);
        }
        Ok(match rotation {
            Rotation::Repeated(rotated)
                if was_current && self.has(Fault::RotatesByCheckThenAct) =>
            {
                Rotation::Rotated(rotated)
            }
            rotation => rotation,
        })
    }

    async fn revoke_grant(&self, grant: &GrantId, at: Timestamp) -> StorageResult<bool> {
        if self.gate.before_step().await.is_err() && self.has(Fault::AnswersBeforeItCommits) {
            return Ok(true);
        }
        let is_spent = self.store().refresh_binding(grant).await?.is_some();
        self.gate.before_step().await?;
        if self.has(Fault::RevokesWhatItSaw) && !is_spent {
            self.shared.dead_codes.lock().unwrap().insert(*grant);
            return Ok(self.knows(grant));
        }
        if !self.knows(grant) {
            return Ok(false);
        }
        self.shared.revoked.lock().unwrap().insert(*grant);
        if self.has(Fault::WritesTheWholeRowBack) {
            return Ok(true);
        }
        self.store().revoke_grant(grant, at).await
    }

    async fn grant_is_live(&self, grant: &GrantId, at: Timestamp) -> StorageResult<bool> {
        self.gate.before_step().await?;
        Ok(!self.is_revoked(grant) && self.store().grant_is_live(grant, at).await?)
    }
}

impl BrokenStore {
    async fn consent(
        &self,
        subject: &SubjectId,
        client: &ClientId,
    ) -> StorageResult<Option<Consent>> {
        self.gate.before_step().await?;
        if self.has(Fault::RemembersBesideWhatItSaw) {
            return Ok(self
                .shared
                .consents
                .lock()
                .unwrap()
                .get(&(subject.clone(), *client))
                .cloned());
        }
        self.store().consent(subject, client).await
    }

    async fn delete_consent(&self, subject: &SubjectId, client: &ClientId) -> StorageResult<bool> {
        self.gate.before_step().await?;
        self.shared
            .consents
            .lock()
            .unwrap()
            .remove(&(subject.clone(), *client));
        self.store().delete_consent(subject, client).await
    }

    async fn revoke_grant_and_consent(
        &self,
        subject: &SubjectId,
        grant: &GrantId,
        at: Timestamp,
    ) -> StorageResult<GrantRevocation> {
        self.gate.before_step().await?;
        let code = self
            .shared
            .grants
            .lock()
            .unwrap()
            .iter()
            .find(|(_, known)| *known == grant)
            .map(|(code, _)| *code);
        let binding = match code {
            Some(code) => self
                .store()
                .code_binding(&code)
                .await?
                .filter(|binding| binding.subject == *subject),
            None => None,
        };
        if let Some(CodeBinding { client, .. }) = binding {
            if self.has(Fault::WithdrawsInTwoTransactions) {
                self.store().revoke_grant(grant, at).await?;
                self.gate.before_step().await?;
            }
            self.shared
                .consents
                .lock()
                .unwrap()
                .remove(&(subject.clone(), client));
        }
        self.store()
            .revoke_grant_and_consent(subject, grant, at)
            .await
    }
}

impl BrokenStore {
    fn knows(&self, grant: &GrantId) -> bool {
        self.shared
            .grants
            .lock()
            .unwrap()
            .values()
            .any(|known| known == grant)
    }

    /// Returns the consent after the approval of this session, from what the call read.
    fn remembered(
        &self,
        session: Option<&AuthorizationSession>,
        at: Timestamp,
    ) -> Option<((SubjectId, ClientId), Consent)> {
        let session = session?;
        let of = (session.subject.as_ref()?.id.clone(), session.client);
        let before = self
            .shared
            .consents
            .lock()
            .unwrap()
            .get(&of)
            .map(|consent| consent.scopes.clone())
            .unwrap_or_default();
        Some((
            of,
            Consent {
                scopes: session.scopes.union(&before),
                granted_at: at,
            },
        ))
    }

    /// Deletes the session in one transaction and creates the grant in another.
    async fn approve_in_two_transactions(
        &self,
        session: &SessionDigest,
        approval: Approval,
        at: Timestamp,
    ) -> StorageResult<ApprovalOutcome> {
        let Some(closed) = self.store().close_session(session, at).await? else {
            return Ok(ApprovalOutcome::NotFound);
        };
        self.gate.before_step().await?;
        self.store().open_session(*session, closed).await?;
        self.shared
            .grants
            .lock()
            .unwrap()
            .insert(approval.code, approval.grant);
        self.store().approve_session(session, approval, at).await
    }
}
