use std::time::Duration;

use bytes::Bytes;
use http::header::SET_COOKIE;
use http::{Request, Response, StatusCode};

use crate::domain::Password;
use crate::http::audit::Rule;
use crate::http::console::api_keys;
use crate::http::console::done::Done;
use crate::http::console::form::{Fields, Form};
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::{Refusal, faulty};
use crate::http::console::server::Server;
use crate::http::console::sign_in;
use crate::http::console::views::{AccountPasswordPage, Problems};
use crate::http::sign_in::PasswordVerdict;
use crate::http::{Body, answer};
use crate::store::OwnedApiKeys;

/// `email` is for the browser's own list of passwords; who it is, the session says.
const FIELDS: Fields = Fields { once: &["email", "old_password", "new_password", "repeated", api_keys::FIELD], lists: &[] };

/// `GET /account/password`, where the accounts are kept here.
pub(super) fn show(server: &Server, who: &SignedIn) -> Result<Response<Body>, Refusal> {
    if server.doorkeeper.authenticator.accounts().is_none() {
        return Err(Refusal::not_found());
    }
    form(server, who, StatusCode::OK, (Problems::default(), OwnedApiKeys::Revoke))
}

/// `POST /account/password`.
pub(super) async fn submit(server: &Server, who: &SignedIn, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let fields = Form::of_session(server, &who.token, request, FIELDS)?;
    let keys = api_keys::choice(server, &fields);
    let (old, new) = match passwords(server, &fields) {
        Ok(passwords) => passwords,
        Err(problems) => return faulted(server, who, (problems, keys), Rule::FieldInvalid),
    };
    match server.office.change_password_of(&who.person, (&old, &new), keys, server.visit.origin).await? {
        Some(PasswordVerdict::Changed) => changed(server, who, request).await,
        Some(PasswordVerdict::Refused) => {
            let mut problems = Problems::default();
            problems.add("old_password", server.texts().faults.password_wrong);
            faulted(server, who, (problems, keys), Rule::Credentials)
        }
        Some(PasswordVerdict::TooManyAttempts { retry_after }) => {
            Err(Refusal::new(Rule::SignInLimited, StatusCode::TOO_MANY_REQUESTS).retry_after(retry_after))
        }
        Some(PasswordVerdict::Busy) => {
            Err(Refusal::new(Rule::SignInBusy, StatusCode::SERVICE_UNAVAILABLE).retry_after(Duration::from_secs(2)))
        }
        None => Err(Refusal::not_found()),
    }
}

/// All sessions have ended, this one too: whoever knew the password of before or a token has nothing. The person goes on in a new one.
async fn changed(server: &Server, who: &SignedIn, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let (_, cookie) = sign_in::open_session(server, request.headers(), &who.person.id).await?;
    Ok(answer::with_header(server.led_to("/account", Done::PasswordChanged)?, SET_COOKIE, &cookie)?)
}

/// The passwords before and after, if the form has them.
fn passwords(server: &Server, fields: &Form<'_>) -> Result<(Password, Password), Problems> {
    let (faults, mut problems) = (&server.texts().faults, Problems::default());
    let mut password = |name: &str| {
        let typed = fields.field(name).unwrap_or_default();
        let message = if typed.is_empty() { faults.missing } else { faults.password_length };
        Password::new(typed).inspect_err(|_| problems.add(name, message)).ok()
    };
    let (old, new) = (password("old_password"), password("new_password"));
    if fields.field("new_password").unwrap_or_default() != fields.field("repeated").unwrap_or_default() {
        problems.add("repeated", faults.password_differs);
    }
    match (old, new) {
        (Some(old), Some(new)) if problems.is_empty() => Ok((old, new)),
        _ => Err(problems),
    }
}

fn faulted(server: &Server, who: &SignedIn, filled: (Problems, OwnedApiKeys), rule: Rule) -> Result<Response<Body>, Refusal> {
    Ok(faulty(form(server, who, StatusCode::BAD_REQUEST, filled)?, rule))
}

/// The form, with what is wrong with it and what was chosen.
fn form(
    server: &Server,
    who: &SignedIn,
    status: StatusCode,
    (problems, keys): (Problems, OwnedApiKeys),
) -> Result<Response<Body>, Refusal> {
    let switch = api_keys::switch_of(server, keys);
    server.page(status, &AccountPasswordPage { text: server.texts(), frame: server.frame(who, "account"), problems, switch })
}
