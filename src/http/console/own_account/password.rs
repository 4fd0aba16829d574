use std::time::Duration;

use http::StatusCode;
use http::header::SET_COOKIE;

use crate::domain::Password;
use crate::http::audit::RefusalRule;
use crate::http::console::error::{Error, with_rule};
use crate::http::console::form::flash::Flash;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::revoke_keys;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::server::Server;
use crate::http::console::sign_in;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{ChangePasswordPage, FormErrors};
use crate::http::login::PasswordChangeOutcome;
use crate::http::response;
use crate::store::ApiKeyAction;

/// Fields of the form. `email` is only for the browser's password manager; the session identifies
/// the user.
pub(crate) const FIELDS: FormFields = FormFields::new(&[
    "email",
    "old_password",
    "new_password",
    "repeated",
    revoke_keys::FIELD,
]);

/// `GET /account/password`, if accounts are stored locally.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    if request.server.accounts().is_none() {
        return Err(Error::not_found());
    }
    form(
        request,
        StatusCode::OK,
        (FormErrors::default(), ApiKeyAction::Revoke),
    )
}

/// `POST /account/password`.
pub(crate) async fn submit(request: &UserRequest<'_>, fields: Form<'_>) -> HandlerResult {
    let server = request.server;
    let keys = revoke_keys::from_form(server, &fields);
    let (old, new) = match passwords(server, &fields) {
        Ok(passwords) => passwords,
        Err(errors) => return show_errors(request, (errors, keys), RefusalRule::FieldInvalid),
    };
    match server
        .shared
        .management
        .change_password_of(
            &request.user.subject,
            (&old, &new),
            keys,
            server.context.origin(),
        )
        .await?
    {
        Some(PasswordChangeOutcome::Changed) => changed(request).await,
        Some(PasswordChangeOutcome::WrongPassword) => {
            let mut errors = FormErrors::default();
            errors.add("old_password", request.texts().errors.password_wrong);
            show_errors(request, (errors, keys), RefusalRule::Credentials)
        }
        Some(PasswordChangeOutcome::NewPasswordRejected(fault)) => {
            let mut errors = FormErrors::default();
            errors.add_password("new_password", fault, request.texts());
            show_errors(request, (errors, keys), RefusalRule::FieldInvalid)
        }
        Some(PasswordChangeOutcome::TooManyAttempts { retry_after }) => Err(Error::new(
            RefusalRule::SignInLimited,
            StatusCode::TOO_MANY_REQUESTS,
        )
        .with_retry_after(retry_after)),
        Some(PasswordChangeOutcome::Busy) => Err(Error::new(
            RefusalRule::SignInBusy,
            StatusCode::SERVICE_UNAVAILABLE,
        )
        .with_retry_after(Duration::from_secs(2))),
        None => Err(Error::not_found()),
    }
}

/// Opens a new session for the user. The password change ended all sessions, including this one, so
/// an old password or token gives no access. The user stays signed in as before.
async fn changed(request: &UserRequest<'_>) -> HandlerResult {
    let (user, headers) = (&request.user.subject.id, request.request.headers());
    let sessions = &request.server.shared.user_sessions;
    let keep = sessions.choice_of(&request.user.session);
    let opened = sign_in::open_session(request.server, headers, user, keep).await?;
    Ok(response::with_header(
        request.redirect_with_flash("/account", Flash::PasswordChanged)?,
        SET_COOKIE,
        &opened.cookie,
    )?)
}

/// Parses the old and the new password.
fn passwords(server: &Server, fields: &Form<'_>) -> Result<(Password, Password), FormErrors> {
    let mut errors = FormErrors::default();
    let old = password(server, fields, "old_password", &mut errors);
    let new = new_password(server, fields, &mut errors);
    old.zip(new).ok_or(errors)
}

/// Parses a new password, which is typed twice. `None` if a message was added to `errors`.
pub(crate) fn new_password(
    server: &Server,
    fields: &Form<'_>,
    errors: &mut FormErrors,
) -> Option<Password> {
    let new = password(server, fields, "new_password", errors);
    if fields.field("new_password").unwrap_or_default()
        != fields.field("repeated").unwrap_or_default()
    {
        errors.add("repeated", server.texts().errors.password_differs);
        return None;
    }
    new
}

fn password(
    server: &Server,
    fields: &Form<'_>,
    name: &str,
    errors: &mut FormErrors,
) -> Option<Password> {
    let messages = &server.texts().errors;
    let typed = fields.field(name).unwrap_or_default();
    let message = if typed.is_empty() {
        messages.missing
    } else {
        messages.password_length
    };
    Password::new(typed)
        .inspect_err(|_| errors.add(name, message))
        .ok()
}

fn show_errors(
    request: &UserRequest<'_>,
    values: (FormErrors, ApiKeyAction),
    rule: RefusalRule,
) -> HandlerResult {
    Ok(with_rule(
        form(request, StatusCode::BAD_REQUEST, values)?,
        rule,
    ))
}

/// Renders the form with errors and the submitted choice.
fn form(
    request: &UserRequest<'_>,
    status: StatusCode,
    (errors, keys): (FormErrors, ApiKeyAction),
) -> HandlerResult {
    let switch = revoke_keys::switch_with(request.server, keys);
    request.render(
        status,
        &ChangePasswordPage {
            text: request.texts(),
            layout: request.layout("account"),
            errors,
            switch,
        },
    )
}
