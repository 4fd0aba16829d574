use http::StatusCode;

use super::invite;
use super::show::roles;
use crate::domain::{Email, Role};
use crate::http::audit::RefusalRule;
use crate::http::console::error::Error;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::invitations::InvitationOptions;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{AccountNewPage, FormErrors};
use crate::http::management::ManagementError;

pub(crate) const FIELDS: FormFields = FormFields::new(&["email", "role"]);

/// `GET /admin/people/new`.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    check_local_accounts(request)?;
    let typed = request.typed_form(FIELDS);
    let field = |name| typed.as_ref().and_then(|form| form.field(name));
    let role = field("role").and_then(|role| role.parse().ok());
    let page = page(
        request,
        field("email").unwrap_or_default(),
        role.unwrap_or(Role::User),
        FormErrors::default(),
    );
    request.render(StatusCode::OK, &page)
}

/// `POST /admin/people/new`: creates an account, and shows the link by which its owner sets a
/// password.
pub(crate) async fn submit(request: &UserRequest<'_>, form: Form<'_>) -> HandlerResult {
    check_local_accounts(request)?;
    let email = form.field("email").unwrap_or_default().trim();
    let role = form.field("role").and_then(|role| role.parse().ok());
    let show_errors = |rule, status, errors| {
        let page = page(request, email, role.unwrap_or(Role::User), errors);
        request.render_refused(status, rule, &page)
    };
    let (messages, mut errors) = (&request.texts().errors, FormErrors::default());
    let address = email.parse::<Email>();
    if address.is_err() {
        errors.add("email", messages.email);
    }
    if role.is_none() {
        errors.add("role", messages.choose_one);
    }
    let (Ok(address), Some(given)) = (address, role) else {
        return show_errors(RefusalRule::FieldInvalid, StatusCode::BAD_REQUEST, errors);
    };
    let management = request.management();
    match management.create_account(address, given).await {
        Ok(id) => {
            let account = management.account(&id.to_string()).await?;
            let options = InvitationOptions::default().in_language_of(request.texts());
            let sent = request.server.shared.send_link(&account, &options).await;
            invite::redirect_to_link(request, &account.id, sent)
        }
        Err(ManagementError::Rejected(rejection)) => {
            let errors = FormErrors::from_rejection(&rejection, &form.names(), request.texts());
            show_errors(rejection.rule, rejection.status, errors)
        }
        Err(failure) => Err(failure.into()),
    }
}

pub(super) fn check_local_accounts(request: &UserRequest<'_>) -> Result<(), Error> {
    if request.management().has_accounts() {
        Ok(())
    } else {
        Err(Error::not_found())
    }
}

fn page(request: &UserRequest<'_>, email: &str, role: Role, errors: FormErrors) -> AccountNewPage {
    let text = request.texts();
    AccountNewPage {
        text,
        layout: request.layout("people"),
        errors,
        email: email.to_owned(),
        roles: roles(role, text),
    }
}
