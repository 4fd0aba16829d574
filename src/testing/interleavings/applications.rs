//! Operations on applications and scopes.

use super::model::{Model, OperationOutcome, created};
use super::operation::{Operation, creation_outcome};
use super::run_ids::RunIds;
use super::store_handle::StoreHandle;
use crate::domain::{
    Application, PageRequest, ScopeDefinition, ScopeDescription, ShortText, SubjectId, Translations,
};
use crate::store::{
    ApplicationPatch, LimitedCreation, RegistryChange, ScopeApproval, ScopeCreation, ScopePatch,
    Storage, StorageError,
};

/// Declares the operations of this kind.
macro_rules! operations {
    ($next:ident! $at:ident {$($others:tt)*} $($rest:ident)*) => { $next! { $at { $($others)* applications {
        /// Registers an application under name 1.
        CreateApplication { application: u8 },
        /// Registers an application of subject 1 under name 1, unless they have `at_most`. All
        /// applications of such a scenario are theirs.
        RegisterApplication { application: u8, at_most: u32 },
        /// Reads the name of an application.
        [Read] Application { application: u8 },
        /// Renames an application.
        RenameApplication { application: u8, name: u8 },
        /// Deletes an application with its scopes.
        DeleteApplication { application: u8 },
        /// Creates a scope under an id, with description 1.
        CreateScope { id: u8, scope: u8 },
        /// Same as [`Self::CreateScope`], unless the application has `at_most`.
        RegisterScope { id: u8, scope: u8, at_most: u32 },
        /// Reads the id of a scope's definition.
        [Read] Scope { scope: u8 },
        /// Reads the definition with an id.
        [Read] Definition { id: u8 },
        /// Changes the description of a scope.
        DescribeScope { id: u8, description: u8 },
        /// Sets whether clients need an approval to list a scope.
        RequireScopeApproval { id: u8, approval_required: bool },
        /// Deletes a scope by the id of its definition.
        DeleteScope { id: u8 },
        /// Approves a client for a scope.
        ApproveScope { id: u8, client: u8 },
        /// Reads the clients that were approved for a scope.
        [Read] ScopeApprovals { id: u8 },
        /// Withdraws a scope from one client.
        WithdrawScope { id: u8, client: u8 },
    } } $($rest)* } };
}
pub(super) use operations;

type Answer = Result<OperationOutcome, StorageError>;

/// Refusal at the limit of an owner or application.
pub(super) const LIMIT_REACHED: &str = "the limit is reached";

pub(super) async fn call(
    operation: Operation,
    handle: &StoreHandle,
    ids: RunIds,
) -> Result<OperationOutcome, StorageError> {
    let store = handle.store();
    Ok(match operation {
        Operation::CreateApplication { application } => creation_outcome(
            store
                .create_application(application_of(ids, application))
                .await?,
        ),
        Operation::RegisterApplication {
            application,
            at_most,
        } => {
            let owned = Application {
                owner: ids.subject(1),
                ..application_of(ids, application)
            };
            match store.register_application(owned, at_most).await? {
                LimitedCreation::Created => OperationOutcome::Created,
                LimitedCreation::LimitReached => OperationOutcome::Refused(LIMIT_REACHED),
                LimitedCreation::AlreadyExists => OperationOutcome::AlreadyExists,
            }
        }
        Operation::Application { application } => {
            let found = store.application(ids.application(application)).await?;
            OperationOutcome::RefersTo(
                found.map(|found| ids.index_of(&found.name, |_, number| name(number))),
            )
        }
        Operation::RenameApplication {
            application,
            name: new,
        } => registry_outcome(
            store
                .update_application(
                    ids.application(application),
                    ApplicationPatch {
                        name: Some(name(new)),
                        ..ApplicationPatch::default()
                    },
                )
                .await?,
        ),
        Operation::DeleteApplication { application } => registry_outcome(
            store
                .delete_application(ids.application(application))
                .await?,
        ),
        Operation::CreateScope { id, scope } => {
            scope_creation(store.create_scope(definition(ids, id, scope)).await?)
        }
        Operation::RegisterScope { id, scope, at_most } => scope_creation(
            store
                .register_scope(definition(ids, id, scope), at_most)
                .await?,
        ),
        Operation::Scope { scope } => {
            let found = store
                .scope_definitions(&[ids.scope(scope)].into_iter().collect())
                .await?;
            OperationOutcome::RefersTo(
                found
                    .first()
                    .map(|definition| ids.index_of(&definition.id, RunIds::scope_id)),
            )
        }
        Operation::Definition { id } => {
            OperationOutcome::Definition(store.scope(ids.scope_id(id)).await?.map(|found| {
                let number_of_description =
                    ids.index_of(&found.description, |_, number| description(number));
                (
                    number_of_description,
                    found.approval_required,
                    ids.index_of(&found.application_name, |_, number| name(number)),
                )
            }))
        }
        Operation::DescribeScope {
            id,
            description: new,
        } => {
            let change = ScopePatch {
                description: Some(description(new)),
                ..ScopePatch::default()
            };
            registry_outcome(store.update_scope(ids.scope_id(id), change).await?)
        }
        Operation::RequireScopeApproval {
            id,
            approval_required,
        } => {
            let change = ScopePatch {
                approval_required: Some(approval_required),
                ..ScopePatch::default()
            };
            registry_outcome(store.update_scope(ids.scope_id(id), change).await?)
        }
        Operation::DeleteScope { id } => {
            registry_outcome(store.delete_scope(ids.scope_id(id)).await?)
        }
        Operation::ApproveScope { id, client } => {
            match store
                .approve_scope(ids.scope_id(id), ids.client(client), ids.timestamp(0))
                .await?
            {
                ScopeApproval::Approved => OperationOutcome::Done,
                ScopeApproval::UnknownScope => OperationOutcome::Unknown,
                ScopeApproval::UnknownClient => OperationOutcome::Bool(false),
            }
        }
        Operation::ScopeApprovals { id } => scope_approvals(store, ids, id).await?,
        Operation::WithdrawScope { id, client } => OperationOutcome::Bool(
            store
                .revoke_scope_approval(ids.scope_id(id), ids.client(client))
                .await?,
        ),
        other => unreachable!("{other:?} is not of this kind"),
    })
}

/// Returns the operations that show the state of the records that an operation touches.
pub(super) fn checks(operation: Operation, _: i64) -> Vec<Operation> {
    match operation {
        Operation::CreateApplication { application } | Operation::Application { application } => {
            vec![
                Operation::Application { application },
                Operation::CreateApplication { application },
            ]
        }
        Operation::RegisterApplication {
            application,
            at_most,
        } => {
            vec![
                Operation::Application { application },
                Operation::RegisterApplication {
                    application: 9,
                    at_most,
                },
            ]
        }
        Operation::RenameApplication { application, .. } => {
            vec![
                Operation::Application { application },
                Operation::Definition { id: 1 },
            ]
        }
        Operation::DeleteApplication { application } => {
            vec![Operation::Application { application }]
        }
        Operation::CreateScope { id, scope } => vec![
            Operation::Scope { scope },
            Operation::CreateScope { id, scope: 9 },
            Operation::CreateScope { id: 9, scope },
        ],
        Operation::RegisterScope { id, scope, at_most } => vec![
            Operation::Definition { id },
            Operation::RegisterScope {
                id: 9,
                scope,
                at_most,
            },
        ],
        Operation::Scope { scope } => vec![Operation::Scope { scope }],
        Operation::Definition { id }
        | Operation::DescribeScope { id, .. }
        | Operation::RequireScopeApproval { id, .. } => {
            vec![Operation::Definition { id }]
        }
        Operation::DeleteScope { .. } => {
            vec![Operation::Scope { scope: 1 }, Operation::Scope { scope: 2 }]
        }
        Operation::ApproveScope { id, client } | Operation::WithdrawScope { id, client } => {
            vec![
                Operation::Client { client },
                Operation::ScopeApprovals { id },
            ]
        }
        Operation::ScopeApprovals { id } => vec![Operation::ScopeApprovals { id }],
        other => unreachable!("{other:?} is not of this kind"),
    }
}

fn scope_creation(creation: ScopeCreation) -> OperationOutcome {
    match creation {
        ScopeCreation::Created => OperationOutcome::Created,
        ScopeCreation::NameTaken => OperationOutcome::AlreadyExists,
        ScopeCreation::UnknownApplication => OperationOutcome::Unknown,
        ScopeCreation::LimitReached => OperationOutcome::Refused(LIMIT_REACHED),
    }
}

async fn scope_approvals(store: &dyn Storage, ids: RunIds, id: u8) -> Answer {
    let found = store
        .clients_of_scope(ids.scope_id(id), PageRequest::new(0, 9).expect("a page"))
        .await?;
    if found.total != found.items.len() as u64 {
        return Ok(OperationOutcome::Refused(
            "the total is not that of the clients",
        ));
    }
    let approved = found.items.iter().filter(|found| found.approved);
    Ok(OperationOutcome::Clients(
        approved
            .map(|found| ids.index_of(&found.client, RunIds::client))
            .collect(),
    ))
}

fn registry_outcome(change: RegistryChange) -> OperationOutcome {
    match change {
        RegistryChange::Done => OperationOutcome::Done,
        RegistryChange::BuiltIn => OperationOutcome::Refused("of the service"),
        RegistryChange::NotFound => OperationOutcome::Unknown,
    }
}

fn application_of(ids: RunIds, number: u8) -> Application {
    Application {
        id: ids.application(number),
        name: name(1),
        name_translations: Translations::default(),
        owner: person("owner"),
        created_at: ids.timestamp(0),
    }
}

fn name(number: u8) -> ShortText {
    format!("동아리 알리미 {number}").parse().expect("a line")
}

fn definition(ids: RunIds, id: u8, scope: u8) -> ScopeDefinition {
    ScopeDefinition {
        id: ids.scope_id(id),
        scope: ids.scope(scope),
        description: description(1),
        application_name: name(1),
        description_translations: Translations::default(),
        application_name_translations: Translations::default(),
        approval_required: false,
    }
}

fn description(number: u8) -> ScopeDescription {
    format!("Lets something happen {number} times")
        .parse()
        .expect("a description")
}

fn person(id: &str) -> SubjectId {
    id.parse().expect("an id")
}

/// Definition of a scope: its id, its description, and whether clients need an approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Definition {
    id: u8,
    description: u8,
    pub(super) approval_required: bool,
}

impl Model {
    pub(super) fn applications(&mut self, operation: Operation) -> OperationOutcome {
        match operation {
            Operation::CreateApplication { application } => {
                let is_new = !self.applications.contains_key(&application);
                if is_new {
                    self.applications.insert(application, 1);
                }
                created(is_new)
            }
            Operation::RegisterApplication { at_most, .. }
                if self.applications.len() >= at_most as usize =>
            {
                OperationOutcome::Refused(LIMIT_REACHED)
            }
            Operation::RegisterApplication { application, .. } => {
                Operation::CreateApplication { application }.apply(self)
            }
            Operation::Application { application } => {
                OperationOutcome::RefersTo(self.applications.get(&application).copied())
            }
            Operation::RenameApplication { application, name } => {
                let Some(known) = self.applications.get_mut(&application) else {
                    return OperationOutcome::Unknown;
                };
                *known = name;
                OperationOutcome::Done
            }
            Operation::DeleteApplication { application } => {
                if self.applications.remove(&application).is_none() {
                    return OperationOutcome::Unknown;
                }
                if application == 1 {
                    let scopes: Vec<u8> = self.scopes.keys().copied().collect();
                    scopes
                        .into_iter()
                        .for_each(|scope| self.remove_scope(scope));
                }
                OperationOutcome::Done
            }
            Operation::CreateScope { id, scope } => {
                if !self.applications.contains_key(&1) {
                    return OperationOutcome::Unknown;
                }
                let is_new = !self.scopes.contains_key(&scope) && self.scope_of(id).is_none();
                if is_new {
                    self.scopes.insert(
                        scope,
                        Definition {
                            id,
                            description: 1,
                            approval_required: false,
                        },
                    );
                }
                created(is_new)
            }
            Operation::RegisterScope { at_most, .. } if self.scopes.len() >= at_most as usize => {
                OperationOutcome::Refused(LIMIT_REACHED)
            }
            Operation::RegisterScope { id, scope, .. } => {
                Operation::CreateScope { id, scope }.apply(self)
            }
            Operation::Scope { scope } => {
                OperationOutcome::RefersTo(self.scopes.get(&scope).map(|definition| definition.id))
            }
            Operation::Definition { id } => {
                let definition = self.scopes.values().find(|definition| definition.id == id);
                let name = self.applications.get(&1).copied().unwrap_or_default();
                OperationOutcome::Definition(
                    definition.map(|definition| {
                        (definition.description, definition.approval_required, name)
                    }),
                )
            }
            Operation::DescribeScope { id, description } => {
                self.redefine(id, |before| Definition {
                    description,
                    ..before
                })
            }
            Operation::RequireScopeApproval {
                id,
                approval_required,
            } => self.redefine(id, |before| Definition {
                approval_required,
                ..before
            }),
            Operation::DeleteScope { id } => {
                let Some(scope) = self.scope_of(id) else {
                    return OperationOutcome::Unknown;
                };
                self.remove_scope(scope);
                OperationOutcome::Done
            }
            Operation::ApproveScope { id, client } => {
                let Some(scope) = self.scope_of(id) else {
                    return OperationOutcome::Unknown;
                };
                if !self.clients.contains_key(&client) {
                    return OperationOutcome::Bool(false);
                }
                self.approvals.insert((scope, client));
                OperationOutcome::Done
            }
            Operation::ScopeApprovals { id } => {
                let scope = self.scope_of(id);
                OperationOutcome::Clients(
                    self.approvals
                        .iter()
                        .filter(|(of, _)| Some(*of) == scope)
                        .map(|(_, client)| *client)
                        .collect(),
                )
            }
            Operation::WithdrawScope { id, client } => {
                let Some(scope) = self.scope_of(id) else {
                    return OperationOutcome::Bool(false);
                };
                // All sessions, grants and consents belong to client 1.
                if client == 1 {
                    self.forget(scope);
                }
                let was_approved = self.approvals.remove(&(scope, client));
                let Some(client) = self.clients.get_mut(&client) else {
                    return OperationOutcome::Bool(false);
                };
                let before = client.scopes.len();
                client.scopes.retain(|listed| *listed != scope);
                OperationOutcome::Bool(was_approved || client.scopes.len() < before)
            }
            other => unreachable!("{other:?} is not of this kind"),
        }
    }

    pub(super) fn scope_of(&self, id: u8) -> Option<u8> {
        self.scopes
            .iter()
            .find(|(_, definition)| definition.id == id)
            .map(|(scope, _)| *scope)
    }

    fn redefine(&mut self, id: u8, change: impl Fn(Definition) -> Definition) -> OperationOutcome {
        let Some(definition) = self
            .scopes
            .values_mut()
            .find(|definition| definition.id == id)
        else {
            return OperationOutcome::Unknown;
        };
        *definition = change(*definition);
        OperationOutcome::Done
    }

    fn remove_scope(&mut self, scope: u8) {
        self.scopes.remove(&scope);
        self.approvals.retain(|(approved, _)| *approved != scope);
        self.clients
            .values_mut()
            .for_each(|client| client.scopes.retain(|listed| *listed != scope));
        self.forget(scope);
    }

    /// Removes a scope from sessions, grants and consents, which have at most the first of these.
    fn forget(&mut self, scope: u8) {
        if scope == 1 {
            self.sessions
                .values_mut()
                .for_each(|session| session.scopes.retain(|asked| *asked != 1));
            self.consents
                .values_mut()
                .for_each(|(allowed, _)| allowed.retain(|allowed| *allowed != 1));
            self.grants
                .values_mut()
                .for_each(|grant| grant.has_scope = false);
        }
    }
}
