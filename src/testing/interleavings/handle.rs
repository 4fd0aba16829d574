use std::sync::Arc;

use tokio::sync::OnceCell;

use crate::store::{Storage, StorageError};
use crate::testing::conformance::school::School;

/// A handle of a store as operations use it: directly, and for the school through a directory.
#[derive(Debug, Clone)]
pub(in crate::testing) struct Handle {
    pub(in crate::testing) store: Arc<dyn Storage>,
    base: Arc<Base>,
}

/// A directory over a handle whose turn nobody holds. All runs share the data, so it is loaded once; each operation begins with what this has
/// and asks its own handle for what changed.
#[derive(Debug)]
struct Base {
    store: Arc<dyn Storage>,
    school: OnceCell<School>,
}

impl Handle {
    /// The handle that makes and reads what the operations are about.
    pub(in crate::testing) fn observer(store: Arc<dyn Storage>) -> Self {
        let base = Base { store: Arc::<dyn Storage>::clone(&store), school: OnceCell::new() };
        Self { store, base: Arc::new(base) }
    }

    /// Another handle on the same data.
    pub(in crate::testing) fn beside(&self, store: Arc<dyn Storage>) -> Self {
        Self { store, base: Arc::clone(&self.base) }
    }

    /// A directory over this handle.
    pub(super) async fn school(&self) -> Result<School, StorageError> {
        Ok(self.base.school().await?.forked(Arc::<dyn Storage>::clone(&self.store)))
    }

    /// Brings what the operations of a run begin with up to date.
    pub(in crate::testing) async fn refresh(&self) -> Result<(), StorageError> {
        self.base.school().await?.snapshot().await.map(drop)
    }
}

impl Base {
    async fn school(&self) -> Result<&School, StorageError> {
        self.school.get_or_try_init(|| School::over(Arc::<dyn Storage>::clone(&self.store))).await
    }
}
