use std::sync::Arc;

use http::HeaderMap;

use super::conditional;
use crate::directory::{Cursor, Definition, Directory, ListVersion, Listed, OwnList, Query, Selected, Snapshot};
use crate::store::{DatasetVersion, StorageError};

/// The lists that the service answers: the school's, and the host's own after them.
pub(super) struct Lists {
    directory: Directory,
    own: Vec<Arc<dyn OwnList>>,
}

/// Which of the lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ListId(usize);

/// A list in one version.
pub(super) enum ListState {
    School(Arc<Snapshot>, ListId),
    Own(Arc<dyn ListVersion>),
}

impl Lists {
    pub(super) const fn new(directory: Directory, own: Vec<Arc<dyn OwnList>>) -> Self {
        Self { directory, own }
    }

    pub(super) const fn directory(&self) -> &Directory {
        &self.directory
    }

    /// Every list, in the order of their ids.
    pub(super) fn definitions(&self) -> impl Iterator<Item = &Definition> {
        self.directory.resources().definitions().into_iter().chain(self.own.iter().map(|list| list.definition()))
    }

    pub(super) fn definition(&self, list: ListId) -> &Definition {
        let school = self.directory.resources().definitions();
        match list.0.checked_sub(school.len()) {
            None => school[list.0],
            Some(own) => self.own[own].definition(),
        }
    }

    /// The list at a path.
    pub(super) fn at(&self, path: &str) -> Option<ListId> {
        self.definitions().position(|definition| definition.path == path).map(ListId)
    }

    /// The list as the client has to see it: not older than what it was shown before, by this process or another.
    pub(super) async fn state(&self, list: ListId, query: &Query, headers: &HeaderMap) -> Result<ListState, StorageError> {
        if let Some(own) = list.0.checked_sub(self.directory.resources().definitions().len()) {
            let present = self.own[own].present();
            let is_filled = present.version().number > 0;
            let unfilled = || StorageError::unavailable("a list of the host's own", "it has not been filled yet");
            return is_filled.then_some(ListState::Own(present)).ok_or_else(unfilled);
        }
        let mut school = self.directory.snapshot().await?;
        for seen in conditional::versions(headers) {
            if !school.knows(seen)
                && let Ok(newer) = self.directory.snapshot_after(seen).await
            {
                school = newer;
            }
        }
        // For a tag an older snapshot does no harm, so errors are ignored there. From a cursor a client would miss changes.
        if let Some(seen) = query.cursor().map(Cursor::version).filter(|seen| !school.knows(*seen)) {
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

    pub(super) fn list(&self) -> &dyn Listed {
        match self {
            Self::School(school, list) => school.lists()[list.0],
            Self::Own(own) => own.list(),
        }
    }

    /// The records that the query asks for; `None` if it goes on from a cursor that is not known.
    pub(super) fn select(&self, query: &Query) -> Option<Selected> {
        match self {
            Self::School(school, list) => school.lists()[list.0].select(query, school.history()),
            Self::Own(own) => own.list().select(query, own.history()),
        }
    }
}
