//! Serialization of values as texts.

use std::fmt::Display;

use serde::{Serialize, Serializer};

use crate::domain::{Scope, ScopeSet, SubjectId};

pub(super) fn text<S: Serializer>(
    value: &Option<impl Display>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.collect_str(value),
        None => serializer.serialize_none(),
    }
}

pub(super) fn id<S: Serializer>(
    subject: &Option<&SubjectId>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    subject.map(SubjectId::as_str).serialize(serializer)
}

pub(super) fn texts<S: Serializer>(
    scopes: &Option<&ScopeSet>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    struct Text<'a>(&'a Scope);
    impl Serialize for Text<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_str(self.0)
        }
    }
    serializer.collect_seq(scopes.iter().flat_map(|scopes| scopes.iter()).map(Text))
}
