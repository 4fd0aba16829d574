//! Paging, sorting and date ranges of list queries.

use crate::domain::{Date, InvalidValue, string_enum};

/// Number and size of a requested page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PageRequest {
    page: u32,
    size: u32,
}

impl PageRequest {
    /// The maximum page size.
    pub const MAX_SIZE: u32 = 1000;

    /// The first page with the maximum size.
    pub const LARGEST: Self = Self {
        page: 0,
        size: Self::MAX_SIZE,
    };

    /// Creates a request for page `page`, counted from 0, with `size` records a page, 1–1000.
    ///
    /// # Errors
    /// If the size is out of range or the page is above 2³¹ − 1.
    pub fn new(page: u32, size: u32) -> Result<Self, InvalidValue> {
        if !(1..=Self::MAX_SIZE).contains(&size) {
            return Err(InvalidValue::new("must be a whole number from 1 to 1000"));
        }
        if i32::try_from(page).is_err() {
            return Err(InvalidValue::new(
                "must be a whole number from 0 to 2147483647",
            ));
        }
        Ok(Self { page, size })
    }

    /// The page number, from 0.
    pub const fn page(self) -> u32 {
        self.page
    }

    /// The maximum number of records of the page.
    pub const fn size(self) -> u32 {
        self.size
    }

    /// The number of records before the page; below 2⁴¹.
    pub const fn offset(self) -> u64 {
        self.page as u64 * self.size as u64
    }

    /// The number of pages for `total` records.
    pub const fn pages(self, total: u64) -> u64 {
        total.div_ceil(self.size as u64)
    }
}

string_enum! {
    /// Sort direction. Ties are ordered by id in the same direction; missing values come last in
    /// both.
    SortDirection {
        /// Smallest first.
        Ascending = "ASC",
        /// Largest first.
        Descending = "DESC",
    }
}

/// A range of at most 366 days, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DateRange {
    from: Date,
    to: Date,
}

impl DateRange {
    /// The maximum length: a leap year.
    pub const MAX_DAYS: i32 = 366;

    /// Creates a range from `from` to `to`.
    ///
    /// # Errors
    /// If `from` is after `to`, or the range has more than 366 days.
    pub fn new(from: Date, to: Date) -> Result<Self, InvalidValue> {
        if from > to {
            return Err(InvalidValue::new("must not be after the last day"));
        }
        if from.days_until(to) >= Self::MAX_DAYS {
            return Err(InvalidValue::new(
                "must not be more than 366 days before the last day",
            ));
        }
        Ok(Self { from, to })
    }

    /// Creates a range of a single day.
    pub const fn single_day(date: Date) -> Self {
        Self {
            from: date,
            to: date,
        }
    }

    /// The first day.
    pub const fn from(self) -> Date {
        self.from
    }

    /// The last day.
    pub const fn to(self) -> Date {
        self.to
    }

    /// Whether the range contains the day.
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
        assert_eq!(
            (
                last.pages(0),
                last.pages(1),
                last.pages(1000),
                last.pages(1001)
            ),
            (0, 1, 1, 2)
        );
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
        assert!(DateRange::single_day(day("2024-01-01")).contains(day("2024-01-01")));
    }
}
