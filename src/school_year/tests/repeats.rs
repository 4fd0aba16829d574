//! Students who do not go to the next grade.

use super::*;

// Proves: threats 46
/// Fails if a row that kept the old grade makes a student repeat and nobody sees it.
#[test]
fn a_student_who_repeats_is_shown_and_counted_also_without_a_change() {
    let school = School::new();
    let classes = "이메일,학번\nhaneul@school.example,3307\nbada@school.example,2108\nsan@school.example,2205\n";
    let plan = school.turn(&YearTurn::new().classes(classes, CSV));
    assert_eq!(
        plan.to_string(),
        "\
~ 3 박산: 1101 → 2205
= 2 이바다: 2308 → 2108 repeats the grade
= 1 김하늘: 3307 → 3307 repeats the grade
school year 2026: 0 graduate, 1 go up, 2 repeat, 0 new, 0 conflicts"
    );
}

/// Fails if a mistyped grade moves a student up by two, or down.
#[test]
fn a_grade_that_is_neither_the_next_nor_the_same_is_a_conflict() {
    let school = School::new();
    let classes = "이메일,학번\nbada@school.example,1308\nsan@school.example,3101\n";
    let plan = school.plan(&YearTurn::new().classes(classes, CSV));
    assert_eq!(
        texts(plan.conflicts()),
        [(2, "2 to grade 1"), (3, "1 to grade 3")].map(|(student, grades)| format!(
            "student {student} would go from grade {grades} with the file of classes: a student goes to the next grade or repeats, import another grade on its own"
        ))
    );
}
