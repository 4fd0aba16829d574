use std::cmp::Reverse;

use super::{Grant, MANAGE, Model, OperationOutcome, SELF_READ, Session};
use crate::store::ConsentMode;
use crate::testing::interleavings::operation::Operation;
use crate::testing::interleavings::run_ids::CODE_LIFETIME;

impl Model {
    /// Performs the operations on consents.
    pub(super) fn perform_on_consents(&mut self, operation: Operation) -> OperationOutcome {
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
                self.perform_on_user_sessions(Operation::EndUserSessionsOf { subject, except: 0 });
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
