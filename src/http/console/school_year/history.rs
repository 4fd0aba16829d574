use http::StatusCode;

use crate::domain::{Grade, HistoryEntry, StudentId, Year};
use crate::http::console::query::Query;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{FilterField, HistoryRow, PageLinks, SchoolHistoryPage};
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;
use crate::store::{HistoryFilter, Paged};

/// `GET /admin/school/history`: who was in which class, by year and class, or of one student.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let (management, text, query) = (request.management(), request.texts(), request.query()?);
    let page = query.page()?;
    let (year, class, student) = (
        read(&query, "year", |text| Year::new(text.parse().ok()?).ok()),
        read(&query, "class", Grade::parse_with_class),
        read(&query, "student", |text| {
            StudentId::new(text.parse().ok()?).ok()
        }),
    );
    let is_faulty = year.is_err() || class.is_err() || student.is_err();
    let found = if is_faulty {
        Paged {
            total: 0,
            items: Vec::new(),
        }
    } else {
        let class = class.unwrap_or_default();
        let filter = HistoryFilter {
            student: student.unwrap_or_default(),
            year: year.unwrap_or_default(),
            grade: class.map(|(grade, _)| grade),
            class_num: class.map(|(_, class)| class),
        };
        management.school_history(filter, page).await?
    };
    if !is_faulty {
        let mut filters = vec!["year", "class", "student"];
        filters.retain(|name| query.value(name).is_some());
        request.record_data_viewed("class_history", filters, found.items.len());
    }
    let labels = &text.year;
    let field = |name, label, kind, placeholder: Option<&str>, is_faulty: bool| FilterField {
        name,
        label,
        kind,
        placeholder: placeholder.map(ToOwned::to_owned),
        bounds: None,
        value: query.value(name).unwrap_or_default().to_owned(),
        choices: Vec::new(),
        error: is_faulty.then(|| text.errors.unreadable.into()),
    };
    let class_form = Some(labels.history_class_form);
    let view = SchoolHistoryPage {
        text,
        layout: request.layout("year"),
        filters: vec![
            field("year", labels.year, "number", None, year.is_err()),
            field(
                "class",
                labels.history_class,
                "text",
                class_form,
                class.is_err(),
            ),
            field(
                "student",
                labels.history_student,
                "number",
                None,
                student.is_err(),
            ),
        ],
        problem: is_faulty.then_some(text.filters_have_faults),
        number_label: text.school.field("number").unwrap_or_default(),
        major_label: text.school.field("major").unwrap_or_default(),
        rows: found
            .items
            .iter()
            .map(|entry| row(request, entry, text))
            .collect(),
        page_links: PageLinks::new(found.total, page, text, |page| {
            query.href_with("page", &page.to_string())
        }),
    };
    request.render(StatusCode::OK, &view)
}

/// A value that is unreadable.
#[derive(Debug, Clone, Copy)]
struct Unreadable;

/// The value of a filter, if it is set.
fn read<T>(
    query: &Query<'_>,
    name: &str,
    parse: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, Unreadable> {
    let value = query.value(name).map(str::trim);
    value.map(|text| parse(text).ok_or(Unreadable)).transpose()
}

fn row(request: &UserRequest<'_>, entry: &HistoryEntry, text: &'static Texts) -> HistoryRow {
    let major = entry.major.to_string();
    let clubs: Vec<&str> = entry.clubs.iter().map(|club| club.as_str()).collect();
    HistoryRow {
        year: entry.year.to_string(),
        class: format!("{}-{}", entry.grade, entry.class_num),
        number: entry.number.to_string(),
        student: entry.student.get(),
        name: entry.name.to_string(),
        major: text
            .school
            .word("Major", &major)
            .map_or(major.clone(), ToOwned::to_owned),
        clubs: clubs.join(", "),
        end: text.year.end_of(entry.end),
        at: DisplayTime::from_timestamp(entry.at, request.server.zone()),
    }
}
