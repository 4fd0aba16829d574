use bytes::Bytes;
use http::{Request, Response};

use super::wire::ClientBody;
use super::{fields, reply};
use crate::http::Body;
use crate::http::auth_server::error::Refusal;
use crate::http::manage::Desk;

/// `POST /v1/clients/{id}/secrets`: the secret is in this answer alone.
pub(super) async fn add(desk: &Desk<'_>, id: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let client = desk.changeable_client(id).await?;
    fields::none(request)?;
    let (client, secret) = desk.add_secret(&client).await?;
    Ok(reply::with(ClientBody::of(&client, desk.now()).with_secret(Some(&secret))))
}

/// `DELETE /v1/clients/{id}/secrets/older`: only the newest one is left.
pub(super) async fn remove_older(desk: &Desk<'_>, id: &str) -> Result<Response<Body>, Refusal> {
    desk.remove_older_secret(&desk.changeable_client(id).await?).await?;
    Ok(reply::done())
}
