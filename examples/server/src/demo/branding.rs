//! How the sample school shows itself on the pages.

use lyceum::http::{Branding, ConfigError};

/// The name that the sample school's meals, events and lessons have, so that calendar feeds, which
/// are named after their records, and pages name one school.
const NAME: &str = "별빛소프트웨어고등학교";

/// Stars, on the accent colour.
const LOGO: &str = include_str!("logo.svg");
const ACCENT: &str = "#5a43c6";

/// Branding of the sample school.
pub fn branding() -> Result<Branding, ConfigError> {
    Branding::new(NAME)?
        .logo(LOGO)?
        .accent(ACCENT)?
        .support("help@school.example")
}

#[cfg(test)]
mod tests {
    use lyceum::sample_data::SampleSchool;

    use super::*;

    #[test]
    fn pages_name_the_school_that_the_records_name() {
        let school = SampleSchool::new(20, "2026-05-20".parse().unwrap());
        let meals = school.meals.iter().map(|meal| &meal.school);
        let events = school.events.iter().map(|event| &event.school);
        let lessons = school.lessons.iter().map(|lesson| &lesson.school);
        let mut names = meals
            .chain(events)
            .chain(lessons)
            .map(|school| &*school.school_name);
        assert!(names.all(|name| name == NAME));
        assert_eq!(&**branding().unwrap().name(), NAME);
    }

    #[test]
    fn the_logo_is_small_and_has_the_accent_colour_and_no_text() {
        assert!(LOGO.len() < 2_000, "{} bytes", LOGO.len());
        assert!(LOGO.contains(ACCENT) && !LOGO.contains("<text"), "{LOGO}");
    }
}
