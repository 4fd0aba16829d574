use std::collections::BTreeMap;

use super::refusal::Refusal;
use super::server::Server;
use crate::domain::SubjectId;

/// What people are known by on a page: their e-mail addresses, or the ids of those who are gone.
#[derive(Debug, Default)]
pub(super) struct Names(BTreeMap<SubjectId, String>);

impl Names {
    /// The names of these people, each asked for once.
    pub(super) async fn of(server: &Server, people: impl IntoIterator<Item = &SubjectId>) -> Result<Self, Refusal> {
        let mut names = BTreeMap::new();
        for id in people {
            if !names.contains_key(id) {
                names.insert(id.clone(), server.known_as(id).await?);
            }
        }
        Ok(Self(names))
    }

    pub(super) fn name(&self, id: &SubjectId) -> String {
        self.0.get(id).cloned().unwrap_or_else(|| id.as_str().to_owned())
    }
}
