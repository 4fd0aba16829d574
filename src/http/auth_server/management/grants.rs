use http::Response;

use super::envelope;
use super::wire::{GrantBody, Grants};
use crate::http::Body;
use crate::http::auth_server::error::Error;
use crate::http::management::ManagementSession;

/// `GET /v1/grants`: the clients that have access on behalf of the user.
pub(super) async fn list(management: &ManagementSession<'_>) -> Result<Response<Body>, Error> {
    let grants = management.grants().await?;
    Ok(envelope::ok(Grants {
        grants: grants
            .iter()
            .map(|(grant, client)| GrantBody::new(grant, &client.name))
            .collect(),
    }))
}

/// `DELETE /v1/grants/{id}`.
pub(super) async fn withdraw(
    management: &ManagementSession<'_>,
    id: &str,
) -> Result<Response<Body>, Error> {
    management.withdraw_grant(id).await?;
    Ok(envelope::empty())
}
