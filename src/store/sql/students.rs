//! Students.

use std::sync::Arc;

use sea_query::{Condition, Expr, ExprTrait};

use super::changes::{self, Kind};
use super::clubs;
use super::directory_store::records::{self, STUDENT_COLUMNS};
use super::executor::{Dialect, Executor};
use super::listing::{Listing, contains};
use super::row::Row;
use super::tables::Students;
use crate::domain::{
    ClubId, Enrolment, Page, Record, Student, StudentFilter, StudentId, StudentProfile, StudentQuery, StudentRole, StudentSort,
};
use crate::store::{ChangesQuery, Delta, StorageError};

pub(super) async fn students(tx: &mut dyn Executor, query: StudentQuery) -> Result<Page<StudentProfile>, StorageError> {
    let (sort, sort_is_optional) = sort_column(query.sort);
    let listing = Listing {
        table: Students::Table,
        columns: STUDENT_COLUMNS.to_vec(),
        wanted: wanted(tx.dialect(), &query.filter),
        sort,
        sort_is_optional,
        id: Students::Id,
        direction: query.direction,
        page: query.page,
    };
    let (total, rows) = listing.load(tx).await?;
    let students = profiles(tx, rows).await?;
    Ok(Page { total, items: students.into_iter().map(|student| Arc::new(Record::new(student))).collect() })
}

pub(super) async fn changes(tx: &mut dyn Executor, query: ChangesQuery<StudentFilter>) -> Result<Delta<StudentProfile>, StorageError> {
    let Some(told) = changes::since(tx, Kind::Student, &query).await? else { return Ok(Delta::CursorUnknown) };
    let wanted = wanted(tx.dialect(), &query.filter);
    let rows = told.rows(tx, Students::Table, STUDENT_COLUMNS, Students::Id, wanted).await?;
    Ok(told.with(profiles(tx, rows).await?, |profile| profile.student.id.get()))
}

/// The students of these rows, in their order.
async fn profiles(tx: &mut dyn Executor, rows: Vec<Row>) -> Result<Vec<StudentProfile>, StorageError> {
    let students: Vec<_> = rows.into_iter().map(records::student).collect::<Result<_, _>>()?;
    let clubs = clubs::summaries(tx, students.iter().filter_map(Student::enrolment).flat_map(clubs_of)).await?;
    let summary = |club: Option<ClubId>| club.and_then(|club| clubs.get(&club).cloned());
    let profile = |student: Student| StudentProfile {
        major_club: summary(student.enrolment().and_then(|enrolment| enrolment.major_club)),
        autonomous_club: summary(student.enrolment().and_then(|enrolment| enrolment.autonomous_club)),
        student,
    };
    Ok(students.into_iter().map(profile).collect())
}

/// The clubs that an enrolled student belongs to.
fn clubs_of(enrolment: &Enrolment) -> impl Iterator<Item = ClubId> + use<> {
    [enrolment.major_club, enrolment.autonomous_club].into_iter().flatten()
}

fn wanted(dialect: Dialect, filter: &StudentFilter) -> Condition {
    let is = |column: Students, number: Option<i64>| number.map(|number| Expr::col(column).eq(number));
    let named = |column: Students, name: Option<&'static str>| name.map(|name| Expr::col(column).eq(name));
    let has = |column: Students, needle: &Option<_>| needle.as_ref().map(|needle| contains(dialect, column, needle));
    let admitted = StudentRole::ALL.iter().filter(|role| filter.enrolment.admits(**role)).map(|role| role.as_str());
    Condition::all()
        .add(Expr::col(Students::Role).is_in(admitted))
        .add_option(named(Students::Role, filter.role.map(StudentRole::as_str)))
        .add_option(is(Students::Id, filter.id.map(StudentId::get)))
        .add_option(is(Students::Grade, filter.grade.map(|grade| grade.get().into())))
        .add_option(is(Students::ClassNum, filter.class_num.map(|class_num| class_num.get().into())))
        .add_option(is(Students::Number, filter.number.map(|number| number.get().into())))
        .add_option(is(Students::DormitoryRoom, filter.dormitory_room.map(|room| room.get().into())))
        .add_option(named(Students::Sex, filter.sex.map(|sex| sex.as_str())))
        .add_option(named(Students::Major, filter.major.map(|major| major.as_str())))
        .add_option(has(Students::NameFolded, &filter.name))
        .add_option(has(Students::EmailFolded, &filter.email))
        .add_option(has(Students::SpecialtyFolded, &filter.specialty))
        .add_option(has(Students::GithubIdFolded, &filter.github_id))
}

/// What to sort by, and whether it may be missing.
const fn sort_column(sort: StudentSort) -> (Students, bool) {
    match sort {
        StudentSort::Id => (Students::Id, false),
        StudentSort::Name => (Students::Name, false),
        StudentSort::Email => (Students::Email, false),
        StudentSort::Role => (Students::Role, false),
        StudentSort::Sex => (Students::Sex, false),
        StudentSort::StudentNumber => (Students::StudentNumber, true),
        StudentSort::Grade => (Students::Grade, true),
        StudentSort::ClassNum => (Students::ClassNum, true),
        StudentSort::Number => (Students::Number, true),
        StudentSort::Major => (Students::Major, true),
        StudentSort::DormitoryRoom => (Students::DormitoryRoom, true),
    }
}
