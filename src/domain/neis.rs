//! Meals, school events and lessons, in the shape that the ministry's portal gives them (NEIS).

use crate::domain::{ClassNum, Date, Grade, Invalid, Line, Prose, bounded, vocabulary};

/// Which school a record belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchoolIdentity {
    /// The school's code.
    pub school_code: Line,
    /// The school's name.
    pub school_name: Line,
    /// The education office's code.
    pub office_code: Line,
    /// The education office's name.
    pub office_name: Line,
}

vocabulary! {
    /// Which meal of the day.
    MealType {
        /// Breakfast, number 1 in a meal's id.
        Breakfast = "BREAKFAST",
        /// Lunch, number 2.
        Lunch = "LUNCH",
        /// Dinner, number 3.
        Dinner = "DINNER",
    }
}

bounded!(
    /// An allergen by its official number, 1–19.
    Allergen(u8) in 1..=19,
    /// How many portions of a meal are served, 0–999999.
    ServeCount(i32) in 0..=999999,
    /// A period of a school day, 1–20.
    Period(i32) in 1..=20,
);

/// A meal. There is one of each type a day and school.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meal {
    /// The school.
    pub school: SchoolIdentity,
    /// The day.
    pub date: Date,
    /// Which meal of the day.
    pub kind: MealType,
    /// The dishes in order.
    pub dishes: Vec<Dish>,
    /// The calories, as the school writes them.
    pub calories: Option<Line>,
    /// Where the ingredients come from.
    pub origin: Option<Prose>,
    /// The nutrients.
    pub nutrition: Option<Prose>,
    /// How many portions are served.
    pub serve_count: Option<ServeCount>,
}

impl Meal {
    /// `{school}_{yyyyMMdd}_{1|2|3}`, the same at every sync.
    pub fn id(&self) -> String {
        let date = self.date;
        format!("{}_{:04}{:02}{:02}_{}", self.school.school_code, date.year(), date.month(), date.day(), self.kind as u8 + 1)
    }
}

/// A dish of a meal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dish {
    /// The name, without the allergens.
    pub name: Line,
    /// The allergens it contains.
    pub allergens: Vec<Allergen>,
}

impl Dish {
    /// A dish and its allergens by their official numbers.
    ///
    /// # Errors
    /// When an allergen's number is not from 1 to 19.
    pub fn new(name: Line, allergens: Vec<u8>) -> Result<Self, Invalid> {
        let allergens = allergens.into_iter().map(|number| Allergen::new(number.into())).collect::<Result<_, _>>()?;
        Ok(Self { name, allergens })
    }
}

/// An event of the school's calendar. A day may have several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchoolEvent {
    /// The id: unique also when a day has several events, the same at every sync.
    pub id: Line,
    /// The school.
    pub school: SchoolIdentity,
    /// The day.
    pub date: Date,
    /// The academic year, which starts in March.
    pub academic_year: Line,
    /// What happens.
    pub name: Line,
    /// More about it.
    pub content: Option<Prose>,
    /// The kind of day, such as a holiday.
    pub day_category: Option<Line>,
    /// The kind of school course.
    pub course_type: Option<Line>,
    /// Day or night course.
    pub day_night: Option<Line>,
    /// The grades it concerns, in order.
    pub target_grades: Vec<Grade>,
}

/// One period of a class's timetable on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lesson {
    /// The id: unique and the same at every sync.
    pub id: Line,
    /// The school.
    pub school: SchoolIdentity,
    /// The day.
    pub date: Date,
    /// The academic year, which starts in March.
    pub academic_year: Line,
    /// The semester.
    pub semester: Option<Line>,
    /// The grade.
    pub grade: Grade,
    /// The class.
    pub class_num: ClassNum,
    /// The period of the day.
    pub period: Period,
    /// The subject.
    pub subject: Option<Line>,
    /// The department, where classes are numbered inside departments.
    pub department: Option<Line>,
    /// The room.
    pub classroom: Option<Line>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dish_has_official_allergens_only() {
        let dish = |allergens| Dish::new(Line::literal("국"), allergens);
        assert_eq!(dish(vec![1, 19]).unwrap().allergens.iter().map(|allergen| allergen.get()).collect::<Vec<_>>(), [1, 19]);
        for number in [0, 20, 77, 255] {
            assert!(dish(vec![1, number]).is_err(), "{number}");
        }
    }

    #[test]
    fn portions_and_periods_have_limits() {
        assert!(ServeCount::new(0).is_ok() && ServeCount::new(999_999).is_ok());
        assert!(ServeCount::new(-1).is_err() && ServeCount::new(1_000_000).is_err());
        assert!(Period::new(1).is_ok() && Period::new(20).is_ok());
        assert!(Period::new(0).is_err() && Period::new(21).is_err());
    }
}
