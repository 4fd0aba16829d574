use http::StatusCode;

use super::show::{last_sign_ins, state};
use crate::domain::{PageRequest, Role, SearchTerm, SubjectId};
use crate::http::console::people::{self, Person};
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{AccountRow, AccountsPage, PageLinks, grouped};
use crate::http::pages::DisplayTime;
use crate::store::Paged;

/// `GET /admin/people`.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let (query, management) = (request.query()?, request.management());
    let (text, page) = (request.texts(), query.page()?);
    let typed = query.value("q").unwrap_or_default().trim();
    let found = match SearchTerm::new(typed) {
        _ if !management.has_accounts() => nobody(),
        Ok(term) => part(people::search(request.server, &term).await?, page),
        Err(_) if typed.is_empty() => {
            let found = management.accounts(None, page).await?;
            Paged {
                total: found.total,
                items: people::labelled(request.server, found.items).await?,
            }
        }
        // A text that is no search term matches no user.
        Err(_) => nobody(),
    };
    let ids = found.items.iter().map(|person| person.account.id.into());
    let ids: Vec<SubjectId> = ids.collect();
    let mut last_sign_ins = last_sign_ins(request.server, &ids).await?;
    let rows = found.items.into_iter().zip(ids);
    let rows = rows.map(|(person, id)| row(request, person, last_sign_ins.remove(&id)));
    let accounts = rows.collect();
    let people = text.people(grouped(found.total));
    let page_links = PageLinks::counted(people, found.total, page, text, |page| {
        query.href_with("page", &page.to_string())
    });
    let view = AccountsPage {
        text,
        layout: request.layout("people"),
        is_local: management.has_accounts(),
        has_sign_in_times: request.server.audit_store().is_some(),
        term: typed.to_owned(),
        accounts,
        page_links,
    };
    request.render(StatusCode::OK, &view)
}

fn nobody() -> Paged<Person> {
    Paged {
        total: 0,
        items: Vec::new(),
    }
}

/// The requested page of people.
fn part(found: Vec<Person>, page: PageRequest) -> Paged<Person> {
    let before = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    Paged {
        total: found.len() as u64,
        items: found
            .into_iter()
            .skip(before)
            .take(page.size() as usize)
            .collect(),
    }
}

fn row(request: &UserRequest<'_>, person: Person, last_sign_in: Option<DisplayTime>) -> AccountRow {
    let (server, account) = (request.server, person.account);
    AccountRow {
        is_self: SubjectId::from(account.id) == request.user.subject.id,
        role: request.texts().domain.role(account.role),
        is_admin: account.role == Role::Admin,
        state: state(&account, request.texts()),
        last_sign_in,
        since: DisplayTime::from_timestamp(account.created_at, server.zone()),
        email: person.label.email,
        name: person.label.name,
        class: person.label.class,
        id: account.id.to_string(),
    }
}
