use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use super::super::ends::Ends;
use super::grant_row::GrantRow;
use super::index::Index;
use crate::domain::{AuthorizationCodeDigest, ClientId, GrantId, Scope, SubjectId, Timestamp};
use crate::store::sweep::GRANT_KEPT;

/// The grants by id, by code, by user, by client and by scope, also in the order in which they end.
#[derive(Default)]
pub(super) struct GrantRows {
    rows: HashMap<GrantId, GrantRow>,
    codes: HashMap<AuthorizationCodeDigest, GrantId>,
    subjects: Index<SubjectId, GrantId>,
    clients: Index<ClientId, GrantId>,
    scopes: Index<Scope, GrantId>,
    ends: Ends<Timestamp, GrantId>,
}

impl GrantRows {
    pub(super) fn get(&self, id: &GrantId) -> Option<&GrantRow> {
        self.rows.get(id)
    }

    pub(super) fn of_code(&self, code: &AuthorizationCodeDigest) -> Option<&GrantRow> {
        self.codes.get(code).and_then(|id| self.rows.get(id))
    }

    /// Every grant of a user that is kept.
    pub(super) fn of_subject(&self, subject: &SubjectId) -> impl Iterator<Item = &GrantRow> {
        self.subjects.of(subject).filter_map(|id| self.rows.get(id))
    }

    /// Every grant of a client that is kept.
    pub(super) fn of_client(&self, client: ClientId) -> impl Iterator<Item = &GrantRow> {
        self.clients.of(&client).filter_map(|id| self.rows.get(id))
    }

    /// Every grant that is kept and has a scope that is meant, each once.
    pub(super) fn with_scopes(&self, is_meant: impl Fn(&Scope) -> bool) -> impl Iterator<Item = &GrantRow> {
        let ids: BTreeSet<GrantId> =
            self.scopes.values().filter(|scope| is_meant(scope)).flat_map(|scope| self.scopes.of(scope)).copied().collect();
        ids.into_iter().filter_map(|id| self.rows.get(&id))
    }

    /// Whether the id or the code is taken.
    pub(super) fn contains(&self, id: &GrantId, code: &AuthorizationCodeDigest) -> bool {
        self.rows.contains_key(id) || self.codes.contains_key(code)
    }

    pub(super) fn insert(&mut self, row: GrantRow) {
        self.codes.insert(row.code(), row.id());
        self.ends.insert(row.end(), row.id());
        self.subjects.insert(row.subject(), row.id());
        self.clients.insert(&row.client(), row.id());
        for scope in row.scopes() {
            self.scopes.insert(scope, row.id());
        }
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

    /// Takes a scope from the grants of a client, or of all.
    pub(super) fn forget(&mut self, scope: &Scope, client: Option<ClientId>) {
        let with_it: Vec<GrantId> = self.scopes.of(scope).copied().collect();
        for id in with_it {
            if let Some(row) = self.rows.get_mut(&id).filter(|row| client.is_none_or(|client| row.client() == client)) {
                row.forget(scope);
                self.scopes.remove(scope, &id);
            }
        }
    }

    /// Revokes the grants of a client.
    pub(super) fn revoke_client(&mut self, client: ClientId, at: Timestamp) {
        let of_the_client: Vec<_> = self.clients.of(&client).copied().collect();
        for id in of_the_client {
            self.change(&id, |row| row.revoke(at));
        }
    }

    /// Revokes those grants of a user and a client that were used longest ago, until there is room for one more among so many.
    pub(super) fn make_room(&mut self, subject: &SubjectId, client: ClientId, at_most: u32, at: Timestamp) -> Vec<GrantId> {
        if at_most == u32::MAX {
            return Vec::new();
        }
        let working = self.of_subject(subject).filter(|row| row.client() == client && row.works(at));
        let mut working: Vec<_> = working.map(|row| (Reverse(row.last_use()), row.id())).collect();
        working.sort_unstable();
        let go: Vec<GrantId> = working.into_iter().skip(at_most.saturating_sub(1) as usize).map(|(_, id)| id).collect();
        for id in &go {
            self.change(id, |row| row.revoke(at));
        }
        go
    }

    /// Takes some of the grants away that have had their time.
    pub(super) fn sweep(&mut self, at: Timestamp) {
        for id in self.ends.take(at.minus(GRANT_KEPT)) {
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
        let indexed = [self.codes.len(), self.ends.len(), self.subjects.len(), self.clients.len()];
        assert_eq!([self.rows.len(); 4], indexed);
        assert_eq!(self.rows.values().map(|row| row.scopes().iter().count()).sum::<usize>(), self.scopes.len());
        self.rows.len()
    }
}
