use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::{Ids, address};
use crate::domain::ScopeDefinition;
use crate::http::Body;
use crate::http::audit::RefusalRule;
use crate::http::console::applications::removal_preview::RemovalPreview;
use crate::http::console::error::{Error, with_rule};
use crate::http::console::flash::Flash;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::form_version::VERSION_FIELD;
use crate::http::console::server::Server;
use crate::http::console::session::SignedInUser;
use crate::http::console::views::{ConfirmPage, FormErrors};

const FIELDS: FormFields = FormFields {
    single: &[VERSION_FIELD],
    repeated: &[],
};

/// `GET /applications/{id}/scopes/{scopeId}/delete`: shows the affected clients and grants.
pub(super) async fn show(
    server: &Server,
    user: &SignedInUser,
    (application, id): Ids<'_>,
) -> Result<Response<Body>, Error> {
    let management = user.management(server);
    let definition = management.changeable_scope(application, id).await?;
    let preview = RemovalPreview::load(server, &management.scope_usage(&definition).await?).await?;
    server.render(StatusCode::OK, &page(server, user, &definition, preview))
}

/// `POST /applications/{id}/scopes/{scopeId}/delete`.
pub(super) async fn submit(
    server: &Server,
    user: &SignedInUser,
    (application, id): Ids<'_>,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let form = Form::parse(server, &user.token, request, FIELDS)?;
    let management = user.management(server);
    let definition = management.changeable_scope(application, id).await?;
    let preview = RemovalPreview::load(server, &management.scope_usage(&definition).await?).await?;
    if !preview.form_version.matches(&form) {
        let errors = FormErrors::for_form(server.texts().touched_meanwhile);
        let page = ConfirmPage {
            errors,
            ..page(server, user, &definition, preview)
        };
        return Ok(with_rule(
            server.render(StatusCode::CONFLICT, &page)?,
            RefusalRule::ChangedMeanwhile,
        ));
    }
    management.delete_scope(&definition).await?;
    server.redirect_with_flash(
        &super::super::address(definition.scope.application),
        Flash::Deleted,
    )
}

fn page(
    server: &Server,
    user: &SignedInUser,
    definition: &ScopeDefinition,
    preview: RemovalPreview,
) -> ConfirmPage {
    let (text, back) = (server.texts(), address(definition));
    ConfirmPage {
        text,
        layout: server.layout(user, "applications"),
        errors: FormErrors::default(),
        affected: Some(preview.summary),
        affected_kind: preview.kind,
        clients: preview.clients,
        fields: vec![preview.form_version.hidden_input()],
        switch: None,
        title: text.delete_scope_title(&definition.scope.name),
        effects: vec![text.delete_scope_effect.to_owned()],
        action: format!("{back}/delete"),
        back,
        back_label: definition.scope.name.to_string(),
        button: text.delete,
    }
}
