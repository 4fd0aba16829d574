use super::model::{Model, OperationOutcome};
use super::neis::Neis;
use super::run_ids::RunIds;
use super::store_handle::StoreHandle;
use super::{
    accounts, api_keys, applications, audit_trail, clients, consents, directory, grants,
    rate_limits, signing_keys, usage, user_sessions,
};
use crate::store::{Creation, StorageError};

/// Whether an operation may be repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Repetition {
    /// It may be repeated, also by another caller at the same time.
    Allowed,
    /// It only reads.
    Read,
    /// It has an id that callers draw at random, so that no two calls are the same.
    RandomId,
    /// Same as [`Self::RandomId`], and the id must be unused.
    UnusedId,
}

/// Declares the operations in groups. Each group is named after the module that calls the store,
/// applies the operations to the model and lists their checks. A word in brackets is the
/// operation's [`Repetition`].
macro_rules! operations {
    (@repetition) => { Repetition::Allowed };
    (@repetition $mark:ident) => { Repetition::$mark };
    ($(#[$attribute:meta])* $at:ident: $($kind:ident {
        $($(#[doc = $doc:literal])+ $([$mark:ident])? $name:ident $({ $($field:ident: $type:ty),+ })?,)+
    })+) => {
        $(#[$attribute])*
        pub enum Operation {
            $($($(#[doc = $doc])+ $name $({ $($field: $type),+ })?,)+)+
        }

        impl Operation {
            const fn repetition(self) -> Repetition {
                match self {
                    $($(Self::$name { .. } => operations!(@repetition $($mark)?),)+)+
                }
            }

            /// Returns the time of the operation; 0 if it has none.
            pub(super) const fn at(self) -> i64 {
                let $at = 0;
                match self {
                    $($(Self::$name $({ $($field),+ })? => { $($(let _ = $field;)+)? $at })+)+
                }
            }

            /// Whether the operation calls the directory instead of the store.
            pub(super) fn uses_directory(self) -> bool {
                let kind = match self {
                    $($(Self::$name { .. })|+ => stringify!($kind),)+
                };
                kind == "directory"
            }

            /// Performs the operation on the store, or on the directory over it.
            pub(in crate::testing) async fn call(
                self,
                handle: &StoreHandle,
                ids: RunIds,
            ) -> Result<OperationOutcome, StorageError> {
                match self {
                    $($(Self::$name { .. })|+ => $kind::call(self, handle, ids).await,)+
                }
            }

            /// Performs the operation on the model.
            pub(super) fn apply(self, model: &mut Model) -> OperationOutcome {
                match self {
                    $($(Self::$name { .. })|+ => model.$kind(self),)+
                }
            }

            /// Returns the operations that show the state of the records that this one touches, at
            /// a time.
            pub(super) fn checks(self, at: i64) -> Vec<Self> {
                match self {
                    $($(Self::$name { .. })|+ => $kind::checks(self, at),)+
                }
            }
        }
    };
}

/// Collects the declarations of the kinds.
macro_rules! collect {
    ($at:ident $declared:tt $kind:ident $($rest:ident)*) => {
        $kind::operations! { collect! $at $declared $($rest)* }
    };
    ($at:ident {$($declared:tt)*}) => {
        operations! {
            /// One call of a store. Small numbers, 1 to 9, identify records of one kind; `at` is in
            /// seconds from the beginning of the scenario.
            ///
            /// A grant and its authorization code have the same number. Scopes belong to
            /// application 1, and clients to another owner; their redirect URIs and other settings
            /// are constant. Sessions belong to client 1 and request scope 1 and one of the
            /// service's built-in scopes.
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            #[expect(missing_docs, reason = "each field says what it is by its name")]
            $at: $($declared)*
        }
    };
}

collect! { at {}
    grants consents applications clients accounts api_keys signing_keys rate_limits directory usage
    audit_trail user_sessions
}

impl Operation {
    /// Whether the operation only reads.
    pub const fn is_read(self) -> bool {
        matches!(self.repetition(), Repetition::Read)
    }

    /// Whether the operation needs an unused id, so that it cannot be repeated after it succeeded.
    pub(in crate::testing) const fn needs_fresh_id(self) -> bool {
        matches!(self.repetition(), Repetition::UnusedId)
    }

    /// Whether two callers may make the same call. Ids that callers draw at random never coincide.
    pub(super) const fn may_be_repeated(self) -> bool {
        matches!(self.repetition(), Repetition::Allowed | Repetition::Read)
    }
}

pub(super) const fn creation_outcome(creation: Creation) -> OperationOutcome {
    match creation {
        Creation::Created => OperationOutcome::Created,
        Creation::AlreadyExists => OperationOutcome::AlreadyExists,
    }
}
