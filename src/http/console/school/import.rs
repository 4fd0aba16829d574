//! The import of a file: the page that takes it, and the page that shows what it would change.
//!
//! Between the two the file is a sealed field of the page, for one administrator and an hour. No
//! store has it.

use std::time::Duration;

use http::StatusCode;
use http::header::CONTENT_TYPE;

use super::multipart::{self, Parts};
use super::{fields, kind_of, messages, part, path_of, planned, title_of};
use crate::domain::RecordKind;
use crate::http::audit::RefusalRule;
use crate::http::console::error::Error;
use crate::http::console::form::flash::Flash;
use crate::http::console::form::{FORM_TOKEN, Form, FormFields};
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{
    FormErrors, HiddenInput, ImportOptions, ImportPage, ImportPlanPage, LabeledText,
    PlannedRefusal, SelectOption, grouped,
};
use crate::http::management::OpenedUpload;
use crate::http::pages::texts::Texts;
use crate::import::{
    ApplyOutcome, FileFormat, Import, Obstacle, Place, Plan, Refusal, RefusalKind, form_columns,
};

/// Maximum size of a file, in bytes. The command `import` reads larger ones.
const MAX_FILE: usize = 4 << 20;
/// Maximum length of a body with a file, and of one with a sealed file.
pub(crate) const UPLOAD_LIMIT: usize = MAX_FILE + (64 << 10);
pub(crate) const PLAN_LIMIT: usize = MAX_FILE.div_ceil(3) * 4 + (64 << 10);
/// How long a sealed file is accepted.
const LIFETIME: Duration = Duration::from_secs(60 * 60);
/// Number of lines of a plan on a page.
const PAGE_SIZE: usize = 100;

const OPTIONS: [&str; 4] = ["partial", "allow_removals", "skip_refused", "match_by"];

pub(crate) const FIELDS: FormFields = FormFields::new(&[
    "sealed",
    "partial",
    "allow_removals",
    "skip_refused",
    "match_by",
    "page",
    "apply",
]);

/// How a file is compared with the school, as the form says.
#[derive(Debug, Clone, Default)]
struct Settings {
    partial: bool,
    allow_removals: bool,
    skip_refused: bool,
    match_by: String,
}

impl Settings {
    fn new<'a>(value: impl Fn(&str) -> Option<&'a str>) -> Self {
        Self {
            partial: value(OPTIONS[0]).is_some(),
            allow_removals: value(OPTIONS[1]).is_some(),
            skip_refused: value(OPTIONS[2]).is_some(),
            match_by: value(OPTIONS[3]).unwrap_or_default().to_owned(),
        }
    }

    fn import(&self, kind: RecordKind, file: &[u8]) -> Import {
        let file = file.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(file);
        let is_json = file.trim_ascii_start().starts_with(b"[");
        let format = if is_json {
            FileFormat::Json
        } else {
            FileFormat::Csv
        };
        let mut import = Import::new(kind).format(format);
        if self.partial {
            import = import.partial();
        }
        if self.allow_removals {
            import = import.allow_removals();
        }
        if self.skip_refused {
            import = import.skip_refused();
        }
        if !self.match_by.is_empty() {
            import = import.match_by(self.match_by.clone());
        }
        import
    }
}

/// `GET /admin/school/{list}/import`.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let kind = kind_of(request)?;
    let page = page(request, kind, &Settings::default(), FormErrors::default())?;
    request.render(StatusCode::OK, &page)
}

/// `POST /admin/school/{list}/import`, with the file.
pub(crate) async fn upload(request: &UserRequest<'_>) -> HandlerResult {
    let (headers, body) = (request.request.headers(), request.request.body());
    let content_type = headers.get(CONTENT_TYPE).and_then(|it| it.to_str().ok());
    let Some(boundary) = content_type.and_then(multipart::boundary) else {
        // A form without a file is checked as every other one.
        request.form(FormFields::new(&OPTIONS))?;
        return Err(Error::bad_request(RefusalRule::BodyType));
    };
    let parts = multipart::parse(boundary, body)
        .map_err(|_| Error::bad_request(RefusalRule::BodyMalformed))?;
    let text = |name: &str| text_of(&parts, name);
    request.check_form_token(text(FORM_TOKEN).unwrap_or_default())?;
    let is_known = |name: &str| OPTIONS.contains(&name) || ["file", FORM_TOKEN].contains(&name);
    if parts.iter().any(|(name, _)| !is_known(name)) {
        return Err(Error::bad_request(RefusalRule::FormField));
    }
    let (kind, settings) = (kind_of(request)?, Settings::new(text));
    let file = parts.iter().find(|(name, _)| name == "file");
    let file = file.map_or(&[][..], |(_, file)| *file);
    let editor = &request.texts().editor;
    if file.is_empty() {
        return refuse(request, kind, &settings, editor.choose_file.to_owned());
    }
    if file.len() > MAX_FILE {
        return refuse(
            request,
            kind,
            &settings,
            editor.refusal(RefusalKind::File).to_owned(),
        );
    }
    let sealed = request.management().seal_upload(file, LIFETIME)?;
    plan_page(request, kind, &settings, (file, sealed), Step::Show(0)).await
}

fn text_of<'a>(parts: &Parts<'a>, name: &str) -> Option<&'a str> {
    let (_, value) = parts.iter().find(|(known, _)| known == name)?;
    std::str::from_utf8(value).ok()
}

/// `POST /admin/school/{list}/import/plan`: shows a page of the plan, or applies it.
pub(crate) async fn submit(request: &UserRequest<'_>, form: Form<'_>) -> HandlerResult {
    let (kind, settings) = (kind_of(request)?, Settings::new(|name| form.field(name)));
    let sealed = form.field("sealed").unwrap_or_default();
    let file = match request.management().open_upload(sealed) {
        OpenedUpload::File(file) => file,
        OpenedUpload::Expired => {
            let message = request.texts().editor.upload_expired;
            return refuse(request, kind, &settings, message.to_owned());
        }
        OpenedUpload::Unknown => return Err(Error::bad_request(RefusalRule::FormField)),
    };
    let step = match (form.field("apply"), form.field("page")) {
        (Some(code), _) => Step::Apply(code),
        (None, page) => Step::Show(page.and_then(|page| page.parse().ok()).unwrap_or(0)),
    };
    plan_page(request, kind, &settings, (&file, sealed.to_owned()), step).await
}

/// What is asked of a plan.
#[derive(Clone, Copy)]
enum Step<'a> {
    /// To show a page of it.
    Show(usize),
    /// To apply it, if it has this code.
    Apply(&'a str),
}

async fn plan_page(
    request: &UserRequest<'_>,
    kind: RecordKind,
    settings: &Settings,
    (file, sealed): (&[u8], String),
    step: Step<'_>,
) -> HandlerResult {
    let (management, text) = (request.management(), request.texts());
    let import = settings.import(kind, file);
    let plan = match management.plan_import(&import, file).await? {
        Ok(plan) => plan,
        Err(refusal) => {
            let message = sentence(&refusal, text.editor.refusal(refusal.kind), request);
            return refuse(request, kind, settings, message);
        }
    };
    let changed = |plan| {
        let errors = FormErrors::for_form(text.editor.plan_changed);
        (
            StatusCode::CONFLICT,
            RefusalRule::ChangedMeanwhile,
            errors,
            plan,
        )
    };
    let (status, rule, errors, plan) = match step {
        Step::Show(_) => (
            StatusCode::OK,
            RefusalRule::FieldInvalid,
            FormErrors::default(),
            plan,
        ),
        Step::Apply(code) if plan.code() != code => changed(plan),
        Step::Apply(_) => match management.apply_import(&plan).await? {
            ApplyOutcome::Applied(_) => {
                return request.redirect_with_flash(&path_of(kind), Flash::Imported);
            }
            ApplyOutcome::Outdated => match management.plan_import(&import, file).await? {
                Ok(plan) => changed(plan),
                Err(_) => return Err(Error::unavailable()),
            },
            ApplyOutcome::Obstructed(_) | ApplyOutcome::Rejected(_) => {
                let errors = FormErrors::for_form(text.editor.refusal(RefusalKind::TooMany));
                (
                    StatusCode::BAD_REQUEST,
                    RefusalRule::FieldInvalid,
                    errors,
                    plan,
                )
            }
        },
    };
    let number = match step {
        Step::Show(number) => number,
        Step::Apply(_) => 0,
    };
    let notes = notes(&plan, management.accounts_losing_access(&plan).await?, text);
    let mut page = view(request, settings, (&plan, sealed), number, errors)?;
    page.notes = notes;
    if status == StatusCode::OK {
        request.render(status, &page)
    } else {
        request.render_refused(status, rule, &page)
    }
}

/// The page of a plan. Refused lines come first, then the records, then what changes with them.
fn view(
    request: &UserRequest<'_>,
    settings: &Settings,
    (plan, sealed): (&Plan, String),
    number: usize,
    errors: FormErrors,
) -> Result<ImportPlanPage, Error> {
    let (text, kind, management) = (request.texts(), plan.kind(), request.management());
    let school = management.school()?;
    let columns = form_columns(school, kind);
    let (refused, records, others) = (plan.refused(), plan.records(), plan.consequences());
    let total = refused.len() + records.len() + others.len();
    let number = number.min(total.saturating_sub(1) / PAGE_SIZE);
    let window = number * PAGE_SIZE..(number + 1) * PAGE_SIZE;
    let refusal = |refusal: &Refusal| {
        let named = refusal.column.as_deref();
        let column = columns.iter().find(|it| {
            let mut headings = plan.columns();
            Some(it.name) == named
                || headings.any(|(heading, name)| Some(heading) == named && name == it.name)
        });
        PlannedRefusal {
            place: place(refusal.place, request),
            column: refusal.column.clone().unwrap_or_default(),
            reason: messages::message(refusal.kind, column, text).into_owned(),
        }
    };
    let headings = plan.columns().map(|(heading, name)| {
        let column = columns.iter().find(|column| column.name == name);
        LabeledText {
            label: heading.to_owned(),
            value: column.map_or_else(|| name.to_owned(), |it| fields::label(it, text).to_owned()),
        }
    });
    let obstacle = plan.obstacle();
    let only_confirms = plan.only_confirms() && school.keeps_freshness();
    let hidden = HiddenInput {
        name: "sealed".to_owned(),
        value: sealed,
    };
    Ok(ImportPlanPage {
        text,
        layout: request.layout("school").without_language_switch(),
        errors,
        title: text.editor.import_title(title_of(kind, text)),
        back: format!("{}/import", path_of(kind)),
        back_label: text.editor.import,
        action: format!("{}/import/plan", path_of(kind)),
        hidden: vec![hidden],
        encoding: plan.encoding().as_str(),
        headings: headings.collect(),
        counts: [
            (text.editor.added, plan.added()),
            (text.editor.changed, plan.changed()),
            (text.editor.gone, plan.removed()),
            (text.editor.unchanged, plan.unchanged()),
            (text.editor.refused, refused.len()),
        ]
        .map(|(label, count)| LabeledText {
            label: label.to_owned(),
            value: count.to_string(),
        })
        .into(),
        obstacle: obstacle.map(|obstacle| match obstacle {
            Obstacle::RefusedLines(_) => text.editor.obstacle_refused,
            Obstacle::Shrinks { .. } => text.editor.obstacle_shrinks,
            _ => text.editor.refusal(RefusalKind::TooMany),
        }),
        notes: Vec::new(),
        refused: part(refused, &window, 0).iter().map(refusal).collect(),
        records: planned::rows(part(records, &window, refused.len()), school, text),
        consequences: planned::rows(
            part(others, &window, refused.len() + records.len()),
            school,
            text,
        ),
        position: text.page_of(format_args!(
            "{} / {}",
            grouped(number as u64 + 1),
            grouped(total.div_ceil(PAGE_SIZE).max(1) as u64)
        )),
        previous: number.checked_sub(1),
        next: (total > window.end).then_some(number + 1),
        options: options(settings, plan.columns().map(|(_, name)| name), text),
        code: (obstacle.is_none() && (only_confirms || !plan.records().is_empty()))
            .then(|| plan.code()),
        button: match only_confirms {
            true => text.editor.confirm_current,
            false => text.editor.apply,
        },
    })
}

/// What people know before they apply a plan.
fn notes(plan: &Plan, losing_access: usize, text: &'static Texts) -> Vec<String> {
    let mut notes = Vec::new();
    if losing_access > 0 {
        notes.push(text.editor.accounts_lose_access(losing_access));
    }
    if plan.suggests_match() {
        notes.push(text.editor.suggests_match.to_owned());
    }
    if plan.former_kept() > 0 {
        notes.push(text.editor.former_kept(plan.former_kept()));
    }
    notes
}

fn options<'a>(
    settings: &Settings,
    columns: impl Iterator<Item = &'a str>,
    text: &'static Texts,
) -> ImportOptions {
    let choice = |name: &str| SelectOption {
        value: name.to_owned(),
        label: name.to_owned().into(),
        is_on: name == settings.match_by,
    };
    let none = SelectOption {
        value: String::new(),
        label: text.editor.match_none.into(),
        is_on: settings.match_by.is_empty(),
    };
    ImportOptions {
        partial: settings.partial,
        allow_removals: settings.allow_removals,
        skip_refused: settings.skip_refused,
        match_by: std::iter::once(none).chain(columns.map(choice)).collect(),
    }
}

/// Shows the page that takes a file again, with a message at the file.
fn refuse(
    request: &UserRequest<'_>,
    kind: RecordKind,
    settings: &Settings,
    message: String,
) -> HandlerResult {
    let mut errors = FormErrors::default();
    errors.add("file", message);
    let page = page(request, kind, settings, errors)?;
    request.render_refused(StatusCode::BAD_REQUEST, RefusalRule::FieldInvalid, &page)
}

fn page(
    request: &UserRequest<'_>,
    kind: RecordKind,
    settings: &Settings,
    errors: FormErrors,
) -> Result<ImportPage, Error> {
    let (text, management) = (request.texts(), request.management());
    let columns = form_columns(management.school()?, kind);
    let names = columns.iter().map(|column| column.name);
    Ok(ImportPage {
        text,
        layout: request.layout("school"),
        errors,
        title: text.editor.import_title(title_of(kind, text)),
        back: path_of(kind),
        back_label: title_of(kind, text),
        action: format!("{}/import", path_of(kind)),
        options: options(settings, names, text),
    })
}

/// A refusal of the whole file with its place.
fn sentence(refusal: &Refusal, message: &str, request: &UserRequest<'_>) -> String {
    let place = place(refusal.place, request);
    let column = refusal.column.as_deref().unwrap_or_default();
    let parts = [&*place, column]
        .into_iter()
        .filter(|part| !part.is_empty());
    let place: Vec<&str> = parts.collect();
    if place.is_empty() {
        message.to_owned()
    } else {
        format!("{}: {message}", place.join(", "))
    }
}

fn place(place: Option<Place>, request: &UserRequest<'_>) -> String {
    let editor = &request.texts().editor;
    match place {
        Some(Place::Line(line)) => editor.line(line),
        Some(Place::Record(record)) => editor.record(record),
        None => String::new(),
    }
}
