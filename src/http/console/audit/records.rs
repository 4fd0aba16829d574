use std::sync::Arc;

use crate::directory::Snapshot;
use crate::http::audit::StoredEvent;
use crate::http::console::error::Error;
use crate::http::console::server::Server;

/// The records of the school that events are about, as they are now.
pub(super) struct SchoolRecords<'a> {
    server: &'a Server,
    /// `None` if no event is about a single record.
    school: Option<Arc<Snapshot>>,
}

/// A record of the school with its current name.
pub(super) struct SchoolRecord {
    pub(super) name: String,
    /// The page of the record, if there is one.
    pub(super) href: Option<String>,
}

impl<'a> SchoolRecords<'a> {
    pub(super) async fn load(server: &'a Server, events: &[StoredEvent]) -> Result<Self, Error> {
        let is_needed = events.iter().any(|event| list_and_id(event).is_some());
        let directory = server.shared.management.students.directory();
        let school = match directory.filter(|_| is_needed) {
            Some(directory) => Some(directory.snapshot().await?),
            None => None,
        };
        Ok(Self { server, school })
    }

    /// The record that an event is about; `None` if there is none, or it is deleted.
    pub(super) fn of(&self, event: &StoredEvent) -> Option<SchoolRecord> {
        let ((list, id), school) = (list_and_id(event)?, self.school.as_ref()?);
        let name = match list {
            "students" => school.students().get(id)?.student.name.to_string(),
            "clubs" => school.clubs().get(id)?.club.name.to_string(),
            "projects" => school.projects().get(id)?.project.name.to_string(),
            _ => return None,
        };
        let has_data = self.server.shared.data.is_some() && self.server.api_keys().is_some();
        let path = match (has_data, self.server.edits_school()) {
            (true, _) => Some(format!("/data/{list}/{id}")),
            (false, true) => Some(format!("/admin/school/{list}/{id}")),
            (false, false) => None,
        };
        Some(SchoolRecord {
            name,
            href: path.map(|path| self.server.href(&path)),
        })
    }
}

/// The list and the id of the only record that an event is about.
fn list_and_id(event: &StoredEvent) -> Option<(&str, i64)> {
    let list = event.object.as_deref()?;
    let is_list = ["students", "clubs", "projects"].contains(&list);
    let id = event.id.as_deref().filter(|_| is_list)?;
    Some((list, id.parse().ok()?))
}
