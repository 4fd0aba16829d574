use super::answer::Answer;
use super::builder::Settings;
use super::delta;
use super::failure::Failure;
use super::paging::{self, List};
use super::parameters::{Parameters, boolean, integer};
use super::question::{Manner, Question};
use super::reply;
use super::wire::{self, columns};
use crate::directory::{ChangesQuery, Snapshot};
use crate::domain::{
    DormitoryRoom, EnrolmentFilter, HiddenFields, Needle, Record, StudentFilter, StudentId, StudentProfile, StudentQuery, StudentSort,
};

/// How many are on a page if nobody says otherwise.
const SIZE: u32 = 300;

const LIST: List = List { path: "/v1/students", field: "students", columns: columns::STUDENTS };

/// `GET /v1/students`
pub(super) fn answer(school: &Snapshot, query: &StudentQuery, manner: Manner) -> Answer {
    paging::answer(&LIST, &school.students(query), query.page, manner.format, |record, out| write(record, manner.hidden, out))
}

/// `GET /v1/students?updatedSince=…`
pub(super) fn changes(school: &Snapshot, query: &ChangesQuery<StudentFilter>, manner: Manner) -> Result<Answer, Failure> {
    delta::answer(&LIST, &school.student_changes(query), query, |record, out| write(record, manner.hidden, out))
}

fn write(record: &Record<StudentProfile>, hidden: HiddenFields, out: &mut Vec<u8>) {
    reply::write_shared(out, record, hidden.is_empty(), |out, student| wire::write_student(out, student, hidden));
}

pub(super) fn read(parameters: &mut Parameters<'_>, settings: &Settings) -> Result<Question, Failure> {
    let filter = StudentFilter {
        id: parameters.take("studentId", integer(StudentId::new))?,
        name: parameters.take("name", Needle::new)?,
        email: parameters.take("email", Needle::new)?,
        grade: parameters.take("grade", integer(|number| settings.grade(number)))?,
        class_num: parameters.take("classNum", integer(|number| settings.class_num(number)))?,
        number: parameters.take("number", integer(|number| settings.number(number)))?,
        sex: parameters.take("sex", str::parse)?,
        role: parameters.take("role", str::parse)?,
        specialty: parameters.take("specialty", Needle::new)?,
        major: parameters.take("major", str::parse)?,
        github_id: parameters.take("githubId", Needle::new)?,
        dormitory_room: parameters.take("dormitoryRoom", integer(DormitoryRoom::new))?,
        enrolment: take_enrolment(parameters)?,
    };
    if let Some(asked) = delta::take(parameters, SIZE)? {
        return Ok(Question::StudentChanges(asked.of(filter)));
    }
    Ok(Question::Students(StudentQuery {
        filter,
        sort: parameters.take("sortBy", str::parse)?.unwrap_or(StudentSort::Id),
        direction: paging::take_direction(parameters)?,
        page: paging::take_page(parameters, SIZE)?,
    }))
}

fn take_enrolment(parameters: &mut Parameters<'_>) -> Result<EnrolmentFilter, Failure> {
    let mut flag = |name| parameters.take(name, boolean).map(Option::unwrap_or_default);
    let include_graduates = flag("includeGraduates")?;
    let only_enrolled = flag("onlyEnrolled")?;
    let include_withdrawn = flag("includeWithdrawn")?;
    Ok(EnrolmentFilter::new(only_enrolled, include_graduates, include_withdrawn))
}
