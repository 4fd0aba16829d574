use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::one::roles;
use crate::domain::{Email, Password, Role};
use crate::http::Body;
use crate::http::audit::Rule;
use crate::http::console::done::Done;
use crate::http::console::form::{Fields, Form};
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::{Refusal, faulty};
use crate::http::console::server::Server;
use crate::http::console::views::{PersonNewPage, Problems};
use crate::http::manage::NotDone;

const FIELDS: Fields = Fields { once: &["email", "password", "role"], lists: &[] };

/// `GET /admin/people/new`.
pub(super) fn show(server: &Server, who: &SignedIn) -> Result<Response<Body>, Refusal> {
    check_kept_here(server, who)?;
    server.page(StatusCode::OK, &page(server, who, "", Role::User, Problems::default()))
}

/// `POST /admin/people/new`.
pub(super) async fn submit(server: &Server, who: &SignedIn, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let form = Form::of_session(server, &who.token, request, FIELDS)?;
    check_kept_here(server, who)?;
    let email = form.field("email").unwrap_or_default().trim();
    let role = form.field("role").and_then(|role| role.parse().ok());
    let again = |rule, status, problems| {
        let page = page(server, who, email, role.unwrap_or(Role::User), problems);
        Ok(faulty(server.page(status, &page)?, rule))
    };
    let (faults, mut problems) = (&server.texts().faults, Problems::default());
    let address = email.parse::<Email>();
    if address.is_err() {
        problems.add("email", faults.email);
    }
    let password = Password::new(form.field("password").unwrap_or_default());
    if password.is_err() {
        problems.add("password", faults.password_length);
    }
    if role.is_none() {
        problems.add("role", faults.choose_one);
    }
    let (Ok(address), Ok(password), Some(given)) = (address, password, role) else {
        return again(Rule::FieldInvalid, StatusCode::BAD_REQUEST, problems);
    };
    match who.desk(server).create_account(address, &password, given).await {
        Ok(id) => server.led_to(&format!("/admin/people/{id}"), Done::Created),
        Err(NotDone::Password(fault)) => {
            problems.add_password("password", fault, server.texts());
            again(Rule::FieldInvalid, StatusCode::BAD_REQUEST, problems)
        }
        Err(NotDone::Denied(denial)) => {
            let problems = Problems::of_denial(&denial, FIELDS.once, server.texts());
            again(denial.rule, denial.status, problems)
        }
        Err(failure) => Err(failure.into()),
    }
}

fn check_kept_here(server: &Server, who: &SignedIn) -> Result<(), Refusal> {
    if who.desk(server).has_people() { Ok(()) } else { Err(Refusal::not_found()) }
}

fn page(server: &Server, who: &SignedIn, email: &str, role: Role, problems: Problems) -> PersonNewPage {
    let text = server.texts();
    PersonNewPage { text, frame: server.frame(who, "admin"), problems, email: email.to_owned(), roles: roles(role, text) }
}
