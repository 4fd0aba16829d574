use super::row::compact;
use crate::domain::DateRange;
use crate::neis::{AcademicYear, NeisSchool, SchoolKind, SyncKind};

/// Rows of a page; the most that the portal gives.
const PAGE_SIZE: usize = 1000;

/// The first academic year whose timetables are in the resources of today.
const FIRST_CURRENT_YEAR: i16 = 2023;

/// A list of the portal: its resource, the school and the days.
#[derive(Debug)]
pub(in crate::neis) struct Query {
    pub(in crate::neis) endpoint: String,
    parameters: String,
}

impl Query {
    pub(in crate::neis) fn new(kind: SyncKind, school: &NeisSchool, window: DateRange) -> Self {
        let dates = match kind {
            SyncKind::Meals => "MLSV",
            SyncKind::Schedules => "AA",
            SyncKind::Timetables => "TI",
        };
        let parameters = format!(
            "Type=json&ATPT_OFCDC_SC_CODE={}&SD_SCHUL_CODE={}&{dates}_FROM_YMD={}&{dates}_TO_YMD={}",
            school.office_code,
            school.school_code,
            compact(window.from()),
            compact(window.to()),
        );
        Self {
            endpoint: endpoint(kind, school.kind, AcademicYear::containing(window.from())),
            parameters,
        }
    }

    /// The address of a page, from 1, below the base address, without the key.
    pub(in crate::neis) fn page(&self, index: usize) -> String {
        format!(
            "{}?{}&pIndex={index}&pSize={PAGE_SIZE}",
            self.endpoint, self.parameters
        )
    }
}

fn endpoint(kind: SyncKind, school: SchoolKind, year: AcademicYear) -> String {
    match kind {
        SyncKind::Meals => "mealServiceDietInfo".to_owned(),
        SyncKind::Schedules => "SchoolSchedule".to_owned(),
        SyncKind::Timetables if year.year() < FIRST_CURRENT_YEAR => format!("{school}Timetablebgs"),
        SyncKind::Timetables => format!("{school}Timetable"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(kind: SyncKind, school: SchoolKind, from: &str, to: &str) -> Query {
        let window = DateRange::new(from.parse().unwrap(), to.parse().unwrap());
        let school = NeisSchool::new("F10", "7380292", school).unwrap();
        Query::new(kind, &school, window.unwrap())
    }

    /// Fails if a kind is asked at another resource, or by parameters that the portal ignores.
    #[test]
    fn each_kind_has_its_resource_and_parameters() {
        let meals = query(
            SyncKind::Meals,
            SchoolKind::High,
            "2026-03-01",
            "2027-02-28",
        );
        assert_eq!(
            meals.page(2),
            "mealServiceDietInfo?Type=json&ATPT_OFCDC_SC_CODE=F10&SD_SCHUL_CODE=7380292\
             &MLSV_FROM_YMD=20260301&MLSV_TO_YMD=20270228&pIndex=2&pSize=1000"
        );
        let events = query(
            SyncKind::Schedules,
            SchoolKind::High,
            "2026-03-01",
            "2026-03-01",
        );
        assert!(events.page(1).starts_with("SchoolSchedule?"));
        assert!(
            events
                .page(1)
                .contains("&AA_FROM_YMD=20260301&AA_TO_YMD=20260301&")
        );
        for (school, from, endpoint) in [
            (SchoolKind::Elementary, "2026-03-01", "elsTimetable"),
            (SchoolKind::Middle, "2026-03-01", "misTimetable"),
            (SchoolKind::High, "2023-03-01", "hisTimetable"),
            (SchoolKind::High, "2023-02-28", "hisTimetablebgs"),
            (SchoolKind::Special, "2026-03-01", "spsTimetable"),
        ] {
            let lessons = query(SyncKind::Timetables, school, from, from);
            assert_eq!(lessons.endpoint, endpoint);
            assert!(lessons.page(1).contains("&TI_FROM_YMD="));
        }
    }
}
