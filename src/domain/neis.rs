//! Meals, school events and lessons, in the shape that the ministry's portal gives them (NEIS).

use crate::domain::{ClassNum, Date, Grade, Invalid, Line, Prose, vocabulary};

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
    pub serve_count: Option<i32>,
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
    /// The allergens it contains, by their official numbers 1–19.
    pub allergens: Vec<u8>,
}

impl Dish {
    /// A dish and its allergens.
    ///
    /// # Errors
    /// When an allergen's number is not from 1 to 19.
    pub fn new(name: Line, allergens: Vec<u8>) -> Result<Self, Invalid> {
        if allergens.iter().any(|number| !(1..=19).contains(number)) {
            return Err(Invalid::new("must have allergens from 1 to 19"));
        }
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
    /// The period of the day, from 1.
    pub period: i32,
    /// The subject.
    pub subject: Option<Line>,
    /// The department, where classes are numbered inside departments.
    pub department: Option<Line>,
    /// The room.
    pub classroom: Option<Line>,
}
