use std::sync::Arc;

use tokio::sync::OnceCell;

use super::names::Names;
use super::school;
use super::story::Story;
use crate::store::{Storage, StorageError};
use crate::testing::conformance::school::School;

/// A handle on a store, and a directory over it.
pub(in crate::testing) struct Handle {
    store: Arc<dyn Storage>,
    school: OnceCell<School>,
}

impl Handle {
    /// A handle whose directory is loaded when the first operation needs it.
    pub(in crate::testing) fn new(store: Arc<dyn Storage>) -> Self {
        Self { store, school: OnceCell::new() }
    }

    /// Another handle on the same data. If the story is about the school, its directory begins with what this one's has now: to load one
    /// for each call would take longer with every run.
    pub(in crate::testing) async fn beside(&self, store: Arc<dyn Storage>, story: &Story) -> Result<Self, StorageError> {
        let mut school = OnceCell::new();
        if story.is_about_the_school() {
            let present = self.school().await?;
            present.snapshot().await?;
            school = OnceCell::new_with(Some(present.forked(Arc::<dyn Storage>::clone(&store))));
        }
        Ok(Self { store, school })
    }

    /// Removes what a run of the story left in the directory.
    pub(in crate::testing) async fn tidy(&self, story: &Story, names: Names) -> Result<(), StorageError> {
        if story.is_about_the_school() { school::tidy(self.school().await?, names).await } else { Ok(()) }
    }

    pub(in crate::testing) fn store(&self) -> &dyn Storage {
        &*self.store
    }

    pub(super) async fn school(&self) -> Result<&School, StorageError> {
        self.school.get_or_try_init(|| School::over(Arc::<dyn Storage>::clone(&self.store))).await
    }
}
