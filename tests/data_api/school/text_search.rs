//! Text filters: spec 2.6.

use lyceum::domain::{Club, Project, Student};

use super::{TestSchool, all};
use crate::school_records::{club, project, short_text, student};

// Proves: spec 2.6
/// Fails if a character of a pattern language or of SQL has a meaning.
#[tokio::test]
async fn wildcards_and_quotes_mean_themselves() {
    let names = [
        "100% sure",
        "a_c",
        "abc",
        "back\\slash",
        "it's",
        "\"quoted\"",
        "star*",
        "what?",
        "[a-z]",
    ];
    finds(
        &names,
        &[
            ("%", &[1]),
            ("100%", &[1]),
            ("_", &[2]),
            ("a_c", &[2]),
            ("\\", &[4]),
            ("'", &[5]),
            ("' OR '1'='1", &[]),
            ("\"", &[6]),
            ("*", &[7]),
            ("?", &[8]),
            ("[a", &[9]),
        ],
    )
    .await;
}

// Proves: spec 2.6
/// Fails if only ASCII letters are folded, or if a letter that folds to several is not.
#[tokio::test]
async fn case_is_ignored_in_every_script() {
    let names = [
        "Straße",
        "ΣΊΣΥΦΟΣ",
        "Ёлкин",
        "Ångström",
        "ǅungla",
        "ﬁle",
        "ARMENIAN Ֆ",
    ];
    finds(
        &names,
        &[
            ("STRASSE", &[1]),
            ("straße", &[1]),
            ("ẞ", &[1]),
            ("σίσυφος", &[2]),
            ("σ", &[2]),
            ("ёлкин", &[3]),
            ("ÅNGSTRÖM", &[4]),
            ("ǆUNGLA", &[5]),
            ("FILE", &[6]),
            ("armenian ֆ", &[7]),
        ],
    )
    .await;
}

// Proves: spec 2.6
/// Fails if a combining character is compared by itself, or if an accent is ignored.
#[tokio::test]
async fn composed_and_combining_characters_are_the_same() {
    let names = [
        "A\u{30a}ngstro\u{308}m",
        "한글",
        "\u{1112}\u{1161}\u{11ab}글",
        "Nguye\u{302}\u{303}n",
        "résumé",
    ];
    finds(
        &names,
        &[
            ("ångström", &[1]),
            ("한", &[2, 3]),
            ("\u{1112}\u{1161}\u{11ab}", &[2, 3]),
            ("하", &[]),
            ("nguyễn", &[4]),
            ("nguyen", &[]),
            ("resume", &[]),
            ("RE\u{301}SUME\u{301}", &[5]),
        ],
    )
    .await;
}

// Proves: spec 2.6
#[tokio::test]
async fn characters_beyond_the_basic_plane_are_found() {
    let names = ["개발 👩‍💻", "👩 혼자", "𐐀 deseret", "월월 月見里"];
    finds(
        &names,
        &[
            ("👩", &[1, 2]),
            ("👩‍💻", &[1]),
            ("💻", &[1]),
            ("\u{10428}", &[3]),
            ("月見", &[4]),
            ("👨", &[]),
        ],
    )
    .await;
}

// Proves: spec 2.6
/// Fails if blanks are trimmed, or if all blanks are the same.
#[tokio::test]
async fn a_blank_matches_like_any_character() {
    let names = ["하늘 김", "하늘김", "하늘\u{3000}김"];
    finds(
        &names,
        &[
            (" ", &[1]),
            ("\u{3000}", &[3]),
            ("하늘", &[1, 2, 3]),
            ("하늘 ", &[1]),
        ],
    )
    .await;
}

/// Asserts that every text filter finds exactly the expected of the students, clubs and projects
/// with these names, numbered from 1.
async fn finds(names: &[&str], expectations: &[(&str, &[i64])]) {
    let school = TestSchool::new().await;
    let (mut students, mut clubs, mut projects) = (Vec::new(), Vec::new(), Vec::new());
    for (number, name) in (1..).zip(names) {
        students.push(Student {
            name: short_text(name),
            specialty: Some(short_text(name)),
            ..student(number)
        });
        clubs.push(Club {
            name: short_text(name),
            ..club(number)
        });
        projects.push(Project {
            name: short_text(name),
            ..project(number, &[])
        });
    }
    school.put(students).await;
    school.put(clubs).await;
    school.put(projects).await;
    let snapshot = school.snapshot().await;
    for (term, expected) in expectations {
        for parameter in ["name", "specialty"] {
            let found = all(snapshot.students(), &[(parameter, term)]);
            let ids: Vec<_> = found.iter().map(|found| found.student.id.get()).collect();
            assert_eq!(ids, *expected, "students by {term:?}");
        }
        let found = all(snapshot.clubs(), &[("clubName", term)]);
        let ids: Vec<_> = found.iter().map(|found| found.club.id.get()).collect();
        assert_eq!(ids, *expected, "clubs by {term:?}");
        let found = all(snapshot.projects(), &[("projectName", term)]);
        let ids: Vec<_> = found.iter().map(|found| found.project.id.get()).collect();
        assert_eq!(ids, *expected, "projects by {term:?}");
    }
}
