use std::sync::Arc;

use serde_json::value::RawValue;

use crate::directory::{Directory, RenderOptions, SchoolResources};
use crate::domain::{Record, StudentProfile, Subject};
use crate::store::StorageError;

/// Finds users as students of the school's directory, if there is one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Students(Option<Directory>);

impl Students {
    pub(crate) const fn in_directory(directory: Directory) -> Self {
        Self(Some(directory))
    }

    /// The directory, if there is one.
    pub(in crate::http) const fn directory(&self) -> Option<&Directory> {
        self.0.as_ref()
    }

    /// The student that the user is. A user who is known to be a student stays this one, also when
    /// the record is gone and another student has the address. Any other user is the student with
    /// the user's e-mail address, ignoring case; of several, enrolled students come first.
    pub(crate) async fn find(
        &self,
        user: &Subject,
    ) -> Result<Option<Arc<Record<StudentProfile>>>, StorageError> {
        let Some(directory) = &self.0 else {
            return Ok(None);
        };
        let school = directory.snapshot().await?;
        if let Some(student) = user.student {
            return Ok(school.students().record(student.get()).cloned());
        }
        let order = |record: &&Arc<Record<StudentProfile>>| {
            let student = &record.value().student;
            (student.enrollment().is_none(), student.id)
        };
        Ok(school
            .students_with_email(&user.email)
            .min_by_key(order)
            .cloned())
    }

    /// The student that the user is, as JSON of the data API.
    pub(crate) async fn find_json(
        &self,
        user: &Subject,
    ) -> Result<Option<Box<RawValue>>, StorageError> {
        let student = self.find(user).await?;
        Ok(student.map(|record| self.to_json(record.value())))
    }

    /// A student as JSON of the data API, with all fields.
    pub(crate) fn to_json(&self, profile: &StudentProfile) -> Box<RawValue> {
        let mut json = Vec::with_capacity(1024);
        self.resources()
            .students
            .write_json(profile, RenderOptions::default(), &mut json);
        let text = String::from_utf8(json).ok();
        text.and_then(|text| RawValue::from_string(text).ok())
            .unwrap_or_else(|| RawValue::NULL.to_owned())
    }

    /// The definitions of the school's lists; the standard ones (spec 2.19) without a directory.
    pub(crate) fn resources(&self) -> &SchoolResources {
        match &self.0 {
            Some(directory) => directory.resources(),
            None => SchoolResources::standard(),
        }
    }

    /// The definitions of the directory's lists.
    #[cfg(feature = "openapi")]
    pub(crate) fn directory_resources(&self) -> Option<&SchoolResources> {
        self.0.as_ref().map(Directory::resources)
    }
}
