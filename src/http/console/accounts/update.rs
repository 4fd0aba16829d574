use http::StatusCode;

use super::show;
use crate::domain::{Account, Password, Role};
use crate::http::audit::RefusalRule;
use crate::http::console::flash::Flash;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::revoke_keys;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::FormErrors;
use crate::http::management::ManagementError;

pub(crate) const PASSWORD_FIELDS: FormFields = FormFields::new(&["password", revoke_keys::FIELD]);

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

/// `POST /admin/people/{id}/password`.
pub(crate) async fn submit_password(request: &UserRequest<'_>, form: Form<'_>) -> HandlerResult {
    let [id] = request.params();
    let management = request.management();
    let account = management.account(id).await?;
    let Ok(password) = Password::new(form.field("password").unwrap_or_default()) else {
        return show_errors(
            request,
            &account,
            problem("password", request.texts().errors.password_length),
        )
        .await;
    };
    let change = management
        .set_password(
            &account,
            &password,
            revoke_keys::from_form(request.server, &form),
        )
        .await;
    if let Err(ManagementError::Password(fault)) = change {
        let mut errors = FormErrors::default();
        errors.add_password("password", fault, request.texts());
        return show_errors(request, &account, errors).await;
    }
    finish(request, &account, change, Flash::PasswordSet).await
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
            let errors =
                FormErrors::from_rejection(&rejection, &["role", "password"], request.texts());
            let page = show::page(request, account, errors).await?;
            request.render_refused(rejection.status, rejection.rule, &page)
        }
        Err(error) => Err(error.into()),
    }
}
