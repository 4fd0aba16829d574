use super::directory_fixtures::{
    club, club_id, project, short_text, student, student_with_status, value, years,
};
use super::store_under_test::StoreUnderTest;
use super::test_directory::Parameters;
use crate::directory::DirectoryChange;
use crate::domain::{
    EnrollmentStatus, Project, ProjectId, ProjectProfile, Repositories, TechStacks,
};

pub(super) async fn a_project_is_found_as_it_was_written(store: &StoreUnderTest) {
    store.put([club(1)]).await;
    store
        .put([
            student(10),
            student(9),
            student_with_status(100, EnrollmentStatus::Graduate),
        ])
        .await;
    let stacks = ["Rust", "C++", "Rust"].map(short_text);
    let repositories: Vec<_> = (0..20)
        .rev()
        .map(|number| short_text(&format!("https://git.school.example/{number}")))
        .collect();
    let full = Project {
        description: "두 줄의\r\n\t설명 ".parse().expect("a text"),
        years: years(Some(2024)),
        club: Some(club_id(1)),
        repositories: Repositories::new(repositories).expect("twenty addresses"),
        tech_stacks: TechStacks::new(stacks.into()).expect("three names"),
        ..project(1, &[100, 9, 10])
    };
    store.put([full.clone(), project(2, &[])]).await;
    let participants = [
        student(9),
        student(10),
        student_with_status(100, EnrollmentStatus::Graduate),
    ]
    .map(|student| student.as_participant())
    .into();
    let expected = ProjectProfile {
        project: full,
        club: Some(club(1).summary()),
        participants,
    };
    assert_eq!(
        store.one_project(1).await,
        expected,
        "lists keep their order, participants come in id order"
    );
    assert_eq!(
        store.one_project(2).await,
        ProjectProfile {
            project: project(2, &[]),
            club: None,
            participants: vec![]
        }
    );
}

pub(super) async fn every_project_filter_finds_what_it_says(store: &StoreUnderTest) {
    store.put([club(1), club(2)]).await;
    let named = Project {
        name: short_text("Meal notifier"),
        years: years(Some(2023)),
        club: Some(club_id(1)),
        ..project(3, &[])
    };
    store
        .put([
            project(1, &[]),
            Project {
                club: Some(club_id(1)),
                ..project(2, &[])
            },
            named,
            Project {
                club: Some(club_id(2)),
                ..project(4, &[])
            },
        ])
        .await;
    // Projects of either status, and running ones.
    let expectations: [(Parameters<'_>, &[i64], &[i64]); 6] = [
        (&[], &[1, 2, 3, 4], &[1, 2, 4]),
        (&[("projectId", "2")], &[2], &[2]),
        (&[("projectId", "9")], &[], &[]),
        (&[("projectName", "NOTIF")], &[3], &[]),
        (&[("clubId", "1")], &[2, 3], &[2]),
        (&[("clubId", "9")], &[], &[]),
    ];
    for (asked, all, running) in expectations {
        assert_eq!(store.every_project(asked).await.all_ids(), all, "{asked:?}");
        assert_eq!(store.projects(asked).await.all_ids(), running, "{asked:?}");
        let said = [asked, &[("status", "ACTIVE")]].concat();
        assert_eq!(store.projects(&said).await.all_ids(), running, "{said:?}");
    }
    assert_eq!(store.projects(&[("status", "ENDED")]).await.all_ids(), [3]);
}

pub(super) async fn pages_of_projects_make_up_the_whole(store: &StoreUnderTest) {
    store.put((1..=5).map(|number| project(number, &[]))).await;
    for (number, expected) in [
        ("0", vec![1, 2]),
        ("1", vec![3, 4]),
        ("2", vec![5]),
        ("3", vec![]),
    ] {
        let page = store.projects(&[("page", number), ("size", "2")]).await;
        assert_eq!(page.total, 5, "every page knows the total");
        assert_eq!(page.ids(), expected);
    }
}

pub(super) async fn a_removed_project_is_gone(store: &StoreUnderTest) {
    let gone = value(1, ProjectId::new);
    store
        .put([
            DirectoryChange::from(student(1)),
            project(1, &[1]).into(),
            project(2, &[1]).into(),
            DirectoryChange::RemoveProject(gone),
        ])
        .await;
    assert_eq!(store.every_project(&[]).await.ids(), [2]);
    assert_eq!(
        store.one_student(1).await.student,
        student(1),
        "its participants are unchanged"
    );
}
