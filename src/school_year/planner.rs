//! Plans the turn of a school year.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use super::error::{Conflict, ConflictKind};
use super::plan::{PlannedStudent, Step, YearPlan};
use super::seat::{Seat, seat};
use super::{File, YearTurn};
use crate::directory::{Directory, DirectoryChange, ParameterType, Snapshot};
use crate::domain::{
    EnrolledRole, Enrollment, EnrollmentStatus, Grade, RecordKind, Student, StudentId, Year,
};
use crate::import::{FieldChange, Import, Plan, PlannedRecord, Refusal, planned_records};

pub(super) fn plan(
    turn: &YearTurn,
    directory: &Directory,
    base: &Snapshot,
    year: Year,
    is_turned: bool,
) -> Result<YearPlan, Refusal> {
    let mut planner = Planner {
        turn,
        base,
        grades: grades(directory),
        conflicts: Vec::new(),
        after: BTreeMap::new(),
    };
    let read = |file: &File| {
        Import::new(RecordKind::Students)
            .format(file.format)
            .partial()
            .plan_on(directory, base, &file.content)
    };
    let classes = turn.classes.as_ref().map(read).transpose()?;
    planner.move_students(classes.as_ref());
    if let Some(file) = &turn.first_years {
        planner.add_first_years(&read(file)?);
    }
    planner.check_numbers();
    Ok(planner.finish(directory, year, is_turned && !turn.turns_again))
}

/// The grades of the school.
fn grades(directory: &Directory) -> RangeInclusive<i64> {
    let parameters = &directory.resources().students.definition().parameters;
    let mut bounds =
        parameters
            .iter()
            .filter_map(|parameter| match (parameter.name, &parameter.kind) {
                ("grade", ParameterType::Number(bounds)) => Some(bounds.clone()),
                _ => None,
            });
    bounds.next().unwrap_or(1..=3)
}

struct Planner<'a> {
    turn: &'a YearTurn,
    base: &'a Snapshot,
    grades: RangeInclusive<i64>,
    conflicts: Vec<Conflict>,
    /// The students who are enrolled before or after the turn, as they are after it.
    after: BTreeMap<StudentId, Student>,
}

impl<'a> Planner<'a> {
    fn move_students(&mut self, classes: Option<&Plan>) {
        let from_file = classes.map(|plan| self.read_classes(plan));
        for profile in self.base.students().iter() {
            let student = &profile.student;
            let Some(enrollment) = student.enrollment() else {
                continue;
            };
            let status = match &from_file {
                None => self.next_by_rule(enrollment),
                Some(file) => match file.get(&student.id) {
                    Some(status) => status.clone(),
                    None if self.is_last(enrollment.grade) => EnrollmentStatus::Graduate,
                    None => {
                        let reason = "stays and is not in the file of classes";
                        self.conflicts.push(Conflict::of(student.id, reason));
                        continue;
                    }
                },
            };
            let status = match status {
                EnrollmentStatus::Enrolled(enrollment) if self.turn.resets_offices => {
                    EnrollmentStatus::Enrolled(Enrollment {
                        role: EnrolledRole::GeneralStudent,
                        ..enrollment
                    })
                }
                status => status,
            };
            let moved = Student {
                enrollment_status: status,
                ..student.clone()
            };
            self.after.insert(student.id, moved);
        }
    }

    fn is_last(&self, grade: Grade) -> bool {
        i64::from(grade.get()) >= *self.grades.end()
    }

    fn next_by_rule(&self, enrollment: &Enrollment) -> EnrollmentStatus {
        let next = Grade::new(i64::from(enrollment.grade.get()) + 1);
        match next {
            Ok(grade) if !self.is_last(enrollment.grade) => {
                EnrollmentStatus::Enrolled(Enrollment {
                    grade,
                    ..enrollment.clone()
                })
            }
            _ => EnrollmentStatus::Graduate,
        }
    }

    /// The enrollment status of each student in the file of classes.
    fn read_classes(&mut self, plan: &Plan) -> BTreeMap<StudentId, EnrollmentStatus> {
        self.refuse("classes", plan);
        let mut statuses = BTreeMap::new();
        for change in plan.changes() {
            let DirectoryChange::PutStudent(student) = change else {
                continue;
            };
            let before = self.base.students().get(student.id.get());
            let Some(before) = before.map(|profile| &profile.student) else {
                let reason =
                    "of the file of classes is new: a new student is in the file of first-years";
                self.conflicts.push(Conflict::of(student.id, reason));
                continue;
            };
            let same = Student {
                enrollment_status: before.enrollment_status.clone(),
                ..student.clone()
            };
            if same != *before {
                let reason = "has another name, sex, e-mail address, specialty or GitHub name in the file of classes: import that on its own";
                self.conflicts.push(Conflict::of(student.id, reason));
            }
            if before.enrollment().is_none() {
                let reason = "of the file of classes is not enrolled";
                self.conflicts.push(Conflict::of(student.id, reason));
            } else if student.enrollment().is_none() {
                let reason = "leaves the school in the file of classes: leave out a graduate of the last grade, import the others on their own";
                self.conflicts.push(Conflict::of(student.id, reason));
            } else if let [Some(old), Some(new)] = [before, student].map(grade)
                && ![old, old + 1].contains(&new)
            {
                let reason = format!(
                    "would go from grade {old} to grade {new} with the file of classes: a student goes to the next grade or repeats, import another grade on its own"
                );
                self.conflicts.push(Conflict::of(student.id, reason));
            }
            statuses.insert(student.id, student.enrollment_status.clone());
        }
        for id in plan.accepted() {
            // A row without a change has the student as before: in the last grade, one who repeats.
            if let Some(profile) = self.base.students().get(*id) {
                let status = &profile.student.enrollment_status;
                statuses
                    .entry(profile.student.id)
                    .or_insert_with(|| status.clone());
            }
        }
        statuses
    }

    fn add_first_years(&mut self, plan: &Plan) {
        self.refuse("first-years", plan);
        for id in plan.accepted() {
            if let Some(profile) = self.base.students().get(*id) {
                let reason = "of the file of first-years has a record already";
                self.conflicts
                    .push(Conflict::of(profile.student.id, reason));
            }
        }
        for change in plan.changes() {
            let DirectoryChange::PutStudent(student) = change else {
                continue;
            };
            if self.base.students().get(student.id.get()).is_some() {
                continue;
            }
            let first = *self.grades.start();
            let grade = student.enrollment().map(|enrollment| enrollment.grade);
            if grade.map(|grade| i64::from(grade.get())) != Some(first) {
                let reason = format!("of the file of first-years is not in grade {first}");
                self.conflicts.push(Conflict::of(student.id, reason));
            }
            self.after.insert(student.id, student.clone());
        }
    }

    /// A refused line of a file is a conflict.
    fn refuse(&mut self, file: &str, plan: &Plan) {
        let refused = plan.refused().iter();
        self.conflicts
            .extend(refused.map(|refusal| Conflict::general(format!("file of {file}, {refusal}"))));
    }

    /// Two students with one number are a conflict, unless they have one already.
    fn check_numbers(&mut self) {
        let mut by_seat: BTreeMap<Seat<'_>, (i32, Vec<StudentId>)> = BTreeMap::new();
        for student in self.after.values() {
            if let Some(enrollment) = student.enrollment() {
                let number = enrollment.student_number();
                let (_, students) = by_seat
                    .entry(seat(enrollment))
                    .or_insert_with(|| (number, Vec::new()));
                students.push(student.id);
            }
        }
        let before = |student: &StudentId| {
            let profile = self.base.students().get(student.get())?;
            profile.student.enrollment().map(seat)
        };
        for (number, students) in by_seat.into_values() {
            let [first, others @ ..] = &students[..] else {
                continue;
            };
            let had = before(first);
            let is_new = |student: &&StudentId| had.is_none() || before(student) != had;
            if let Some(second) = others.iter().find(is_new) {
                let reason = format!("would have the number {number}, as student {first}");
                let other = *first;
                let kind = ConflictKind::SameNumber { number, other };
                self.conflicts
                    .push(Conflict::of(*second, reason).with_kind(kind));
            }
        }
    }

    fn finish(mut self, directory: &Directory, year: Year, is_turned: bool) -> YearPlan {
        let mut students = Vec::new();
        let mut changes = Vec::new();
        for (id, student) in &self.after {
            let before = self.base.students().get(id.get());
            let before = before.map(|profile| &profile.student);
            let step = match (before, student.enrollment()) {
                (None, _) => Step::IsNew,
                (Some(_), None) => Step::Graduates,
                (Some(before), Some(_)) if grade(before) == grade(student) => Step::Repeats,
                (Some(_), Some(_)) => Step::MovesUp,
            };
            let number = |student: &Student| student.enrollment().map(Enrollment::student_number);
            students.push(PlannedStudent {
                id: id.get(),
                name: student.name.as_str().to_owned(),
                step,
                numbers: [before.and_then(number), number(student)],
                fields: Vec::new(),
            });
            if before != Some(student) {
                changes.push(DirectoryChange::PutStudent(student.clone()));
            }
        }
        let mut leaderless = Vec::new();
        match directory.dry_run(self.base, &changes) {
            Ok(Some((rows, next))) => {
                leaderless = leaderless_clubs(self.base, &rows, &next);
                let records = planned_records(directory, &rows, self.base, &next);
                show_fields(&mut students, records);
            }
            Ok(None) => {}
            Err(rejected) => {
                let put: Vec<StudentId> = changes.iter().filter_map(put_student).collect();
                let rejected = rejected.into_iter().filter_map(|(index, reason)| {
                    let student = *put.get(index)?;
                    let reason = format!("would break a rule of the school: {reason:?}");
                    Some(Conflict::of(student, reason).with_kind(ConflictKind::RuleOfSchool))
                });
                self.conflicts.extend(rejected);
            }
        }
        students.sort_by_key(|student| (student.step, student.numbers, student.id));
        self.conflicts.sort_by_key(|conflict| conflict.student);
        YearPlan {
            year,
            version: self.base.version(),
            students,
            leaderless,
            conflicts: self.conflicts,
            changes,
            is_turned,
        }
    }
}

/// The grade, if enrolled.
fn grade(student: &Student) -> Option<i32> {
    student
        .enrollment()
        .map(|enrollment| enrollment.grade.get())
}

fn put_student(change: &DirectoryChange) -> Option<StudentId> {
    match change {
        DirectoryChange::PutStudent(student) => Some(student.id),
        _ => None,
    }
}

/// Adds the fields that change to the students; the student numbers say some of them.
fn show_fields(students: &mut [PlannedStudent], records: Vec<PlannedRecord>) {
    let records = records.into_iter();
    let mut fields: BTreeMap<i64, Vec<FieldChange>> = records
        .filter(|record| record.kind == RecordKind::Students)
        .map(|record| (record.id, record.fields))
        .collect();
    for student in students {
        student.fields = besides_number(fields.remove(&student.id).unwrap_or_default());
    }
}

/// The fields that a student's name and number do not say.
pub(crate) fn besides_number(mut fields: Vec<FieldChange>) -> Vec<FieldChange> {
    fields.retain(|change| !matches!(change.field, "name" | "grade" | "classNum" | "number"));
    fields
}

/// The names of the clubs that lose their leader.
fn leaderless_clubs(
    base: &Snapshot,
    rows: &crate::store::DirectoryRows,
    next: &Snapshot,
) -> Vec<String> {
    let ids: BTreeSet<i64> = rows.clubs.iter().map(|row| row.id.get()).collect();
    let lost = ids.into_iter().filter_map(|id| {
        let before = &base.clubs().get(id)?.club;
        let after = &next.clubs().get(id)?.club;
        (before.leader.is_some() && after.leader.is_none()).then(|| before.name.to_string())
    });
    lost.collect()
}
