use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::show;
use crate::http::Body;
use crate::http::audit::RefusalRule;
use crate::http::console::error::{Error, with_rule};
use crate::http::console::flash::Flash;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::server::Server;
use crate::http::console::session::SignedInUser;
use crate::http::console::views::FormErrors;
use crate::http::management::ManagementError;

/// `POST /clients/{id}/owner`: transfers a client to another user, for administrators.
pub(super) async fn submit(
    server: &Server,
    user: &SignedInUser,
    id: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let form = Form::parse(
        server,
        &user.token,
        request,
        FormFields {
            single: &["owner"],
            repeated: &[],
        },
    )?;
    user.check_administrator()?;
    let management = user.management(server);
    let client = management.changeable_client(id).await?;
    let given = match management
        .find_user(form.field("owner").unwrap_or_default())
        .await?
    {
        Some(owner) => management.transfer_client(&client, owner).await,
        None => Err(ManagementError::no_such_owner()),
    };
    match given {
        Ok(()) => {
            server.redirect_with_flash(&format!("/clients/{}", client.id), Flash::ClientTransferred)
        }
        Err(ManagementError::Rejected(rejection))
            if rejection.rule == RefusalRule::OwnerUnknown =>
        {
            let page = show::page(
                server,
                user,
                &client,
                FormErrors::from_rejection(&rejection, &["owner"], server.texts()),
            )
            .await?;
            Ok(with_rule(
                server.render(StatusCode::BAD_REQUEST, &page)?,
                rejection.rule,
            ))
        }
        Err(error) => Err(error.into()),
    }
}
