//! What operations take away beside what they do: see [`crate::store::sweep`].

use std::collections::BTreeMap;

use super::{Grant, Model, Outcome};
use crate::testing::interleavings::operation::Operation;

const CLOCKS_APART: i64 = 60;
const GRANT_KEPT: i64 = 24 * 60 * 60;
const API_KEY_KEPT: i64 = 90 * 24 * 60 * 60;

/// Something that has had its time.
#[derive(Debug, Clone, Copy)]
pub(super) enum Row {
    Session(u8),
    UserSession(u8),
    Grant(u8),
    ApiKey(u8),
    Rate(u8),
}

impl Model {
    /// What the operation comes to beside others, and the states that it may leave. A sweep waits for nobody: it passes over what another
    /// call has in hand, so each of the rows that have had their time may go or stay until the next sweep.
    pub(in crate::testing::interleavings) fn beside_others(&self, operation: Operation) -> (Outcome, Vec<Self>) {
        let mut done = self.clone();
        let (outcome, ended) = done.before_its_sweep(operation);
        let mut states = vec![done];
        for row in ended {
            let mut without = states.clone();
            without.iter_mut().for_each(|state| state.sweep(row));
            states.extend(without);
        }
        (outcome, states)
    }

    /// Does the operation, and says what it may take away then.
    pub(super) fn before_its_sweep(&mut self, operation: Operation) -> (Outcome, Vec<Row>) {
        let is_known = matches!(operation, Operation::TakeCall { key, .. } if self.rates.contains_key(&key));
        let outcome = self.perform(operation);
        let ended = match (operation, &outcome) {
            (Operation::OpenSession { at, .. }, _) => ended(&self.sessions, |session| session.expires_at, at - CLOCKS_APART, Row::Session),
            (Operation::OpenUserSession { at, .. }, _) => {
                ended(&self.user_sessions, |session| session.expires_at, at - CLOCKS_APART, Row::UserSession)
            }
            (
                Operation::Approve { at, .. }
                | Operation::ApproveCapped { at, .. }
                | Operation::ApproveRemembered { at, .. }
                | Operation::ApproveUnasked { at, .. },
                Outcome::Session { .. },
            ) => ended(&self.grants, Grant::end, at - GRANT_KEPT, Row::Grant),
            (Operation::CreateApiKey { at, .. } | Operation::IssueApiKey { at, .. }, Outcome::Created) => {
                ended(&self.api_keys, |key| key.revoked_at.unwrap_or(key.expires_at), at - API_KEY_KEPT, Row::ApiKey)
            }
            (Operation::TakeCall { at, .. }, Outcome::Allowed { .. }) if !is_known => {
                ended(&self.rates, |over| *over, at - CLOCKS_APART, Row::Rate)
            }
            _ => Vec::new(),
        };
        (outcome, ended)
    }

    pub(super) fn sweep(&mut self, row: Row) {
        match row {
            Row::Session(session) => drop(self.sessions.remove(&session)),
            Row::UserSession(session) => drop(self.user_sessions.remove(&session)),
            Row::Grant(grant) => drop(self.grants.remove(&grant)),
            Row::ApiKey(key) => drop(self.api_keys.remove(&key)),
            Row::Rate(key) => drop(self.rates.remove(&key)),
        }
    }
}

impl Grant {
    /// When it was revoked, or else expires.
    pub(super) fn end(&self) -> i64 {
        let expires_at = self.redeemed.map_or(self.code_expires_at, |redeemed| redeemed.idle_expires_at);
        self.revoked_at.unwrap_or(expires_at)
    }
}

/// No story has more of them than go at once.
fn ended<T>(rows: &BTreeMap<u8, T>, end: impl Fn(&T) -> i64, until: i64, row: fn(u8) -> Row) -> Vec<Row> {
    rows.iter().filter(|(_, value)| end(value) <= until).map(|(number, _)| row(*number)).collect()
}
