//! The table of the checks of `doctor`.

use lyceum::doctor::Check;

use crate::OPERATIONS;

/// Fails if the table lacks a check, or names one that is none.
#[test]
fn every_check_of_doctor_is_in_the_table_in_its_order() {
    let table = OPERATIONS
        .split("| Check | It fails, or warns, when | What to do |\n")
        .nth(1)
        .unwrap();
    let rows = table
        .lines()
        .skip(1)
        .map_while(|row| row.strip_prefix("| `"));
    let listed: Vec<&str> = rows.map(|row| row.split('`').next().unwrap()).collect();
    let checks: Vec<&str> = Check::ALL.iter().map(|check| check.as_str()).collect();
    assert_eq!(listed, checks);
}
