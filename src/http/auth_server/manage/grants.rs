use http::Response;

use super::reply;
use super::wire::{GrantBody, Grants};
use crate::http::Body;
use crate::http::auth_server::error::Refusal;
use crate::http::manage::Desk;

/// `GET /v1/grants`: which clients have access in the caller's name.
pub(super) async fn list(desk: &Desk<'_>) -> Result<Response<Body>, Refusal> {
    let grants = desk.grants().await?;
    Ok(reply::with(Grants { grants: grants.iter().map(|(grant, client)| GrantBody::of(grant, &client.name)).collect() }))
}

/// `DELETE /v1/grants/{id}`.
pub(super) async fn withdraw(desk: &Desk<'_>, id: &str) -> Result<Response<Body>, Refusal> {
    desk.withdraw_grant(id).await?;
    Ok(reply::done())
}
