use std::ops::RangeInclusive;

use serde_json::{Value, json};

use crate::domain::{
    ClubSort, ClubStatus, ClubType, Direction, Major, PageRequest, ProjectSort, ProjectStatus, Sex, StudentRole, StudentSort,
};
use crate::http::data_api::builder::Settings;
use crate::http::data_api::route::Resource;
use crate::http::openapi::{Parameter, Schemas, boolean, date, text, whole_number};

/// How long a text to look for may be.
const NEEDLE: usize = 255;

const SINCE: &str = "What changed since the answer with this `cursor`, in the order of the changes; all of it since `0`. It goes with the \
filters and with `size`, not with `page`, `sortBy` and `sortDirection`, and only as JSON.";

/// What a request for something of the school may say.
pub(super) fn of(resource: Resource, settings: &Settings, schemas: &mut Schemas) -> Vec<Parameter> {
    let mut parameters = match resource {
        Resource::Students => students(settings, schemas),
        Resource::Clubs => clubs(schemas),
        Resource::Projects => projects(schemas),
        Resource::Meals | Resource::Schedules => days(),
        Resource::Timetables => {
            let mut parameters = days();
            parameters.extend(class(settings));
            parameters
        }
    };
    let about = "Tags of answers that you have: 304 if one of them is still right.";
    parameters.push(Parameter::header("If-None-Match", json!({ "type": "string" }), about).such_as("W/\"4fVq0yXkWJ8sTt5nR2aB\""));
    parameters
}

fn students(settings: &Settings, schemas: &mut Schemas) -> Vec<Parameter> {
    let query = Parameter::query;
    let mut parameters = vec![
        query("studentId", id(), "The student with this id."),
        query("name", needle(), "Part of the name.").such_as("하늘"),
        query("email", needle(), "Part of the e-mail address."),
        query("number", within(settings.numbers()), "The number inside the class."),
        query("sex", schemas.of::<Sex>(), "The sex."),
        query("role", schemas.of::<StudentRole>(), "The role."),
        query("specialty", needle(), "Part of the specialty."),
        query("major", schemas.of::<Major>(), "The major."),
        query("githubId", needle(), "Part of the user name on GitHub."),
        query("dormitoryRoom", whole_number(1, 99_999), "The room."),
        query("includeGraduates", boolean(false), "Whether graduates come too."),
        query("onlyEnrolled", boolean(false), "Whether only enrolled students come, whatever the other two say."),
        query("includeWithdrawn", boolean(false), "Whether withdrawn students come too."),
    ];
    parameters.extend(class(settings));
    parameters.extend(paging(schemas.of::<StudentSort>(), 300, schemas));
    parameters
}

fn clubs(schemas: &mut Schemas) -> Vec<Parameter> {
    let query = Parameter::query;
    let mut parameters = vec![
        query("clubId", id(), "The club with this id."),
        query("clubName", needle(), "Part of the name."),
        query("clubType", schemas.of::<ClubType>(), "The type."),
        query("status", schemas.of::<ClubStatus>(), "The status; `clubStatus` is another name for it.").alias("clubStatus"),
        query("foundedYear", whole_number(1, 9999), "The year of founding."),
        query("includeLeaderInParticipants", boolean(false), "Whether the leader is also among the participants."),
    ];
    parameters.extend(paging(schemas.of::<ClubSort>(), 100, schemas));
    parameters
}

fn projects(schemas: &mut Schemas) -> Vec<Parameter> {
    let query = Parameter::query;
    let mut parameters = vec![
        query("projectId", id(), "The project with this id."),
        query("projectName", needle(), "Part of the name."),
        query("clubId", id(), "Projects of this club."),
        query("status", schemas.of::<ProjectStatus>(), "The status; `ACTIVE` if nothing is said."),
    ];
    parameters.extend(paging(schemas.of::<ProjectSort>(), 100, schemas));
    parameters
}

fn class(settings: &Settings) -> [Parameter; 2] {
    [
        Parameter::query("grade", within(settings.grades()), "The grade."),
        Parameter::query("classNum", within(settings.classes()), "The class inside the grade."),
    ]
}

fn days() -> Vec<Parameter> {
    let query = Parameter::query;
    vec![
        // Without an example: those of the bounds go together, and this one goes with neither.
        query("date", date(), "This day; today at the school if nothing is said of days. It goes with neither bound."),
        query(
            "fromDate",
            date(),
            "The first day, at most 366 with the last one; alone, a year from it. `startDate` is another name for it.",
        )
        .alias("startDate")
        .such_as("2026-11-16"),
        query("toDate", date(), "The last day; alone, a year up to it. `endDate` is another name for it.")
            .alias("endDate")
            .such_as("2026-11-20"),
    ]
}

fn paging(sort: Value, size: u32, schemas: &mut Schemas) -> [Parameter; 5] {
    let mut sizes = whole_number(1, i64::from(PageRequest::MAX_SIZE));
    sizes["default"] = json!(size);
    let mut pages = whole_number(0, i64::from(i32::MAX));
    pages["default"] = json!(0);
    [
        Parameter::query("page", pages, "The page, counted from 0."),
        Parameter::query("size", sizes, "How many records a page has."),
        Parameter::query("sortBy", sort, "What to sort by; the id if nothing is said. Missing values come last."),
        Parameter::query("sortDirection", schemas.of::<Direction>(), "Which way; `ASC` if nothing is said."),
        // Without an example: it goes with neither the page nor the order, which have defaults.
        Parameter::query("updatedSince", cursor(), SINCE),
    ]
}

/// From the beginning, or the cursor of an answer.
fn cursor() -> Value {
    json!({ "type": "string", "pattern": "^(0|[0-9a-f]{1,16}-[0-9a-f]{1,16}-[0-9a-f]{1,16})$" })
}

fn id() -> Value {
    whole_number(1, i64::MAX)
}

fn needle() -> Value {
    text(NEEDLE)
}

fn within(bounds: RangeInclusive<i32>) -> Value {
    whole_number(i64::from(*bounds.start()), i64::from(*bounds.end()))
}
