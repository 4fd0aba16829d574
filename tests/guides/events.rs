//! The table of events.

use std::collections::BTreeSet;

use lyceum::http::audit::EventName;

use crate::OPERATIONS;

/// Fails if the table lacks an event, has one twice, or has a word that is none.
#[test]
fn every_event_is_in_the_table_and_nothing_else_is() {
    let table = OPERATIONS
        .split("| `event` | When | With |\n")
        .nth(1)
        .unwrap();
    let rows = table
        .lines()
        .skip(1)
        .map_while(|row| row.strip_prefix("| "));
    let listed: Vec<&str> = rows
        .flat_map(|row| row.split(" | ").next().unwrap().split(", "))
        .map(|word| word.trim_matches('`'))
        .collect();
    let events: BTreeSet<&str> = EventName::ALL.iter().map(|event| event.as_str()).collect();
    assert_eq!(listed.iter().copied().collect::<BTreeSet<_>>(), events);
    assert_eq!(listed.len(), events.len(), "{listed:?}");
}
