use crate::domain::{Invalid, bounded};

bounded!(
    /// A grade (year of study), 1–12. What a school's own grades are is for the data API to know.
    Grade(i32) in 1..=12,
    /// A class inside a grade, 1–99.
    ClassNum(i32) in 1..=99,
    /// A student's number inside a class, 1–99.
    SeatNumber(i32) in 1..=99,
    /// A dormitory room, 1–99999; its hundreds are the floor.
    DormitoryRoom(i32) in 1..=99999,
    /// A calendar year, 1–9999.
    Year(i32) in 1..=9999,
);

impl DormitoryRoom {
    /// The floor: the room's number without its last two digits.
    pub const fn floor(self) -> i32 {
        self.0 / 100
    }
}

/// The years in which something runs: a first one, and a last one once it is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lifespan {
    first: Year,
    last: Option<Year>,
}

impl Lifespan {
    /// The years from `first` to `last`, or open-ended while there is no last one.
    ///
    /// # Errors
    /// When the last year comes before the first.
    pub fn new(first: Year, last: Option<Year>) -> Result<Self, Invalid> {
        if last.is_some_and(|last| last < first) {
            return Err(Invalid::new("must not end before it starts"));
        }
        Ok(Self { first, last })
    }

    /// The first year.
    pub const fn first(self) -> Year {
        self.first
    }

    /// The last year, if it is over.
    pub const fn last(self) -> Option<Year> {
        self.last
    }
}
