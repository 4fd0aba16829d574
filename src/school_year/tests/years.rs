//! The years that a turn ends.

use super::*;

// Proves: threats 47
/// Fails if a mistyped year files graduates under a year whose records are removed, or under one
/// after which no turn is made any more.
#[test]
fn only_the_current_school_year_and_the_one_before_are_turned() {
    let school = School::new();
    for (day, year, is_turned) in [
        ("2027-02-08", 2024, false),
        ("2027-02-08", 2025, true),
        ("2027-02-08", 2026, true),
        ("2027-02-08", 2027, false),
        ("2027-03-01", 2025, false),
        ("2027-03-01", 2026, true),
        ("2027-03-01", 2027, true),
        ("2027-03-01", 2062, false),
    ] {
        let turn = YearTurn::new().year(Year::new(year).unwrap());
        let plan = block_on(turn.plan(&school.directory, noon(day)));
        assert_eq!(plan.is_ok(), is_turned, "{day} {year}: {plan:?}");
        if let Err(error) = plan {
            let said = error.to_string();
            assert!(said.contains(&format!("the school year {year} ")), "{said}");
        }
    }
}

// Proves: threats 46
/// Fails if the daily removal takes away what an undo gives back.
#[test]
fn nothing_of_a_turn_is_removed_while_it_can_be_undone() {
    let school = School::new();
    school.clock.set(noon("2027-04-01"));
    let before = school.exported();
    school.turn(&YearTurn::new());
    let retention = HistoryRetention {
        leavers: Some(0),
        history: Some(0),
    };
    let apply = || block_on(retention.apply(&school.directory, school.now())).unwrap();
    school.clock.advance(UNDO_PERIOD - Duration::from_secs(1));
    assert_eq!(apply(), RemovedHistory::default());
    school.undo();
    assert_eq!(school.exported(), before);

    school.turn(&YearTurn::new());
    school.clock.advance(UNDO_PERIOD);
    let removed = apply();
    assert_eq!((removed.students, removed.entries), (1, 3));
}
