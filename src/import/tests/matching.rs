use super::*;
use crate::directory::DirectoryChange::{PutStudent, RemoveStudent};
use crate::domain::StudentId;
use crate::import::FileFormat;

/// Fails if a row is another record than the one with its id, its e-mail address or the chosen
/// column, in this order.
#[test]
fn a_row_is_the_record_with_its_id_else_its_address_else_the_chosen_column() {
    let directory = school();
    let import = Import::new(Students).partial().match_by("학번");
    let file = "id,email,studentNumber,name\n1,haneul@school.example,,A\n,BADA@school.example,,B\n";
    let plan = plan_of(&directory, &import, file);
    assert_eq!(refusals(&plan), Vec::<String>::new());
    assert_eq!(
        plan.records()
            .iter()
            .map(|it| (it.id, &*it.name))
            .collect::<Vec<_>>(),
        [(1, "A"), (2, "B")]
    );
    // An address that is new finds its student by the column, and changes the address.
    let file = "email,학번\nnew@school.example,1101\n";
    let plan = plan_of(&directory, &import, file);
    assert_eq!(
        changes(&plan),
        ["students 3: email \"san@school.example\" \"new@school.example\""]
    );
}

/// Fails if a row is given a record by chance, or if two rows change one record.
#[test]
fn a_row_whose_record_is_unknown_or_ambiguous_or_taken_is_refused() {
    let directory = school();
    let import = Import::new(Students).partial().match_by("major");
    let file = "id,email,name,major\n99,,A,AI\n1,haneul@school.example,B,AI\n,haneul@school.example,C,AI\n,,D,AI\n";
    assert_eq!(
        refusals(&plan_of(&directory, &import, file)),
        [
            "line 2, id: is not the id of a record: leave it empty for a new one, which gets an id",
            "line 3: is the same record as line 4",
            "line 4: is the same record as line 3",
            "line 5, major: is the value of several records: write the id",
        ]
    );
    for column in ["participants", "nick", "role"] {
        let import = Import::new(Students).match_by(column);
        let refusal = refusal_of(&directory, &import, "name\nA\n");
        assert_eq!(refusal.column.as_deref(), Some(&*format!("{column:?}")));
    }
}

/// Fails if a list of clubs that a person wrote removes all clubs and adds them again, or if a
/// row with an empty id is taken for a known club.
#[test]
fn a_club_in_a_file_without_ids_is_the_one_with_its_name() {
    let directory = school();
    let file = "name,foundedYear\n반딧불,2020\n";
    let plan = partial(&directory, Clubs, file);
    assert_eq!(refusals(&plan), Vec::<String>::new());
    assert_eq!(changes(&plan).len(), 1, "{plan}");
    assert!(
        changes(&plan)[0].starts_with("clubs 1: foundedYear"),
        "{plan}"
    );
    let file = "id,name,type,foundedYear\n,반딧불,MAJOR_CLUB,2020\n";
    assert_eq!(partial(&directory, Clubs, file).added(), 1);
}

/// Fails if the id of a removed record is given to another one.
#[test]
fn new_ids_follow_the_highest_one_that_was_ever_used() {
    let directory = school();
    let third = StudentId::new(3).unwrap();
    write(&directory, vec![RemoveStudent(third)]);
    let file =
        "name,sex,email,학번,major\nA,남,a@school.example,1102,AI\nB,여,b@school.example,1103,AI\n";
    let added = partial(&directory, Students, file);
    let ids: Vec<i64> = added.records().iter().map(|it| it.id).collect();
    assert_eq!(ids, [4, 5]);
    apply(&directory, &added);
    write(
        &directory,
        [4, 5]
            .map(|id| RemoveStudent(StudentId::new(id).unwrap()))
            .into(),
    );
    let again = partial(&directory, Students, file);
    assert_eq!(again.records()[0].id, 6);
    assert_eq!(
        block_on(directory.snapshot()).unwrap().projects().next_id(),
        Some(1)
    );

    let mut last = block_on(directory.snapshot())
        .unwrap()
        .students()
        .get(1)
        .unwrap()
        .student
        .clone();
    last.id = StudentId::new(i64::MAX).unwrap();
    last.email = "last@school.example".parse().unwrap();
    write(&directory, vec![PutStudent(last)]);
    let refused = refusals(&partial(&directory, Students, file));
    assert_eq!(refused[0], "line 2: no id is left for a new record");
}

/// Fails if a column that the file lacks is emptied, or if an empty cell changes nothing.
#[test]
fn a_missing_column_stays_as_it_is_and_an_empty_cell_removes_the_value() {
    let directory = school();
    let plan = partial(&directory, Students, "id,name\n1,김하늘\n2,이바다\n");
    assert!(plan.is_empty(), "{plan}");
    let plan = partial(&directory, Students, "id,dormitoryRoom,majorClub.id\n1,,\n");
    assert_eq!(
        changes(&plan),
        [
            "students 1: dormitoryRoom \"415\" \"\", majorClub.id \"1\" \"\", majorClub.name \"반딧불\" \"\"",
            "clubs 1: leader.id \"1\" \"\", leader.name \"김하늘\" \"\", participants \
             \"haneul@school.example bada@school.example\" \"bada@school.example\"",
        ]
    );
    let json = Import::new(Students).partial().format(FileFormat::Json);
    let plan = plan_of(
        &directory,
        &json,
        r#"[{"id": 1, "majorClub": null}, {"id": 2}]"#,
    );
    assert_eq!(
        changes(&plan)[0],
        "students 1: majorClub.id \"1\" \"\", majorClub.name \"반딧불\" \"\""
    );
}

/// Fails if a column that follows from others is ignored where it says something else.
#[test]
fn a_column_that_follows_from_others_must_agree_with_them() {
    let directory = school();
    let agreeing = "id,grade,classNum,number,학번,majorClub.id,majorClub.name,majorClub.type\n1,2,3,7,2307,1,반딧불,MAJOR_CLUB\n";
    assert!(partial(&directory, Students, agreeing).is_empty());
    for (from, to, column) in [
        (",2307,", ",2308,", "학번"),
        (",2,3,", ",3,3,", "학번"),
        ("반딧불", "돋움", "majorClub.name"),
        (",1,반", ",2,반", "majorClub.name"),
        ("MAJOR_CLUB", "AUTONOMOUS_CLUB", "majorClub.type"),
    ] {
        let refused = refusals(&partial(&directory, Students, &agreeing.replace(from, to)));
        let reason = "contradicts the columns that it is computed from: correct one, or leave this cell empty";
        assert_eq!(refused, [format!("line 2, {column}: {reason}")], "{to}");
    }
    // Without columns for its parts, the student number decides.
    let moved = partial(&directory, Students, "id,학번\n1,3112\n");
    assert_eq!(
        changes(&moved),
        ["students 1: grade \"2\" \"3\", classNum \"3\" \"1\", number \"7\" \"12\""]
    );
    let by_name = partial(&directory, Students, "id,전공 동아리\n3,돋움\n");
    assert_eq!(
        changes(&by_name)[0],
        "students 3: majorClub.id \"\" \"2\", majorClub.name \"\" \"돋움\""
    );
}

/// Fails if a student number is split although it may stand for another class, or although the
/// student has it already.
#[test]
fn a_student_number_that_does_not_tell_the_class_is_refused() {
    let builder = Directory::builder(Arc::new(MemoryStore::new())).classes(1..=12);
    let directory = block_on(builder.open()).unwrap();
    let file = "name,sex,email,grade,classNum,number,major\nA,MAN,a@b,1,12,5,AI\n";
    apply(&directory, &partial(&directory, Students, file));
    assert!(partial(&directory, Students, "id,학번\n1,2205\n").is_empty());
    let refused = refusals(&partial(&directory, Students, "id,학번\n1,2206\n"));
    assert!(
        refused.len() == 1 && refused[0].starts_with("line 2, 학번: does not tell the class"),
        "{refused:?}"
    );
    let in_columns = "id,grade,classNum,number,학번\n1,2,2,6,2206\n";
    let moved = partial(&directory, Students, in_columns);
    assert_eq!(
        changes(&moved),
        ["students 1: grade \"1\" \"2\", classNum \"12\" \"2\", number \"5\" \"6\""]
    );
    let reason = "line 2, 학번: must be the grade · 1000 + the class · 100 + the number";
    for number in ["307", "12307"] {
        let file = format!("id,학번\n1,{number}\n");
        assert_eq!(refusals(&partial(&school(), Students, &file)), [reason]);
    }
}

/// Fails if two students share an address after an import, or if they cannot exchange theirs.
#[test]
fn no_two_students_get_one_address() {
    let directory = school();
    let refused = |file: &str| refusals(&partial(&directory, Students, file));
    assert_eq!(
        refused("id,email\n1,BADA@school.example\n"),
        ["line 2, email: the e-mail address is that of student 2"]
    );
    let twice = "name,sex,이메일,학번,major\nA,남,a@b,1102,AI\nB,남,A@b,1103,AI\n";
    assert_eq!(
        refused(twice),
        ["line 3, 이메일: the e-mail address is that of student 4"]
    );
    // A row that depends on a refused one is refused too.
    let chain = "id,email,grade\n1,new@b,9\n2,haneul@school.example,2\n";
    assert_eq!(
        refused(chain),
        [
            "line 2, grade: must be a whole number from 1 to 3",
            "line 3, email: the e-mail address is that of student 1",
        ]
    );
    let exchange = "id,email\n1,bada@school.example\n2,haneul@school.example\n";
    apply(&directory, &partial(&directory, Students, exchange));
}
