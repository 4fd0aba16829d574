//! Decides which kinds are due, from the runs that are stored.

use std::time::Duration;

use jiff::civil::{self, Time};
use jiff::tz::TimeZone;

use crate::domain::{DataKind, Date, InvalidValue, SyncResult, SyncRunRecord, Timestamp};
use crate::neis::SyncKind;

/// Time after a failed run that may succeed later.
const RETRY_AFTER: Duration = Duration::from_secs(60 * 60);

/// A time of each day.
#[derive(Debug, Clone)]
pub(super) struct DailyTime {
    time: Time,
    zone: TimeZone,
}

impl DailyTime {
    /// Parses a time such as `05:30`, if there is one, and the name of its zone.
    pub(super) fn new(time: Option<&str>, zone: &str) -> Result<Option<Self>, InvalidValue> {
        let zone = TimeZone::get(zone)
            .map_err(|_| InvalidValue::new("must be the IANA name of a time zone"))?;
        let Some(text) = time else { return Ok(None) };
        let time = parse_time(text).ok_or(InvalidValue::new("must be a time such as 05:30"))?;
        Ok(Some(Self { time, zone }))
    }

    /// The last of these times up to `now`, and the one after it.
    fn previous_and_next(&self, now: Timestamp) -> (Timestamp, Timestamp) {
        let today = self.zone.to_datetime(now.to_jiff()).date();
        let on = |day: civil::Date| self.on(day);
        let next_day = |day: civil::Date| day.tomorrow().unwrap_or(civil::Date::MAX);
        let this = on(today);
        if this <= now {
            (this, on(next_day(today)))
        } else {
            (on(today.yesterday().unwrap_or(civil::Date::MIN)), this)
        }
    }

    /// The time on a day; the one after it if the clocks skip the time on that day.
    fn on(&self, day: civil::Date) -> Timestamp {
        let zoned = day.to_datetime(self.time).to_zoned(self.zone.clone());
        zoned.map_or(Timestamp::MAX, |zoned| {
            Timestamp::from_seconds(zoned.timestamp().as_second())
        })
    }

    /// When each kind is due, at `now` or later, given the last runs, the newest first.
    ///
    /// A kind is due at the daily time, at once if the last daily time passed without a run that
    /// ended, and an hour after a failure that may be over by then.
    pub(super) fn due(
        &self,
        now: Timestamp,
        runs: &[SyncRunRecord],
    ) -> impl Iterator<Item = (SyncKind, Timestamp)> {
        let (last, next) = self.previous_and_next(now);
        // A run that was interrupted is made up for at once, as if it had not been.
        let today = runs
            .iter()
            .filter(move |run| run.started_at >= last && run.result != SyncResult::Interrupted);
        let is_over = today.clone().any(|run| ends_the_day(run.result));
        SyncKind::ALL.iter().map(move |kind| {
            let newest = today.clone().find(|run| run.kind == DataKind::from(*kind));
            let due = match newest {
                Some(run) if run.result.is_transient() => {
                    run.ended_at.plus(RETRY_AFTER).max(now).min(next)
                }
                Some(_) => next,
                None if is_over => next,
                None => now,
            };
            (*kind, due)
        })
    }
}

/// Whether a failure would be the same for every kind until somebody does something, or until the
/// quota begins anew.
const fn ends_the_day(result: SyncResult) -> bool {
    matches!(
        result,
        SyncResult::KeyRefused | SyncResult::RequestRefused | SyncResult::QuotaSpent
    )
}

/// Whether the quota of the Korean day at `now` is spent, by these runs.
pub(super) fn quota_is_spent(now: Timestamp, runs: &[SyncRunRecord]) -> bool {
    let day = Date::korean;
    runs.iter()
        .any(|run| run.result == SyncResult::QuotaSpent && day(run.ended_at) == day(now))
}

/// Parses exactly `HH:MM`.
pub(super) fn parse_time(text: &str) -> Option<Time> {
    let (hour, minute) = text.split_once(':')?;
    let number = |text: &str| -> Option<i8> {
        let is_number = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| text.parse().ok())?
    };
    Time::new(number(hour)?, number(minute)?, 0, 0).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{DateRange, ShortText, SubjectId};

    fn at(text: &str) -> Timestamp {
        let at: jiff::Timestamp = text.parse().unwrap();
        Timestamp::from_seconds(at.as_second())
    }

    fn run(kind: SyncKind, result: SyncResult, started: &str) -> SyncRunRecord {
        SyncRunRecord {
            kind: kind.into(),
            window: DateRange::single_day("2026-06-10".parse().unwrap()),
            result,
            detail: ShortText::from_static("-"),
            code: None,
            calls: 1,
            inserted: 0,
            updated: 0,
            deleted: 0,
            skipped: 0,
            versions: [0, 0],
            by: SubjectId::service(),
            started_at: at(started),
            ended_at: at(started),
        }
    }

    fn due(now: &str, runs: &[SyncRunRecord]) -> Vec<String> {
        let daily = DailyTime::new(Some("05:30"), "Asia/Seoul")
            .unwrap()
            .unwrap();
        let due = daily.due(at(now), runs);
        due.map(|(_, due)| due.to_string()).collect()
    }

    /// Fails if a missed run is not made up for, or one that was made is made again.
    #[test]
    fn a_kind_is_due_at_the_daily_time_unless_it_has_run_since() {
        use SyncKind::{Meals, Schedules, Timetables};
        use SyncResult::{Empty, Synced};
        let now = "2026-06-10T03:00:00Z";
        assert_eq!(
            due(now, &[]),
            [now; 3],
            "noon in Korea, and nothing has run"
        );
        let next = "2026-06-10T20:30:00Z";
        let yesterday = run(Meals, Synced, "2026-06-09T20:29:59Z");
        let runs = [
            run(Timetables, Empty, "2026-06-09T20:30:09Z"),
            run(Schedules, Synced, "2026-06-09T20:30:00Z"),
            yesterday,
        ];
        assert_eq!(due(now, &runs), [now, next, next]);
        let interrupted = run(Schedules, SyncResult::Interrupted, "2026-06-09T20:31:00Z");
        assert_eq!(due(now, &[interrupted]), [now; 3]);
        let morning = "2026-06-10T20:30:00Z";
        assert_eq!(due(morning, &runs), [morning; 3], "a day later");
        assert_eq!(due("2026-06-10T20:29:59Z", &runs[..2])[1], next);
    }

    /// Fails if trouble that passes costs a day, or lasting trouble is asked about every hour.
    #[test]
    fn a_failure_that_may_pass_is_retried_an_hour_later() {
        use SyncKind::{Meals, Schedules};
        let next = "2026-06-10T20:30:00Z";
        let failed = |result| [run(Meals, result, "2026-06-09T20:30:00Z")];
        let unavailable = failed(SyncResult::Unavailable);
        let noon = "2026-06-10T03:00:00Z";
        let early = "2026-06-09T20:31:00Z";
        assert_eq!(due(early, &unavailable)[0], "2026-06-09T21:30:00Z");
        assert_eq!(due(noon, &unavailable)[0], noon);
        let retried = [
            run(Meals, SyncResult::Synced, "2026-06-09T21:30:00Z"),
            unavailable[0].clone(),
        ];
        assert_eq!(due(noon, &retried), [next, noon, noon]);
        for result in [
            SyncResult::KeyRefused,
            SyncResult::RequestRefused,
            SyncResult::QuotaSpent,
        ] {
            assert_eq!(due(noon, &failed(result)), [next; 3], "{result}");
        }
        let late = [run(
            Schedules,
            SyncResult::Unavailable,
            "2026-06-10T20:00:00Z",
        )];
        assert_eq!(due("2026-06-10T20:01:00Z", &late)[1], next);
        let many = failed(SyncResult::TooManyDeletions);
        assert_eq!(due(noon, &many), [next, noon, noon]);
    }

    /// Fails if the quota of yesterday counts, or the day is that of another zone.
    #[test]
    fn a_spent_quota_is_known_from_the_runs_of_the_korean_day() {
        let spent = [run(
            SyncKind::Meals,
            SyncResult::QuotaSpent,
            "2026-06-10T14:59:59Z",
        )];
        assert!(quota_is_spent(at("2026-06-10T14:59:59Z"), &spent));
        assert!(!quota_is_spent(at("2026-06-10T15:00:00Z"), &spent));
        assert!(!quota_is_spent(at("2026-06-10T14:59:59Z"), &[]));
    }

    /// Fails if the daily time moves with the clocks, or a day without it has none.
    #[test]
    fn the_daily_time_is_that_of_its_zone() {
        let daily = |time| {
            DailyTime::new(Some(time), "America/New_York")
                .unwrap()
                .unwrap()
        };
        // The clocks go forward at 02:00 on 8 March 2026.
        let (last, next) = daily("02:30").previous_and_next(at("2026-03-08T01:00:00Z"));
        assert_eq!(last.to_string(), "2026-03-07T07:30:00Z");
        assert_eq!(next.to_string(), "2026-03-08T07:30:00Z");
        let (_, next) = daily("05:30").previous_and_next(at("2026-03-08T12:00:00Z"));
        assert_eq!(next.to_string(), "2026-03-09T09:30:00Z");
        for time in ["", "5:30", "05:30:00", "24:00", "05:60", "+5:30", "off"] {
            assert!(DailyTime::new(Some(time), "Asia/Seoul").is_err(), "{time}");
        }
        assert!(DailyTime::new(None, "Asia/Atlantis").is_err());
        assert!(DailyTime::new(None, "Asia/Seoul").unwrap().is_none());
    }
}
