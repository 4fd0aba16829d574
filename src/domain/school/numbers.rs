use crate::domain::{Date, InvalidValue, bounded_int};

bounded_int!(
    /// A grade (year of study), 1–12. The data API may accept fewer.
    Grade(i32) in 1..=12,
    /// A class inside a grade, 1–99.
    ClassNum(i32) in 1..=99,
    /// A student's number inside a class, 1–99.
    SeatNumber(i32) in 1..=99,
    /// A dormitory room, 1–99999; the hundreds are the floor.
    DormitoryRoom(i32) in 1..=99999,
    /// A calendar year, 1–9999.
    Year(i32) in 1..=9999,
);

impl Grade {
    /// Reads a grade and a class such as `3-2`.
    ///
    /// ```
    /// use lyceum::domain::Grade;
    ///
    /// let (grade, class) = Grade::parse_with_class("3-2").unwrap();
    /// assert_eq!((grade.get(), class.get()), (3, 2));
    /// assert_eq!(Grade::parse_with_class("13-2"), None);
    /// ```
    pub fn parse_with_class(text: &str) -> Option<(Self, ClassNum)> {
        let (grade, class) = text.split_once('-')?;
        let grade = Self::new(grade.trim().parse().ok()?).ok()?;
        let class = ClassNum::new(class.trim().parse().ok()?).ok()?;
        Some((grade, class))
    }
}

impl DormitoryRoom {
    /// The floor: the room's number without its last two digits.
    pub const fn floor(self) -> i32 {
        self.0 / 100
    }
}

impl Year {
    /// The school year of a day: from 1 March to the end of February, by the calendar year in which
    /// it begins. The first or the last year at the ends of the calendar.
    pub fn of_school(day: Date) -> Self {
        let year = i32::from(day.year()) - i32::from(day.month() < 3);
        Self(year.clamp(1, 9999))
    }

    /// The year that a turn ends which is made on this day: from September on the year that has
    /// begun in March, until August the one before.
    pub fn ending(day: Date) -> Self {
        let year = i32::from(day.year()) - i32::from(day.month() < 9);
        Self(year.clamp(1, 9999))
    }

    /// The next year; the last one has itself.
    #[must_use]
    pub fn next(self) -> Self {
        Self((self.0 + 1).min(9999))
    }
}

/// A first year and, once ended, a last year.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct YearRange {
    first: Year,
    last: Option<Year>,
}

impl YearRange {
    /// Creates the range from `first` to `last`, open-ended without a last year.
    ///
    /// # Errors
    /// If the last year is before the first.
    pub fn new(first: Year, last: Option<Year>) -> Result<Self, InvalidValue> {
        if last.is_some_and(|last| last < first) {
            return Err(InvalidValue::new("must not end before it starts"));
        }
        Ok(Self { first, last })
    }

    /// The first year.
    pub const fn first(self) -> Year {
        self.first
    }

    /// The last year, if the range has ended.
    pub const fn last(self) -> Option<Year> {
        self.last
    }
}
