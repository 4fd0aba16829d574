//! Meals, school events and lessons, in the structure of the ministry's portal (NEIS).

use crate::domain::{
    ClassNum, Date, Grade, InvalidValue, LongText, ShortText, bounded_int, string_enum,
};

/// The school that a record belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchoolIdentity {
    /// The school's code.
    pub school_code: ShortText,
    /// The school's name.
    pub school_name: ShortText,
    /// The education office's code.
    pub office_code: ShortText,
    /// The education office's name.
    pub office_name: ShortText,
}

string_enum! {
    /// Meal of the day.
    MealType {
        /// Breakfast, number 1 in a meal's id.
        Breakfast = "BREAKFAST",
        /// Lunch, number 2.
        Lunch = "LUNCH",
        /// Dinner, number 3.
        Dinner = "DINNER",
    }
}

bounded_int!(
    /// An allergen by its official number, 1–19.
    Allergen(u8) in 1..=19,
    /// Number of portions of a meal, 0–999999.
    ServeCount(i32) in 0..=999999,
    /// A period of a school day, 1–20.
    Period(i32) in 1..=20,
);

/// A meal. A school has at most one of each type a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meal {
    /// The school.
    pub school: SchoolIdentity,
    /// The day.
    pub date: Date,
    /// The meal of the day.
    pub kind: MealType,
    /// The dishes in order.
    pub dishes: Vec<Dish>,
    /// The calories, as the school states them.
    pub calories: Option<ShortText>,
    /// The origin of the ingredients.
    pub origin: Option<LongText>,
    /// The nutrients.
    pub nutrition: Option<LongText>,
    /// The number of portions.
    pub serve_count: Option<ServeCount>,
}

impl Meal {
    /// `{school}_{yyyyMMdd}_{1|2|3}`, stable across syncs.
    pub fn id(&self) -> String {
        let date = self.date;
        format!(
            "{}_{:04}{:02}{:02}_{}",
            self.school.school_code,
            date.year(),
            date.month(),
            date.day(),
            self.kind as u8 + 1
        )
    }
}

/// A dish of a meal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dish {
    /// The name, without the allergens.
    pub name: ShortText,
    /// The allergens.
    pub allergens: Vec<Allergen>,
}

impl Dish {
    /// Creates a dish with allergens by their official numbers.
    ///
    /// # Errors
    /// If an allergen's number is not from 1 to 19.
    pub fn new(name: ShortText, allergens: Vec<u8>) -> Result<Self, InvalidValue> {
        let allergens = allergens
            .into_iter()
            .map(|number| Allergen::new(number.into()))
            .collect::<Result<_, _>>()?;
        Ok(Self { name, allergens })
    }
}

/// An event of the school calendar. A day may have several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchoolEvent {
    /// The id, unique per event and stable across syncs.
    pub id: ShortText,
    /// The school.
    pub school: SchoolIdentity,
    /// The day.
    pub date: Date,
    /// The academic year, which starts in March.
    pub academic_year: ShortText,
    /// The name.
    pub name: ShortText,
    /// The details.
    pub content: Option<LongText>,
    /// The kind of day, such as a holiday.
    pub day_category: Option<ShortText>,
    /// The kind of school course.
    pub course_type: Option<ShortText>,
    /// Day or night course.
    pub day_night: Option<ShortText>,
    /// The grades concerned, in order.
    pub target_grades: Vec<Grade>,
}

/// One period of a class's timetable on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lesson {
    /// The id, unique and stable across syncs.
    pub id: ShortText,
    /// The school.
    pub school: SchoolIdentity,
    /// The day.
    pub date: Date,
    /// The academic year, which starts in March.
    pub academic_year: ShortText,
    /// The semester.
    pub semester: Option<ShortText>,
    /// The grade.
    pub grade: Grade,
    /// The class.
    pub class_num: ClassNum,
    /// The period of the day.
    pub period: Period,
    /// The subject.
    pub subject: Option<ShortText>,
    /// The department, if classes are numbered within departments.
    pub department: Option<ShortText>,
    /// The room.
    pub classroom: Option<ShortText>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dish_has_official_allergens_only() {
        let dish = |allergens| Dish::new(ShortText::from_static("국"), allergens);
        assert_eq!(
            dish(vec![1, 19])
                .unwrap()
                .allergens
                .iter()
                .map(|allergen| allergen.get())
                .collect::<Vec<_>>(),
            [1, 19]
        );
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
