use std::collections::BTreeMap;

use super::error::Error;
use super::server::Server;
use crate::domain::SubjectId;

/// Display names of users: e-mail addresses, or ids of users who no longer exist.
#[derive(Debug, Default)]
pub(super) struct UserLabels(BTreeMap<SubjectId, String>);

impl UserLabels {
    /// Loads the names of these users, each once.
    pub(super) async fn load(
        server: &Server,
        people: impl IntoIterator<Item = &SubjectId>,
    ) -> Result<Self, Error> {
        let mut names = BTreeMap::new();
        for id in people {
            if !names.contains_key(id) {
                names.insert(id.clone(), server.shared.management.user_label(id).await?);
            }
        }
        Ok(Self(names))
    }

    pub(super) fn name(&self, id: &SubjectId) -> String {
        self.0
            .get(id)
            .cloned()
            .unwrap_or_else(|| id.as_str().to_owned())
    }
}
