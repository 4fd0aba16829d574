//! Former students, whom a roster lacks.

use super::*;
use crate::import::Obstacle;

const HEADINGS: &str = "name,sex,email,role,grade,classNum,number,major\n";

fn enrolled(count: usize) -> String {
    let row = |number| format!("S{number},MAN,s{number}@school.example,,1,1,{number},AI\n");
    (1..=count).map(row).collect()
}

// Proves: threats 48
/// Fails if the roster of the enrolled students removes graduates, or is refused because of them.
#[test]
fn a_roster_of_the_enrolled_students_keeps_the_former_ones() {
    let directory = empty_school();
    let former = "F1,MAN,f1@school.example,GRADUATE,,,,\nF2,MAN,f2@school.example,WITHDRAWN,,,,\n";
    let everybody = format!("{HEADINGS}{}{former}", enrolled(10));
    apply(&directory, &plan(&directory, Students, &everybody));
    let roster = |count| format!("{HEADINGS}{}", enrolled(count));
    let same = plan(&directory, Students, &roster(10));
    assert_eq!(counts(&same), [0, 0, 0, 10]);
    assert!(same.is_empty());
    assert!(
        same.to_string()
            .contains("2 former students stay, whom the file lacks"),
        "{same}"
    );
    let fewer = plan(&directory, Students, &roster(9));
    assert_eq!((counts(&fewer), fewer.obstacle()), ([0, 0, 1, 9], None));
    // The tenth is one of the enrolled students.
    let obstacle = Obstacle::Shrinks { removed: 2, of: 10 };
    let half = plan(&directory, Students, &roster(8));
    assert_eq!(half.obstacle(), Some(obstacle));
    let shown = plan(&directory, Students, &everybody).to_string();
    assert!(!shown.contains("former"), "{shown}");
}
