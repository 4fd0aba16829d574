use std::sync::Arc;

use http::HeaderMap;

use super::conditional;
use crate::directory::{
    AnyRecordList, Cursor, Directory, ListSnapshot, Query, QueryableList, ResourceDefinition,
    ResultSet, Snapshot,
};
use crate::domain::Timestamp;
use crate::store::{DatasetVersion, StorageError};

/// The lists of the service: the school's, followed by the host's own.
pub(super) struct ListRegistry {
    directory: Directory,
    /// The host's own lists.
    own: Vec<Arc<dyn AnyRecordList>>,
}

/// Index of a list in the registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ListId(usize);

/// A list in one version.
pub(super) enum ListState {
    School(Arc<Snapshot>, ListId),
    Own(Arc<dyn ListSnapshot>),
}

impl ListRegistry {
    pub(super) const fn new(directory: Directory, own: Vec<Arc<dyn AnyRecordList>>) -> Self {
        Self { directory, own }
    }

    pub(super) const fn directory(&self) -> &Directory {
        &self.directory
    }

    /// All list definitions, in the order of their ids.
    pub(super) fn definitions(&self) -> impl Iterator<Item = &ResourceDefinition> {
        self.directory
            .resources()
            .definitions()
            .into_iter()
            .chain(self.own.iter().map(|list| list.definition()))
    }

    pub(super) fn definition(&self, list: ListId) -> &ResourceDefinition {
        let school = self.directory.resources().definitions();
        match list.0.checked_sub(school.len()) {
            None => school[list.0],
            Some(own) => self.own[own].definition(),
        }
    }

    /// When the records of a list of the school were last confirmed to be current, if it is known.
    pub(super) fn data_as_of(&self, list: ListId) -> Option<Timestamp> {
        let known = self.directory.data_as_of();
        let school = self.directory.resources().definitions();
        let name = school.get(list.0)?.name;
        let of_list = known.iter().find(|(kind, _)| kind.as_str() == name);
        of_list.map(|(_, as_of)| *as_of)
    }

    /// Finds the list with this path.
    pub(super) fn find_by_path(&self, path: &str) -> Option<ListId> {
        self.definitions()
            .position(|definition| definition.path == path)
            .map(ListId)
    }

    /// Returns the list in its current version. A school list is not older than any version that
    /// the client has already seen, also from another node.
    pub(super) async fn state(
        &self,
        list: ListId,
        query: &Query,
        headers: &HeaderMap,
    ) -> Result<ListState, StorageError> {
        if let Some(own) = list
            .0
            .checked_sub(self.directory.resources().definitions().len())
        {
            let snapshot = self.own[own].snapshot();
            let is_filled = snapshot.version().number > 0;
            let not_filled = || {
                StorageError::unavailable("a list of the host's own", "it has not been filled yet")
            };
            return is_filled
                .then_some(ListState::Own(snapshot))
                .ok_or_else(not_filled);
        }
        let mut school = self.directory.snapshot().await?;
        for seen in conditional::presented_versions(headers) {
            if !school.knows(seen)
                && let Ok(newer) = self.directory.snapshot_after(seen).await
            {
                school = newer;
            }
        }
        // An error is ignored for the version of an entity tag: with an older snapshot, the tag
        // just does not match. For a cursor's version it is returned: an older snapshot would hide
        // changes from the client.
        if let Some(seen) = query
            .cursor()
            .map(Cursor::version)
            .filter(|seen| !school.knows(*seen))
        {
            school = self.directory.snapshot_after(seen).await?;
        }
        Ok(ListState::School(school, list))
    }
}

impl ListState {
    pub(super) fn version(&self) -> DatasetVersion {
        match self {
            Self::School(school, _) => school.version(),
            Self::Own(own) => own.version(),
        }
    }

    pub(super) fn list(&self) -> &dyn QueryableList {
        match self {
            Self::School(school, list) => school.lists()[list.0],
            Self::Own(own) => own.list(),
        }
    }

    /// The records that the query selects; `None` if its cursor is unknown.
    pub(super) fn select(&self, query: &Query) -> Option<ResultSet> {
        match self {
            Self::School(school, list) => school.lists()[list.0].select(query, school.history()),
            Self::Own(own) => own.list().select(query, own.history()),
        }
    }
}
