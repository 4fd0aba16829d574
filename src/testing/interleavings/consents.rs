//! Operations on consents.

use std::cmp::Reverse;

use super::grants::{grant_checks, session_checks, session_outcome};
use super::model::{Grant, Model, OperationOutcome, Session};
use super::operation::Operation;
use super::run_ids::{CODE_LIFETIME, RunIds};
use super::store_handle::StoreHandle;
use crate::domain::Scope;
use crate::store::{
    ApiKeyAction, Approval, ApprovalLimits, ApprovalOutcome, ConsentMode, GrantRevocation, Storage,
    StorageError,
};

/// Declares the operations of this kind.
macro_rules! operations {
    ($next:ident! $at:ident {$($others:tt)*} $($rest:ident)*) => { $next! { $at { $($others)* consents {
        /// Approves a session: creates a grant with a code that expires after 60 seconds.
        [RandomId] Approve { session: u8, grant: u8, $at: i64 },
        /// Same as [`Self::Approve`], and remembers the consent.
        [RandomId] ApproveAndRemember { session: u8, grant: u8, $at: i64 },
        /// Same as [`Self::Approve`], if a remembered consent covers the requested scopes.
        [RandomId] ApproveFromConsent { session: u8, grant: u8, $at: i64 },
        /// Same as [`Self::Approve`], with a limit on the grants of the user and client. Beyond it,
        /// the least recently used grants are revoked.
        [RandomId] ApproveCapped { session: u8, grant: u8, at_most: u32, $at: i64 },
        /// Revokes a grant of a user and deletes their consent to its client.
        WithdrawGrant { subject: u8, grant: u8, $at: i64 },
        /// Deletes a user's consent to the client.
        ForgetConsent { subject: u8 },
        /// Revokes every grant and API key of a user and ends their sessions.
        RevokeGrantsOf { subject: u8, $at: i64 },
        /// Reads a user's consent.
        [Read] Consent { subject: u8 },
        /// Reads a user's live grants.
        [Read] GrantsOf { subject: u8, $at: i64 },
    } } $($rest)* } };
}
pub(super) use operations;

type Answer = Result<OperationOutcome, StorageError>;

/// Numbers of the service's own scopes.
pub(super) const SELF_READ: u8 = 8;

pub(super) const MANAGE: u8 = 9;

/// Returns the scope of a number.
pub(super) fn scope(ids: RunIds, number: u8) -> Scope {
    match number {
        SELF_READ => Scope::self_read(),
        MANAGE => Scope::manage(),
        _ => ids.scope(number),
    }
}

pub(super) async fn call(
    operation: Operation,
    handle: &StoreHandle,
    ids: RunIds,
) -> Result<OperationOutcome, StorageError> {
    let store = handle.store();
    Ok(match operation {
        Operation::Approve { session, grant, at } => {
            approve(
                store,
                ids,
                (session, grant),
                ConsentMode::Once,
                ApprovalLimits::UNLIMITED,
                at,
            )
            .await?
        }
        Operation::ApproveAndRemember { session, grant, at } => {
            approve(
                store,
                ids,
                (session, grant),
                ConsentMode::Remembered,
                ApprovalLimits::UNLIMITED,
                at,
            )
            .await?
        }
        Operation::ApproveFromConsent { session, grant, at } => {
            approve(
                store,
                ids,
                (session, grant),
                ConsentMode::Existing,
                ApprovalLimits::UNLIMITED,
                at,
            )
            .await?
        }
        Operation::ApproveCapped {
            session,
            grant,
            at_most,
            at,
        } => {
            let limits = ApprovalLimits {
                grants_per_client: at_most,
                ..ApprovalLimits::UNLIMITED
            };
            approve(store, ids, (session, grant), ConsentMode::Once, limits, at).await?
        }
        Operation::WithdrawGrant { subject, grant, at } => {
            withdraw(store, ids, subject, grant, at).await?
        }
        Operation::ForgetConsent { subject } => OperationOutcome::Bool(
            store
                .delete_consent(&ids.subject(subject), &ids.client(1))
                .await?,
        ),
        Operation::RevokeGrantsOf { subject, at } => OperationOutcome::Removed(
            store
                .sign_out_everywhere(
                    &ids.subject(subject),
                    ApiKeyAction::Revoke,
                    ids.timestamp(at),
                )
                .await?,
        ),
        Operation::Consent { subject } => consent(store, ids, subject).await?,
        Operation::GrantsOf { subject, at } => grants_of(store, ids, subject, at).await?,
        other => unreachable!("{other:?} is not of this kind"),
    })
}

/// Returns the operations that show the state of the records that an operation touches.
pub(super) fn checks(operation: Operation, at: i64) -> Vec<Operation> {
    match operation {
        Operation::Approve { session, grant, .. } => {
            [session_checks(session, at), grant_checks(grant, at)].concat()
        }
        Operation::ApproveAndRemember { session, grant, .. }
        | Operation::ApproveFromConsent { session, grant, .. } => [
            session_checks(session, at),
            vec![Operation::Consent { subject: 1 }],
            grant_checks(grant, at),
        ]
        .concat(),
        Operation::ApproveCapped { session, grant, .. } => [
            session_checks(session, at),
            grant_checks(grant, at),
            grant_checks(1, at),
            grant_checks(2, at),
        ]
        .concat(),
        Operation::WithdrawGrant { subject, grant, .. } => [
            vec![Operation::Consent { subject }],
            grant_checks(grant, at),
        ]
        .concat(),
        Operation::ForgetConsent { subject }
        | Operation::Consent { subject }
        | Operation::GrantsOf { subject, .. } => {
            vec![
                Operation::Consent { subject },
                Operation::GrantsOf { subject, at },
                Operation::UserSessionsOf { subject, at },
            ]
        }
        Operation::RevokeGrantsOf { subject, .. } => {
            vec![
                Operation::Consent { subject },
                Operation::GrantsOf { subject, at },
                Operation::UserSessionsOf { subject, at },
                Operation::ApiKey { digest: 1 },
            ]
        }
        other => unreachable!("{other:?} is not of this kind"),
    }
}

async fn approve(
    store: &dyn Storage,
    ids: RunIds,
    (session, grant): (u8, u8),
    consent_mode: ConsentMode,
    limits: ApprovalLimits,
    at: i64,
) -> Answer {
    let code_expires_at = ids.timestamp(at + CODE_LIFETIME);
    let approval = Approval {
        grant: ids.grant(grant),
        code: ids.code(grant),
        code_expires_at,
        consent_mode,
        limits,
    };
    Ok(
        match store
            .approve_session(&ids.session(session), approval, ids.timestamp(at))
            .await?
        {
            ApprovalOutcome::Approved(approved) => session_outcome(Some(&approved.session), ids),
            ApprovalOutcome::NotSignedIn => OperationOutcome::NotSignedIn,
            ApprovalOutcome::ConsentRequired => OperationOutcome::NotConsented,
            ApprovalOutcome::NotFound => OperationOutcome::Unknown,
        },
    )
}

async fn withdraw(store: &dyn Storage, ids: RunIds, subject: u8, grant: u8, at: i64) -> Answer {
    let withdrawal = store
        .revoke_grant_and_consent(&ids.subject(subject), &ids.grant(grant), ids.timestamp(at))
        .await?;
    Ok(OperationOutcome::Bool(
        withdrawal == GrantRevocation::Revoked,
    ))
}

async fn consent(store: &dyn Storage, ids: RunIds, subject: u8) -> Answer {
    let consent = store.consent(&ids.subject(subject), &ids.client(1)).await?;
    Ok(OperationOutcome::Consent(consent.map(|consent| {
        let scopes = consent
            .scopes
            .iter()
            .map(|found| ids.index_of(found, scope))
            .collect();
        (scopes, ids.offset(consent.granted_at))
    })))
}

async fn grants_of(store: &dyn Storage, ids: RunIds, subject: u8, at: i64) -> Answer {
    let shown = store
        .grants_of(&ids.subject(subject), ids.timestamp(at))
        .await?;
    let numbers = |grant: crate::domain::LiveGrant| {
        (
            ids.index_of(&grant.id, RunIds::grant),
            ids.offset(grant.since),
            ids.offset(grant.last_used_at),
        )
    };
    Ok(OperationOutcome::Grants(
        shown.into_iter().map(numbers).collect(),
    ))
}

impl Model {
    /// Performs the operations on consents.
    pub(super) fn consents(&mut self, operation: Operation) -> OperationOutcome {
        match operation {
            Operation::Approve { session, grant, at } => {
                self.approve(session, grant, ConsentMode::Once, at)
            }
            Operation::ApproveCapped {
                session,
                grant,
                at_most,
                at,
            } => {
                let subject = self
                    .session(session, at)
                    .and_then(|pending| pending.subject);
                if let Some(subject) = subject {
                    self.make_room(subject, at_most as usize, at);
                }
                self.approve(session, grant, ConsentMode::Once, at)
            }
            Operation::ApproveAndRemember { session, grant, at } => {
                self.approve(session, grant, ConsentMode::Remembered, at)
            }
            Operation::ApproveFromConsent { session, grant, at } => {
                self.approve(session, grant, ConsentMode::Existing, at)
            }
            Operation::SignOut {
                session,
                replacement,
                at,
            } => {
                let Some(pending) = self.session(session, at) else {
                    return OperationOutcome::Unknown;
                };
                self.sessions.remove(&session);
                let signed_out = Session {
                    subject: None,
                    ..pending
                };
                let outcome = signed_out.outcome();
                self.sessions.insert(replacement, signed_out);
                outcome
            }
            Operation::WithdrawGrant { subject, grant, at } => {
                let Some(grant) = self
                    .grants
                    .get_mut(&grant)
                    .filter(|grant| grant.subject == subject)
                else {
                    return OperationOutcome::Bool(false);
                };
                grant.revoke(at);
                self.consents.remove(&subject);
                OperationOutcome::Bool(true)
            }
            Operation::ForgetConsent { subject } => {
                OperationOutcome::Bool(self.consents.remove(&subject).is_some())
            }
            Operation::RevokeGrantsOf { subject, at } => {
                self.sessions
                    .retain(|_, session| session.subject != Some(subject));
                Operation::EndUserSessionsOf { subject, except: 0 }.apply(self);
                self.revoke_api_keys_of(subject, at);
                let held = self
                    .grants
                    .values_mut()
                    .filter(|grant| grant.subject == subject && grant.revoked_at.is_none());
                OperationOutcome::Removed(held.map(|grant| grant.revoke(at)).count())
            }
            Operation::Consent { subject } => {
                OperationOutcome::Consent(self.consents.get(&subject).cloned())
            }
            Operation::GrantsOf { subject, at } => {
                OperationOutcome::Grants(self.shown(subject, at))
            }
            _ => OperationOutcome::Unknown,
        }
    }

    fn approve(
        &mut self,
        session: u8,
        grant: u8,
        consent_mode: ConsentMode,
        at: i64,
    ) -> OperationOutcome {
        let Some(mut pending) = self.session(session, at) else {
            return OperationOutcome::Unknown;
        };
        let Some(subject) = pending.subject else {
            return OperationOutcome::NotSignedIn;
        };
        pending
            .scopes
            .retain(|scope| [SELF_READ, MANAGE].contains(scope) || self.scopes.contains_key(scope));
        let before = self
            .consents
            .get(&subject)
            .map(|(scopes, _)| scopes.clone())
            .unwrap_or_default();
        if consent_mode == ConsentMode::Existing
            && !pending.scopes.iter().all(|scope| before.contains(scope))
        {
            return OperationOutcome::NotConsented;
        }
        if consent_mode == ConsentMode::Remembered {
            let others = before
                .into_iter()
                .filter(|scope| !pending.scopes.contains(scope));
            self.consents.insert(
                subject,
                (pending.scopes.iter().copied().chain(others).collect(), at),
            );
        }
        self.sessions.remove(&session);
        let (outcome, has_scope) = (pending.outcome(), pending.scopes.contains(&1));
        self.grants.insert(
            grant,
            Grant {
                subject,
                has_scope,
                code_expires_at: at + CODE_LIFETIME,
                revoked_at: None,
                redeemed: None,
            },
        );
        outcome
    }

    /// Revokes the least recently used grants of a user until one more is allowed.
    fn make_room(&mut self, subject: u8, at_most: usize, at: i64) {
        let working = self.grants.iter().filter(|(_, grant)| {
            grant.subject == subject && grant.revoked_at.is_none() && grant.end() > at
        });
        let last_use = |grant: &Grant| {
            grant
                .redeemed
                .map_or(grant.code_expires_at - CODE_LIFETIME, |redeemed| {
                    redeemed.rotated_at
                })
        };
        let mut working: Vec<_> = working
            .map(|(number, grant)| (Reverse(last_use(grant)), *number))
            .collect();
        working.sort_unstable();
        for (_, number) in working.into_iter().skip(at_most - 1) {
            self.grants
                .entry(number)
                .and_modify(|grant| grant.revoke(at));
        }
    }

    fn shown(&self, subject: u8, at: i64) -> Vec<(u8, i64, i64)> {
        let live = self
            .grants
            .iter()
            .filter(|(_, grant)| grant.subject == subject && grant.is_live(at));
        let mut shown: Vec<_> = live
            .filter_map(|(number, grant)| {
                grant
                    .redeemed
                    .map(|redeemed| (*number, redeemed.at, redeemed.rotated_at))
            })
            .collect();
        shown.sort_by_key(|(number, since, _)| (Reverse(*since), *number));
        shown
    }
}
