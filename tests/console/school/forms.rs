use http::StatusCode;
use lyceum::directory::Directory;
use lyceum::domain::{ClassNum, EnrollmentStatus, Major, RecordKind, Student};
use lyceum::http::audit::{Change, EventKind};

use super::*;
use crate::page_assertions::{assert_guarded, assert_page};
use crate::pages::assert_safe;

#[tokio::test]
async fn lists_and_forms_are_pages_for_administrators_alone() {
    let harness = school().await;
    let mut browser = harness.browser_of(ADMIN).await;
    let mut user = harness.browser_of(EMAIL).await;
    for list in ["students", "clubs", "projects"] {
        for path in [
            "",
            "/new",
            "/1",
            "/change?id=1",
            "/change?id=1&action=remove",
        ] {
            let path = format!("/admin/school/{list}{path}");
            assert_page(&harness, &mut browser, &path).await;
            let answer = user.get(&path).await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
        }
        let fields = [("name", "x")];
        for path in ["new", "1"] {
            let path = format!("/admin/school/{list}/{path}");
            assert_guarded(&mut browser, &mut user, &path, &fields).await;
        }
    }
    assert!(
        browser
            .get("/")
            .await
            .body
            .contains("/admin/school/students")
    );
    assert!(!user.get("/").await.body.contains("/admin/school"));
    for path in ["meals", "students/0", "students/x", "students/99"] {
        let answer = browser.get(&format!("/admin/school/{path}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn without_the_editor_there_are_no_such_pages() {
    let harness = Harness::new().await;
    let mut browser = harness.browser_of(ADMIN).await;
    for path in ["students", "students/new", "students/change", "students/1"] {
        let answer = browser.get(&format!("/admin/school/{path}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
    }
    assert!(!browser.get("/").await.body.contains("/admin/school"));
}

#[tokio::test]
async fn a_list_is_searched_filtered_and_paged() {
    let harness = school().await;
    let mut browser = harness.browser_of(ADMIN).await;
    let page = browser.get("/admin/school/students?name=bob").await.body;
    assert!(page.contains(">Bob<") && !page.contains("bobby"), "{page}");
    let everybody = "/admin/school/students?includeWithdrawn=true&role=WITHDRAWN";
    let page = browser.get(everybody).await.body;
    assert!(page.contains("bobby") && !page.contains(">Bob<"), "{page}");
    let page = browser.get("/admin/school/students?grade=9").await;
    assert!(page.body.contains("Check the marked filters"), "{page:?}");
    let fault = "id=\"grade-fault\">Enter a whole number from 1 to 3.";
    assert!(page.body.contains(fault), "{}", page.body);
    assert_safe(&page);
}

#[tokio::test]
async fn a_student_is_created_and_gets_the_next_id() {
    let harness = school().await;
    let mut browser = harness.browser_of(ADMIN).await;
    let answer = submit(
        &mut browser,
        "/admin/school/students/new",
        &[
            ("name", "최수아"),
            ("sex", "WOMAN"),
            ("email", "choi@school.example"),
            ("grade", "1"),
            ("classNum", "2"),
            ("number", "9"),
            ("major", "AI"),
            ("majorClub.id", "1"),
        ],
    )
    .await;
    assert_eq!(
        (answer.status, answer.location()),
        (
            StatusCode::SEE_OTHER,
            "/console/admin/school/students?done=created"
        ),
        "{answer:?}"
    );
    let created = student(&harness, 9).await;
    assert_eq!(&*created.student.name, "최수아");
    assert_eq!(created.student.enrollment().unwrap().student_number(), 1209);
    assert!(
        club(&harness, 1)
            .await
            .members
            .iter()
            .any(|it| it.id == created.student.id)
    );
    let edits = edits(&harness);
    let [
        EventKind::Edited {
            kind,
            change,
            records,
            record,
            fields,
            versions: [before, after],
            ..
        },
    ] = &edits[..]
    else {
        panic!("{edits:?}")
    };
    assert_eq!(
        (*kind, *change, *records, *record, &fields[..]),
        (RecordKind::Students, Change::Created, 1, Some(9), &[][..])
    );
    assert_eq!(*after, before + 1);
    let told = format!("{:?}", harness.log.events().last());
    assert!(
        !told.contains("최수아") && !told.contains("choi@"),
        "{told}"
    );
}

/// Fails if a form accepts what an import refuses, or shows the message elsewhere.
#[tokio::test]
async fn each_rule_has_its_message_at_its_field() {
    let harness = school().await;
    let mut browser = harness.browser_of(ADMIN).await;
    let before = harness.directory.snapshot().await.unwrap().version();
    type Rule = (&'static str, &'static str, &'static str);
    let rules: &[(&str, &[Rule])] = &[
        (
            "students/1",
            &[
                ("name", " ", "field is required"),
                ("sex", "", "field is required"),
                ("email", "no address", "Enter an email address"),
                ("email", "S18@school.example", "Another student has"),
                ("grade", "4", "from 1 to 3"),
                ("classNum", "x", "from 1 to 4"),
                ("number", "", "field is required"),
                ("number", "19", "from 1 to 18"),
                ("major", "COOKING", "Software development, "),
                ("dormitoryRoom", "0", "from 1 to 99999"),
                ("majorClub.id", "9", "no such club"),
                ("githubId", "a_b", "Latin letters"),
                ("role", "KING", "one of these"),
            ],
        ),
        (
            "students/new",
            &[
                ("name", "", "field is required"),
                ("grade", "", "field is required"),
            ],
        ),
        (
            "clubs/1",
            &[
                ("name", "", "field is required"),
                ("type", "AUTONOMOUS_CLUB", "while the club has members"),
                ("foundedYear", "soon", "from 1 to 9999"),
                ("abolishedYear", "2017", "not before the"),
                ("leader.id", "nobody", "There is no such student"),
                ("leader.id", "5", "must be a member"),
                (
                    "participants",
                    "s19@school.example\nnobody",
                    "There is no such student",
                ),
                ("participants", "s14@school.example", "not enrolled"),
            ],
        ),
        (
            "projects/1",
            &[
                ("name", "", "field is required"),
                ("endYear", "2023", "not before the"),
                ("participants", "99", "There is no such student"),
                ("repositories", "ftp://git.example", ""),
            ],
        ),
    ];
    let rules = rules
        .iter()
        .flat_map(|(path, rules)| rules.iter().map(move |rule| (path, rule)));
    for (path, (field, wrong, message)) in rules {
        let path = format!("/admin/school/{path}");
        let answer = submit(&mut browser, &path, &[(field, wrong)]).await;
        if message.is_empty() && answer.status == StatusCode::SEE_OTHER {
            continue;
        }
        assert_eq!(
            answer.status,
            StatusCode::BAD_REQUEST,
            "{path} {field}: {answer:?}"
        );
        let shown = fault(&answer.body, field);
        assert!(
            shown.contains(message),
            "{path} {field}={wrong}: {shown}\n{}",
            answer.body
        );
        assert_safe(&answer);
        assert!(answer.body.contains("role=\"alert\""), "{path} {field}");
    }
    let after = harness.directory.snapshot().await.unwrap().version();
    assert!(
        after.number <= before.number + 1,
        "a refused form was written"
    );
}

/// Fails if a rule of the school is told only after the values can be read, or one rule after the
/// other.
#[tokio::test]
async fn all_faults_of_a_form_are_shown_at_once() {
    let harness = school().await;
    let mut browser = harness.browser_of(ADMIN).await;
    let student: &[(&str, &str, &str)] = &[
        ("name", "", "field is required"),
        ("email", "s18@school.example", "Another student has"),
        ("role", "KING", "one of these"),
        ("grade", "9", "from 1 to 3"),
        ("classNum", "0", "from 1 to 4"),
        ("number", "99", "from 1 to 18"),
        ("major", "COOKING", "Software development, Smart IoT, "),
        ("dormitoryRoom", "x", "from 1 to 99999"),
        ("majorClub.id", "99", "no such club"),
        ("githubId", "a_b", "Latin letters"),
    ];
    let club: &[(&str, &str, &str)] = &[
        ("name", "", "field is required"),
        ("abolishedYear", "1", "not before the"),
        ("leader.id", "5", "must be a member"),
        ("participants", "nobody", "There is no such student"),
    ];
    let new_student = [
        ("name", "", "field is required"),
        ("sex", "", "field is required"),
        ("email", "s18@school.example", "Another student has"),
        ("grade", "9", "from 1 to 3"),
        ("classNum", "", "field is required"),
        ("number", "19", "from 1 to 18"),
        ("major", "", "field is required"),
    ];
    let new_club = [
        ("name", "", "field is required"),
        ("type", "", "field is required"),
        ("foundedYear", "0", "from 1 to 9999"),
        ("leader.id", "nobody", "There is no such student"),
    ];
    let new_project = [
        ("name", "", "field is required"),
        ("startYear", "", "field is required"),
        ("participants", "nobody", "There is no such student"),
    ];
    for (path, faults) in [
        ("students/1", student),
        ("students/new", &new_student),
        ("clubs/1", club),
        ("clubs/new", &new_club),
        ("projects/new", &new_project),
    ] {
        let path = format!("/admin/school/{path}");
        let values = faults.iter().map(|(field, value, _)| (*field, *value));
        let answer = submit(&mut browser, &path, &values.collect::<Vec<_>>()).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{path}");
        let page = answer.body;
        for (field, _, message) in faults {
            let shown = fault(&page, field);
            assert!(shown.contains(message), "{path} {field}: {shown}\n{page}");
        }
        assert_eq!(
            page.matches("class=\"fault\"").count(),
            faults.len(),
            "{path}: {page}"
        );
    }
    assert_eq!(edits(&harness), []);
}

/// Fails if a message has the numbers of another school.
#[tokio::test]
async fn a_message_has_what_the_school_allows() {
    let harness = Harness::with_school_settings(|school| {
        let majors = ["ROBOTICS", "DESIGN"].map(|major| major.parse().unwrap());
        school.grades(4..=6).classes(1..=2).majors(majors)
    })
    .await;
    let mut browser = harness.browser_of(ADMIN).await;
    let path = "/admin/school/students/new";
    let values = [("grade", "1"), ("classNum", "3"), ("major", "AI")];
    let page = submit(&mut browser, path, &values).await.body;
    for (field, message) in [
        ("name", "field is required"),
        ("grade", "from 4 to 6"),
        ("classNum", "from 1 to 2"),
        ("number", "field is required"),
        ("major", "ROBOTICS, DESIGN"),
    ] {
        let shown = fault(&page, field);
        assert!(shown.contains(message), "{field}: {shown}\n{page}");
    }
}

#[tokio::test]
async fn a_student_is_changed_and_an_untouched_form_changes_nothing() {
    let harness = school().await;
    let mut browser = harness.browser_of(ADMIN).await;
    for list in ["students", "clubs", "projects"] {
        let path = format!("/admin/school/{list}/1");
        save(&mut browser, &path, &[]).await;
    }
    assert_eq!(edits(&harness), [], "nothing has changed");
    let changes = [
        ("classNum", "4"),
        ("githubId", ""),
        ("autonomousClub.id", ""),
    ];
    let answer = submit(&mut browser, "/admin/school/students/1", &changes).await;
    assert_eq!(
        answer.location(),
        "/console/admin/school/students/1?done=saved"
    );
    let changed = student(&harness, 1).await.student;
    assert_eq!(changed.enrollment().unwrap().student_number(), 2407);
    assert_eq!(
        (changed.github_id, changed.specialty.is_some()),
        (None, true)
    );
    assert_eq!(edits(&harness).len(), 1);
}

#[tokio::test]
async fn a_student_who_graduates_by_the_form_loses_what_only_enrolled_ones_have() {
    let harness = school().await;
    let mut browser = harness.browser_of(ADMIN).await;
    save(
        &mut browser,
        "/admin/school/students/2",
        &[("role", "GRADUATE"), ("classNum", "3")],
    )
    .await;
    assert!(student(&harness, 2).await.student.enrollment().is_none());
    assert_eq!(club(&harness, 1).await.club.leader, None);
}

#[tokio::test]
async fn a_club_is_edited_with_its_leader_and_its_members() {
    let harness = school().await;
    let mut browser = harness.browser_of(ADMIN).await;
    save(
        &mut browser,
        "/admin/school/clubs/1",
        &[
            ("name", "Robots & more"),
            ("leader.id", "Bob"),
            ("participants", "s19@school.example\r\n4\r\nBob"),
        ],
    )
    .await;
    let changed = club(&harness, 1).await;
    let members: Vec<i64> = changed.members.iter().map(|it| it.id.get()).collect();
    assert_eq!(
        (&*changed.club.name, members),
        ("Robots & more", vec![1, 4, 5])
    );
    assert_eq!(changed.club.leader.unwrap().get(), 5);
    save(
        &mut browser,
        "/admin/school/clubs/new",
        &[
            ("name", "새 동아리"),
            ("type", "AUTONOMOUS_CLUB"),
            ("foundedYear", "2026"),
        ],
    )
    .await;
    assert_eq!(&*club(&harness, 5).await.club.name, "새 동아리");
}

#[tokio::test]
async fn a_project_is_edited_with_its_participants_and_texts() {
    let harness = school().await;
    let mut browser = harness.browser_of(ADMIN).await;
    save(
        &mut browser,
        "/admin/school/projects/1",
        &[
            ("description", "One\r\ntwo"),
            ("participants", "김하늘, Bob"),
            ("techStacks", "Rust\r\nC"),
            ("club.id", ""),
        ],
    )
    .await;
    let snapshot = harness.directory.snapshot().await.unwrap();
    let project = &snapshot.projects().get(1).unwrap().project;
    assert_eq!((&*project.description, project.club), ("One\ntwo", None));
    assert_eq!(project.participants.len(), 2);
    assert_eq!(project.tech_stacks.as_slice().len(), 2);
}

/// Fails if the form has no such value, or if saving it replaces the value.
#[tokio::test]
async fn a_student_keeps_values_that_the_school_no_longer_has() {
    let harness = school().await;
    let former = Directory::builder(harness.store.clone())
        .classes(1..=9)
        .majors([Major::AI, "ROBOTICS".parse().unwrap()]);
    let former = former.open().await.unwrap();
    let mut record = student(&harness, 1).await.student;
    let EnrollmentStatus::Enrolled(enrollment) = &mut record.enrollment_status else {
        panic!("{record:?}")
    };
    enrollment.class_num = ClassNum::new(9).unwrap();
    enrollment.major = "ROBOTICS".parse().unwrap();
    let _ = former.write(vec![record.clone().into()]).await.unwrap();
    // A write makes the school of the console current.
    let other = student(&harness, 5).await.student;
    let renamed = Student {
        name: "이름".parse().unwrap(),
        ..other
    };
    let _ = harness.directory.write(vec![renamed.into()]).await.unwrap();
    let path = "/admin/school/students/1";
    let mut browser = harness.browser_of(ADMIN).await;
    let page = browser.get(path).await.body;
    assert!(page.contains("max=\"9\""), "{page}");
    save(&mut browser, path, &[("specialty", "Zig")]).await;
    let saved = student(&harness, 1).await.student;
    assert_eq!(saved.enrollment_status, record.enrollment_status);
    assert_eq!(saved.specialty.as_deref(), Some("Zig"));
}
