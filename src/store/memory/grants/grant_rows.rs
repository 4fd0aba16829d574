use std::collections::{BTreeSet, HashMap};

use super::super::ends::Ends;
use super::grant_row::GrantRow;
use crate::domain::{AuthorizationCodeDigest, ClientId, GrantId, Scope, SubjectId, Timestamp};
use crate::store::sweep::GRANT_KEPT;

/// The grants by id, by code and by user, also in the order in which they end.
#[derive(Default)]
pub(super) struct GrantRows {
    rows: HashMap<GrantId, GrantRow>,
    codes: HashMap<AuthorizationCodeDigest, GrantId>,
    subjects: HashMap<SubjectId, BTreeSet<GrantId>>,
    ends: Ends<Timestamp, GrantId>,
}

impl GrantRows {
    pub(super) fn get(&self, id: &GrantId) -> Option<&GrantRow> {
        self.rows.get(id)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &GrantRow> {
        self.rows.values()
    }

    pub(super) fn of_code(&self, code: &AuthorizationCodeDigest) -> Option<&GrantRow> {
        self.codes.get(code).and_then(|id| self.rows.get(id))
    }

    /// Every grant of a user that is kept.
    pub(super) fn of_subject(&self, subject: &SubjectId) -> impl Iterator<Item = &GrantRow> {
        self.subjects.get(subject).into_iter().flatten().filter_map(|id| self.rows.get(id))
    }

    /// Whether the id or the code is taken.
    pub(super) fn contains(&self, id: &GrantId, code: &AuthorizationCodeDigest) -> bool {
        self.rows.contains_key(id) || self.codes.contains_key(code)
    }

    pub(super) fn insert(&mut self, row: GrantRow) {
        self.codes.insert(row.code(), row.id());
        self.ends.insert(row.end(), row.id());
        self.subjects.entry(row.subject().clone()).or_default().insert(row.id());
        self.rows.insert(row.id(), row);
    }

    /// Does something to a grant, if there is one, and notes when it ends now.
    pub(super) fn change<T>(&mut self, id: &GrantId, change: impl FnOnce(&mut GrantRow) -> T) -> Option<T> {
        let row = self.rows.get_mut(id)?;
        let before = row.end();
        let outcome = change(row);
        if row.end() != before {
            self.ends.remove(before, *id);
            self.ends.insert(row.end(), *id);
        }
        Some(outcome)
    }

    /// Takes a scope from the grants of the clients that are meant.
    pub(super) fn forget(&mut self, scope: &Scope, is_meant: impl Fn(ClientId) -> bool) {
        for row in self.rows.values_mut().filter(|row| is_meant(row.client())) {
            row.forget(scope);
        }
    }

    /// Revokes the grants of a client.
    pub(super) fn revoke_client(&mut self, client: ClientId, at: Timestamp) {
        let of_the_client: Vec<_> = self.rows.values().filter(|row| row.client() == client).map(GrantRow::id).collect();
        for id in of_the_client {
            self.change(&id, |row| row.revoke(at));
        }
    }

    /// Takes some of the grants away that have had their time.
    pub(super) fn sweep(&mut self, at: Timestamp) {
        for id in self.ends.take(at.minus(GRANT_KEPT)) {
            if let Some(row) = self.rows.remove(&id) {
                self.codes.remove(&row.code());
                self.forget_owner(&row);
            }
        }
    }

    fn forget_owner(&mut self, row: &GrantRow) {
        if let Some(grants) = self.subjects.get_mut(row.subject()) {
            grants.remove(&row.id());
            if grants.is_empty() {
                self.subjects.remove(row.subject());
            }
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        assert_eq!([self.rows.len(); 3], [self.codes.len(), self.ends.len(), self.subjects.values().map(BTreeSet::len).sum()]);
        self.rows.len()
    }
}
