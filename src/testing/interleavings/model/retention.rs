//! Rows that operations delete beside their own effect: see [`crate::store::retention`].

use std::collections::BTreeMap;

use super::{Grant, Model, OperationOutcome};
use crate::testing::interleavings::operation::Operation;

const CLOCK_SKEW: i64 = 60;
const GRANT_RETENTION: i64 = 24 * 60 * 60;
const API_KEY_RETENTION: i64 = 90 * 24 * 60 * 60;

/// Expired row.
#[derive(Debug, Clone, Copy)]
pub(super) enum ExpiredRow {
    Session(u8),
    UserSession(u8),
    Grant(u8),
    ApiKey(u8),
    Rate(u8),
}

impl Model {
    /// Returns the outcome of the operation beside concurrent calls, and the states that it may
    /// leave. A sweep waits for no lock: it skips rows that another call has locked, so each
    /// expired row may be deleted or stay until the next sweep.
    pub(in crate::testing::interleavings) fn apply_concurrently(
        &self,
        operation: Operation,
    ) -> (OperationOutcome, Vec<Self>) {
        let mut done = self.clone();
        let (outcome, ended) = done.apply_without_sweep(operation);
        let mut states = vec![done];
        for row in ended {
            let mut without = states.clone();
            without.iter_mut().for_each(|state| state.sweep(row));
            states.extend(without);
        }
        (outcome, states)
    }

    /// Performs the operation without a sweep, and returns the rows that the sweep may delete.
    pub(super) fn apply_without_sweep(
        &mut self,
        operation: Operation,
    ) -> (OperationOutcome, Vec<ExpiredRow>) {
        let is_known = matches!(operation, Operation::TakeRateLimit { key, .. } if self.rates.contains_key(&key));
        let outcome = self.perform(operation);
        let ended = match (operation, &outcome) {
            (Operation::OpenSession { at, .. }, _) => expired_rows(
                &self.sessions,
                |session| session.expires_at,
                at - CLOCK_SKEW,
                ExpiredRow::Session,
            ),
            (Operation::OpenUserSession { at, .. }, _) => expired_rows(
                &self.user_sessions,
                |session| session.expires_at,
                at - CLOCK_SKEW,
                ExpiredRow::UserSession,
            ),
            (
                Operation::Approve { at, .. }
                | Operation::ApproveCapped { at, .. }
                | Operation::ApproveAndRemember { at, .. }
                | Operation::ApproveFromConsent { at, .. },
                OperationOutcome::Session { .. },
            ) => expired_rows(
                &self.grants,
                Grant::end,
                at - GRANT_RETENTION,
                ExpiredRow::Grant,
            ),
            (
                Operation::CreateApiKey { at, .. } | Operation::IssueApiKey { at, .. },
                OperationOutcome::Created,
            ) => expired_rows(
                &self.api_keys,
                |key| key.revoked_at.unwrap_or(key.expires_at),
                at - API_KEY_RETENTION,
                ExpiredRow::ApiKey,
            ),
            (Operation::TakeRateLimit { at, .. }, OperationOutcome::Allowed { .. })
                if !is_known =>
            {
                expired_rows(&self.rates, |over| *over, at - CLOCK_SKEW, ExpiredRow::Rate)
            }
            _ => Vec::new(),
        };
        (outcome, ended)
    }

    pub(super) fn sweep(&mut self, row: ExpiredRow) {
        match row {
            ExpiredRow::Session(session) => drop(self.sessions.remove(&session)),
            ExpiredRow::UserSession(session) => drop(self.user_sessions.remove(&session)),
            ExpiredRow::Grant(grant) => drop(self.grants.remove(&grant)),
            ExpiredRow::ApiKey(key) => drop(self.api_keys.remove(&key)),
            ExpiredRow::Rate(key) => drop(self.rates.remove(&key)),
        }
    }
}

impl Grant {
    /// Returns the time of the revocation, or else of the expiry.
    pub(in crate::testing::interleavings) fn end(&self) -> i64 {
        let expires_at = self
            .redeemed
            .map_or(self.code_expires_at, |redeemed| redeemed.idle_expires_at);
        self.revoked_at.unwrap_or(expires_at)
    }
}

/// Returns the expired rows. No scenario has more of them than one call deletes.
fn expired_rows<T>(
    rows: &BTreeMap<u8, T>,
    end: impl Fn(&T) -> i64,
    until: i64,
    row: fn(u8) -> ExpiredRow,
) -> Vec<ExpiredRow> {
    rows.iter()
        .filter(|(_, value)| end(value) <= until)
        .map(|(number, _)| row(*number))
        .collect()
}
