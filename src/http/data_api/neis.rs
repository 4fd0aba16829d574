use http::Response;

use super::builder::Settings;
use super::failure::Failure;
use super::parameters::{Parameters, integer};
use super::{reply, wire};
use crate::domain::{DateRange, LessonFilter};
use crate::http::Body;
use crate::store::SchoolDirectory;

/// `GET /v1/neis/meals`
pub(super) async fn meals(store: &dyn SchoolDirectory, days: DateRange) -> Result<Response<Body>, Failure> {
    let meals = store.meals(days).await?;
    Ok(reply::list("", "meals", &meals, |meal| meal.rendered(false, wire::meal)))
}

/// `GET /v1/neis/schedules`
pub(super) async fn schedules(store: &dyn SchoolDirectory, days: DateRange) -> Result<Response<Body>, Failure> {
    let events = store.events(days).await?;
    Ok(reply::list("", "schedules", &events, |event| event.rendered(false, wire::event)))
}

/// `GET /v1/neis/timetables`
pub(super) async fn timetables(store: &dyn SchoolDirectory, days: DateRange, filter: &LessonFilter) -> Result<Response<Body>, Failure> {
    let lessons = store.lessons(days, filter).await?;
    Ok(reply::list("", "timetables", &lessons, |lesson| lesson.rendered(false, wire::lesson)))
}

pub(super) fn read_lessons(parameters: &mut Parameters<'_>, settings: &Settings) -> Result<LessonFilter, Failure> {
    Ok(LessonFilter {
        grade: parameters.take("grade", integer(|number| settings.grade(number)))?,
        class_num: parameters.take("classNum", integer(|number| settings.class_num(number)))?,
    })
}
