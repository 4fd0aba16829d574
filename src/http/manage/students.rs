use std::sync::Arc;

use super::Office;
use crate::domain::{
    Direction, Email, EnrolmentFilter, Needle, PageRequest, Record, StudentFilter, StudentProfile, StudentQuery, StudentSort,
};
use crate::store::StorageError;

impl Office {
    /// The student with this address, in any case, where there is a directory; if several have it, rather one who is enrolled than one who
    /// has left.
    pub(crate) async fn student(&self, email: &Email) -> Result<Option<Arc<Record<StudentProfile>>>, StorageError> {
        let Some(directory) = &self.directory else { return Ok(None) };
        let Ok(needle) = Needle::new(email.as_str()) else { return Ok(None) };
        let filter = StudentFilter { email: Some(needle), enrolment: EnrolmentFilter::new(false, true, true), ..StudentFilter::default() };
        let mut found: Option<Arc<Record<StudentProfile>>> = None;
        // The filter also finds addresses that end in this one, and in a large school there can be pages of them.
        for number in 0.. {
            let Ok(page) = PageRequest::new(number, PageRequest::MAX_SIZE) else { break };
            let query = StudentQuery { filter: filter.clone(), sort: StudentSort::Id, direction: Direction::Ascending, page };
            let students = directory.students(&query).await?;
            let same = students.items.into_iter().filter(|record| record.value().student.email.folded() == email.folded());
            found = found.into_iter().chain(same).min_by_key(|record| record.value().student.enrolment().is_none());
            if u64::from(number) + 1 >= page.pages(students.total) {
                break;
            }
        }
        Ok(found)
    }
}
