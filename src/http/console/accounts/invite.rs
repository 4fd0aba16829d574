//! Invitations in bulk, and the one-time link of one account.

use http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderValue, Response, StatusCode};

use super::new::check_local_accounts;
use crate::domain::{AccountId, ClassNum, Email, Grade, InvitationState};
use crate::http::Body;
use crate::http::audit::RefusalRule;
use crate::http::console::error::Error;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::invitations::{Invitation, InvitationOptions};
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{
    FormErrors, InvitationRow, InviteCheckPage, InvitePage, InvitedPage, InvitedRow, Layout,
    SelectOption,
};
use crate::http::console::wire::ShownSecret;
use crate::http::login::{AddressList, LineRefusal, RefusedLine};
use crate::http::pages::texts::Texts;

pub(crate) const FIELDS: FormFields = FormFields::new(&["grade", "class", "addresses"]);
pub(crate) const CREATE_FIELDS: FormFields = FormFields::new(&["addresses", "again", "as"]);

/// Maximum length of a form with the longest list, each byte of which may be written as three.
pub(crate) const FORM_LIMIT: usize = 3 * AddressList::MAX_BYTES + (64 << 10);

/// Value of the field `grade` that invites no students.
const NO_STUDENTS: &str = "";

/// Value of the fields `grade` and `class` for all.
const ALL: &str = "all";

/// `GET /admin/people/invite`.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    check_local_accounts(request)?;
    let typed = request.typed_form(FIELDS);
    let page = form(request, typed.as_ref(), FormErrors::default()).await?;
    request.render(StatusCode::OK, &page)
}

/// `POST /admin/people/invite`: shows what an invitation would do.
pub(crate) async fn check(request: &UserRequest<'_>, fields: Form<'_>) -> HandlerResult {
    check_local_accounts(request)?;
    let typed = fields.field("addresses").unwrap_or_default();
    let mut list = AddressList::parse(typed.as_bytes());
    let is_empty = list.addresses.is_empty() && list.refused.is_empty();
    if is_empty && let Some(students) = students(request, &fields).await? {
        // The page shows the address of every student of the selection.
        let mut filters = vec!["grade", "class"];
        filters.retain(|name| !matches!(fields.field(name), None | Some("" | ALL)));
        request.record_data_viewed("students", filters, students.addresses.len());
        list = students;
    }
    if list.addresses.is_empty() && list.refused.is_empty() {
        let mut errors = FormErrors::default();
        errors.add("addresses", request.texts().invite_nobody);
        let page = form(request, Some(&fields), errors).await?;
        return request.render_refused(StatusCode::BAD_REQUEST, RefusalRule::FieldInvalid, &page);
    }
    let states = request
        .management()
        .invitation_states(&list.addresses)
        .await?;
    let count = |state| states.iter().filter(|found| **found == state).count();
    let text = request.texts();
    let row = |(email, state): (&Email, &InvitationState)| InvitationRow {
        email: email.to_string(),
        state: text.domain.invitation(*state),
        is_new: *state == InvitationState::New,
    };
    let addresses: Vec<&str> = list.addresses.iter().map(Email::as_str).collect();
    let page = InviteCheckPage {
        text,
        // The page cannot be requested again in another language.
        layout: Layout {
            form_id: Some(request.new_form_id()),
            ..request.layout("people").without_language_switch()
        },
        rows: list.addresses.iter().zip(&states).map(row).collect(),
        refused: list
            .refused
            .iter()
            .map(|refused| refused_line(refused, text))
            .collect(),
        new: count(InvitationState::New),
        invited: count(InvitationState::Invited),
        addresses: addresses.join("\n"),
        is_mailed: request.server.shared.mailing.is_some(),
    };
    request.render(StatusCode::OK, &page)
}

/// `POST /admin/people/invite/create`. No cookie holds the links, so they are in the response. The
/// form is carried out once, so a response that is requested again mails nothing and makes no other
/// links.
pub(crate) async fn create(request: &UserRequest<'_>, fields: Form<'_>) -> HandlerResult {
    check_local_accounts(request)?;
    let list = AddressList::parse(fields.field("addresses").unwrap_or_default().as_bytes());
    let again = fields.field("again").is_some();
    let found = request.management().invite(&list.addresses, again).await?;
    let options = InvitationOptions::default()
        .again(again)
        .in_language_of(request.texts());
    let invitations = request.server.shared.invitations(found, &options).await;
    if fields.field("as") == Some("csv") {
        return download(Invitation::to_csv(&invitations));
    }
    let text = request.texts();
    let rows = invitations.iter().map(|it| invited_row(it, text));
    result(request, rows.collect(), "/admin/people")
}

/// `POST /admin/people/{id}/link`: redirects to the page that shows the link once.
pub(crate) async fn link(request: &UserRequest<'_>, _: Form<'_>) -> HandlerResult {
    let [id] = request.params();
    let management = request.management();
    let account = management.account(id).await?;
    management.allow_password_link(&account).await?;
    let options = InvitationOptions::default().in_language_of(request.texts());
    let sent = request.server.shared.send_link(&account, &options).await;
    redirect_to_link(request, &account.id, sent)
}

/// Redirects to the page that shows the link of one account once.
pub(super) fn redirect_to_link(
    request: &UserRequest<'_>,
    account: &AccountId,
    sent: Invitation,
) -> HandlerResult {
    request.redirect_to_secret(&ShownSecret::PasswordLink {
        account: account.to_string(),
        mail: mail_outcome(&sent, request.texts()),
        link: sent.link.unwrap_or_default(),
    })
}

/// The page that shows the link of one account once.
pub(crate) async fn shown(
    request: &UserRequest<'_>,
    id: &str,
    link: String,
    mail: Option<String>,
) -> HandlerResult {
    let account = request.management().account(id).await?;
    let state = if account.password_hash.is_none() {
        InvitationState::Invited
    } else {
        InvitationState::HasPassword
    };
    let row = InvitedRow {
        email: account.email.to_string(),
        state: request.texts().domain.invitation(state),
        link: Some(link),
        mail,
    };
    result(request, vec![row], &format!("/admin/people/{}", account.id))
}

fn result(request: &UserRequest<'_>, rows: Vec<InvitedRow>, continue_href: &str) -> HandlerResult {
    let page = InvitedPage {
        text: request.texts(),
        layout: request.layout("people").without_language_switch(),
        rows,
        is_mailed: request.server.shared.mailing.is_some(),
        continue_href: continue_href.to_owned(),
    };
    request.render(StatusCode::OK, &page)
}

fn invited_row(invitation: &Invitation, text: &Texts) -> InvitedRow {
    InvitedRow {
        email: invitation.email.to_string(),
        state: text.domain.invitation(invitation.state),
        link: invitation.link.clone(),
        mail: mail_outcome(invitation, text),
    }
}

/// What became of the mail with a link, as a sentence.
fn mail_outcome(invitation: &Invitation, text: &Texts) -> Option<String> {
    Some(match invitation.mail.as_ref()? {
        Ok(()) => text.invited_mailed.to_owned(),
        Err(error) if error.is_out_of_time() => text.invited_out_of_time.to_owned(),
        Err(error) => text.invited_not_mailed(error),
    })
}

fn refused_line(refused: &RefusedLine, text: &Texts) -> String {
    let reason = match refused.reason {
        LineRefusal::NoAddress => text.invite_line_no_address.to_owned(),
        LineRefusal::SeveralAddresses => text.invite_line_several.to_owned(),
        LineRefusal::Separator => text.invite_line_separator.to_owned(),
        LineRefusal::Repeated(line) => text.invite_line_repeated(line),
        LineRefusal::TooMany => text.invite_line_too_many.to_owned(),
    };
    text.invite_refused_line(refused.line, reason)
}

/// The links as a file, which spreadsheet programs open.
fn download(table: String) -> HandlerResult {
    let mut response = Response::new(Body::from(table));
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_TYPE, "text/csv; charset=utf-8"),
        (CONTENT_DISPOSITION, "attachment; filename=\"links.csv\""),
        (CACHE_CONTROL, "no-store"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}

/// The addresses of the chosen students; `None` if none are chosen or there is no directory.
async fn students(
    request: &UserRequest<'_>,
    fields: &Form<'_>,
) -> Result<Option<AddressList>, Error> {
    let chosen = |name| fields.field(name).unwrap_or_default();
    let Some(directory) = request.server.shared.management.students.directory() else {
        return Ok(None);
    };
    if chosen("grade") == NO_STUDENTS {
        return Ok(None);
    }
    // Another value than those of the page chooses nobody.
    let Ok(grade) = number(chosen("grade"), Grade::new) else {
        return Ok(None);
    };
    let Ok(class_num) = number(chosen("class"), ClassNum::new) else {
        return Ok(None);
    };
    let school = directory.snapshot().await?;
    Ok(Some(AddressList::of_students(&school, grade, class_num)))
}

/// A number, or `None` for all.
fn number<T, E>(text: &str, new: impl Fn(i64) -> Result<T, E>) -> Result<Option<T>, ()> {
    match text {
        ALL | "" => Ok(None),
        text => {
            let number = text.parse().map_err(drop)?;
            new(number).map(Some).map_err(drop)
        }
    }
}

async fn form(
    request: &UserRequest<'_>,
    typed: Option<&Form<'_>>,
    errors: FormErrors,
) -> Result<InvitePage, Error> {
    let text = request.texts();
    let typed = |name| typed.and_then(|form| form.field(name)).unwrap_or_default();
    let (mut grades, mut classes) = (Vec::new(), Vec::new());
    if let Some(directory) = request.server.shared.management.students.directory() {
        let school = directory.snapshot().await?;
        for profile in school.students().iter() {
            if let Some(of) = profile.student.enrollment() {
                grades.push(of.grade.get());
                classes.push(of.class_num.get());
            }
        }
    }
    let options = |chosen: &str, mut numbers: Vec<i32>, first: &[(&str, &'static str)]| {
        numbers.sort_unstable();
        numbers.dedup();
        let fixed = first.iter().map(|(value, label)| SelectOption {
            value: (*value).to_owned(),
            label: (*label).into(),
            is_on: *value == chosen,
        });
        let numbered = numbers.iter().map(|number| SelectOption {
            value: number.to_string(),
            label: number.to_string().into(),
            is_on: number.to_string() == chosen,
        });
        match numbers.is_empty() {
            true => Vec::new(),
            false => fixed.chain(numbered).collect(),
        }
    };
    Ok(InvitePage {
        text,
        layout: request.layout("people"),
        errors,
        grades: options(
            typed("grade"),
            grades,
            &[
                (NO_STUDENTS, text.invite_no_students),
                (ALL, text.invite_all),
            ],
        ),
        classes: options(typed("class"), classes, &[(ALL, text.invite_all)]),
        addresses: typed("addresses").to_owned(),
    })
}
