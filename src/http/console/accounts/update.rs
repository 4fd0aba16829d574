use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::show;
use crate::domain::{Account, Password, Role};
use crate::http::Body;
use crate::http::audit::RefusalRule;
use crate::http::console::error::{Error, with_rule};
use crate::http::console::flash::Flash;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::revoke_keys;
use crate::http::console::server::Server;
use crate::http::console::session::SignedInUser;
use crate::http::console::views::FormErrors;
use crate::http::management::ManagementError;

/// `POST /admin/people/{id}/role`.
pub(super) async fn submit_role(
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
            single: &["role"],
            repeated: &[],
        },
    )?;
    let management = user.management(server);
    let account = management.account(id).await?;
    let Some(role) = form
        .field("role")
        .and_then(|role| role.parse::<Role>().ok())
    else {
        return show_errors(
            server,
            user,
            &account,
            problem("role", server.texts().errors.choose_one),
        )
        .await;
    };
    let change = management.set_role(&account, role).await;
    finish(server, user, &account, change, Flash::RoleChanged).await
}

/// `POST /admin/people/{id}/password`.
pub(super) async fn submit_password(
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
            single: &["password", revoke_keys::FIELD],
            repeated: &[],
        },
    )?;
    let management = user.management(server);
    let account = management.account(id).await?;
    let Ok(password) = Password::new(form.field("password").unwrap_or_default()) else {
        return show_errors(
            server,
            user,
            &account,
            problem("password", server.texts().errors.password_length),
        )
        .await;
    };
    let change = management
        .set_password(&account, &password, revoke_keys::from_form(server, &form))
        .await;
    if let Err(ManagementError::Password(fault)) = change {
        let mut errors = FormErrors::default();
        errors.add_password("password", fault, server.texts());
        return show_errors(server, user, &account, errors).await;
    }
    finish(server, user, &account, change, Flash::PasswordSet).await
}

fn problem(field: &str, message: &'static str) -> FormErrors {
    let mut errors = FormErrors::default();
    errors.add(field, message);
    errors
}

/// Renders the account page again with `errors`.
async fn show_errors(
    server: &Server,
    user: &SignedInUser,
    account: &Account,
    errors: FormErrors,
) -> Result<Response<Body>, Error> {
    let page = show::page(server, user, account, errors).await?;
    Ok(with_rule(
        server.render(StatusCode::BAD_REQUEST, &page)?,
        RefusalRule::FieldInvalid,
    ))
}

async fn finish(
    server: &Server,
    user: &SignedInUser,
    account: &Account,
    change: Result<(), ManagementError>,
    flash: Flash,
) -> Result<Response<Body>, Error> {
    match change {
        Ok(()) => server.redirect_with_flash(&format!("/admin/people/{}", account.id), flash),
        Err(ManagementError::Rejected(rejection)) if rejection.status != StatusCode::NOT_FOUND => {
            let errors =
                FormErrors::from_rejection(&rejection, &["role", "password"], server.texts());
            let page = show::page(server, user, account, errors).await?;
            Ok(with_rule(
                server.render(rejection.status, &page)?,
                rejection.rule,
            ))
        }
        Err(error) => Err(error.into()),
    }
}
