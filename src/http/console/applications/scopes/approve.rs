use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::{Ids, address, show};
use crate::http::Body;
use crate::http::audit::RefusalRule;
use crate::http::console::error::{Error, with_rule};
use crate::http::console::flash::Flash;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::server::Server;
use crate::http::console::session::SignedInUser;
use crate::http::console::views::{FormErrors, ScopePage};
use crate::http::management::ManagementError;

const FIELDS: FormFields = FormFields {
    single: &["client_id"],
    repeated: &[],
};

/// `POST /applications/{id}/scopes/{scopeId}/approve`: approves the scope for a client.
pub(super) async fn submit(
    server: &Server,
    user: &SignedInUser,
    (application, id): Ids<'_>,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let form = Form::parse(server, &user.token, request, FIELDS)?;
    let typed = form.field("client_id").unwrap_or_default();
    let management = user.management(server);
    let definition = management.changeable_scope(application, id).await?;
    match management.approve_scope(&definition, typed.trim()).await {
        Ok(()) => server.redirect_with_flash(&address(&definition), Flash::Approved),
        // The client is unknown. If the scope itself was removed, building the page returns an
        // error too.
        Err(ManagementError::Rejected(rejection)) if rejection.rule == RefusalRule::NotFound => {
            let mut errors = FormErrors::default();
            errors.add("client_id", server.texts().errors.client_unknown);
            let page = show::page(server, user, &definition, request).await?;
            let page = ScopePage {
                errors,
                client_id: typed.to_owned(),
                ..page
            };
            Ok(with_rule(
                server.render(StatusCode::BAD_REQUEST, &page)?,
                rejection.rule,
            ))
        }
        Err(error) => Err(error.into()),
    }
}
