use std::fmt;
use std::str::FromStr;

use crate::domain::InvalidValue;
#[cfg(feature = "data-api")]
use crate::domain::Period;

/// The clock times of the periods of a school day, which lessons from NEIS do not have.
///
/// Written as `08:40-09:30 09:40-10:30 …`, the first period first. A lesson of a period without
/// times has the whole day in calendars.
///
/// ```
/// use lyceum::domain::ClassPeriods;
///
/// let periods: ClassPeriods = "09:00-09:45 09:55-10:40".parse()?;
/// assert_eq!(periods.to_string(), "09:00-09:45 09:55-10:40");
/// # Ok::<_, lyceum::domain::InvalidValue>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassPeriods(Vec<PeriodTimes>);

/// When a period begins and ends, in minutes after midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PeriodTimes {
    pub(crate) begins: u16,
    pub(crate) ends: u16,
}

impl ClassPeriods {
    /// The times of a period.
    #[cfg(feature = "data-api")]
    pub(crate) fn times(&self, period: Period) -> Option<PeriodTimes> {
        let index = usize::try_from(period.get()).ok()?.checked_sub(1)?;
        self.0.get(index).copied()
    }
}

/// Seven periods of 50 minutes from 08:40, with breaks of 10 and an hour for lunch after the fourth.
impl Default for ClassPeriods {
    fn default() -> Self {
        let begins = [520, 580, 640, 700, 810, 870, 930];
        Self(Vec::from(begins.map(|begins| PeriodTimes {
            begins,
            ends: begins + 50,
        })))
    }
}

impl FromStr for ClassPeriods {
    type Err = InvalidValue;

    /// # Errors
    /// If a period is not written as `HH:MM-HH:MM`, does not end after it begins, or begins before
    /// the previous one has ended, or if there are none or more than 20.
    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        const RULE: InvalidValue = InvalidValue::new(
            "must be 1 to 20 periods such as 08:40-09:30 09:40-10:30, each after the one before",
        );
        let mut periods: Vec<PeriodTimes> = Vec::new();
        for period in text.split_ascii_whitespace() {
            let (begins, ends) = period.split_once('-').ok_or(RULE)?;
            let times = PeriodTimes {
                begins: minutes(begins).ok_or(RULE)?,
                ends: minutes(ends).ok_or(RULE)?,
            };
            let free_from = periods.last().map_or(0, |last| last.ends);
            if times.begins < free_from || times.ends <= times.begins {
                return Err(RULE);
            }
            periods.push(times);
        }
        match periods.len() {
            1..=20 => Ok(Self(periods)),
            _ => Err(RULE),
        }
    }
}

/// Reads `HH:MM`.
fn minutes(text: &str) -> Option<u16> {
    let (hour, minute) = text.split_once(':')?;
    let number = |text: &str, below: u16| {
        let is_number = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        let number: u16 = text.parse().ok().filter(|_| is_number)?;
        (number < below).then_some(number)
    };
    Some(number(hour, 24)? * 60 + number(minute, 60)?)
}

impl fmt::Display for ClassPeriods {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, PeriodTimes { begins, ends }) in self.0.iter().enumerate() {
            let blank = if at == 0 { "" } else { " " };
            let [(begin_hour, begin_minute), (end_hour, end_minute)] =
                [begins, ends].map(|minutes| (minutes / 60, minutes % 60));
            write!(
                f,
                "{blank}{begin_hour:02}:{begin_minute:02}-{end_hour:02}:{end_minute:02}"
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_a_school_day_with_lunch_after_the_fourth_period() {
        let periods = ClassPeriods::default();
        let written =
            "08:40-09:30 09:40-10:30 10:40-11:30 11:40-12:30 13:30-14:20 14:30-15:20 15:30-16:20";
        assert_eq!(periods.to_string(), written);
        assert_eq!(written.parse(), Ok(periods.clone()));
        let times = |period| periods.times(Period::new(period).unwrap());
        assert_eq!(
            times(5),
            Some(PeriodTimes {
                begins: 810,
                ends: 860
            })
        );
        assert_eq!(times(8), None);
    }

    /// Fails if periods overlap, end before they begin, or are on another day.
    #[test]
    fn periods_follow_one_another_within_a_day() {
        for text in [
            "",
            "08:40",
            "8:40-09:30",
            "08:40-08:40",
            "09:30-08:40",
            "08:40-09:30 09:20-10:10",
            "08:40-24:00",
            "08:60-09:30",
            "+8:40-09:30",
            "08:40–09:30",
            &(0..21)
                .map(|hour| format!("{hour:02}:00-{hour:02}:30 "))
                .collect::<String>(),
        ] {
            assert!(text.parse::<ClassPeriods>().is_err(), "{text:?}");
        }
        assert!("08:00-09:00 09:00-10:00".parse::<ClassPeriods>().is_ok());
    }
}
