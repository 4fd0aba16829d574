use std::time::Duration;

use bytes::Bytes;
use http::{Request, StatusCode};

use crate::crypto::PasswordLinkToken;
use crate::domain::Account;
use crate::http::audit::RefusalRule;
use crate::http::console::error::{Error, with_rule};
use crate::http::console::form::flash::Flash;
use crate::http::console::form::{Form, FormFields, check_token};
use crate::http::console::own_account::password::new_password;
use crate::http::console::revoke_keys;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::server::Server;
use crate::http::console::views::{FormErrors, PasswordLinkPage};
use crate::http::form_urlencoded;
use crate::http::login::{PasswordLinkError, PasswordResetOutcome};
use crate::store::ApiKeyAction;

const FIELDS: FormFields = FormFields::new(&["new_password", "repeated", revoke_keys::FIELD]);

/// A link that was verified.
struct Link {
    token: PasswordLinkToken,
    /// The token as in the link.
    text: String,
    account: Account,
}

impl Link {
    /// Whether the account has no password yet, and so no keys of its own.
    fn is_first(&self) -> bool {
        self.account.password_hash.is_none()
    }

    /// The submitted choice for the API keys of the account. An account without a password has none,
    /// so its form does not ask.
    fn keys(&self, server: &Server, fields: &Form<'_>) -> ApiKeyAction {
        match self.is_first() {
            true => ApiKeyAction::Revoke,
            false => revoke_keys::from_form(server, fields),
        }
    }
}

/// `GET /password-link`.
pub(crate) async fn show(server: &Server, request: &Request<Bytes>) -> HandlerResult {
    let link = verified_link(server, request).await?;
    let unsent = (FormErrors::default(), ApiKeyAction::Revoke);
    form(server, StatusCode::OK, &link, unsent)
}

/// `POST /password-link`. Opens no session, so that a link that an attacker sent does not sign the
/// browser in to the attacker's account.
pub(crate) async fn submit(server: &Server, request: &Request<Bytes>) -> HandlerResult {
    let link = verified_link(server, request).await?;
    let fields = Form::parse(request, FIELDS, |token| {
        check_token(server, &link.token, token)
    })?;
    let keys = link.keys(server, &fields);
    let mut errors = FormErrors::default();
    let Some(new) = new_password(server, &fields, &mut errors) else {
        return show_errors(server, &link, (errors, keys));
    };
    let management = &server.shared.management;
    match management
        .set_password_by_link(&link.token, &new, keys, &server.context)
        .await?
    {
        PasswordResetOutcome::Changed => server.redirect_with_flash("/sign-in", Flash::PasswordSet),
        PasswordResetOutcome::PasswordRejected(fault) => {
            errors.add_password("new_password", fault, server.texts());
            show_errors(server, &link, (errors, keys))
        }
        PasswordResetOutcome::UnknownAccount => Err(PasswordLinkError::Invalid.into()),
        PasswordResetOutcome::Busy => Err(Error::new(
            RefusalRule::SignInBusy,
            StatusCode::SERVICE_UNAVAILABLE,
        )
        .with_retry_after(Duration::from_secs(2))),
    }
}

/// The link of a request, which has its token in the query.
async fn verified_link(server: &Server, request: &Request<Bytes>) -> Result<Link, Error> {
    let query =
        form_urlencoded::parse(request.uri().query().unwrap_or_default()).unwrap_or_default();
    let text = query
        .iter()
        .find(|(name, _)| name == "token")
        .map_or("", |(_, token)| token);
    let token = PasswordLinkToken::parse(text);
    let account = server
        .shared
        .management
        .account_of_link(token.as_ref(), &server.context)
        .await?;
    Ok(Link {
        token: token.ok_or(PasswordLinkError::Invalid)?,
        text: text.to_owned(),
        account,
    })
}

fn show_errors(
    server: &Server,
    link: &Link,
    submitted: (FormErrors, ApiKeyAction),
) -> HandlerResult {
    let page = form(server, StatusCode::BAD_REQUEST, link, submitted)?;
    Ok(with_rule(page, RefusalRule::FieldInvalid))
}

/// Renders the form, which is bound to the token of the link and needs no cookie.
fn form(
    server: &Server,
    status: StatusCode,
    link: &Link,
    (errors, keys): (FormErrors, ApiKeyAction),
) -> HandlerResult {
    let is_first = link.is_first();
    let layout = server
        .layout_without_form()
        .with_form_token(server, &link.token);
    let layout = match status {
        StatusCode::OK => layout,
        _ => layout.without_language_switch(),
    };
    server.render(
        status,
        &PasswordLinkPage {
            text: server.texts(),
            layout,
            errors,
            email: link.account.email.to_string(),
            is_first,
            switch: revoke_keys::switch_with(server, keys).filter(|_| !is_first),
            token: link.text.clone(),
        },
    )
}

impl From<PasswordLinkError> for Error {
    fn from(error: PasswordLinkError) -> Self {
        match error {
            PasswordLinkError::Invalid => {
                Self::new(RefusalRule::LinkInvalid, StatusCode::NOT_FOUND)
            }
            PasswordLinkError::TooManyAttempts { retry_after } => {
                Self::new(RefusalRule::SignInLimited, StatusCode::TOO_MANY_REQUESTS)
                    .with_retry_after(retry_after)
            }
            PasswordLinkError::Storage(error) => error.into(),
        }
    }
}
