use super::row::{BadRow, FieldError, Row, compact};
use crate::domain::{Grade, InvalidValue, SchoolEvent, ShortText};
use crate::neis::{AcademicYear, NeisSchool};

/// The fields that say whether an event concerns a grade, from the first grade on.
const GRADES: [&str; 6] = [
    "ONE_GRADE_EVENT_YN",
    "TW_GRADE_EVENT_YN",
    "THREE_GRADE_EVENT_YN",
    "FR_GRADE_EVENT_YN",
    "FIV_GRADE_EVENT_YN",
    "SIX_GRADE_EVENT_YN",
];

impl Row {
    /// Parses a row of `SchoolSchedule`. The key of an event is its day, name and course.
    pub(in crate::neis) fn event(&self, school: &NeisSchool) -> Result<SchoolEvent, BadRow> {
        const NAME: &str = "EVENT_NM";
        let school = self.school(school)?;
        let date = self.date("AA_YMD")?;
        let missing = || (NAME, InvalidValue::new("is missing"));
        let name = self.undecorated(NAME)?.ok_or_else(missing)?;
        let day_night = self.short("DGHT_CRSE_SC_NM")?;
        let course_type = self.short("SCHUL_CRSE_SC_NM")?;
        let key = [Some(&name), day_night.as_ref(), course_type.as_ref()];
        let id = format!("{}_{}_{}", school.school_code, compact(date), digest(&key));
        let event = SchoolEvent {
            id: id.parse().map_err(|rule| (NAME, rule))?,
            academic_year: self.academic_year(AcademicYear::containing(date))?,
            school,
            date,
            name,
            content: None,
            day_category: None,
            course_type,
            day_night,
            target_grades: Vec::new(),
        };
        self.with_details(event)
            .map_err(|error| BadRow::about(&id, error))
    }

    fn with_details(&self, event: SchoolEvent) -> Result<SchoolEvent, FieldError> {
        Ok(SchoolEvent {
            content: self.long("EVENT_CNTNT")?,
            day_category: self.short("SBTR_DD_SC_NM")?,
            target_grades: self.target_grades()?,
            ..event
        })
    }

    /// `Y` is a grade that takes part, `*` one that the school does not have.
    fn target_grades(&self) -> Result<Vec<Grade>, FieldError> {
        let fields = (1..).zip(GRADES);
        let takes_part = fields.filter(|(_, field)| self.text(field).as_deref() == Some("Y"));
        takes_part
            .map(|(grade, field)| Grade::new(grade).map_err(|rule| (field, rule)))
            .collect()
    }

    /// The academic year of the row, or that of its day.
    pub(super) fn academic_year(&self, year: AcademicYear) -> Result<ShortText, FieldError> {
        const YEAR: &str = "AY";
        match self.short(YEAR)? {
            Some(year) => Ok(year),
            None => year.year().to_string().parse().map_err(|rule| (YEAR, rule)),
        }
    }
}

/// The part of an id that stands for texts of a key: the first 64 bits of their SHA-256 digest.
pub(super) fn digest(key: &[Option<&ShortText>]) -> String {
    use sha2::{Digest, Sha256};
    let mut digest = Sha256::new();
    for text in key {
        digest.update(text.map_or("", |text| text.as_str()));
        // No text has a control character, so that the texts cannot run into each other.
        digest.update([0x1f]);
    }
    let digest = digest.finalize();
    let first = digest.first_chunk();
    let number = first.map_or(0, |first| u64::from_be_bytes(*first));
    format!("{number:016x}")
}
