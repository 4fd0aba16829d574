use super::*;
use crate::import::FileFormat;

/// Fails if a member does not move, or if a change of another record is not shown.
#[test]
fn members_move_with_the_clubs_that_list_them() {
    let directory = school();
    let file = "id,participants\n1,\n2,\"이바다, san@school.example 1\"\n";
    let plan = plan(&directory, Clubs, file);
    assert_eq!(
        changes(&plan),
        [
            "clubs 1: leader.id \"1\" \"\", leader.name \"김하늘\" \"\", participants \
             \"haneul@school.example bada@school.example\" \"\"",
            "clubs 2: participants \"\" \"haneul@school.example bada@school.example san@school.example\"",
            "students 1: majorClub.id \"1\" \"2\", majorClub.name \"반딧불\" \"돋움\"",
            "students 2: majorClub.id \"1\" \"2\", majorClub.name \"반딧불\" \"돋움\"",
            "students 3: majorClub.id \"\" \"2\", majorClub.name \"\" \"돋움\"",
        ]
    );
    apply(&directory, &plan);
    let shown = plan.to_string();
    for line in [
        "~ 1 반딧불 (line 2): leader.id 1 → (none); leader.name 김하늘 → (none); participants -bada@school.example -haneul@school.example",
        "~ students 3 박산: majorClub.id (none) → 2; majorClub.name (none) → 돋움",
        "clubs: 0 added, 2 changed, 0 removed, 0 unchanged, 0 refused",
    ] {
        assert!(
            shown.lines().any(|shown| shown == line),
            "{line} is not in {shown}"
        );
    }
}

/// Fails if the leader must also be in the column of members, or if a leader who is not a member is
/// accepted.
#[test]
fn a_leader_is_a_member() {
    let directory = school();
    let led = plan(&directory, Clubs, "id,leader.id,participants\n1,2,1\n2,,\n");
    assert_eq!(
        changes(&led),
        ["clubs 1: leader.id \"1\" \"2\", leader.name \"김하늘\" \"이바다\""]
    );
    apply(&directory, &led);
    let stranger = plan(&directory, Clubs, "id,leader.id\n1,3\n2,\n");
    assert_eq!(
        refusals(&stranger),
        ["line 2: the leader must be a member, and student 3 is none"]
    );
    let disagreeing = plan(
        &directory,
        Clubs,
        "id,leader.id,leader.name\n1,2,김하늘\n2,,\n",
    );
    assert_eq!(
        refusals(&disagreeing),
        [
            "line 2, leader.name: contradicts the columns that it is computed from: correct one, or leave this cell empty"
        ]
    );
}

/// Fails if a list of members is read in part.
#[test]
fn members_who_are_unknown_or_not_enrolled_or_in_two_clubs_are_refused() {
    let directory = school();
    let graduated = partial(&directory, Students, "id,role\n3,졸업\n");
    apply(&directory, &graduated);
    let refused = |file: &str| refusals(&plan(&directory, Clubs, file));
    for (members, reason) in [
        ("9", "there is no student with this id"),
        (
            "nobody@school.example",
            "no student has this e-mail address",
        ),
        (
            "홍길동",
            "must be the id, the e-mail address or the name of a student",
        ),
        ("3", "lists student 3, who is not enrolled"),
    ] {
        let file = format!("id,부원\n1,1 2\n2,{members}\n");
        assert_eq!(refused(&file), [format!("line 3, 부원: {reason}")]);
    }
    assert_eq!(
        refused("id,participants\n1,1 2\n2,2\n"),
        ["line 3, participants: lists student 2, who is in the club of line 2"]
    );
    assert_eq!(
        refused("id,type\n1,AUTONOMOUS_CLUB\n2,자율 동아리\n"),
        ["line 2, type: the type of club 1 cannot change while the club has members"]
    );
}

/// Fails if the records that a removed club leaves behind are not shown.
#[test]
fn a_removed_club_shows_the_members_who_leave_it() {
    let directory = school();
    let project = "name,startYear,동아리,참여자,repositories\nLunch,2026,반딧불,\"김하늘\",https://git.example/a; http://b\n";
    apply(&directory, &plan(&directory, Projects, project));
    let import = Import::new(Clubs).allow_removals();
    let plan = plan_of(&directory, &import, "id\n2\n");
    assert_eq!(counts(&plan), [0, 0, 1, 1]);
    assert_eq!(
        changes(&plan),
        [
            "clubs 1: ",
            "students 1: majorClub.id \"1\" \"\", majorClub.name \"반딧불\" \"\"",
            "students 2: majorClub.id \"1\" \"\", majorClub.name \"반딧불\" \"\"",
            "projects 1: club.id \"1\" \"\", club.name \"반딧불\" \"\"",
        ]
    );
    apply(&directory, &plan);
}

/// Fails if a project cannot be written as the data API has it.
#[test]
fn a_project_is_read_as_the_data_api_has_it() {
    let directory = school();
    let json = Import::new(Projects).format(FileFormat::Json);
    let file = r#"[{"name": "Lunch", "description": "a\nb", "startYear": 2025, "endYear": 2026, "status": "ENDED",
        "club": {"id": 1, "name": "반딧불", "type": "MAJOR_CLUB"}, "participants": [{"id": 2, "name": "이바다"}, 3],
        "repositories": ["https://git.example/a,b"], "techStacks": ["Rust", "C, C++"]}]"#;
    let plan = plan_of(&directory, &json, file);
    assert_eq!(
        changes(&plan),
        [
            "projects 1: name \"\" \"Lunch\", description \"\" \"a\\nb\", startYear \"\" \"2025\", endYear \"\" \"2026\", \
          club.id \"\" \"1\", club.name \"\" \"반딧불\", participants \"\" \"bada@school.example san@school.example\", \
          repositories \"\" \"[\\\"https://git.example/a,b\\\"]\", techStacks \"\" \"[\\\"Rust\\\",\\\"C, C++\\\"]\""
        ]
    );
    let wrong = file.replace("ENDED", "ACTIVE").replace("2026", "2024");
    let refused = refusals(&plan_of(&directory, &json, wrong));
    assert_eq!(
        refused,
        ["record 1, endYear: must not end before it starts"]
    );
}
