use super::cells::{Cells, number, text, word};
use super::file::RowId;
use super::kind::{FileColumn, Kind, RowChange, RowErrors, changes_of};
use super::lookup::Lookup;
use super::refusal::{RefusalKind, RowError};
use crate::directory::{DirectoryChange, ListView, Resource, SchoolResources, Snapshot};
use crate::domain::{
    ClassNum, ClubType, DormitoryRoom, EnrolledRole, Enrollment, EnrollmentStatus, Grade,
    InvalidValue, RecordKind, SeatNumber, Student, StudentId, StudentProfile, StudentRole,
};

pub(super) struct Students;

const STUDENT_NUMBER_RULE: &str = "must be the grade · 1000 + the class · 100 + the number";

impl Kind for Students {
    const KIND: RecordKind = RecordKind::Students;
    const COLUMNS: &'static [FileColumn] = &[
        FileColumn::optional("id"),
        FileColumn::required("name"),
        FileColumn::required("sex"),
        FileColumn::required("email"),
        FileColumn::optional("role"),
        FileColumn::required("grade").for_enrolled(),
        FileColumn::required("classNum").for_enrolled(),
        FileColumn::required("number").for_enrolled(),
        FileColumn::required("major").for_enrolled(),
        FileColumn::optional("specialty"),
        FileColumn::optional("dormitoryRoom").for_enrolled(),
        FileColumn::optional("majorClub.id").for_enrolled(),
        FileColumn::optional("majorClub.name").for_enrolled(),
        FileColumn::optional("autonomousClub.id").for_enrolled(),
        FileColumn::optional("autonomousClub.name").for_enrolled(),
        FileColumn::optional("githubId"),
    ];
    const EMAIL: Option<&'static str> = Some("email");
    type Profile = StudentProfile;
    type Row = Student;

    fn list(snapshot: &Snapshot) -> ListView<'_, StudentProfile> {
        snapshot.students()
    }

    fn resource(resources: &SchoolResources) -> &Resource<StudentProfile> {
        &resources.students
    }

    fn id(profile: &StudentProfile) -> i64 {
        profile.student.id.get()
    }

    fn name(profile: &StudentProfile) -> &str {
        &profile.student.name
    }

    fn is_same_record(one: &StudentProfile, other: &StudentProfile) -> bool {
        one.student == other.student
    }

    /// A roster has the enrolled students. How long former ones are kept is another decision.
    fn stays_without_a_row(profile: &StudentProfile) -> bool {
        profile.student.enrollment().is_none()
    }

    fn read(
        cells: Cells<'_>,
        id: i64,
        before: Option<&StudentProfile>,
        lookup: &Lookup<'_>,
    ) -> Result<Student, RowError> {
        let before = before.map(|profile| &profile.student);
        Ok(Student {
            id: StudentId::new(id).map_err(|rule| RowError::value("id", &rule))?,
            name: cells.required("name", before.map(|it| it.name.clone()), text)?,
            sex: cells.required("sex", before.map(|it| it.sex), word("sex"))?,
            email: cells.required("email", before.map(|it| it.email.clone()), |cell| {
                text(cell.trim())
            })?,
            specialty: cells.optional(
                "specialty",
                before.and_then(|it| it.specialty.clone()),
                text,
            )?,
            github_id: cells.optional(
                "githubId",
                before.and_then(|it| it.github_id.clone()),
                |cell| text(cell.trim()),
            )?,
            enrollment_status: enrollment_status(cells, before, lookup)?,
        })
    }

    fn changes(
        rows: &[(RowId, Student)],
        gone: &[i64],
        base: &Snapshot,
    ) -> Result<Vec<RowChange>, RowErrors> {
        let gone = gone.iter().filter_map(|id| StudentId::new(*id).ok());
        Ok(changes_of(
            rows,
            |student| Some(&base.students().get(student.id.get())?.student),
            gone.map(DirectoryChange::RemoveStudent),
        ))
    }
}

fn enrollment_status(
    cells: Cells<'_>,
    before: Option<&Student>,
    lookup: &Lookup<'_>,
) -> Result<EnrollmentStatus, RowError> {
    let role = match cells.filled("role") {
        Some(cell) => word("role")(cell).map_err(|rule| RowError::value("role", &rule))?,
        None => before.map_or(StudentRole::GeneralStudent, Student::role),
    };
    let role = match role {
        StudentRole::StudentCouncil => EnrolledRole::StudentCouncil,
        StudentRole::DormitoryManager => EnrolledRole::DormitoryManager,
        StudentRole::GeneralStudent => EnrolledRole::GeneralStudent,
        StudentRole::Graduate | StudentRole::Withdrawn => {
            let is_filled =
                |it: &&FileColumn| it.is_for_enrolled && cells.filled(it.name).is_some();
            if let Some(FileColumn { name, .. }) = Students::COLUMNS.iter().find(is_filled) {
                let reason = "must be empty for a graduate or a withdrawn student";
                return Err(RowError::cell(name, reason).with_kind(RefusalKind::EnrolledOnly));
            }
            return Ok(if role == StudentRole::Graduate {
                EnrollmentStatus::Graduate
            } else {
                EnrollmentStatus::Withdrawn
            });
        }
    };
    let before = before.and_then(Student::enrollment);
    let [grade, class_num, seat] = student_number_parts(cells, before, lookup)?;
    let club = |field, kind, before| lookup.club(cells, field, Some(kind), before);
    Ok(EnrollmentStatus::Enrolled(Enrollment {
        grade: cells.required(
            "grade",
            part(grade, Grade::new)?.or(before.map(|it| it.grade)),
            number(Grade::new),
        )?,
        class_num: cells.required(
            "classNum",
            part(class_num, ClassNum::new)?.or(before.map(|it| it.class_num)),
            number(ClassNum::new),
        )?,
        number: cells.required(
            "number",
            part(seat, SeatNumber::new)?.or(before.map(|it| it.number)),
            number(SeatNumber::new),
        )?,
        major: cells.required("major", before.map(|it| it.major.clone()), |cell| {
            text(cell.trim())
        })?,
        role,
        dormitory_room: cells.optional(
            "dormitoryRoom",
            before.and_then(|it| it.dormitory_room),
            number(DormitoryRoom::new),
        )?,
        major_club: club(
            "majorClub",
            ClubType::Major,
            before.and_then(|it| it.major_club),
        )?,
        autonomous_club: club(
            "autonomousClub",
            ClubType::Autonomous,
            before.and_then(|it| it.autonomous_club),
        )?,
    }))
}

/// The grade, the class and the number in a student number such as 2307, each if the file has no
/// column for it. The number that the student has already decides nothing.
fn student_number_parts(
    cells: Cells<'_>,
    before: Option<&Enrollment>,
    lookup: &Lookup<'_>,
) -> Result<[Option<i64>; 3], RowError> {
    let Some(cell) = cells.filled("studentNumber") else {
        return Ok([None; 3]);
    };
    let all = number(Ok)(cell).map_err(|rule| RowError::value("studentNumber", &rule))?;
    let has_all = ["grade", "classNum", "number"]
        .into_iter()
        .all(|column| cells.text(column).is_some());
    if has_all || before.is_some_and(|it| i64::from(it.student_number()) == all) {
        return Ok([None; 3]);
    }
    // With classes from 10 on, students of two grades may have the same number.
    if !lookup.has_one_digit_classes() {
        let reason = "does not tell the class in a school with more than 9: write the grade, the class and the number in columns";
        return Err(RowError::cell("studentNumber", reason).with_kind(RefusalKind::Contradiction));
    }
    if !(1000..=9999).contains(&all) {
        return Err(RowError::cell("studentNumber", STUDENT_NUMBER_RULE));
    }
    let parts = [
        ("grade", all / 1000),
        ("classNum", all / 100 % 10),
        ("number", all % 100),
    ];
    Ok(parts.map(|(column, part)| cells.text(column).is_none().then_some(part)))
}

/// A part of a student number.
fn part<T>(
    part: Option<i64>,
    new: fn(i64) -> Result<T, InvalidValue>,
) -> Result<Option<T>, RowError> {
    let invalid = |_| RowError::cell("studentNumber", STUDENT_NUMBER_RULE);
    part.map(new).transpose().map_err(invalid)
}
