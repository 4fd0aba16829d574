use super::*;
use crate::import::{Difference, FileFormat, Obstacle};

/// Fails if an import applies what was not shown.
#[test]
fn a_plan_is_applied_to_the_version_it_was_made_for_and_no_other() {
    let directory = school();
    let first = partial(&directory, Students, "id,name\n1,A\n");
    let second = partial(&directory, Students, "id,name\n2,B\n");
    assert_eq!(first.version(), second.version());
    assert_ne!(first.code(), second.code());
    apply(&directory, &first);
    let outcome = block_on(second.apply(&directory)).unwrap();
    assert_eq!(outcome, ApplyOutcome::Outdated);
    let again = partial(&directory, Students, "id,name\n2,B\n");
    assert_eq!(
        again.code(),
        partial(&directory, Students, "id,name\n2,B\n").code()
    );
    assert_ne!(again.code(), second.code(), "the version is another one");
    apply(&directory, &again);
    let empty = partial(&directory, Students, "id,name\n2,B\n");
    assert!(empty.is_empty() && counts(&empty) == [0, 0, 0, 1]);
    apply(&directory, &empty);
}

/// Fails if a file with a part of the school empties the rest without a word.
#[test]
fn more_than_a_tenth_is_removed_only_with_a_word_and_never_by_a_partial_import() {
    let directory = empty_school();
    let row = |number: usize| format!("C{number},MAJOR_CLUB,2020\n");
    let clubs = |count: usize| -> String {
        let rows = (1..=count).map(row);
        std::iter::once("name,type,foundedYear\n".to_owned())
            .chain(rows)
            .collect()
    };
    apply(&directory, &plan(&directory, Clubs, &clubs(20)));
    let import = Import::new(Clubs).match_by("name");
    let tenth = plan_of(&directory, &import, clubs(18));
    assert_eq!((counts(&tenth), tenth.obstacle()), ([0, 0, 2, 18], None));
    let more = plan_of(&directory, &import, clubs(17));
    let obstacle = Obstacle::Shrinks { removed: 3, of: 20 };
    assert_eq!(
        block_on(more.apply(&directory)).unwrap(),
        ApplyOutcome::Obstructed(obstacle)
    );
    assert!(
        obstacle
            .to_string()
            .contains("would remove 3 of 20 records")
    );
    assert!(plan_of(&directory, &import.clone().partial(), clubs(1)).is_empty());
    apply(
        &directory,
        &plan_of(&directory, &import.allow_removals(), clubs(17)),
    );
    assert_eq!(block_on(directory.snapshot()).unwrap().clubs().len(), 17);
}

/// Fails if refused lines are left out without a word, or if their records are removed.
#[test]
fn refused_lines_stop_the_import_or_are_left_out_and_keep_their_records() {
    let directory = school();
    let known = "id,name,grade\n1,A,2\n2,B,9\n";
    let import = Import::new(Students).allow_removals();
    let stopped = plan_of(&directory, &import, known);
    assert_eq!(stopped.obstacle(), Some(Obstacle::RefusedLines(1)));
    let import = import.skip_refused();
    let skipped = plan_of(&directory, &import, known);
    assert_eq!((counts(&skipped), skipped.obstacle()), ([0, 1, 1, 0], None));
    assert_eq!(
        skipped
            .records()
            .iter()
            .map(|it| (it.id, it.difference))
            .collect::<Vec<_>>(),
        [(1, Difference::Changed), (3, Difference::Removed)]
    );
    // A row that is no known record may be any of them.
    let unknown = plan_of(&directory, &import, "id,name,grade\n1,A,2\nx,B,2\n");
    assert_eq!(counts(&unknown), [0, 1, 0, 0]);
    assert!(unknown.to_string().contains("Nothing is removed"));
}

/// Fails if a record is removed because its row has the id of another one.
#[test]
fn two_rows_of_one_record_are_both_refused_and_nothing_is_removed() {
    let directory = school();
    let import = Import::new(Students).allow_removals().skip_refused();
    let plan = plan_of(&directory, &import, "id,name\n1,김하늘\n1,이바다\n3,C\n");
    assert_eq!(
        refusals(&plan),
        [
            "line 2: is the same record as line 3",
            "line 3: is the same record as line 2",
        ]
    );
    assert_eq!(counts(&plan), [0, 1, 0, 0]);
    assert_eq!(plan.records()[0].id, 3);
}

/// Fails if the row that the directory refuses is taken for another one, such as in a file on one
/// line.
#[test]
fn the_row_that_the_directory_refuses_is_left_out_and_no_other() {
    let directory = school();
    let csv = Import::new(Students).partial().skip_refused();
    let json = csv.clone().format(FileFormat::Json);
    let rows = "id,name,email\n1,A,haneul@school.example\n2,B,haneul@school.example\n";
    let objects =
        r#"[{"id": 1, "name": "A"}, {"id": 2, "name": "B", "email": "haneul@school.example"}]"#;
    for (import, file, place) in [
        (&csv, rows.to_owned(), "line 3"),
        (&csv, rows.replace('\n', "\r"), "line 3"),
        (&csv, rows.replace('\n', "\r\n"), "line 3"),
        (&json, objects.to_owned(), "record 2"),
    ] {
        let plan = plan_of(&directory, import, file);
        let reason = format!("{place}, email: the e-mail address is that of student 1");
        assert_eq!(refusals(&plan), [reason]);
        assert_eq!(
            changes(&plan)[0],
            "students 1: name \"김하늘\" \"A\"",
            "{place}"
        );
        assert_eq!(plan.changed(), 1, "{place}");
    }
}

/// Fails if a file is split into several transactions.
#[test]
fn a_plan_with_more_changes_than_a_transaction_has_is_refused() {
    let directory = empty_school();
    let rows: String = (0..=Directory::MAX_CHANGES)
        .map(|number| format!("C{number},MAJOR_CLUB,2020\n"))
        .collect();
    let plan = plan(&directory, Clubs, &format!("name,type,foundedYear\n{rows}"));
    let obstacle = Obstacle::TooManyChanges(10_001);
    assert_eq!(plan.obstacle(), Some(obstacle));
    assert!(obstacle.to_string().contains("10001 changes"));
    assert_eq!(
        block_on(plan.apply(&directory)).unwrap(),
        ApplyOutcome::Obstructed(obstacle)
    );
}

/// Fails if a name in a file can move the cursor of a terminal or reorder its text.
#[test]
fn what_a_plan_shows_does_not_command_a_terminal() {
    let directory = empty_school();
    let file = "name,description,startYear\nA\u{202e}B,\"a\nb\tc\",2026\n";
    let shown = plan(&directory, Projects, file).to_string();
    assert!(
        shown.contains(
            "+ 1 A\\u{202e}B (line 2): name A\\u{202e}B; description a\\nb\\tc; startYear 2026\n"
        ),
        "{shown}"
    );
    let shown = refusals(&plan(
        &directory,
        Projects,
        "name,startYear\n\"\u{1b}[2J\",2026\n",
    ));
    assert_eq!(shown, ["line 2, name: must not contain control characters"]);
    assert!(!format!("{:?}", plan(&directory, Projects, file)).contains("description"));
}
