use http::StatusCode;

use crate::domain::{Account, Role, SearchTerm, SubjectId};
use crate::http::console::error::Error;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{AccountRow, AccountsPage, PageLinks};
use crate::http::pages::DisplayTime;
use crate::store::Paged;

use super::show::last_sign_in;

/// `GET /admin/people`.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let (query, management) = (request.query()?, request.management());
    let (text, page) = (request.texts(), query.page()?);
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
        accounts.push(row(request, account).await?);
    }
    let people = text.people(found.total);
    let page_links = PageLinks::counted(people, found.total, page, text, |page| {
        query.href_with("page", &page.to_string())
    });
    let view = AccountsPage {
        text,
        layout: request.layout("people"),
        is_local: management.has_accounts(),
        has_sign_in_times: request.server.audit_store().is_some(),
        email: email.to_owned(),
        accounts,
        page_links,
    };
    request.render(StatusCode::OK, &view)
}

async fn row(request: &UserRequest<'_>, account: &Account) -> Result<AccountRow, Error> {
    let server = request.server;
    let id = SubjectId::from(account.id);
    Ok(AccountRow {
        is_self: id == request.user.subject.id,
        role: request.texts().domain.role(account.role),
        is_admin: account.role == Role::Admin,
        last_sign_in: last_sign_in(server, &id).await?,
        since: DisplayTime::from_timestamp(account.created_at, server.zone()),
        email: account.email.to_string(),
        id: account.id.to_string(),
    })
}
