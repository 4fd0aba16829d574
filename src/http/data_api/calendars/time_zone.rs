use jiff::Timestamp;
use jiff::civil;
use jiff::tz::{Offset, TimeZone};

use super::content_lines::ContentLines;
use crate::domain::Date;

/// Writes the definition of the zone as it is from the first to the last day (RFC 5545 §3.6.5): the
/// offset at the beginning, and each change of it. There are no rules for other years, which the
/// calendars do not have.
pub(super) fn write(lines: &mut ContentLines, zone: &TimeZone, [first, last]: [Date; 2]) {
    lines.property("BEGIN", "VTIMEZONE");
    lines.property("TZID", name(zone));
    let (begins, ends) = (midnight(zone, first), midnight(zone, last));
    match zone.preceding(begins).next() {
        Some(change) => write_change(lines, zone, change.timestamp()),
        None => {
            let offset = zone.to_offset(begins);
            write_observance(lines, zone, (Timestamp::UNIX_EPOCH, begins), offset);
        }
    }
    // A change at midnight of the first day, and those of a day more than the last one.
    let a_day_later = ends.saturating_add(jiff::SignedDuration::from_hours(24));
    let from = begins.saturating_sub(jiff::SignedDuration::from_nanos(1));
    if let (Ok(from), Ok(until)) = (from, a_day_later) {
        let changes = zone.following(from);
        for change in changes.take_while(|change| change.timestamp() <= until) {
            write_change(lines, zone, change.timestamp());
        }
    }
    lines.property("END", "VTIMEZONE");
}

/// The name of the zone, which has no character that a parameter must quote.
pub(super) fn name(zone: &TimeZone) -> &str {
    zone.iana_name().unwrap_or("UTC")
}

/// The first moment of a day; the epoch for a day at the ends of the calendar, which has none.
pub(super) fn midnight(zone: &TimeZone, day: Date) -> Timestamp {
    civil::date(day.year(), day.month(), day.day())
        .to_zoned(zone.clone())
        .map_or(Timestamp::UNIX_EPOCH, |midnight| midnight.timestamp())
}

fn write_change(lines: &mut ContentLines, zone: &TimeZone, at: Timestamp) {
    let before = at
        .saturating_sub(jiff::SignedDuration::from_nanos(1))
        .map_or_else(|_| zone.to_offset(at), |before| zone.to_offset(before));
    write_observance(lines, zone, (at, at), before);
}

/// Writes the offset that is in force at `at`, since `since`, and the one before it.
fn write_observance(
    lines: &mut ContentLines,
    zone: &TimeZone,
    (since, at): (Timestamp, Timestamp),
    before: Offset,
) {
    let now = zone.to_offset_info(at);
    let kind = if now.dst().is_dst() {
        "DAYLIGHT"
    } else {
        "STANDARD"
    };
    lines.property("BEGIN", kind);
    // In the time before the change.
    lines.property(
        "DTSTART",
        before.to_datetime(since).strftime("%Y%m%dT%H%M%S"),
    );
    lines.property("TZOFFSETFROM", offset(before));
    lines.property("TZOFFSETTO", offset(now.offset()));
    lines.text("TZNAME", now.abbreviation());
    lines.property("END", kind);
}

/// Formats an offset (RFC 5545 §3.3.14); seconds only if it has any.
fn offset(offset: Offset) -> String {
    let seconds = offset.seconds();
    let sign = if seconds < 0 { '-' } else { '+' };
    let (minutes, rest) = (seconds.unsigned_abs() / 60, seconds.unsigned_abs() % 60);
    let hours_and_minutes = format!("{sign}{:02}{:02}", minutes / 60, minutes % 60);
    if rest == 0 {
        hours_and_minutes
    } else {
        format!("{hours_and_minutes}{rest:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(zone: &str) -> String {
        let mut lines = ContentLines::default();
        let days = ["2026-03-01", "2027-02-28"].map(|day| day.parse().unwrap());
        write(&mut lines, &TimeZone::get(zone).unwrap(), days);
        String::from_utf8(lines.into_bytes()).unwrap()
    }

    #[test]
    fn a_zone_without_summer_time_has_one_offset() {
        assert_eq!(
            written("Asia/Seoul"),
            "BEGIN:VTIMEZONE\r\nTZID:Asia/Seoul\r\nBEGIN:STANDARD\r\nDTSTART:19881009T030000\r\n\
             TZOFFSETFROM:+1000\r\nTZOFFSETTO:+0900\r\nTZNAME:KST\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
        );
        assert_eq!(
            written("UTC"),
            "BEGIN:VTIMEZONE\r\nTZID:UTC\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\n\
             TZOFFSETFROM:+0000\r\nTZOFFSETTO:+0000\r\nTZNAME:UTC\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
        );
    }

    /// Fails if a change of the year is left out, or has the local time after it.
    #[test]
    fn a_zone_with_summer_time_has_each_change_of_the_year() {
        let written = written("America/New_York");
        let expected = [
            ("STANDARD", "20251102T020000", "-0400", "-0500", "EST"),
            ("DAYLIGHT", "20260308T020000", "-0500", "-0400", "EDT"),
            ("STANDARD", "20261101T020000", "-0400", "-0500", "EST"),
        ]
        .map(|(kind, start, from, to, name)| {
            format!(
                "BEGIN:{kind}\r\nDTSTART:{start}\r\nTZOFFSETFROM:{from}\r\nTZOFFSETTO:{to}\r\nTZNAME:{name}\r\nEND:{kind}\r\n"
            )
        });
        assert_eq!(
            written,
            format!(
                "BEGIN:VTIMEZONE\r\nTZID:America/New_York\r\n{}END:VTIMEZONE\r\n",
                expected.concat()
            )
        );
    }
}
