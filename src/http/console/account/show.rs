use http::{Response, StatusCode};
use serde_json::Value;

use crate::domain::StudentProfile;
use crate::http::Body;
use crate::http::console::data::{label_of, shown};
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::Refusal;
use crate::http::console::server::Server;
use crate::http::console::views::{AccountPage, Fact, SessionRow};
use crate::http::pages::Moment;

/// Fields of a student that the page says elsewhere, or that say nothing to the student.
const IN_ACCOUNT: [&str; 3] = ["id", "email", "sex"];

/// `GET /account`.
pub(super) async fn show(server: &Server, who: &SignedIn) -> Result<Response<Body>, Refusal> {
    let (text, person) = (server.texts(), &who.person);
    let is_ours = server.doorkeeper.authenticator.accounts().is_some();
    let account = match person.id.as_str().parse() {
        Ok(id) if is_ours => server.storage.account(id).await?,
        _ => None,
    };
    let sessions = server.storage.user_sessions_of(&person.id, server.lifetimes.idle, server.clock.now()).await?;
    let student = server.student(&person.email).await?;
    let page = AccountPage {
        text,
        frame: server.frame(who, "account"),
        email: person.email.to_string(),
        role: text.words.role(person.role),
        since: account.map(|account| Moment::at(account.created_at, &server.zone)),
        student: student.map_or_else(Vec::new, |record| facts(server, record.value())),
        can_change_password: is_ours,
        sessions: sessions.iter().map(|session| SessionRow::of(session, session.id == who.session.id, text, &server.zone)).collect(),
    };
    server.page(StatusCode::OK, &page)
}

/// What the school has written down of a student, as far as there is something.
fn facts(server: &Server, profile: &StudentProfile) -> Vec<Fact> {
    let (resources, text) = (server.school_resources(), server.texts());
    let (list, json) = (resources.students.definition(), server.student_json(profile));
    let record: Value = serde_json::from_str(json.get()).unwrap_or_default();
    let fields = list.record.fields.iter().filter(|field| !field.is_detail && !IN_ACCOUNT.contains(&field.name));
    let facts = fields.map(|field| Fact { label: label_of(list, field.name, text), value: shown(field, &record[field.name], text) });
    facts.filter(|fact| !fact.value.is_empty()).collect()
}
