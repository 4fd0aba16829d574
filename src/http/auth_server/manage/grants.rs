use std::collections::HashMap;
use std::collections::hash_map::Entry;

use http::Response;

use super::permission::{id_of, unknown};
use super::reply;
use super::wire::{GrantBody, Grants};
use crate::http::Body;
use crate::http::audit::EventKind;
use crate::http::auth_server::bearer::Caller;
use crate::http::auth_server::error::Refusal;
use crate::http::auth_server::server::Server;
use crate::store::Withdrawal;

/// `GET /v1/grants`: which clients have access in the caller's name.
pub(super) async fn list(server: &Server, caller: &Caller) -> Result<Response<Body>, Refusal> {
    let found = server.storage.grants_of(&caller.subject.id, server.clock.now()).await?;
    let mut clients = HashMap::new();
    let mut grants = Vec::new();
    for grant in &found {
        let client = match clients.entry(grant.client) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(server.storage.client(grant.client).await?),
        };
        // A client that has just been deleted took its grants along.
        if let Some(client) = client {
            grants.push(GrantBody::of(grant, &client.name));
        }
    }
    Ok(reply::with(Grants { grants }))
}

/// `DELETE /v1/grants/{id}`: this one ends, and its client has to ask the next time.
pub(super) async fn withdraw(server: &Server, caller: &Caller, id: &str) -> Result<Response<Body>, Refusal> {
    let (subject, grant) = (caller.subject.id.clone(), id_of(id)?);
    match server.storage.withdraw_grant(&subject, &grant, server.clock.now()).await? {
        Withdrawal::Withdrawn => {
            server.record(EventKind::GrantWithdrawn { grant, subject });
            Ok(reply::done())
        }
        Withdrawal::Unknown => Err(unknown()),
    }
}
