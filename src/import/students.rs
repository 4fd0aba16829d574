use super::cells::{Cells, number, text, word};
use super::file::RowId;
use super::kind::{Kind, RefusedRows, RowChange};
use super::lookup::Lookup;
use super::refusal::{RefusalKind, Refused};
use crate::directory::{DirectoryChange, ListView, Resource, SchoolResources, Snapshot};
use crate::domain::{
    ClassNum, ClubType, DormitoryRoom, EnrolledRole, Enrollment, EnrollmentStatus, Grade,
    InvalidValue, RecordKind, SeatNumber, Student, StudentId, StudentProfile, StudentRole,
};

pub(super) struct Students;

/// Columns that only enrolled students have a value in.
pub(super) const ENROLLED: [&str; 9] = [
    "grade",
    "classNum",
    "number",
    "major",
    "dormitoryRoom",
    "majorClub.id",
    "majorClub.name",
    "autonomousClub.id",
    "autonomousClub.name",
];

const STUDENT_NUMBER_RULE: &str = "must be the grade · 1000 + the class · 100 + the number";

impl Kind for Students {
    const KIND: RecordKind = RecordKind::Students;
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "name",
        "sex",
        "email",
        "role",
        "grade",
        "classNum",
        "number",
        "major",
        "specialty",
        "dormitoryRoom",
        "majorClub.id",
        "majorClub.name",
        "autonomousClub.id",
        "autonomousClub.name",
        "githubId",
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
    ) -> Result<Student, Refused> {
        let before = before.map(|profile| &profile.student);
        Ok(Student {
            id: StudentId::new(id).map_err(|rule| Refused::value("id", &rule))?,
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
    ) -> Result<Vec<RowChange>, RefusedRows> {
        let is_changed = |student: &Student| {
            let before = base.students().get(student.id.get());
            before.is_none_or(|before| before.student != *student)
        };
        let changed = rows
            .iter()
            .filter(|(_, student)| is_changed(student))
            .map(|(row, student)| (Some(*row), DirectoryChange::PutStudent(student.clone())));
        let removed = gone
            .iter()
            .filter_map(|id| StudentId::new(*id).ok())
            .map(|id| (None, DirectoryChange::RemoveStudent(id)));
        Ok(removed.chain(changed).collect())
    }
}

fn enrollment_status(
    cells: Cells<'_>,
    before: Option<&Student>,
    lookup: &Lookup<'_>,
) -> Result<EnrollmentStatus, Refused> {
    let role = match cells.filled("role") {
        Some(cell) => word("role")(cell).map_err(|rule| Refused::value("role", &rule))?,
        None => before.map_or(StudentRole::GeneralStudent, Student::role),
    };
    let role = match role {
        StudentRole::StudentCouncil => EnrolledRole::StudentCouncil,
        StudentRole::DormitoryManager => EnrolledRole::DormitoryManager,
        StudentRole::GeneralStudent => EnrolledRole::GeneralStudent,
        StudentRole::Graduate | StudentRole::Withdrawn => {
            if let Some(column) = ENROLLED.into_iter().find(|it| cells.filled(it).is_some()) {
                let reason = "must be empty for a graduate or a withdrawn student";
                return Err(Refused::cell(column, reason).with_kind(RefusalKind::EnrolledOnly));
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
) -> Result<[Option<i64>; 3], Refused> {
    let Some(cell) = cells.filled("studentNumber") else {
        return Ok([None; 3]);
    };
    let all = number(Ok)(cell).map_err(|rule| Refused::value("studentNumber", &rule))?;
    let has_all = ["grade", "classNum", "number"]
        .into_iter()
        .all(|column| cells.text(column).is_some());
    if has_all || before.is_some_and(|it| i64::from(it.student_number()) == all) {
        return Ok([None; 3]);
    }
    // With classes from 10 on, students of two grades may have the same number.
    if !lookup.has_one_digit_classes() {
        let reason = "does not tell the class in a school with more than 9: write the grade, the class and the number in columns";
        return Err(Refused::cell("studentNumber", reason).with_kind(RefusalKind::Contradiction));
    }
    if !(1000..=9999).contains(&all) {
        return Err(Refused::cell("studentNumber", STUDENT_NUMBER_RULE));
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
) -> Result<Option<T>, Refused> {
    let invalid = |_| Refused::cell("studentNumber", STUDENT_NUMBER_RULE);
    part.map(new).transpose().map_err(invalid)
}
