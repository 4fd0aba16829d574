use std::sync::Arc;

use super::Office;
use crate::domain::{Email, Record, StudentProfile};
use crate::store::StorageError;

impl Office {
    /// The student with this address, in any case, where there is a directory; if several have it, rather one who is enrolled than one who
    /// has left.
    pub(crate) async fn student(&self, email: &Email) -> Result<Option<Arc<Record<StudentProfile>>>, StorageError> {
        let Some(directory) = &self.directory else { return Ok(None) };
        let school = directory.snapshot().await?;
        let order = |record: &&Arc<Record<StudentProfile>>| {
            let student = &record.value().student;
            (student.enrolment().is_none(), student.id)
        };
        Ok(school.students_with_email(email).min_by_key(order).cloned())
    }
}
