use std::sync::Arc;

use super::answer::{Answer, Rest};
use super::builder::Settings;
use super::failure::Failure;
use super::format::Format;
use super::parameters::{Parameters, integer};
use super::{reply, wire};
use crate::directory::Snapshot;
use crate::domain::{DateRange, LessonFilter};

/// `GET /v1/neis/meals`
pub(super) fn meals(school: &Snapshot, days: DateRange) -> Answer {
    whole("meals", school.meals(days), wire::write_meal)
}

/// `GET /v1/neis/schedules`
pub(super) fn schedules(school: &Snapshot, days: DateRange) -> Answer {
    whole("schedules", school.events(days), wire::write_event)
}

/// `GET /v1/neis/timetables`
pub(super) fn timetables(school: &Snapshot, days: DateRange, filter: &LessonFilter) -> Answer {
    whole("timetables", &school.lessons(days, filter), wire::write_lesson)
}

/// Days are seldom asked for in two ways, so their JSON is kept with the answer alone.
fn whole<T>(field: &str, records: &[Arc<T>], write: fn(&mut Vec<u8>, &T)) -> Answer {
    Answer::new(Format::Json, reply::list("", field, records.iter(), |record, out| write(out, record)), Rest::None)
}

pub(super) fn read_lessons(parameters: &mut Parameters<'_>, settings: &Settings) -> Result<LessonFilter, Failure> {
    Ok(LessonFilter {
        grade: parameters.take("grade", integer(|number| settings.grade(number)))?,
        class_num: parameters.take("classNum", integer(|number| settings.class_num(number)))?,
    })
}
