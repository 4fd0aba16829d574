//! Page of one record.

use http::StatusCode;
use serde_json::Value;

use super::fetch::{self, FetchOutcome};
use super::query::{DataQuery, target};
use super::reader::{Reader, Readers};
use super::records::{RecordLinks, all_fields, heading};
use super::{find_list, list_title, page, source};
use crate::directory::{ParameterType, ResourceDefinition};
use crate::domain::{ProjectProfile, RecordKind, StudentId};
use crate::http::console::error::Error;
use crate::http::console::query::{Query, encode};
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{CellPart, DataCell, DataRecordPage, ListLink};

/// `GET /data/{list}/{record}`, for lists with ids.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let (server, text) = (request.server, request.texts());
    let [name, id] = request.params();
    let list = find_list(request, name)?;
    let parameter = list.id_parameter().ok_or_else(Error::not_found)?;
    let id: i64 = parse_id(id).ok_or_else(Error::not_found)?;
    let (query, readers) = (request.query()?, Readers::load(request).await?);
    let Some(reader) = readers.select(query.value("key"), list)? else {
        return page::render_without_keys(request, list);
    };
    let data_query = DataQuery::new(1, list, &reader, &Query::default());
    let mut found = None;
    for target in requests(list, parameter, id) {
        let response = match fetch::fetch(server, source(request)?, &reader, &target).await? {
            FetchOutcome::Success(response) => response,
            FetchOutcome::Error(error) => {
                let view = page::DataView {
                    request,
                    readers: &readers,
                    data_query: &data_query,
                };
                return view.render_error(&error);
            }
        };
        let records = fetch::record_page(&data_query, response).await?.records;
        found = records.into_iter().next();
        if found.is_some() {
            break;
        }
    }
    let record: Value = found.ok_or_else(Error::not_found)?;
    if matches!(reader, Reader::Administrator) {
        request.record_one_viewed(list.name, parameter, id);
    }
    let id = id.to_string();
    let links = RecordLinks::new(server, &reader);
    let title = heading(list).map(|field| links.cell(list, field, &record[field.name]));
    // Lists that can be filtered by the record, such as the projects of a club.
    let others = links.lists().iter().filter(|other| {
        let mut parameters = other.parameters.iter();
        other.name != list.name && parameters.any(|other| other.name == parameter)
    });
    let related = others.map(|other| ListLink {
        href: links.href(&format!("/data/{}", other.name), Some((parameter, &id))),
        label: list_title(other, text),
        is_current: false,
    });
    let edits = request.is_administrator() && server.edits_school();
    let edit = edits && list.name.parse::<RecordKind>().is_ok();
    let fields = all_fields(list).into_iter();
    let facts = fields.map(|field| links.cell(list, field, &record[field.name]));
    let projects = projects_of(request, &links, list, &record["id"]).await?;
    let page = DataRecordPage {
        text,
        layout: request.layout("data"),
        list: list_title(list, text),
        back: links.href(&format!("/data/{}", list.name), None),
        title: title.map(|title| title.joined()).unwrap_or_default(),
        facts: facts.chain(projects).collect(),
        related: related.collect(),
        edit: edit.then(|| server.href(&format!("/admin/school/{}/{id}", list.name))),
    };
    request.render(StatusCode::OK, &page)
}

/// The projects of a student, if the reader may read projects: their list has no filter by student.
/// A project's name is no personal field, and the project's page names the student to the same
/// reader.
async fn projects_of(
    request: &UserRequest<'_>,
    links: &RecordLinks<'_>,
    list: &ResourceDefinition,
    id: &Value,
) -> Result<Option<DataCell>, Error> {
    let directory = request.server.shared.management.students.directory();
    let projects = links.lists().iter().find(|list| list.name == "projects");
    let student = id.as_i64().and_then(|id| StudentId::new(id).ok());
    let (Some(directory), Some(projects), Some(student), "students") =
        (directory, projects, student, list.name)
    else {
        return Ok(None);
    };
    let school = directory.snapshot().await?;
    let of_student = school
        .projects()
        .iter()
        .filter(|profile| profile.project.participants.contains(&student));
    let part = |profile: &ProjectProfile| CellPart {
        text: profile.project.name.to_string(),
        href: links.to_record(projects, &profile.project.id.get().into()),
        is_external: false,
    };
    Ok(Some(DataCell {
        label: list_title(projects, request.texts()),
        parts: of_student.map(part).collect(),
        is_hidden: false,
        is_number: false,
    }))
}

/// An id as links have it.
fn parse_id(text: &str) -> Option<i64> {
    let id = text.parse().ok().filter(|id: &i64| *id > 0)?;
    (id.to_string() == text).then_some(id)
}

/// The requests that find the record, whatever a list leaves out by default: all flags that include
/// more, and each value of a filter with a default.
fn requests(list: &ResourceDefinition, parameter: &str, id: i64) -> Vec<String> {
    let flags = list.exclusion_flags.iter().flat_map(|all| &all.flags);
    let flags = flags.map(|flag| flag.name);
    let flags = flags.filter(|name| name.starts_with("include"));
    let id = id.to_string();
    let base: Vec<(&str, &str)> = std::iter::once((parameter, &*id))
        .chain(flags.map(|name| (name, "true")))
        .collect();
    let defaulted = list.parameters.iter().find_map(|parameter| {
        let default = parameter.default.as_deref()?;
        match &parameter.kind {
            ParameterType::Enum(words) => Some((parameter.name, words, default)),
            _ => None,
        }
    });
    let Some((name, words, default)) = defaulted else {
        return vec![target(list.path, &encode(base))];
    };
    let others = words.iter().filter(|word| *word != default);
    let with_word = |word| {
        target(
            list.path,
            &encode(base.iter().copied().chain([(name, word)])),
        )
    };
    std::iter::once(default)
        .chain(others)
        .map(with_word)
        .collect()
}
