//! What a reader of the directory can ask for.

use crate::domain::{Date, Invalid, vocabulary};

/// Which page, and how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PageRequest {
    page: u32,
    size: u32,
}

impl PageRequest {
    /// The largest page.
    pub const MAX_SIZE: u32 = 1000;

    /// The first records, as many as a page can have.
    pub const LARGEST: Self = Self { page: 0, size: Self::MAX_SIZE };

    /// Page `page`, counted from 0, of pages of `size` records, 1–1000.
    ///
    /// # Errors
    /// When the size is out of its range, or the page is above 2³¹ − 1.
    pub fn new(page: u32, size: u32) -> Result<Self, Invalid> {
        if !(1..=Self::MAX_SIZE).contains(&size) {
            return Err(Invalid::new("must be a whole number from 1 to 1000"));
        }
        if i32::try_from(page).is_err() {
            return Err(Invalid::new("must be a whole number from 0 to 2147483647"));
        }
        Ok(Self { page, size })
    }

    /// The page's number, from 0.
    pub const fn page(self) -> u32 {
        self.page
    }

    /// How many records a page has.
    pub const fn size(self) -> u32 {
        self.size
    }

    /// How many records come before the page; below 2⁴¹.
    pub const fn offset(self) -> u64 {
        self.page as u64 * self.size as u64
    }

    /// How many pages `total` records make.
    pub const fn pages(self, total: u64) -> u64 {
        total.div_ceil(self.size as u64)
    }
}

vocabulary! {
    /// Which way to sort. Ties are broken by id in the same direction; missing values come last in both.
    Direction {
        /// Smallest first.
        Ascending = "ASC",
        /// Largest first.
        Descending = "DESC",
    }
}

/// The days from `from` to `to`, both included: at most 366 of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DateRange {
    from: Date,
    to: Date,
}

impl DateRange {
    /// The most days a range has: a leap year.
    pub const MAX_DAYS: i32 = 366;

    /// The days from `from` to `to`.
    ///
    /// # Errors
    /// When `from` comes after `to`, or the range has more than 366 days.
    pub fn new(from: Date, to: Date) -> Result<Self, Invalid> {
        if from > to {
            return Err(Invalid::new("must not be after the last day"));
        }
        if from.days_until(to) >= Self::MAX_DAYS {
            return Err(Invalid::new("must not be more than 366 days before the last day"));
        }
        Ok(Self { from, to })
    }

    /// A single day.
    pub const fn day(date: Date) -> Self {
        Self { from: date, to: date }
    }

    /// The first day.
    pub const fn from(self) -> Date {
        self.from
    }

    /// The last day.
    pub const fn to(self) -> Date {
        self.to
    }

    /// Whether the day is in the range.
    pub fn contains(self, date: Date) -> bool {
        self.from <= date && date <= self.to
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_never_overflows() {
        let last = PageRequest::new(i32::MAX as u32, 1000).unwrap();
        assert_eq!(last.offset(), 2_147_483_647_000);
        assert_eq!((last.pages(0), last.pages(1), last.pages(1000), last.pages(1001)), (0, 1, 1, 2));
        for (page, size) in [(0, 0), (0, 1001), (1 << 31, 1)] {
            assert!(PageRequest::new(page, size).is_err());
        }
    }

    #[test]
    fn a_range_has_at_most_366_days() {
        let day = |text: &str| text.parse::<Date>().unwrap();
        assert!(DateRange::new(day("2024-01-01"), day("2024-12-31")).is_ok());
        assert!(DateRange::new(day("2024-01-01"), day("2025-01-01")).is_err());
        assert!(DateRange::new(day("2024-01-02"), day("2024-01-01")).is_err());
        assert!(DateRange::day(day("2024-01-01")).contains(day("2024-01-01")));
    }
}
