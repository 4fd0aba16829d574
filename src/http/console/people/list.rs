use bytes::Bytes;
use http::{Request, Response, StatusCode};

use crate::domain::{Account, Needle, Role, SubjectId};
use crate::http::Body;
use crate::http::console::gate::SignedIn;
use crate::http::console::query::Query;
use crate::http::console::refusal::Refusal;
use crate::http::console::server::Server;
use crate::http::console::views::{Pages, PeoplePage, PersonRow};
use crate::http::pages::Moment;
use crate::store::Registered;

use super::one::last_sign_in;

/// `GET /admin/people`.
pub(super) async fn show(server: &Server, who: &SignedIn, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let (query, desk) = (Query::of(request)?, who.desk(server));
    let (text, page) = (server.texts(), query.page()?);
    let email = query.value("email").unwrap_or_default();
    let needle = (!email.is_empty()).then(|| Needle::new(email));
    let found = match needle {
        _ if !desk.has_people() => Registered { total: 0, items: Vec::new() },
        None => desk.people(None, page).await?,
        Some(Ok(needle)) => desk.people(Some(&needle), page).await?,
        // No address has what is no needle.
        Some(Err(_)) => Registered { total: 0, items: Vec::new() },
    };
    let mut people = Vec::new();
    for account in &found.items {
        people.push(row(server, who, account).await?);
    }
    let pages = Pages::of(found.total, page, text, |page| query.with("page", &page.to_string()));
    let view = PeoplePage {
        text,
        frame: server.frame(who, "admin"),
        are_kept_here: desk.has_people(),
        knows_sign_ins: server.audit.trail().is_some(),
        email: email.to_owned(),
        people,
        pages,
    };
    server.page(StatusCode::OK, &view)
}

async fn row(server: &Server, who: &SignedIn, account: &Account) -> Result<PersonRow, Refusal> {
    let id = SubjectId::from(account.id);
    Ok(PersonRow {
        is_you: id == who.person.id,
        role: server.texts().words.role(account.role),
        is_admin: account.role == Role::Admin,
        last_sign_in: last_sign_in(server, &id).await?,
        since: Moment::at(account.created_at, &server.zone),
        email: account.email.to_string(),
        id: account.id.to_string(),
    })
}
