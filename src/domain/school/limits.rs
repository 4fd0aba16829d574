use std::fmt;

use crate::domain::Invalid;

macro_rules! bounded {
    ($($(#[$meta:meta])* $name:ident($repr:ty) in $low:literal..=$high:literal),+ $(,)?) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name($repr);

        impl $name {
            /// The value from its number.
            ///
            /// # Errors
            #[doc = concat!("When the number is not from ", $low, " to ", $high, ".")]
            pub fn new(number: i64) -> Result<Self, Invalid> {
                match <$repr>::try_from(number) {
                    Ok(number @ $low..=$high) => Ok(Self(number)),
                    _ => Err(Invalid::new(concat!("must be a whole number from ", $low, " to ", $high))),
                }
            }

            /// The number.
            pub const fn get(self) -> $repr {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )+};
}

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
