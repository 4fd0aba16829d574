use serde::Serialize;

use super::serialize::{id, text, texts};
use crate::domain::{ApiKeyId, ClientId, GrantId, KeyId, ScopeSet, SubjectId};

/// The fields of an event, each in the JSON only if the kind has it.
#[derive(Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Details<'a> {
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "text")]
    pub(super) client: Option<ClientId>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "id")]
    pub(super) subject: Option<&'a SubjectId>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "text")]
    pub(super) grant: Option<GrantId>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "texts")]
    pub(super) scopes: Option<&'a ScopeSet>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) token_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) remembered: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) of: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) count: Option<usize>,
    /// The school year.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) year: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) graduated: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) added: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) changed: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) removed: Option<usize>,
    /// The numbers of the directory's versions before and after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) versions: Option<[u64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "text")]
    pub(super) key: Option<&'a KeyId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) algorithm: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) object: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<String>,
    /// Whether no user has the typed e-mail address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unknown_email: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) change: Option<&'static str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) fields: &'a [&'static str],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rule: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) endpoint: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "text")]
    pub(super) api_key: Option<ApiKeyId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) parameter: Option<&'static str>,
}

impl<'a> Details<'a> {
    pub(super) fn client(self, client: &ClientId) -> Self {
        Self {
            client: Some(*client),
            ..self
        }
    }

    pub(super) fn for_client(self, client: Option<ClientId>) -> Self {
        Self { client, ..self }
    }

    pub(super) fn subject(self, subject: &'a SubjectId) -> Self {
        Self {
            subject: Some(subject),
            ..self
        }
    }

    pub(super) fn grant(self, grant: &GrantId) -> Self {
        Self {
            grant: Some(*grant),
            ..self
        }
    }

    pub(super) fn scopes(self, scopes: &'a ScopeSet) -> Self {
        Self {
            scopes: Some(scopes),
            ..self
        }
    }

    /// Replaces the scopes by their number, for events that exceed the size of a record.
    pub(super) fn without_scopes(self) -> Self {
        Self {
            count: self.scopes.map(ScopeSet::len),
            scopes: None,
            ..self
        }
    }
}
