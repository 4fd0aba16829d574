use std::time::Duration;

use lyceum::domain::*;
use lyceum::store::retention::GRANT_RETENTION;
use lyceum::store::*;

use super::{BrokenStore, Fault, StorageResult};

delegate!(
    GrantStore for BrokenStore, except
    session, sign_in, approve_session, redeem_authorization_code, rotate_refresh_token,
    revoke_grant, sign_out
);
delegate!(
    ConsentStore for BrokenStore, except
    consent, consents_of, revoke_grant_and_consent, sign_out_everywhere
);

impl BrokenStore {
    async fn session(
        &self,
        session: &SessionDigest,
        at: Timestamp,
    ) -> StorageResult<Option<AuthorizationSession>> {
        let late = if self.has(Fault::AllowsOneSecondMore) {
            Duration::from_secs(1)
        } else {
            Duration::ZERO
        };
        self.store.session(session, at.minus(late)).await
    }

    async fn sign_in(
        &self,
        session: &SessionDigest,
        replacement: SessionDigest,
        subject: Subject,
        at: Timestamp,
    ) -> StorageResult<SignIn> {
        let answer = self
            .store
            .sign_in(session, replacement, subject, at)
            .await?;
        if let (true, SignIn::SignedIn(signed_in)) =
            (self.has(Fault::KeepsTheOldSessionToken), &answer)
        {
            self.store.open_session(*session, signed_in.clone()).await?;
        }
        Ok(answer)
    }

    async fn approve_session(
        &self,
        session: &SessionDigest,
        mut approval: Approval,
        at: Timestamp,
    ) -> StorageResult<ApprovalOutcome> {
        approval.consent_mode = match approval.consent_mode {
            ConsentMode::Once if self.has(Fault::RemembersEveryApproval) => ConsentMode::Remembered,
            ConsentMode::Existing if self.has(Fault::ApprovesWithoutAsking) => ConsentMode::Once,
            consent_mode => consent_mode,
        };
        if self.has(Fault::CapsGrantsByCheckThenAct) {
            self.everybody.wait();
            approval.limits = ApprovalLimits::UNLIMITED;
        }
        if self.has(Fault::NeverSweeps) {
            // As of the epoch, no row has expired.
            return self
                .store
                .approve_session(session, approval, Timestamp::from_seconds(0))
                .await;
        }
        if self.has(Fault::SweepsLivingGrants) || self.has(Fault::SweepsWhatHasJustDied) {
            self.sweep_early(at).await?;
        }
        if self.has(Fault::ReplacesConsents) && approval.consent_mode == ConsentMode::Remembered {
            self.delete_consent(session, at).await?;
        }
        if self.has(Fault::GrantsScopesThatAreGone) {
            self.bring_scopes_back(session, at).await?;
        }
        let approving = self.store.approve_session(session, approval, at);
        if self.has(Fault::ApprovesByCheckThenAct) {
            return self
                .act_after_check(approving, |outcome| {
                    matches!(outcome, ApprovalOutcome::Approved(_))
                })
                .await;
        }
        approving.await
    }

    async fn redeem_authorization_code(
        &self,
        code: &AuthorizationCodeDigest,
        proof: ClientProof,
        lifetimes: TokenLifetimes,
        at: Timestamp,
    ) -> StorageResult<Redemption> {
        let redeeming = self
            .store
            .redeem_authorization_code(code, proof, lifetimes, at);
        if self.has(Fault::RedeemsOverARevocation) {
            return self.write_over_what_others_do(redeeming).await;
        }
        if self.has(Fault::RedeemsByCheckThenAct) {
            return self
                .act_after_check(redeeming, |outcome| {
                    matches!(outcome, Redemption::Redeemed(_))
                })
                .await;
        }
        let outcome = redeeming.await?;
        if self.has(Fault::SpendsExpiredCodes) && outcome == Redemption::Expired {
            let _ = self
                .store
                .redeem_authorization_code(code, proof, lifetimes, Timestamp::from_seconds(0))
                .await?;
        }
        Ok(outcome)
    }

    async fn rotate_refresh_token(
        &self,
        grant: &GrantId,
        presented: Generation,
        mut lifetimes: TokenLifetimes,
        at: Timestamp,
    ) -> StorageResult<Rotation> {
        if self.has(Fault::ForgetsTheWindow) {
            lifetimes.retry_window = Duration::from_secs(1_000_000);
        }
        if self.has(Fault::SlidesTheWindow) && self.first.lock().unwrap().is_some() {
            lifetimes.retry_window *= 2;
        }
        let rotating = self
            .store
            .rotate_refresh_token(grant, presented, lifetimes, at);
        if self.has(Fault::RotatesOverARevocation) {
            return self.write_over_what_others_do(rotating).await;
        }
        if self.has(Fault::RotatesByCheckThenAct) {
            return self
                .act_after_check(rotating, |outcome| matches!(outcome, Rotation::Rotated(_)))
                .await;
        }
        let outcome = rotating.await?;
        if matches!(outcome, Rotation::Repeated(_)) {
            *self.first.lock().unwrap() = Some(Box::new(()));
        }
        Ok(outcome)
    }

    async fn revoke_grant(&self, grant: &GrantId, at: Timestamp) -> StorageResult<bool> {
        if self.has(Fault::IgnoresRevocationAfterRedemption)
            && self.store.grant_is_live(grant, at).await?
        {
            return Ok(true);
        }
        if self.has(Fault::RevokesOnlyRedeemedGrants)
            && self.store.refresh_binding(grant).await?.is_none()
        {
            return Ok(true);
        }
        if self.has(Fault::RedeemsOverARevocation) || self.has(Fault::RotatesOverARevocation) {
            // Another caller read the row before and writes it back, so that the revocation is
            // lost.
            return self
                .write_over_what_others_do(std::future::ready(Ok(true)))
                .await;
        }
        self.store.revoke_grant(grant, at).await
    }

    async fn sign_out(
        &self,
        session: &SessionDigest,
        replacement: SessionDigest,
        at: Timestamp,
    ) -> StorageResult<Option<AuthorizationSession>> {
        let signing_out = self.store.sign_out(session, replacement, at);
        if self.has(Fault::SignsOutByCheckThenAct) {
            return self.act_after_check(signing_out, Option::is_some).await;
        }
        signing_out.await
    }
}

impl BrokenStore {
    async fn consent(
        &self,
        subject: &SubjectId,
        client: &ClientId,
    ) -> StorageResult<Option<Consent>> {
        if self.has(Fault::RemovesAccountsButNotTheirConsents)
            && self.gone::<SubjectId>().as_ref() == Some(subject)
        {
            return Ok(Some(Consent {
                scopes: ScopeSet::default(),
                granted_at: Timestamp::from_seconds(0),
            }));
        }
        let found = self.store.consent(subject, client).await?;
        let mut known = self.first.lock().unwrap();
        match (
            &found,
            known
                .as_ref()
                .and_then(|known| known.downcast_ref::<Consent>()),
        ) {
            (_, Some(known)) if self.has(Fault::NeverForgetsConsents) => {
                return Ok(Some(known.clone()));
            }
            (Some(consent), None) if self.has(Fault::NeverForgetsConsents) => {
                *known = Some(Box::new(consent.clone()))
            }
            _ => {}
        }
        Ok(found)
    }

    async fn consents_of(&self, subject: &SubjectId) -> StorageResult<Vec<(ClientId, Consent)>> {
        let mut found = self.store.consents_of(subject).await?;
        if self.has(Fault::HidesConsentsWithoutGrants) {
            let live = self
                .store
                .grants_of(subject, Timestamp::from_seconds(0))
                .await?;
            found.retain(|(client, _)| live.iter().any(|grant| grant.client == *client));
        }
        Ok(found)
    }

    async fn revoke_grant_and_consent(
        &self,
        subject: &SubjectId,
        grant: &GrantId,
        at: Timestamp,
    ) -> StorageResult<GrantRevocation> {
        if self.has(Fault::WithdrawsWithoutTheConsent) {
            let known = self
                .store
                .grants_of(subject, at)
                .await?
                .iter()
                .any(|shown| shown.id == *grant);
            let known = known && self.store.revoke_grant(grant, at).await?;
            return Ok(if known {
                GrantRevocation::Revoked
            } else {
                GrantRevocation::NotFound
            });
        }
        if self.has(Fault::WithdrawsGrantsOfOthers)
            && let Some(binding) = self.store.refresh_binding(grant).await?
        {
            return self
                .store
                .revoke_grant_and_consent(&binding.subject, grant, at)
                .await;
        }
        self.store
            .revoke_grant_and_consent(subject, grant, at)
            .await
    }

    async fn sign_out_everywhere(
        &self,
        subject: &SubjectId,
        keys: ApiKeyAction,
        at: Timestamp,
    ) -> StorageResult<usize> {
        if self.has(Fault::RevokesOnlyWhatIsShown) {
            let shown = self.store.grants_of(subject, at).await?;
            for grant in &shown {
                self.store.revoke_grant(&grant.id, at).await?;
            }
            return Ok(shown.len());
        }
        let keys = if self.has(Fault::SignsOutWithoutTheKeys) {
            ApiKeyAction::Keep
        } else {
            keys
        };
        self.store.sign_out_everywhere(subject, keys, at).await
    }
}

impl BrokenStore {
    /// Acts after all callers have read the row, so that each writes the whole row back.
    async fn write_over_what_others_do<T>(
        &self,
        act: impl Future<Output = StorageResult<T>>,
    ) -> StorageResult<T> {
        self.everybody.wait();
        let answer = act.await;
        self.everybody.wait();
        answer
    }

    /// Deletes the user's consent to this session's client by withdrawing their grants.
    async fn delete_consent(&self, session: &SessionDigest, at: Timestamp) -> StorageResult<()> {
        let Some(pending) = self.store.session(session, at).await? else {
            return Ok(());
        };
        let Some(Subject { id, .. }) = &pending.subject else {
            return Ok(());
        };
        for grant in self.store.grants_of(id, at).await? {
            let _ = self
                .store
                .revoke_grant_and_consent(id, &grant.id, at)
                .await?;
        }
        Ok(())
    }

    /// Sweeps as if it were later, by approving a session at that time.
    async fn sweep_early(&self, at: Timestamp) -> StorageResult<()> {
        let later = if self.has(Fault::SweepsLivingGrants) {
            GRANT_RETENTION * 1_000
        } else {
            GRANT_RETENTION
        };
        let (now, number) = (
            at.plus(later),
            self.sweeps
                .fetch_add(1, std::sync::atomic::Ordering::Relaxed),
        );
        let mut random = [0xee; 32];
        random[..8].copy_from_slice(&number.to_be_bytes());
        let session = SessionDigest::from_bytes(random);
        let subject = Subject {
            id: SubjectId::service(),
            email: "nobody@school.example".parse().unwrap(),
            role: Role::User,
            numeric_id: None,
            student: None,
        };
        let pending = AuthorizationSession {
            client: ClientId::from_random([0; 16]),
            redirect_uri: String::new(),
            state: None,
            scopes: ScopeSet::default(),
            challenge: None,
            prompt: Prompt::default(),
            subject: Some(subject),
            // This does not sweep sessions.
            created_at: Timestamp::from_seconds(0),
            expires_at: now.plus(Duration::from_secs(1)),
        };
        self.store.open_session(session, pending).await?;
        let mut id = [0; 16];
        id.copy_from_slice(&random[..16]);
        let approval = Approval {
            grant: GrantId::from_random(id),
            code: AuthorizationCodeDigest::from_bytes(random),
            code_expires_at: now,
            consent_mode: ConsentMode::Once,
            limits: ApprovalLimits::UNLIMITED,
        };
        let _ = self.store.approve_session(&session, approval, now).await?;
        Ok(())
    }

    /// Creates the deleted scopes of a session again.
    async fn bring_scopes_back(&self, session: &SessionDigest, at: Timestamp) -> StorageResult<()> {
        let Some(pending) = self.store.session(session, at).await? else {
            return Ok(());
        };
        for scope in pending.scopes.iter() {
            let definition = ScopeDefinition {
                id: ScopeId::from_random([77; 16]),
                scope: scope.clone(),
                description: "Comes back".parse().unwrap(),
                application_name: ShortText::from_static("Application"),
                description_translations: Translations::default(),
                application_name_translations: Translations::default(),
                approval_required: false,
            };
            let _ = self.store.create_scope(definition).await?;
        }
        Ok(())
    }
}
