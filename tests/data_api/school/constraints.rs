//! Constraints between students, clubs and projects, and what follows from a change.

use lyceum::directory::{DirectoryChange, RejectionReason};
use lyceum::domain::{Club, ClubProfile, EnrollmentStatus, Project, ProjectId, Student};

use super::{EVERYONE, TestSchool, all};
use crate::school_records::{
    autonomous_club, club, club_id, club_with_leader, days, enrolled, event, lesson, member,
    project, short_text, student, student_id, student_with_status, value,
};

/// Fails if ids are sorted as text, or if members of one kind are left out.
#[tokio::test]
async fn a_club_lists_the_members_of_its_kind_in_id_order() {
    let school = TestSchool::new().await;
    let both = enrolled(10, |enrollment| {
        (enrollment.major_club, enrollment.autonomous_club) = (Some(club_id(1)), Some(club_id(3)));
    });
    school.put([club(1), club(2), autonomous_club(3)]).await;
    school
        .put([
            both.clone(),
            member(9, 1),
            member(100, 1),
            member(5, 2),
            student(1),
        ])
        .await;
    school.put([club_with_leader(1, 10)]).await;
    let found = school.club(1).await;
    assert_eq!(found.leader().map(|leader| leader.id), Some(student_id(10)));
    assert_eq!(
        found,
        ClubProfile {
            club: club_with_leader(1, 10),
            members: [member(9, 1), both.clone(), member(100, 1)]
                .map(|member| member.as_participant())
                .into(),
        }
    );
    assert_eq!(school.club(3).await.members, [both.as_participant()]);
}

// Proves: spec 2.9
/// Fails if a change is checked against a later one of its batch, or not against an earlier one.
#[tokio::test]
async fn a_change_is_checked_after_those_before_it_in_its_batch() {
    let school = TestSchool::new().await;
    school.put([club(1), autonomous_club(2)]).await;
    let in_autonomous = |number| {
        enrolled(1, |enrollment| {
            enrollment.autonomous_club = Some(club_id(number))
        })
    };
    for (batch, expected) in [
        (
            vec![in_autonomous(9).into()],
            (0, RejectionReason::UnknownClub(club_id(9))),
        ),
        (
            vec![in_autonomous(1).into()],
            (0, RejectionReason::WrongClubType(club_id(1))),
        ),
        (
            vec![member(1, 3).into(), club(3).into()],
            (0, RejectionReason::UnknownClub(club_id(3))),
        ),
        (
            vec![DirectoryChange::RemoveClub(club_id(1)), member(1, 1).into()],
            (1, RejectionReason::UnknownClub(club_id(1))),
        ),
        (
            vec![student(3).into(), club_with_leader(1, 9).into()],
            (1, RejectionReason::UnknownStudent(student_id(9))),
        ),
        (
            vec![club(3).into(), project(1, &[1]).into()],
            (1, RejectionReason::UnknownStudent(student_id(1))),
        ),
    ] {
        assert_eq!(school.rejection(batch).await, expected);
    }
    school
        .put([
            DirectoryChange::from(club(3)),
            member(1, 3).into(),
            club_with_leader(3, 1).into(),
            Project {
                club: Some(club_id(3)),
                ..project(1, &[1])
            }
            .into(),
            Student {
                name: short_text("이전"),
                ..student(4)
            }
            .into(),
            student(4).into(),
        ])
        .await;
    assert_eq!(school.club(3).await.club, club_with_leader(3, 1));
    assert_eq!(school.student(4).await.student, student(4), "the last one");
}

/// Fails if the calendar's changes are applied before the others are checked.
#[tokio::test]
async fn a_refused_batch_puts_no_event_and_no_lesson() {
    let school = TestSchool::new().await;
    let batch = vec![
        event("e", "2026-05-20", "체육 대회").into(),
        lesson("l", "2026-05-20", [1, 1, 1]).into(),
        member(3, 7).into(),
    ];
    assert_eq!(
        school.rejection(batch).await,
        (2, RejectionReason::UnknownClub(club_id(7)))
    );
    school.put([student(1)]).await;
    let (snapshot, may) = (school.snapshot().await, days("2026-05-01", "2026-05-31"));
    assert!(snapshot.events(may).is_empty() && snapshot.lessons(may).is_empty());
}

/// Fails if a put club changes its members.
#[tokio::test]
async fn a_club_may_be_put_without_its_leader_and_keeps_its_members() {
    let school = TestSchool::new().await;
    school
        .put([
            DirectoryChange::from(club(1)),
            member(1, 1).into(),
            club_with_leader(1, 1).into(),
        ])
        .await;
    school.put([club(1)]).await;
    let found = school.club(1).await;
    assert_eq!(found.club.leader, None);
    assert_eq!(found.members, [member(1, 1).as_participant()]);
}

// Proves: spec 2.9
/// Fails if only students without any club lose the leadership, or if one who stays loses it.
#[tokio::test]
async fn a_leader_leads_until_leaving_the_club_for_another() {
    let school = TestSchool::new().await;
    school.put([club(1), club(2)]).await;
    school.put([member(1, 1), member(2, 1)]).await;
    school.put([club_with_leader(1, 1)]).await;
    let renamed = Student {
        name: short_text("새 이름"),
        ..member(1, 1)
    };
    school.put([renamed.clone()]).await;
    let found = school.club(1).await;
    assert_eq!(
        found.leader().map(|leader| &leader.name),
        Some(&renamed.name)
    );
    school.put([member(1, 2)]).await;
    let found = school.club(1).await;
    assert_eq!(found.club, club(1));
    assert_eq!(found.members, [member(2, 1).as_participant()]);
}

/// Fails if a member keeps the removed club, or loses the other one too.
#[tokio::test]
async fn a_removed_club_is_removed_from_its_members_and_projects_alone() {
    let school = TestSchool::new().await;
    let in_clubs = |major| {
        enrolled(1, |enrollment| {
            (enrollment.major_club, enrollment.autonomous_club) = (major, Some(club_id(3)));
        })
    };
    let of_club = |number, of| Project {
        club: Some(club_id(of)),
        ..project(number, &[number])
    };
    school.put([club(1), club(2), autonomous_club(3)]).await;
    school.put([in_clubs(Some(club_id(1))), member(2, 2)]).await;
    school.put([of_club(1, 1), of_club(2, 2)]).await;
    school.put([DirectoryChange::RemoveClub(club_id(1))]).await;
    let found = school.student(1).await;
    assert_eq!(found.student, in_clubs(None));
    assert_eq!(
        (found.major_club, found.autonomous_club),
        (None, Some(autonomous_club(3).summary().into()))
    );
    let found = school.project(1).await;
    assert_eq!((found.project, found.club), (project(1, &[1]), None));
    assert_eq!(
        school.student(2).await.major_club,
        Some(club(2).summary().into())
    );
    assert_eq!(school.project(2).await.club, Some(club(2).summary()));
    school.put([club(1)]).await;
    assert_eq!(school.club(1).await.members, [], "a new club of that id");
}

/// Fails if a new record gets what referred to a removed one of its id.
#[tokio::test]
async fn a_removed_student_leaves_their_projects_and_a_removed_project_its_students() {
    let school = TestSchool::new().await;
    school.put([student(1), student(2)]).await;
    school.put([project(1, &[1, 2]), project(2, &[1])]).await;
    school
        .put([DirectoryChange::RemoveStudent(student_id(1))])
        .await;
    assert_eq!(school.project(1).await.project, project(1, &[2]));
    school.put([student(1)]).await;
    assert_eq!(school.project(2).await.participants, []);
    school
        .put([DirectoryChange::RemoveProject(value(1, ProjectId::new))])
        .await;
    assert_eq!(school.student(2).await.student, student(2));
    assert_eq!(all(school.snapshot().await.projects(), &[]).len(), 1);
}

/// Fails if a profile shows a club or a student as it was when the profile was last written.
#[tokio::test]
async fn every_profile_shows_the_present_state_of_the_others() {
    let school = TestSchool::new().await;
    school
        .put([
            DirectoryChange::from(club(1)),
            member(1, 1).into(),
            Project {
                club: Some(club_id(1)),
                ..project(1, &[1])
            }
            .into(),
        ])
        .await;
    let (renamed_club, renamed) = (
        Club {
            name: short_text("새 동아리"),
            ..club(1)
        },
        Student {
            name: short_text("새 학생"),
            ..member(1, 1)
        },
    );
    school.put([renamed_club.clone()]).await;
    let summary = renamed_club.summary();
    assert_eq!(
        school.student(1).await.major_club.as_deref(),
        Some(&summary)
    );
    assert_eq!(school.project(1).await.club, Some(summary));
    school.put([renamed.clone()]).await;
    assert_eq!(school.club(1).await.members, [renamed.as_participant()]);
    assert_eq!(
        school.project(1).await.participants,
        [renamed.as_participant()]
    );
    let withdrawn = student_with_status(1, EnrollmentStatus::Withdrawn);
    school.put([withdrawn.clone()]).await;
    assert_eq!(
        school.project(1).await.participants,
        [withdrawn.as_participant()],
        "a former student took part"
    );
    assert_eq!(all(school.snapshot().await.students(), EVERYONE).len(), 1);
}
