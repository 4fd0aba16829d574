//! The clubs and students that the cells of a row mention.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

use super::cells::Cells;
use super::refusal::{RefusalKind, RowError};
use crate::directory::{SchoolResources, Snapshot};
use crate::domain::{ClubId, ClubType, Email, StudentId};

pub(super) struct Lookup<'a> {
    snapshot: &'a Snapshot,
    resources: &'a SchoolResources,
    /// The students by their names, filled on first use.
    by_name: OnceCell<HashMap<&'a str, Vec<StudentId>>>,
}

impl<'a> Lookup<'a> {
    pub(super) const fn new(snapshot: &'a Snapshot, resources: &'a SchoolResources) -> Self {
        Self {
            snapshot,
            resources,
            by_name: OnceCell::new(),
        }
    }

    /// Whether no class of the school is above 9.
    pub(super) fn has_one_digit_classes(&self) -> bool {
        let students = self.resources.students.definition();
        let classes = students.number_bounds("classNum");
        classes.is_some_and(|classes| *classes.end() <= 9)
    }

    /// The club in the columns `majorClub.id` and `majorClub.name` of the field `majorClub`: by its
    /// id, or else by its name. Without these columns it is as before.
    pub(super) fn club(
        &self,
        cells: Cells<'_>,
        field: &str,
        kind: Option<ClubType>,
        before: Option<ClubId>,
    ) -> Result<Option<ClubId>, RowError> {
        let columns = [format!("{field}.id"), format!("{field}.name")];
        let [id, name] = columns.each_ref().map(|column| cells.filled(column));
        if let Some(id) = id {
            let found = id.trim().parse().ok().and_then(|id| {
                let profile = self.snapshot.clubs().get(id)?;
                Some(profile.club.id)
            });
            return match found {
                Some(club) => Ok(Some(club)),
                None => Err(RowError::cell(&columns[0], "must be the id of a club")
                    .with_kind(RefusalKind::Club)),
            };
        }
        if let Some(name) = name {
            let mut found = self.snapshot.clubs().iter().filter(|profile| {
                profile.club.name.trim() == name.trim()
                    && kind.is_none_or(|kind| profile.club.kind == kind)
            });
            return match (found.next(), found.next()) {
                (Some(profile), None) => Ok(Some(profile.club.id)),
                (None, _) => Err(RowError::cell(&columns[1], "must be the name of a club")
                    .with_kind(RefusalKind::Club)),
                (Some(_), Some(_)) => Err(RowError::cell(
                    &columns[1],
                    "is the name of several clubs: write the id",
                )
                .with_kind(RefusalKind::Club)),
            };
        }
        let has_columns = columns.iter().any(|column| cells.text(column).is_some());
        Ok(before.filter(|_| !has_columns))
    }

    /// The student in the columns `leader.id`, `leader.email` and `leader.name`: by the first that
    /// is filled. `None` if the file has none of these columns.
    pub(super) fn leader(&self, cells: Cells<'_>) -> Result<Option<Option<StudentId>>, RowError> {
        let mut has_column = false;
        for column in ["leader.id", "leader.email", "leader.name"] {
            has_column |= cells.text(column).is_some();
            if let Some(text) = cells.filled(column) {
                return match self.student(text) {
                    Ok(student) => Ok(Some(Some(student))),
                    Err(reason) => {
                        Err(RowError::cell(column, reason).with_kind(RefusalKind::Student))
                    }
                };
            }
        }
        Ok(has_column.then_some(None))
    }

    /// The students in a cell: their e-mail addresses or ids between blanks, commas or semicolons,
    /// their names between commas, semicolons or line ends, or a JSON array as of the data API.
    pub(super) fn students(
        &self,
        column: &str,
        cell: &str,
    ) -> Result<BTreeSet<StudentId>, RowError> {
        let refused =
            |reason: String| RowError::cell(column, reason).with_kind(RefusalKind::Student);
        if cell.trim_start().starts_with('[')
            && let Ok(values) = serde_json::from_str::<Vec<Value>>(cell)
        {
            let students = values.iter().map(|value| {
                let id = value.get("id").unwrap_or(value);
                match (id.as_i64(), value.get("email").unwrap_or(value).as_str()) {
                    (Some(id), _) => self.student(&id.to_string()),
                    (None, Some(email)) => self.student(email),
                    _ => Err("must list students by their ids".to_owned()),
                }
            });
            return students.collect::<Result<_, _>>().map_err(refused);
        }
        let mut students = BTreeSet::new();
        for part in cell.split([',', ';', '\n', '\r']).map(str::trim) {
            // A name may have blanks, an address has none.
            if let Some(found) = self.by_name(part) {
                students.insert(found.map_err(refused)?);
                continue;
            }
            for word in part.split_whitespace() {
                students.insert(self.student(word).map_err(refused)?);
            }
        }
        Ok(students)
    }

    /// The student with an id, an e-mail address or a name.
    fn student(&self, text: &str) -> Result<StudentId, String> {
        let text = text.trim();
        if let Ok(id) = text.parse() {
            let student = self.snapshot.students().get(id);
            return student
                .map(|profile| profile.student.id)
                .ok_or_else(|| "there is no student with this id".to_owned());
        }
        if let Ok(email) = text.parse::<Email>() {
            return match self.with_email(&email)[..] {
                [student] => Ok(student),
                [] => Err("no student has this e-mail address".to_owned()),
                _ => Err("several students have this e-mail address: write the id".to_owned()),
            };
        }
        self.by_name(text).unwrap_or_else(|| {
            Err("must be the id, the e-mail address or the name of a student".to_owned())
        })
    }

    /// The student with this name; `None` if there is none.
    fn by_name(&self, name: &str) -> Option<Result<StudentId, String>> {
        let names = self.by_name.get_or_init(|| {
            let mut names: HashMap<&str, Vec<StudentId>> = HashMap::new();
            for profile in self.snapshot.students().iter() {
                let name = profile.student.name.trim();
                names.entry(name).or_default().push(profile.student.id);
            }
            names
        });
        Some(match names.get(name)?[..] {
            [student] => Ok(student),
            _ => Err("several students have this name: write the e-mail address".to_owned()),
        })
    }

    /// The students with an e-mail address, which are several only in old records.
    pub(super) fn with_email(&self, email: &Email) -> Vec<StudentId> {
        let found = self.snapshot.students_with_email(email);
        found.map(|record| record.value().student.id).collect()
    }

    /// The text by which a cell mentions a student.
    #[cfg(feature = "console")]
    pub(super) fn mention_of(&self, student: StudentId) -> String {
        let email = self.snapshot.students().get(student.get());
        let email = email.map(|profile| profile.student.email.as_str());
        self.mention(&serde_json::json!({ "id": student.get(), "email": email }))
    }

    /// The text by which a list mentions a student, given as the JSON of a list: the e-mail address,
    /// or the id if the address is ambiguous in such a text.
    pub(super) fn mention(&self, student: &Value) -> String {
        let is_plain = |email: &str| {
            email
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"@._-".contains(&byte))
        };
        let email = student.get("email").and_then(Value::as_str);
        let unambiguous = email.filter(|email| {
            is_plain(email)
                && email
                    .parse()
                    .is_ok_and(|email| self.with_email(&email).len() == 1)
        });
        match unambiguous {
            Some(email) => email.to_owned(),
            None => student.get("id").map(Value::to_string).unwrap_or_default(),
        }
    }
}
