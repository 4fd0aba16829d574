//! Applications, scopes and clients, as operations.

use super::model::{self, Outcome};
use super::names::Names;
use super::operation::{Operation, creation};
use crate::domain::{
    Application, Client, ClientPolicy, ClientSecretDigest, Line, PageRequest, RegisteredSecret, ScopeDefinition, ScopeDescription,
    SubjectId, Verification,
};
use crate::store::{
    ClientCreation, ClientDeletion, ClientUpdate, Issuance, RegistryChange, ScopeApproval, ScopeChange, ScopeCreation, SecretAddition,
    SecretRemoval, Storage, StorageError,
};

/// The owner of newly registered clients.
pub(super) const CLIENT_OWNER: u8 = 1;

type Answer = Result<Outcome, StorageError>;

/// Why nothing more is registered.
pub(super) const ENOUGH: &str = "there are enough";

pub(super) async fn call(operation: Operation, store: &dyn Storage, names: Names) -> Answer {
    Ok(match operation {
        Operation::CreateApplication { application } => creation(store.create_application(application_of(names, application)).await?),
        Operation::RegisterApplication { application, at_most } => {
            let owned = Application { owner: names.subject(1), ..application_of(names, application) };
            match store.register_application(owned, at_most).await? {
                Issuance::Issued => Outcome::Created,
                Issuance::OwnerHasEnough => Outcome::Refused(ENOUGH),
                Issuance::Taken => Outcome::Taken,
            }
        }
        Operation::Application { application } => {
            let found = store.application(names.application(application)).await?;
            Outcome::Belongs(found.map(|found| names.number(&found.name, |_, number| name(number))))
        }
        Operation::RenameApplication { application, name: new } => {
            changed(store.rename_application(names.application(application), name(new)).await?)
        }
        Operation::DeleteApplication { application } => changed(store.delete_application(names.application(application)).await?),
        Operation::CreateScope { id, scope } => scope_creation(store.create_scope(definition(names, id, scope)).await?),
        Operation::RegisterScope { id, scope, at_most } => {
            scope_creation(store.register_scope(definition(names, id, scope), at_most).await?)
        }
        Operation::Scope { scope } => {
            let found = store.scope_definitions(&[names.scope(scope)].into_iter().collect()).await?;
            Outcome::Belongs(found.first().map(|definition| names.number(&definition.id, Names::scope_id)))
        }
        Operation::Definition { id } => Outcome::Definition(store.scope(names.scope_id(id)).await?.map(|found| {
            let told = names.number(&found.description, |_, number| description(number));
            (told, found.approval_required, names.number(&found.application_name, |_, number| name(number)))
        })),
        Operation::DescribeScope { id, description: new } => {
            let change = ScopeChange { description: Some(description(new)), ..ScopeChange::default() };
            changed(store.update_scope(names.scope_id(id), change).await?)
        }
        Operation::GuardScope { id, guarded } => {
            let change = ScopeChange { approval_required: Some(guarded), ..ScopeChange::default() };
            changed(store.update_scope(names.scope_id(id), change).await?)
        }
        Operation::DeleteScope { id } => changed(store.delete_scope(names.scope_id(id)).await?),
        Operation::ApproveScope { id, client } => {
            match store.approve_scope(names.scope_id(id), names.client(client), names.moment(0)).await? {
                ScopeApproval::Approved => Outcome::Done,
                ScopeApproval::UnknownScope => Outcome::Unknown,
                ScopeApproval::UnknownClient => Outcome::Is(false),
            }
        }
        Operation::Approved { id } => approved(store, names, id).await?,
        Operation::WithdrawScope { id, client } => Outcome::Is(store.withdraw_scope(names.scope_id(id), names.client(client)).await?),
        Operation::CreateClient { client, scopes } => client_creation(names, store.create_client(client_of(names, client, scopes)).await?),
        Operation::RegisterClient { client, scopes, at_most } => {
            let owned = Client { owner: names.subject(1), ..client_of(names, client, scopes) };
            client_creation(names, store.register_client(owned, at_most).await?)
        }
        Operation::UpdateClient { client, seen, scopes } => {
            let (seen, new) = (client_of(names, client, seen).settings(), client_of(names, client, scopes).settings());
            match store.update_client(names.client(client), &seen, new).await? {
                ClientUpdate::Updated => Outcome::Done,
                ClientUpdate::Unknown => Outcome::Unknown,
                ClientUpdate::Changed => Outcome::Changed,
                ClientUpdate::Refused(_) => Outcome::Refused("breaks a rule"),
                ClientUpdate::NeedsApproval(scope) => Outcome::NeedsApproval(names.number(&scope, Names::scope)),
                ClientUpdate::UnknownScope(scope) => Outcome::Missing(names.number(&scope, Names::scope)),
            }
        }
        Operation::DeleteClient { client, at } => match store.delete_client(names.client(client), names.moment(at)).await? {
            ClientDeletion::Deleted => Outcome::Is(true),
            ClientDeletion::LastFirstParty => Outcome::Refused("the last of the service's own"),
            ClientDeletion::Unknown => Outcome::Is(false),
        },
        Operation::GiveClient { client, owner } => Outcome::Is(store.set_client_owner(names.client(client), names.subject(owner)).await?),
        Operation::RemoveOwner { owner, at } => {
            let removal = store.remove_owner(&names.subject(owner), names.moment(at)).await?;
            Outcome::Clients(removal.suspended_clients.iter().map(|client| names.number(client, Names::client)).collect())
        }
        Operation::AddSecret { client, secret } => match store.add_client_secret(names.client(client), secret_of(names, secret)).await? {
            SecretAddition::Added => Outcome::Done,
            SecretAddition::Public => Outcome::Refused("public"),
            SecretAddition::Unknown => Outcome::Unknown,
        },
        Operation::RemoveOlderSecret { client } => match store.remove_older_secret(names.client(client)).await? {
            SecretRemoval::Removed => Outcome::Done,
            SecretRemoval::NoOlder => Outcome::Is(false),
            SecretRemoval::Unknown => Outcome::Unknown,
        },
        Operation::Client { client } => Outcome::Client(store.client(names.client(client)).await?.map(|client| {
            let scopes = client.allowed_scopes.iter().map(|scope| names.number(scope, Names::scope)).collect();
            let secrets = client.secrets.iter().map(|secret| secret.digest.as_bytes()[0]).collect();
            let owner = names.number(&client.owner, Names::subject);
            model::Client { scopes, secrets, owner, suspended_at: client.suspended_at.map(|at| names.seconds(at)) }
        })),
        other => unreachable!("{other:?} is not of this kind"),
    })
}

fn scope_creation(creation: ScopeCreation) -> Outcome {
    match creation {
        ScopeCreation::Created => Outcome::Created,
        ScopeCreation::NameTaken => Outcome::Taken,
        ScopeCreation::UnknownApplication => Outcome::Unknown,
        ScopeCreation::ApplicationHasEnough => Outcome::Refused(ENOUGH),
    }
}

fn client_creation(names: Names, creation: ClientCreation) -> Outcome {
    match creation {
        ClientCreation::Created => Outcome::Created,
        ClientCreation::Refused(_) => Outcome::Refused("breaks a rule"),
        ClientCreation::NeedsApproval(scope) => Outcome::NeedsApproval(names.number(&scope, Names::scope)),
        ClientCreation::Taken => Outcome::Taken,
        ClientCreation::OwnerHasEnough => Outcome::Refused(ENOUGH),
        ClientCreation::UnknownScope(scope) => Outcome::Missing(names.number(&scope, Names::scope)),
    }
}

async fn approved(store: &dyn Storage, names: Names, id: u8) -> Answer {
    let found = store.clients_of_scope(names.scope_id(id), PageRequest::new(0, 9).expect("a page")).await?;
    if found.total != found.items.len() as u64 {
        return Ok(Outcome::Refused("the total is not that of the clients"));
    }
    let approved = found.items.iter().filter(|found| found.approved);
    Ok(Outcome::Clients(approved.map(|found| names.number(&found.client, Names::client)).collect()))
}

fn changed(change: RegistryChange) -> Outcome {
    match change {
        RegistryChange::Done => Outcome::Done,
        RegistryChange::OfTheService => Outcome::Refused("of the service"),
        RegistryChange::Unknown => Outcome::Unknown,
    }
}

fn application_of(names: Names, number: u8) -> Application {
    Application { id: names.application(number), name: name(1), owner: person("owner"), created_at: names.moment(0) }
}

fn name(number: u8) -> Line {
    format!("동아리 알리미 {number}").parse().expect("a line")
}

fn definition(names: Names, id: u8, scope: u8) -> ScopeDefinition {
    ScopeDefinition {
        id: names.scope_id(id),
        scope: names.scope(scope),
        description: description(1),
        application_name: name(1),
        approval_required: false,
    }
}

fn description(number: u8) -> ScopeDescription {
    format!("Lets something happen {number} times").parse().expect("a description")
}

fn client_of(names: Names, number: u8, scopes: [u8; 2]) -> Client {
    Client {
        id: names.client(number),
        name: Line::literal("밥묵자"),
        owner: names.subject(CLIENT_OWNER),
        policy: ClientPolicy::SecretOrPkce,
        secrets: vec![secret_of(names, number)],
        redirect_uris: vec!["https://app.example/callback".parse().expect("a redirect URI")],
        allowed_scopes: scopes.into_iter().map(|scope| names.scope(scope)).collect(),
        plain_pkce_allowed: false,
        pkce_required: false,
        first_party: false,
        client_credentials_allowed: false,
        iss_omitted: false,
        verification: Verification::Assumed,
        created_at: names.moment(0),
        suspended_at: None,
    }
}

fn secret_of(names: Names, number: u8) -> RegisteredSecret {
    RegisteredSecret { digest: ClientSecretDigest::from_bytes([number; 32]), created_at: names.moment(0) }
}

fn person(id: &str) -> SubjectId {
    id.parse().expect("an id")
}
