use std::time::Duration;

use bytes::Bytes;
use http::header::SET_COOKIE;
use http::{Request, Response, StatusCode};

use crate::domain::Password;
use crate::http::audit::RefusalRule;
use crate::http::console::error::{Error, with_rule};
use crate::http::console::flash::Flash;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::revoke_keys;
use crate::http::console::server::Server;
use crate::http::console::session::SignedInUser;
use crate::http::console::sign_in;
use crate::http::console::views::{ChangePasswordPage, FormErrors};
use crate::http::login::PasswordChangeOutcome;
use crate::http::{Body, response};
use crate::store::ApiKeyAction;

/// Fields of the form. `email` is only for the browser's password manager; the session identifies
/// the user.
const FIELDS: FormFields = FormFields {
    single: &[
        "email",
        "old_password",
        "new_password",
        "repeated",
        revoke_keys::FIELD,
    ],
    repeated: &[],
};

/// `GET /account/password`, if accounts are stored locally.
pub(super) fn show(server: &Server, user: &SignedInUser) -> Result<Response<Body>, Error> {
    if server.login_service.authenticator.accounts().is_none() {
        return Err(Error::not_found());
    }
    form(
        server,
        user,
        StatusCode::OK,
        (FormErrors::default(), ApiKeyAction::Revoke),
    )
}

/// `POST /account/password`.
pub(super) async fn submit(
    server: &Server,
    user: &SignedInUser,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let fields = Form::parse(server, &user.token, request, FIELDS)?;
    let keys = revoke_keys::from_form(server, &fields);
    let (old, new) = match passwords(server, &fields) {
        Ok(passwords) => passwords,
        Err(errors) => return show_errors(server, user, (errors, keys), RefusalRule::FieldInvalid),
    };
    match server
        .management
        .change_password_of(&user.subject, (&old, &new), keys, server.context.origin)
        .await?
    {
        Some(PasswordChangeOutcome::Changed) => changed(server, user, request).await,
        Some(PasswordChangeOutcome::WrongPassword) => {
            let mut errors = FormErrors::default();
            errors.add("old_password", server.texts().errors.password_wrong);
            show_errors(server, user, (errors, keys), RefusalRule::Credentials)
        }
        Some(PasswordChangeOutcome::NewPasswordRejected(fault)) => {
            let mut errors = FormErrors::default();
            errors.add_password("new_password", fault, server.texts());
            show_errors(server, user, (errors, keys), RefusalRule::FieldInvalid)
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
/// an old password or token gives no access.
async fn changed(
    server: &Server,
    user: &SignedInUser,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let (_, cookie) = sign_in::open_session(server, request.headers(), &user.subject.id).await?;
    Ok(response::with_header(
        server.redirect_with_flash("/account", Flash::PasswordChanged)?,
        SET_COOKIE,
        &cookie,
    )?)
}

/// Parses the old and the new password.
fn passwords(server: &Server, fields: &Form<'_>) -> Result<(Password, Password), FormErrors> {
    let (messages, mut errors) = (&server.texts().errors, FormErrors::default());
    let mut password = |name: &str| {
        let typed = fields.field(name).unwrap_or_default();
        let message = if typed.is_empty() {
            messages.missing
        } else {
            messages.password_length
        };
        Password::new(typed)
            .inspect_err(|_| errors.add(name, message))
            .ok()
    };
    let (old, new) = (password("old_password"), password("new_password"));
    if fields.field("new_password").unwrap_or_default()
        != fields.field("repeated").unwrap_or_default()
    {
        errors.add("repeated", messages.password_differs);
    }
    match (old, new) {
        (Some(old), Some(new)) if errors.is_empty() => Ok((old, new)),
        _ => Err(errors),
    }
}

fn show_errors(
    server: &Server,
    user: &SignedInUser,
    values: (FormErrors, ApiKeyAction),
    rule: RefusalRule,
) -> Result<Response<Body>, Error> {
    Ok(with_rule(
        form(server, user, StatusCode::BAD_REQUEST, values)?,
        rule,
    ))
}

/// Renders the form with errors and the submitted choice.
fn form(
    server: &Server,
    user: &SignedInUser,
    status: StatusCode,
    (errors, keys): (FormErrors, ApiKeyAction),
) -> Result<Response<Body>, Error> {
    let switch = revoke_keys::switch_with(server, keys);
    server.render(
        status,
        &ChangePasswordPage {
            text: server.texts(),
            layout: server.layout(user, "account"),
            errors,
            switch,
        },
    )
}
