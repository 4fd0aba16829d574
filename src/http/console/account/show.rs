use http::{Response, StatusCode};

use crate::domain::StudentProfile;
use crate::http::Body;
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::Refusal;
use crate::http::console::server::Server;
use crate::http::console::views::{AccountPage, Fact, SessionRow};
use crate::http::pages::Moment;
use crate::http::pages::texts::Texts;

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
        student: student.map_or_else(Vec::new, |record| facts(record.value(), text)),
        can_change_password: is_ours,
        sessions: sessions.iter().map(|session| SessionRow::of(session, session.id == who.session.id, text, &server.zone)).collect(),
    };
    server.page(StatusCode::OK, &page)
}

/// What the school has written down of a student, as far as there is something.
fn facts(profile: &StudentProfile, text: &'static Texts) -> Vec<Fact> {
    let (student, words) = (&profile.student, &text.words);
    let enrolment = student.enrolment();
    let facts = [
        (words.field_name, Some(student.name.to_string())),
        (words.field_student_number, enrolment.map(|enrolment| enrolment.student_number().to_string())),
        (words.field_major, enrolment.map(|enrolment| words.major(enrolment.major).to_owned())),
        (words.field_specialty, student.specialty.as_ref().map(ToString::to_string)),
        (words.field_student_role, Some(words.student_role(student.role()).to_owned())),
        (words.field_dormitory_room, enrolment.and_then(|enrolment| enrolment.dormitory_room).map(|room| room.get().to_string())),
        (words.field_major_club, profile.major_club.as_ref().map(|club| club.name.to_string())),
        (words.field_autonomous_club, profile.autonomous_club.as_ref().map(|club| club.name.to_string())),
        (words.field_github, student.github_id.as_ref().map(|id| id.as_str().to_owned())),
    ];
    facts.into_iter().filter_map(|(label, value)| Some(Fact { label, value: value? })).collect()
}
