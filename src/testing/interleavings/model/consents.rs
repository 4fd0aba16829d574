use std::cmp::Reverse;

use super::{Grant, MANAGE, Model, Outcome, SELF_READ, Session};
use crate::store::Assent;
use crate::testing::interleavings::names::CODE_ENDS;
use crate::testing::interleavings::operation::Operation;

impl Model {
    /// What users allow and take back.
    pub(super) fn perform_with_consents(&mut self, operation: Operation) -> Outcome {
        match operation {
            Operation::Approve { session, grant, at } => self.approve(session, grant, Assent::Once, at),
            Operation::ApproveCapped { session, grant, at_most, at } => {
                let subject = self.session(session, at).and_then(|pending| pending.subject);
                if let Some(subject) = subject {
                    self.make_room(subject, at_most as usize, at);
                }
                self.approve(session, grant, Assent::Once, at)
            }
            Operation::ApproveRemembered { session, grant, at } => self.approve(session, grant, Assent::Remembered, at),
            Operation::ApproveUnasked { session, grant, at } => self.approve(session, grant, Assent::Earlier, at),
            Operation::SignOut { session, replacement, at } => {
                let Some(pending) = self.session(session, at) else { return Outcome::Unknown };
                self.sessions.remove(&session);
                let signed_out = Session { subject: None, ..pending };
                let outcome = signed_out.outcome();
                self.sessions.insert(replacement, signed_out);
                outcome
            }
            Operation::Withdraw { subject, grant, at } => {
                let Some(grant) = self.grants.get_mut(&grant).filter(|grant| grant.subject == subject) else { return Outcome::Is(false) };
                grant.revoke(at);
                self.consents.remove(&subject);
                Outcome::Is(true)
            }
            Operation::ForgetConsent { subject } => Outcome::Is(self.consents.remove(&subject).is_some()),
            Operation::RevokeGrantsOf { subject, at } => {
                self.sessions.retain(|_, session| session.subject != Some(subject));
                self.perform_on_user_sessions(Operation::EndUserSessionsOf { subject, but: 0 });
                self.revoke_api_keys_of(subject, at);
                let held = self.grants.values_mut().filter(|grant| grant.subject == subject && grant.revoked_at.is_none());
                Outcome::Removed(held.map(|grant| grant.revoke(at)).count())
            }
            Operation::Consent { subject } => Outcome::Consent(self.consents.get(&subject).cloned()),
            Operation::GrantsOf { subject, at } => Outcome::Grants(self.shown(subject, at)),
            _ => Outcome::Unknown,
        }
    }

    fn approve(&mut self, session: u8, grant: u8, assent: Assent, at: i64) -> Outcome {
        let Some(mut pending) = self.session(session, at) else { return Outcome::Unknown };
        let Some(subject) = pending.subject else { return Outcome::NotSignedIn };
        pending.scopes.retain(|scope| [SELF_READ, MANAGE].contains(scope) || self.scopes.contains_key(scope));
        let before = self.consents.get(&subject).map(|(scopes, _)| scopes.clone()).unwrap_or_default();
        if assent == Assent::Earlier && !pending.scopes.iter().all(|scope| before.contains(scope)) {
            return Outcome::NotConsented;
        }
        if assent == Assent::Remembered {
            let others = before.into_iter().filter(|scope| !pending.scopes.contains(scope));
            self.consents.insert(subject, (pending.scopes.iter().copied().chain(others).collect(), at));
        }
        self.sessions.remove(&session);
        let (outcome, has_scope) = (pending.outcome(), pending.scopes.contains(&1));
        self.grants.insert(grant, Grant { subject, has_scope, code_expires_at: at + CODE_ENDS, revoked_at: None, redeemed: None });
        outcome
    }

    /// Revokes those of a user's grants that were used longest ago, until there is room for one more.
    fn make_room(&mut self, subject: u8, at_most: usize, at: i64) {
        let working = self.grants.iter().filter(|(_, grant)| grant.subject == subject && grant.revoked_at.is_none() && grant.end() > at);
        let last_use = |grant: &Grant| grant.redeemed.map_or(grant.code_expires_at - CODE_ENDS, |redeemed| redeemed.rotated_at);
        let mut working: Vec<_> = working.map(|(number, grant)| (Reverse(last_use(grant)), *number)).collect();
        working.sort_unstable();
        for (_, number) in working.into_iter().skip(at_most - 1) {
            self.grants.entry(number).and_modify(|grant| grant.revoke(at));
        }
    }

    fn shown(&self, subject: u8, at: i64) -> Vec<(u8, i64, i64)> {
        let live = self.grants.iter().filter(|(_, grant)| grant.subject == subject && grant.is_live(at));
        let mut shown: Vec<_> =
            live.filter_map(|(number, grant)| grant.redeemed.map(|redeemed| (*number, redeemed.at, redeemed.rotated_at))).collect();
        shown.sort_by_key(|(number, since, _)| (Reverse(*since), *number));
        shown
    }
}
