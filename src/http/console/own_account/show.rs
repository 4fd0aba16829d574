use http::StatusCode;
use serde_json::Value;

use crate::domain::StudentProfile;
use crate::http::console::data::{display_value, field_label};
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::server::Server;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{LabeledValue, OwnAccountPage, SessionRow};
use crate::http::pages::DisplayTime;

/// Fields of a student that the page shows elsewhere or that do not interest the student.
const IN_ACCOUNT: [&str; 3] = ["id", "email", "sex"];

/// `GET /account`.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let server = request.server;
    let (text, person) = (request.texts(), &request.user.subject);
    let accounts = server.accounts();
    let account = match (accounts, person.id.as_str().parse()) {
        (Some(accounts), Ok(id)) => accounts.store().account(id).await?,
        _ => None,
    };
    let sessions = &server.shared.user_sessions;
    let sessions = sessions.sessions_of(&person.id, server.now()).await?;
    let student = server.shared.management.students.find(person).await?;
    let page = OwnAccountPage {
        text,
        layout: request.layout("account"),
        email: person.email.to_string(),
        role: text.domain.role(person.role),
        since: account
            .map(|account| DisplayTime::from_timestamp(account.created_at, server.zone())),
        student: student.map_or_else(Vec::new, |record| facts(server, record.value())),
        can_change_password: accounts.is_some(),
        sessions: sessions
            .iter()
            .map(|session| {
                SessionRow::new(
                    session,
                    session.id == request.user.session.id,
                    text,
                    server.zone(),
                )
            })
            .collect(),
    };
    request.render(StatusCode::OK, &page)
}

/// Fields of the student record that have a value.
fn facts(server: &Server, profile: &StudentProfile) -> Vec<LabeledValue> {
    let (resources, text) = (
        server.shared.management.students.resources(),
        server.texts(),
    );
    let (list, json) = (
        resources.students.definition(),
        server.shared.management.students.to_json(profile),
    );
    let record: Value = serde_json::from_str(json.get()).unwrap_or_default();
    let fields = list
        .record
        .fields
        .iter()
        .filter(|field| !field.is_omitted_from_table && !IN_ACCOUNT.contains(&field.name));
    let facts = fields.map(|field| LabeledValue {
        label: field_label(list, field.name, text),
        value: display_value(field, &record[field.name], text),
    });
    facts.filter(|fact| !fact.value.is_empty()).collect()
}
