use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::one;
use crate::domain::{Account, Password, Role};
use crate::http::Body;
use crate::http::audit::Rule;
use crate::http::console::api_keys;
use crate::http::console::done::Done;
use crate::http::console::form::{Fields, Form};
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::{Refusal, faulty};
use crate::http::console::server::Server;
use crate::http::console::views::Problems;
use crate::http::manage::NotDone;

/// `POST /admin/people/{id}/role`.
pub(super) async fn role(server: &Server, who: &SignedIn, id: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let form = Form::of_session(server, &who.token, request, Fields { once: &["role"], lists: &[] })?;
    let desk = who.desk(server);
    let account = desk.account(id).await?;
    let Some(role) = form.field("role").and_then(|role| role.parse::<Role>().ok()) else {
        return again(server, who, &account, ("role", server.texts().faults.choose_one)).await;
    };
    let change = desk.set_role(&account, role).await;
    finish(server, who, &account, change, Done::RoleChanged).await
}

/// `POST /admin/people/{id}/password`.
pub(super) async fn password(server: &Server, who: &SignedIn, id: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let form = Form::of_session(server, &who.token, request, Fields { once: &["password", api_keys::FIELD], lists: &[] })?;
    let desk = who.desk(server);
    let account = desk.account(id).await?;
    let Ok(password) = Password::new(form.field("password").unwrap_or_default()) else {
        return again(server, who, &account, ("password", server.texts().faults.password_length)).await;
    };
    let change = desk.set_password(&account, &password, api_keys::choice(server, &form)).await;
    finish(server, who, &account, change, Done::PasswordSet).await
}

/// The page again, on which one field is wrong.
async fn again(
    server: &Server,
    who: &SignedIn,
    account: &Account,
    (field, message): (&str, &'static str),
) -> Result<Response<Body>, Refusal> {
    let mut problems = Problems::default();
    problems.add(field, message);
    let page = one::page(server, who, account, problems).await?;
    Ok(faulty(server.page(StatusCode::BAD_REQUEST, &page)?, Rule::FieldInvalid))
}

async fn finish(
    server: &Server,
    who: &SignedIn,
    account: &Account,
    change: Result<(), NotDone>,
    done: Done,
) -> Result<Response<Body>, Refusal> {
    match change {
        Ok(()) => server.led_to(&format!("/admin/people/{}", account.id), done),
        Err(NotDone::Denied(denial)) if denial.status != StatusCode::NOT_FOUND => {
            let problems = Problems::of_denial(&denial, &["role", "password"], server.texts());
            let page = one::page(server, who, account, problems).await?;
            Ok(faulty(server.page(denial.status, &page)?, denial.rule))
        }
        Err(not_done) => Err(not_done.into()),
    }
}
