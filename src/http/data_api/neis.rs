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
    whole(reply::list("", "meals", school.meals(days), |meal| meal.rendered(false, wire::meal)))
}

/// `GET /v1/neis/schedules`
pub(super) fn schedules(school: &Snapshot, days: DateRange) -> Answer {
    whole(reply::list("", "schedules", school.events(days), |event| event.rendered(false, wire::event)))
}

/// `GET /v1/neis/timetables`
pub(super) fn timetables(school: &Snapshot, days: DateRange, filter: &LessonFilter) -> Answer {
    whole(reply::list("", "timetables", &school.lessons(days, filter), |lesson| lesson.rendered(false, wire::lesson)))
}

fn whole(body: Vec<u8>) -> Answer {
    Answer::new(Format::Json, body, Rest::None)
}

pub(super) fn read_lessons(parameters: &mut Parameters<'_>, settings: &Settings) -> Result<LessonFilter, Failure> {
    Ok(LessonFilter {
        grade: parameters.take("grade", integer(|number| settings.grade(number)))?,
        class_num: parameters.take("classNum", integer(|number| settings.class_num(number)))?,
    })
}
