use bytes::Bytes;
use http::{Request, Response, StatusCode};

use crate::domain::{Account, Role, SearchTerm, SubjectId};
use crate::http::Body;
use crate::http::console::error::Error;
use crate::http::console::query::Query;
use crate::http::console::server::Server;
use crate::http::console::session::SignedInUser;
use crate::http::console::views::{AccountRow, AccountsPage, PageLinks};
use crate::http::pages::DisplayTime;
use crate::store::Paged;

use super::show::last_sign_in;

/// `GET /admin/people`.
pub(super) async fn show(
    server: &Server,
    user: &SignedInUser,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let (query, management) = (Query::from_request(request)?, user.management(server));
    let (text, page) = (server.texts(), query.page()?);
    let email = query.value("email").unwrap_or_default();
    let term = (!email.is_empty()).then(|| SearchTerm::new(email));
    let found = match term {
        _ if !management.has_accounts() => Paged {
            total: 0,
            items: Vec::new(),
        },
        None => management.accounts(None, page).await?,
        Some(Ok(term)) => management.accounts(Some(&term), page).await?,
        // Text that is no search term matches no address.
        Some(Err(_)) => Paged {
            total: 0,
            items: Vec::new(),
        },
    };
    let mut accounts = Vec::new();
    for account in &found.items {
        accounts.push(row(server, user, account).await?);
    }
    let page_links = PageLinks::new(found.total, page, text, |page| {
        query.href_with("page", &page.to_string())
    });
    let view = AccountsPage {
        text,
        layout: server.layout(user, "admin"),
        is_local: management.has_accounts(),
        has_sign_in_times: server.audit.store().is_some(),
        email: email.to_owned(),
        accounts,
        page_links,
    };
    server.render(StatusCode::OK, &view)
}

async fn row(server: &Server, user: &SignedInUser, account: &Account) -> Result<AccountRow, Error> {
    let id = SubjectId::from(account.id);
    Ok(AccountRow {
        is_self: id == user.subject.id,
        role: server.texts().domain.role(account.role),
        is_admin: account.role == Role::Admin,
        last_sign_in: last_sign_in(server, &id).await?,
        since: DisplayTime::from_timestamp(account.created_at, &server.zone),
        email: account.email.to_string(),
        id: account.id.to_string(),
    })
}
