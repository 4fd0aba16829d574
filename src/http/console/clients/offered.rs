//! The scopes of all applications, to pick from.

use std::collections::BTreeSet;

use crate::domain::{ApplicationId, Client, PageRequest, Role, Scope, ScopeDefinition, SubjectId};
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::Refusal;
use crate::http::console::server::Server;
use crate::http::console::views::{OfferedScope, OfferedScopes};

/// All scopes by their applications, for a client or a new one of whoever asks.
pub(super) async fn groups(
    server: &Server,
    who: &SignedIn,
    client: Option<&Client>,
    chosen: &[String],
) -> Result<Vec<OfferedScopes>, Refusal> {
    let text = server.texts();
    let own = applications_of(server, client.map_or(&who.person.id, |client| &client.owner)).await?;
    let mut groups: Vec<(ApplicationId, OfferedScopes)> = Vec::new();
    for definition in all_scopes(server).await? {
        let scope = definition.scope.to_string();
        let is_on = chosen.contains(&scope);
        let is_kept = client.is_some_and(|client| client.allowed_scopes.contains(&definition.scope));
        let is_for_first_parties = definition.scope == Scope::manage();
        let needs_approval = definition.approval_required && !own.contains(&definition.scope.application) && !is_kept;
        let note = if is_for_first_parties { Some(text.scope_first_party_only) } else { None };
        let offered = OfferedScope {
            scope,
            description: definition.description.to_string(),
            is_on,
            // A new client cannot have been approved yet. What was chosen can always be taken back.
            can_be_chosen: is_on || !(needs_approval && client.is_none() || is_for_first_parties && who.person.role != Role::Admin),
            note: note.or(needs_approval.then_some(text.scope_needs_approval)),
        };
        match groups.last_mut() {
            Some((application, group)) if *application == definition.scope.application => group.scopes.push(offered),
            _ => {
                let application = definition.application_name.to_string();
                groups.push((definition.scope.application, OfferedScopes { application, scopes: vec![offered] }));
            }
        }
    }
    Ok(groups.into_iter().map(|(_, group)| group).collect())
}

/// Every scope there is, those of an application together.
async fn all_scopes(server: &Server) -> Result<Vec<ScopeDefinition>, Refusal> {
    let mut scopes = Vec::new();
    for number in 0.. {
        let page = PageRequest::new(number, PageRequest::MAX_SIZE).map_err(Refusal::failure)?;
        let found = server.storage.scopes(None, page).await?;
        let is_last = found.items.len() < PageRequest::MAX_SIZE as usize;
        scopes.extend(found.items);
        if is_last {
            break;
        }
    }
    Ok(scopes)
}

async fn applications_of(server: &Server, owner: &SubjectId) -> Result<BTreeSet<ApplicationId>, Refusal> {
    let mut applications = BTreeSet::new();
    for number in 0.. {
        let page = PageRequest::new(number, PageRequest::MAX_SIZE).map_err(Refusal::failure)?;
        let found = server.storage.applications(Some(owner), page).await?;
        applications.extend(found.items.iter().map(|application| application.id));
        if found.items.len() < PageRequest::MAX_SIZE as usize {
            break;
        }
    }
    Ok(applications)
}
