//! The date parameters of lists by day.

use super::parse_query::ParameterReader;
use super::query_error::QueryError;
use crate::domain::{Date, DateRange, InvalidValue};

/// Parses `date`, `fromDate` and `toDate`.
pub(super) fn take_date_range(
    parameters: &mut ParameterReader<'_>,
    today: Date,
) -> Result<DateRange, QueryError> {
    let date = parameters.take("date", str::parse)?;
    let from = parameters.take_with_alias("fromDate", Some("startDate"), str::parse)?;
    let to = parameters.take_with_alias("toDate", Some("endDate"), str::parse)?;
    resolve(date, from, to, today).map_err(|(name, rule)| QueryError::Invalid { name, rule })
}

/// Returns the days that the parameters select, or the invalid parameter and the rule that it
/// breaks.
fn resolve(
    date: Option<Date>,
    from: Option<Date>,
    to: Option<Date>,
    today: Date,
) -> Result<DateRange, (&'static str, InvalidValue)> {
    match (date, from, to) {
        (Some(_), Some(_), _) | (Some(_), _, Some(_)) => Err((
            "date",
            InvalidValue::new("must not be given together with fromDate or toDate"),
        )),
        (date, None, None) => Ok(DateRange::single_day(date.unwrap_or(today))),
        (None, Some(from), to) => {
            DateRange::new(from, to.unwrap_or_else(|| end_of_year_from(from)))
                .map_err(|rule| ("fromDate", rule))
        }
        (None, None, Some(to)) => {
            DateRange::new(start_of_year_to(to), to).map_err(|rule| ("toDate", rule))
        }
    }
}

/// The last day of the year that starts with `first`, or the calendar's last day.
fn end_of_year_from(first: Date) -> Date {
    first
        .plus_years(1)
        .and_then(|day| day.plus_days(-1))
        .unwrap_or(Date::MAX)
}

/// The first day of the year that ends with `last`, or the calendar's first day.
fn start_of_year_to(last: Date) -> Date {
    last.plus_years(-1)
        .and_then(|day| day.plus_days(1))
        .unwrap_or(Date::MIN)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TODAY: &str = "2026-11-21";

    fn resolved(date: &str, from: &str, to: &str) -> Result<String, &'static str> {
        let day = |text: &str| text.parse().ok();
        let range = resolve(day(date), day(from), day(to), TODAY.parse().unwrap())
            .map_err(|(name, _)| name)?;
        Ok(format!("{}..{}", range.from(), range.to()))
    }

    // Proves: spec 2.16
    #[test]
    fn one_bound_means_a_year_from_it_or_up_to_it() {
        for (from, to, range) in [
            ("2026-03-01", "", "2026-03-01..2027-02-28"),
            ("2024-02-29", "", "2024-02-29..2025-02-27"),
            ("9999-06-01", "", "9999-06-01..9999-12-31"),
            ("", "2026-02-28", "2025-03-01..2026-02-28"),
            ("", "2024-12-31", "2024-01-01..2024-12-31"),
            ("", "0001-05-05", "0001-01-01..0001-05-05"),
        ] {
            assert_eq!(resolved("", from, to).unwrap(), range);
        }
    }

    // Proves: spec 2.16
    #[test]
    fn no_date_is_today_and_a_date_is_that_day() {
        assert_eq!(resolved("", "", "").unwrap(), "2026-11-21..2026-11-21");
        assert_eq!(
            resolved("2026-01-02", "", "").unwrap(),
            "2026-01-02..2026-01-02"
        );
    }

    // Proves: spec 2.16
    #[test]
    fn a_date_beside_a_bound_and_a_range_that_is_backward_or_too_long_are_refused() {
        assert_eq!(resolved("2026-01-01", "2026-01-01", ""), Err("date"));
        assert_eq!(resolved("2026-01-01", "", "2026-01-01"), Err("date"));
        assert_eq!(resolved("", "2026-01-02", "2026-01-01"), Err("fromDate"));
        assert_eq!(resolved("", "2026-01-01", "2027-01-02"), Err("fromDate"));
        assert_eq!(
            resolved("", "2026-01-01", "2027-01-01").unwrap(),
            "2026-01-01..2027-01-01"
        );
    }

    fn any_date() -> impl Strategy<Value = Date> {
        (1_i16..=9999, 1_i8..=12, 1_i8..=28)
            .prop_map(|(year, month, day)| Date::new(year, month, day).unwrap())
    }

    proptest! {
        #[test]
        fn a_single_bound_always_makes_a_range(bound in any_date(), extra in 0..4) {
            let bound = bound.plus_days(extra).unwrap_or(bound);
            prop_assert_eq!(resolve(None, Some(bound), None, bound).unwrap().from(), bound);
            prop_assert_eq!(resolve(None, None, Some(bound), bound).unwrap().to(), bound);
        }
    }
}
