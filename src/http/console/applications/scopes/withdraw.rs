use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::{Ids, address};
use crate::http::Body;
use crate::http::audit::RefusalRule;
use crate::http::console::error::{Error, with_rule};
use crate::http::console::flash::Flash;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::form_version::{FormVersion, VERSION_FIELD};
use crate::http::console::server::Server;
use crate::http::console::session::SignedInUser;
use crate::http::console::views::{ConfirmPage, FormErrors};

const FIELDS: FormFields = FormFields {
    single: &[VERSION_FIELD],
    repeated: &[],
};

/// `GET /applications/{id}/scopes/{scopeId}/clients/{clientId}/withdraw`: shows what the client
/// loses.
pub(super) async fn show(
    server: &Server,
    user: &SignedInUser,
    scope: Ids<'_>,
    client: &str,
) -> Result<Response<Body>, Error> {
    let (page, _) = page(server, user, scope, client).await?;
    server.render(StatusCode::OK, &page)
}

/// `POST /applications/{id}/scopes/{scopeId}/clients/{clientId}/withdraw`.
pub(super) async fn submit(
    server: &Server,
    user: &SignedInUser,
    scope: Ids<'_>,
    client: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let form = Form::parse(server, &user.token, request, FIELDS)?;
    let (page, form_version) = page(server, user, scope, client).await?;
    if !form_version.matches(&form) {
        let page = ConfirmPage {
            errors: FormErrors::for_form(server.texts().touched_meanwhile),
            ..page
        };
        return Ok(with_rule(
            server.render(StatusCode::CONFLICT, &page)?,
            RefusalRule::ChangedMeanwhile,
        ));
    }
    let (application, id) = scope;
    let management = user.management(server);
    let definition = management.changeable_scope(application, id).await?;
    management.withdraw_scope(&definition, client).await?;
    server.redirect_with_flash(&address(&definition), Flash::ScopeWithdrawn)
}

async fn page(
    server: &Server,
    user: &SignedInUser,
    (application, id): Ids<'_>,
    client: &str,
) -> Result<(ConfirmPage, FormVersion), Error> {
    let (management, text) = (user.management(server), server.texts());
    let definition = management.changeable_scope(application, id).await?;
    let client = management.client_of_scope(&definition, client).await?;
    let live = management
        .scope_usage(&definition)
        .await?
        .for_client(&client.id)
        .live;
    let effect = if definition.approval_required {
        text.withdraw_scope_effect
    } else {
        text.withdraw_open_scope_effect
    };
    let form_version =
        FormVersion::from_parts([definition.approval_required.to_string(), live.to_string()]);
    let back = address(&definition);
    let page = ConfirmPage {
        text,
        layout: server.layout(user, "applications"),
        errors: FormErrors::default(),
        affected: (live > 0).then(|| text.touches(text.count_connections(live))),
        affected_kind: "warning",
        clients: Vec::new(),
        fields: vec![form_version.hidden_input()],
        switch: None,
        title: text.withdraw_scope_title(&client.name),
        effects: vec![effect.to_owned()],
        action: format!("{back}/clients/{}/withdraw", client.id),
        back,
        back_label: definition.scope.name.to_string(),
        button: text.withdraw,
    };
    Ok((page, form_version))
}
