use std::sync::Arc;

use serde_json::value::RawValue;

use super::Management;
use crate::directory::{RenderOptions, SchoolResources};
use crate::domain::{Email, Record, StudentProfile};
use crate::store::StorageError;

impl Management {
    /// The student with this e-mail address, ignoring case, if there is a directory. Of several,
    /// enrolled students come first.
    pub(crate) async fn student(
        &self,
        email: &Email,
    ) -> Result<Option<Arc<Record<StudentProfile>>>, StorageError> {
        let Some(directory) = &self.directory else {
            return Ok(None);
        };
        let school = directory.snapshot().await?;
        let order = |record: &&Arc<Record<StudentProfile>>| {
            let student = &record.value().student;
            (student.enrollment().is_none(), student.id)
        };
        Ok(school.students_with_email(email).min_by_key(order).cloned())
    }

    /// A student as JSON of the data API, with all fields.
    pub(crate) fn student_json(&self, profile: &StudentProfile) -> Box<RawValue> {
        let mut json = Vec::with_capacity(1024);
        self.school_resources()
            .students
            .write_json(profile, RenderOptions::default(), &mut json);
        let text = String::from_utf8(json).ok();
        text.and_then(|text| RawValue::from_string(text).ok())
            .unwrap_or_else(|| RawValue::NULL.to_owned())
    }

    /// The definitions of the school's lists; the standard ones (spec 2.19) without a directory.
    pub(crate) fn school_resources(&self) -> &SchoolResources {
        match &self.directory {
            Some(directory) => directory.resources(),
            None => SchoolResources::standard(),
        }
    }
}
