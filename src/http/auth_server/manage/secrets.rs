//! A client's secrets: two at most, so that the newer one can be brought out while the older one still works.

use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::audit::managed;
use super::permission::{self, unknown};
use super::wire::ClientBody;
use super::{fields, reply};
use crate::domain::{ClientSecret, RegisteredSecret};
use crate::http::Body;
use crate::http::audit::{Change, Object, Rule};
use crate::http::auth_server::bearer::Caller;
use crate::http::auth_server::error::Refusal;
use crate::http::auth_server::server::Server;
use crate::store::{SecretAddition, SecretRemoval};

/// `POST /v1/clients/{id}/secrets`: a new secret, which nobody is shown again. A third one pushes out the oldest.
pub(super) async fn add(server: &Server, caller: &Caller, id: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let client = permission::changeable_client(server, caller, id).await?;
    fields::none(request)?;
    let (now, secret) = (server.clock.now(), ClientSecret::from_random(server.entropy.bytes()));
    let registered = RegisteredSecret { digest: secret.digest(), created_at: now };
    match server.storage.add_client_secret(client.id, registered).await? {
        SecretAddition::Added => {}
        SecretAddition::Public => {
            return Err(Refusal::told(Rule::PublicClient, StatusCode::CONFLICT, "A client whose policy is none has no secrets."));
        }
        SecretAddition::Unknown => return Err(unknown()),
    }
    managed(server, caller, Object::ClientSecret(client.id), Change::Created);
    let client = server.storage.client(client.id).await?.ok_or_else(unknown)?;
    Ok(reply::with(ClientBody::of(&client, now).with_secret(Some(&secret))))
}

/// `DELETE /v1/clients/{id}/secrets/older`: only the newest one is left.
pub(super) async fn remove_older(server: &Server, caller: &Caller, id: &str) -> Result<Response<Body>, Refusal> {
    let client = permission::changeable_client(server, caller, id).await?;
    match server.storage.remove_older_secret(client.id).await? {
        SecretRemoval::Removed => {
            managed(server, caller, Object::ClientSecret(client.id), Change::Deleted);
            Ok(reply::done())
        }
        SecretRemoval::NoOlder => Err(Refusal::told(Rule::NotFound, StatusCode::NOT_FOUND, "The client has no older secret.")),
        SecretRemoval::Unknown => Err(unknown()),
    }
}
