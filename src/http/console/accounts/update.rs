use http::StatusCode;

use super::show;
use crate::domain::{Account, Role};
use crate::http::audit::RefusalRule;
use crate::http::console::form::flash::Flash;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::revoke_keys;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{FormErrors, ShownOncePage};
use crate::http::console::wire::ShownSecret;
use crate::http::management::ManagementError;

pub(crate) const ROLE_FIELDS: FormFields = FormFields::new(&["role"]);
pub(crate) const PASSWORD_FIELDS: FormFields = FormFields::new(&[revoke_keys::FIELD]);

/// `POST /admin/people/{id}/role`.
pub(crate) async fn submit_role(request: &UserRequest<'_>, form: Form<'_>) -> HandlerResult {
    let [id] = request.params();
    let management = request.management();
    let account = management.account(id).await?;
    let Some(role) = form
        .field("role")
        .and_then(|role| role.parse::<Role>().ok())
    else {
        return show_errors(
            request,
            &account,
            problem("role", request.texts().errors.choose_one),
        )
        .await;
    };
    let change = management.set_role(&account, role).await;
    finish(request, &account, change, Flash::RoleChanged).await
}

/// `POST /admin/people/{id}/password`: sets a generated password, and redirects to the page that shows it
/// once.
pub(crate) async fn submit_password(request: &UserRequest<'_>, form: Form<'_>) -> HandlerResult {
    let [id] = request.params();
    let management = request.management();
    let account = management.account(id).await?;
    let keys = revoke_keys::from_form(request.server, &form);
    let password = match management.set_generated_password(&account, keys).await {
        Ok(password) => password,
        Err(error) => return finish(request, &account, Err(error), Flash::PasswordSet).await,
    };
    request.redirect_to_secret(&ShownSecret::GeneratedPassword {
        account: account.id.to_string(),
        password: password.expose().to_owned(),
    })
}

/// The page that shows the generated password once.
pub(crate) async fn shown(request: &UserRequest<'_>, id: &str, password: String) -> HandlerResult {
    let text = request.texts();
    let account = request.management().account(id).await?;
    let page = ShownOncePage {
        text,
        layout: request.layout("people").without_language_switch(),
        title: text.password_made,
        label: text.password,
        client_id: None,
        secret: password,
        advice: vec![text.password_made_advice.to_owned()],
        samples: Vec::new(),
        continue_href: format!("/admin/people/{}", account.id),
    };
    request.render(StatusCode::OK, &page)
}

fn problem(field: &str, message: &'static str) -> FormErrors {
    let mut errors = FormErrors::default();
    errors.add(field, message);
    errors
}

/// Renders the account page again with `errors`.
async fn show_errors(
    request: &UserRequest<'_>,
    account: &Account,
    errors: FormErrors,
) -> HandlerResult {
    let page = show::page(request, account, errors).await?;
    request.render_refused(StatusCode::BAD_REQUEST, RefusalRule::FieldInvalid, &page)
}

async fn finish(
    request: &UserRequest<'_>,
    account: &Account,
    change: Result<(), ManagementError>,
    flash: Flash,
) -> HandlerResult {
    match change {
        Ok(()) => request.redirect_with_flash(&format!("/admin/people/{}", account.id), flash),
        Err(ManagementError::Rejected(rejection)) if rejection.status != StatusCode::NOT_FOUND => {
            let errors = FormErrors::from_rejection(&rejection, &["role"], request.texts());
            let page = show::page(request, account, errors).await?;
            request.render_refused(rejection.status, rejection.rule, &page)
        }
        Err(error) => Err(error.into()),
    }
}
