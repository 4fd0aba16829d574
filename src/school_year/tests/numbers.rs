//! Students with one number.

use super::*;

const HEADINGS: &str = "name,sex,email,grade,classNum,number,major\n";

/// A school with 12 classes in a grade and these students.
fn large_school(rows: &str) -> School {
    let School { store, clock, .. } = School::empty();
    let directory = Directory::builder_with_history(store.clone())
        .clock(Arc::new(clock.clone()))
        .classes(1..=12)
        .open();
    let school = School {
        store,
        directory: block_on(directory).unwrap(),
        clock,
    };
    school.import(RecordKind::Students, &format!("{HEADINGS}{rows}"));
    school
}

/// Fails if the class 11 of the first grade and the class 1 of the second are taken for one: the
/// number of both students is 2105 then, and 3105 after the turn.
#[test]
fn the_eleventh_class_of_a_grade_is_not_the_first_of_the_next_one() {
    let school = large_school(
        "한솔,MAN,sol@school.example,1,11,5,AI\n최별,WOMAN,byeol@school.example,2,1,5,AI\n",
    );
    let before = school.exported();
    let plan = school.turn(&YearTurn::new());
    assert_eq!(texts(plan.conflicts()), Vec::<String>::new());
    // A new student with the number that one of the two gets back, in another class.
    let new = format!("{HEADINGS}오봄,WOMAN,bom@school.example,1,11,5,AI\n");
    school.import(RecordKind::Students, &new);
    let plan = school.undo();
    assert_eq!(
        texts(plan.conflicts()),
        ["student 1 would have the number 2105, as student 3: the record stays"]
    );
    assert_eq!((plan.restored(), plan.removed()), (1, 0));
    assert_ne!(school.exported(), before);
}

/// Fails if a school that numbers the classes inside each department cannot turn the year.
#[test]
fn students_of_two_departments_may_have_one_number() {
    let school = large_school(
        "한솔,MAN,sol@school.example,1,1,5,AI\n최별,WOMAN,byeol@school.example,1,1,5,SMART_IOT\n",
    );
    let before = school.exported();
    let plan = school.turn(&YearTurn::new());
    assert_eq!(texts(plan.conflicts()), Vec::<String>::new());
    let new = format!("{HEADINGS}오봄,WOMAN,bom@school.example,1,1,5,SW_DEVELOPMENT\n");
    school.import(RecordKind::Students, &new);
    let plan = school.undo();
    assert_eq!(texts(plan.conflicts()), Vec::<String>::new());
    school.write(vec![DirectoryChange::RemoveStudent(school.student(3).id)]);
    assert_eq!(school.exported(), before);
}

/// Fails if two students whom an import gave one number keep everybody in the old class.
#[test]
fn students_who_have_one_number_already_are_no_conflict() {
    let school = large_school(
        "한솔,MAN,sol@school.example,1,1,5,AI\n최별,WOMAN,byeol@school.example,1,1,5,AI\n",
    );
    let plan = school.turn(&YearTurn::new());
    assert_eq!(texts(plan.conflicts()), Vec::<String>::new());
    let third = "name,sex,email,grade,classNum,number,major\n오봄,WOMAN,bom@school.example,1,1,1,AI\n김솔,MAN,kim@school.example,1,1,1,AI\n";
    let plan = school.plan(&YearTurn::new().again().first_years(third, CSV));
    assert_eq!(
        texts(plan.conflicts()),
        ["student 4 would have the number 1101, as student 3"]
    );
}
