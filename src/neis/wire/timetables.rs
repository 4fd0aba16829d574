use super::row::{BadRow, FieldError, Row, compact};
use super::schedules::digest;
use crate::domain::{ClassNum, Grade, Lesson, Period};
use crate::neis::{AcademicYear, NeisSchool};

impl Row {
    /// Parses a row of a timetable. The key of a lesson is its day, grade, class and period, with
    /// the course, the department and the room: some schools number classes in each department.
    ///
    /// Rooms of elective subjects have no number of a class, and their rows are refused.
    pub(in crate::neis) fn lesson(&self, school: &NeisSchool) -> Result<Lesson, BadRow> {
        let school = self.school(school)?;
        let date = self.date("ALL_TI_YMD")?;
        let grade = self.required_number("GRADE", Grade::new)?;
        let class_num = self.required_number("CLASS_NM", ClassNum::new)?;
        let period = self.required_number("PERIO", Period::new)?;
        let (day_night, course) = (self.short("DGHT_CRSE_SC_NM")?, self.short("ORD_SC_NM")?);
        let (department, classroom) = (self.short("DDDEP_NM")?, self.short("CLRM_NM")?);
        let key = [&day_night, &course, &department, &classroom].map(Option::as_ref);
        let mut id = format!(
            "{}_{}_{grade}_{class_num}_{period}",
            school.school_code,
            compact(date)
        );
        if key.iter().any(Option::is_some) {
            id = format!("{id}_{}", digest(&key));
        }
        let lesson = Lesson {
            id: id.parse().map_err(|rule| ("SD_SCHUL_CODE", rule))?,
            academic_year: self.academic_year(AcademicYear::containing(date))?,
            school,
            date,
            semester: None,
            grade,
            class_num,
            period,
            subject: None,
            department,
            classroom,
        };
        self.with_subject(lesson)
            .map_err(|error| BadRow::about(&id, error))
    }

    fn with_subject(&self, lesson: Lesson) -> Result<Lesson, FieldError> {
        Ok(Lesson {
            semester: self.short("SEM")?,
            subject: self.undecorated("ITRT_CNTNT")?,
            ..lesson
        })
    }
}
