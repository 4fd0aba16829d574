use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::show::roles;
use crate::domain::{Email, Password, Role};
use crate::http::Body;
use crate::http::audit::RefusalRule;
use crate::http::console::error::{Error, with_rule};
use crate::http::console::flash::Flash;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::server::Server;
use crate::http::console::session::SignedInUser;
use crate::http::console::views::{AccountNewPage, FormErrors};
use crate::http::management::ManagementError;

const FIELDS: FormFields = FormFields {
    single: &["email", "password", "role"],
    repeated: &[],
};

/// `GET /admin/people/new`.
pub(super) fn show(server: &Server, user: &SignedInUser) -> Result<Response<Body>, Error> {
    check_local_accounts(server, user)?;
    server.render(
        StatusCode::OK,
        &page(server, user, "", Role::User, FormErrors::default()),
    )
}

/// `POST /admin/people/new`.
pub(super) async fn submit(
    server: &Server,
    user: &SignedInUser,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let form = Form::parse(server, &user.token, request, FIELDS)?;
    check_local_accounts(server, user)?;
    let email = form.field("email").unwrap_or_default().trim();
    let role = form.field("role").and_then(|role| role.parse().ok());
    let show_errors = |rule, status, errors| {
        let page = page(server, user, email, role.unwrap_or(Role::User), errors);
        Ok(with_rule(server.render(status, &page)?, rule))
    };
    let (messages, mut errors) = (&server.texts().errors, FormErrors::default());
    let address = email.parse::<Email>();
    if address.is_err() {
        errors.add("email", messages.email);
    }
    let password = Password::new(form.field("password").unwrap_or_default());
    if password.is_err() {
        errors.add("password", messages.password_length);
    }
    if role.is_none() {
        errors.add("role", messages.choose_one);
    }
    let (Ok(address), Ok(password), Some(given)) = (address, password, role) else {
        return show_errors(RefusalRule::FieldInvalid, StatusCode::BAD_REQUEST, errors);
    };
    match user
        .management(server)
        .create_account(address, &password, given)
        .await
    {
        Ok(id) => server.redirect_with_flash(&format!("/admin/people/{id}"), Flash::Created),
        Err(ManagementError::Password(fault)) => {
            errors.add_password("password", fault, server.texts());
            show_errors(RefusalRule::FieldInvalid, StatusCode::BAD_REQUEST, errors)
        }
        Err(ManagementError::Rejected(rejection)) => {
            let errors = FormErrors::from_rejection(&rejection, FIELDS.single, server.texts());
            show_errors(rejection.rule, rejection.status, errors)
        }
        Err(failure) => Err(failure.into()),
    }
}

fn check_local_accounts(server: &Server, user: &SignedInUser) -> Result<(), Error> {
    if user.management(server).has_accounts() {
        Ok(())
    } else {
        Err(Error::not_found())
    }
}

fn page(
    server: &Server,
    user: &SignedInUser,
    email: &str,
    role: Role,
    errors: FormErrors,
) -> AccountNewPage {
    let text = server.texts();
    AccountNewPage {
        text,
        layout: server.layout(user, "admin"),
        errors,
        email: email.to_owned(),
        roles: roles(role, text),
    }
}
