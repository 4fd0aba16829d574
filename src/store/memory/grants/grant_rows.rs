use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use super::super::time_index::TimeIndex;
use super::grant_row::GrantRow;
use super::secondary_index::SecondaryIndex;
use crate::domain::{AuthorizationCodeDigest, ClientId, GrantId, Scope, SubjectId, Timestamp};
use crate::store::retention::GRANT_RETENTION;

/// Grants by id, with indexes by code, user, client, scope and end.
#[derive(Default)]
pub(super) struct GrantRows {
    rows: HashMap<GrantId, GrantRow>,
    codes: HashMap<AuthorizationCodeDigest, GrantId>,
    subjects: SecondaryIndex<SubjectId, GrantId>,
    clients: SecondaryIndex<ClientId, GrantId>,
    scopes: SecondaryIndex<Scope, GrantId>,
    by_end: TimeIndex<Timestamp, GrantId>,
}

impl GrantRows {
    pub(super) fn get(&self, id: &GrantId) -> Option<&GrantRow> {
        self.rows.get(id)
    }

    pub(super) fn by_code(&self, code: &AuthorizationCodeDigest) -> Option<&GrantRow> {
        self.codes.get(code).and_then(|id| self.rows.get(id))
    }

    /// All stored grants of a user.
    pub(super) fn by_subject(&self, subject: &SubjectId) -> impl Iterator<Item = &GrantRow> {
        self.subjects
            .rows_with(subject)
            .filter_map(|id| self.rows.get(id))
    }

    /// All stored grants of a client.
    pub(super) fn by_client(&self, client: ClientId) -> impl Iterator<Item = &GrantRow> {
        self.clients
            .rows_with(&client)
            .filter_map(|id| self.rows.get(id))
    }

    /// All stored grants that have a matching scope, each once.
    pub(super) fn with_matching_scope(
        &self,
        matches: impl Fn(&Scope) -> bool,
    ) -> impl Iterator<Item = &GrantRow> {
        let ids: BTreeSet<GrantId> = self
            .scopes
            .values()
            .filter(|scope| matches(scope))
            .flat_map(|scope| self.scopes.rows_with(scope))
            .copied()
            .collect();
        ids.into_iter().filter_map(|id| self.rows.get(&id))
    }

    /// Whether the id or the code is taken.
    pub(super) fn contains(&self, id: &GrantId, code: &AuthorizationCodeDigest) -> bool {
        self.rows.contains_key(id) || self.codes.contains_key(code)
    }

    pub(super) fn insert(&mut self, row: GrantRow) {
        self.codes.insert(row.code(), row.id());
        self.by_end.insert(row.ends_at(), row.id());
        self.subjects.insert(row.subject(), row.id());
        self.clients.insert(&row.client(), row.id());
        for scope in row.scopes() {
            self.scopes.insert(scope, row.id());
        }
        self.rows.insert(row.id(), row);
    }

    /// Changes a grant, if it exists, and updates the index of its end.
    pub(super) fn update<T>(
        &mut self,
        id: &GrantId,
        change: impl FnOnce(&mut GrantRow) -> T,
    ) -> Option<T> {
        let row = self.rows.get_mut(id)?;
        let before = row.ends_at();
        let outcome = change(row);
        if row.ends_at() != before {
            self.by_end.remove(before, *id);
            self.by_end.insert(row.ends_at(), *id);
        }
        Some(outcome)
    }

    /// Removes a scope from the grants of a client, or all.
    pub(super) fn remove_scope(&mut self, scope: &Scope, client: Option<ClientId>) {
        let with_it: Vec<GrantId> = self.scopes.rows_with(scope).copied().collect();
        for id in with_it {
            if let Some(row) = self
                .rows
                .get_mut(&id)
                .filter(|row| client.is_none_or(|client| row.client() == client))
            {
                row.remove_scope(scope);
                self.scopes.remove(scope, &id);
            }
        }
    }

    /// Revokes the grants of a client.
    pub(super) fn revoke_client(&mut self, client: ClientId, at: Timestamp) {
        let of_the_client: Vec<_> = self.clients.rows_with(&client).copied().collect();
        for id in of_the_client {
            self.update(&id, |row| row.revoke(at));
        }
    }

    /// Revokes the least recently used grants of a user and a client until one more is within the
    /// limit.
    pub(super) fn enforce_limit(
        &mut self,
        subject: &SubjectId,
        client: ClientId,
        limit: u32,
        at: Timestamp,
    ) -> Vec<GrantId> {
        if limit == u32::MAX {
            return Vec::new();
        }
        let working = self
            .by_subject(subject)
            .filter(|row| row.client() == client && row.is_usable(at));
        let mut working: Vec<_> = working
            .map(|row| (Reverse(row.last_used_at()), row.id()))
            .collect();
        working.sort_unstable();
        let excess: Vec<GrantId> = working
            .into_iter()
            .skip(limit.saturating_sub(1) as usize)
            .map(|(_, id)| id)
            .collect();
        for id in &excess {
            self.update(id, |row| row.revoke(at));
        }
        excess
    }

    /// Deletes some of the grants that ended long before.
    pub(super) fn sweep(&mut self, at: Timestamp) {
        for id in self.by_end.pop_until(at.minus(GRANT_RETENTION)) {
            if let Some(row) = self.rows.remove(&id) {
                self.codes.remove(&row.code());
                self.subjects.remove(row.subject(), &id);
                self.clients.remove(&row.client(), &id);
                for scope in row.scopes() {
                    self.scopes.remove(scope, &id);
                }
            }
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        let indexed = [
            self.codes.len(),
            self.by_end.len(),
            self.subjects.len(),
            self.clients.len(),
        ];
        assert_eq!([self.rows.len(); 4], indexed);
        assert_eq!(
            self.rows
                .values()
                .map(|row| row.scopes().iter().count())
                .sum::<usize>(),
            self.scopes.len()
        );
        self.rows.len()
    }
}
