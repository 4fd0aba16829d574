//! Rows that do not find their records.

use super::*;

fn ids(plan: &Plan) -> Vec<i64> {
    plan.leaving().iter().map(|student| student.get()).collect()
}

/// Fails if a plan does not say that its students get new ids, or who leaves the school.
#[test]
fn a_file_with_other_addresses_is_shown_as_one_whose_rows_found_no_records() {
    let directory = school();
    let moved = STUDENTS.replace("@school.example", "@new.example");
    let import = Import::new(Students).allow_removals();
    let lost = plan_of(&directory, &import, moved.clone());
    assert_eq!(counts(&lost), [3, 0, 3, 0]);
    assert_eq!(ids(&lost), [1, 2, 3]);
    assert!(lost.suggests_match());
    let shown = lost.to_string();
    assert!(
        shown.contains("About as many records are new as gone"),
        "{shown}"
    );
    let found = plan_of(&directory, &import.match_by("name"), moved);
    assert_eq!(counts(&found), [0, 3, 0, 0]);
    assert_eq!(ids(&found), [0; 0]);
    let shown = found.to_string();
    assert!(
        !found.suggests_match() && !shown.contains("About"),
        "{shown}"
    );
}

/// Fails if a student who graduates by a file, and one who had left before, are taken for each other.
#[test]
fn enrolled_students_who_graduate_or_withdraw_leave_the_school() {
    let directory = school();
    let leaving = "id,role\n1,GRADUATE\n2,WITHDRAWN\n3,GENERAL_STUDENT\n";
    let plan = partial(&directory, Students, leaving);
    assert_eq!(ids(&plan), [1, 2]);
    apply(&directory, &plan);
    let again = partial(&directory, Students, "id,name,role\n1,A,WITHDRAWN\n");
    assert_eq!((counts(&again), ids(&again)), ([0, 1, 0, 0], vec![]));
}
