use bytes::Bytes;
use http::{Request, Response};

use super::wire::ClientBody;
use super::{envelope, fields};
use crate::http::Body;
use crate::http::auth_server::error::Error;
use crate::http::management::ManagementSession;

/// `POST /v1/clients/{id}/secrets`. Only this response contains the secret.
pub(super) async fn add(
    management: &ManagementSession<'_>,
    id: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let client = management.changeable_client(id).await?;
    fields::require_none(request)?;
    let (client, secret) = management.add_secret(&client).await?;
    Ok(envelope::ok(
        ClientBody::new(&client, management.now()).with_secret(Some(&secret)),
    ))
}

/// `DELETE /v1/clients/{id}/secrets/older`: removes all secrets except the newest.
pub(super) async fn remove_older(
    management: &ManagementSession<'_>,
    id: &str,
) -> Result<Response<Body>, Error> {
    management
        .remove_older_secret(&management.changeable_client(id).await?)
        .await?;
    Ok(envelope::empty())
}
