//! Scopes of all applications, as options of the client form.

use std::collections::BTreeSet;

use crate::domain::{ApplicationId, Client, PageRequest, Scope, ScopeDefinition, SubjectId};
use crate::http::console::error::Error;
use crate::http::console::server::Server;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{ScopeGroup, ScopeOption};

/// All scopes, grouped by application, for `client` or for a new client of the user.
pub(super) async fn scope_groups(
    request: &UserRequest<'_>,
    client: Option<&Client>,
    chosen: &[String],
) -> Result<Vec<ScopeGroup>, Error> {
    let server = request.server;
    let text = request.texts();
    let own = applications_of(
        server,
        client.map_or(&request.user.subject.id, |client| &client.owner),
    )
    .await?;
    let mut groups: Vec<(ApplicationId, ScopeGroup)> = Vec::new();
    for definition in all_scopes(server).await? {
        let scope = definition.scope.to_string();
        let is_on = chosen.contains(&scope);
        let is_kept =
            client.is_some_and(|client| client.allowed_scopes.contains(&definition.scope));
        let is_for_first_parties = definition.scope == Scope::manage();
        let needs_approval = definition.approval_required
            && !own.contains(&definition.scope.application)
            && !is_kept;
        let note = if is_for_first_parties {
            Some(text.scope_first_party_only)
        } else {
            None
        };
        let option = ScopeOption {
            scope,
            description: text.scope_description(&definition).to_owned(),
            is_on,
            // A new client cannot have been approved yet. A selected scope can always be
            // deselected.
            is_enabled: is_on
                || !(needs_approval && client.is_none()
                    || is_for_first_parties && !request.is_administrator()),
            note: note.or(needs_approval.then_some(text.scope_needs_approval)),
        };
        match groups.last_mut() {
            Some((application, group)) if *application == definition.scope.application => {
                group.scopes.push(option)
            }
            _ => {
                let application = text.scope_application(&definition).to_owned();
                groups.push((
                    definition.scope.application,
                    ScopeGroup {
                        application,
                        scopes: vec![option],
                    },
                ));
            }
        }
    }
    Ok(groups.into_iter().map(|(_, group)| group).collect())
}

/// All scopes, ordered by application.
pub(in crate::http::console) async fn all_scopes(
    server: &Server,
) -> Result<Vec<ScopeDefinition>, Error> {
    let mut scopes = Vec::new();
    for number in 0.. {
        let page = PageRequest::new(number, PageRequest::MAX_SIZE).map_err(Error::internal)?;
        let found = server.registry().scopes(None, page).await?;
        let is_last = found.items.len() < PageRequest::MAX_SIZE as usize;
        scopes.extend(found.items);
        if is_last {
            break;
        }
    }
    Ok(scopes)
}

pub(super) async fn applications_of(
    server: &Server,
    owner: &SubjectId,
) -> Result<BTreeSet<ApplicationId>, Error> {
    let mut applications = BTreeSet::new();
    for number in 0.. {
        let page = PageRequest::new(number, PageRequest::MAX_SIZE).map_err(Error::internal)?;
        let found = server.registry().applications(Some(owner), page).await?;
        applications.extend(found.items.iter().map(|application| application.id));
        if found.items.len() < PageRequest::MAX_SIZE as usize {
            break;
        }
    }
    Ok(applications)
}
