use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::address;
use super::removal_preview::RemovalPreview;
use crate::domain::Application;
use crate::http::Body;
use crate::http::audit::RefusalRule;
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

/// `GET /applications/{id}/delete`: shows the affected clients and grants.
pub(super) async fn show(
    server: &Server,
    user: &SignedInUser,
    id: &str,
) -> Result<Response<Body>, Error> {
    let management = user.management(server);
    let application = management.changeable_application(id).await?;
    let preview =
        RemovalPreview::load(server, &management.application_usage(&application).await?).await?;
    server.render(StatusCode::OK, &page(server, user, &application, preview))
}

/// `POST /applications/{id}/delete`.
pub(super) async fn submit(
    server: &Server,
    user: &SignedInUser,
    id: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let form = Form::parse(server, &user.token, request, FIELDS)?;
    let management = user.management(server);
    let application = management.changeable_application(id).await?;
    let preview =
        RemovalPreview::load(server, &management.application_usage(&application).await?).await?;
    if !preview.form_version.matches(&form) {
        let errors = FormErrors::for_form(server.texts().touched_meanwhile);
        let page = ConfirmPage {
            errors,
            ..page(server, user, &application, preview)
        };
        return Ok(with_rule(
            server.render(StatusCode::CONFLICT, &page)?,
            RefusalRule::ChangedMeanwhile,
        ));
    }
    management.delete_application(&application).await?;
    server.redirect_with_flash("/applications", Flash::Deleted)
}

fn page(
    server: &Server,
    user: &SignedInUser,
    application: &Application,
    preview: RemovalPreview,
) -> ConfirmPage {
    let text = server.texts();
    ConfirmPage {
        text,
        layout: server.layout(user, "applications"),
        errors: FormErrors::default(),
        affected: Some(preview.summary),
        affected_kind: preview.kind,
        clients: preview.clients,
        fields: vec![preview.form_version.hidden_input()],
        switch: None,
        title: text.delete_application_title(&application.name),
        effects: vec![text.delete_application_effect.to_owned()],
        back: address(application.id),
        back_label: application.name.to_string(),
        action: format!("{}/delete", address(application.id)),
        button: text.delete,
    }
}
