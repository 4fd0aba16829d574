use super::directory_fixtures::{
    EVERYONE, autonomous_club, club, club_id, enrolled, short_text, student, student_with_status,
    value,
};
use super::store_under_test::StoreUnderTest;
use super::test_directory::Parameters;
use crate::domain::{
    ClassNum, DormitoryRoom, EnrolledRole, EnrollmentStatus, Grade, Major, SeatNumber, Sex,
    Student, StudentProfile,
};

pub(super) async fn a_student_is_found_as_it_was_written(store: &StoreUnderTest) {
    store.put([club(1), autonomous_club(2)]).await;
    let resident = Student {
        sex: Sex::Man,
        specialty: Some(short_text("백엔드")),
        github_id: "haneul-kim".parse().ok(),
        ..enrolled(1, |enrollment| {
            enrollment.grade = value(3, Grade::new);
            enrollment.class_num = value(4, ClassNum::new);
            enrollment.number = value(18, SeatNumber::new);
            enrollment.major = Major::SMART_IOT;
            enrollment.role = EnrolledRole::DormitoryManager;
            enrollment.dormitory_room = Some(value(415, DormitoryRoom::new));
            enrollment.major_club = Some(club_id(1));
            enrollment.autonomous_club = Some(club_id(2));
        })
    };
    let others = [
        student(2),
        student_with_status(3, EnrollmentStatus::Graduate),
        student_with_status(4, EnrollmentStatus::Withdrawn),
    ];
    store.put([resident.clone()]).await;
    store.put(others.clone()).await;
    let expected = StudentProfile {
        student: resident,
        major_club: Some(club(1).summary().into()),
        autonomous_club: Some(autonomous_club(2).summary().into()),
    };
    assert_eq!(store.one_student(1).await, expected);
    for (number, student) in (2..).zip(others) {
        assert_eq!(
            store.one_student(number).await,
            StudentProfile {
                student,
                major_club: None,
                autonomous_club: None
            }
        );
    }
}

pub(super) async fn the_three_enrollment_filters_combine(store: &StoreUnderTest) {
    store
        .put([
            student(1),
            student_with_status(2, EnrollmentStatus::Graduate),
            student_with_status(3, EnrollmentStatus::Withdrawn),
        ])
        .await;
    for (only, graduates, withdrawn) in
        (0..8).map(|bits| (bits & 1 > 0, bits & 2 > 0, bits & 4 > 0))
    {
        let mut expected = vec![1];
        expected.extend((graduates && !only).then_some(2));
        expected.extend((withdrawn && !only).then_some(3));
        let flags = [
            ("onlyEnrolled", only),
            ("includeGraduates", graduates),
            ("includeWithdrawn", withdrawn),
        ];
        let asked = flags.map(|(name, flag)| (name, if flag { "true" } else { "false" }));
        assert_eq!(
            store.students(&asked).await.all_ids(),
            expected,
            "{asked:?}"
        );
    }
}

pub(super) async fn every_filter_finds_what_it_says(store: &StoreUnderTest) {
    store.put([various(1), various(2), various(3)]).await;
    store
        .put([
            student_with_status(4, EnrollmentStatus::Graduate),
            student_with_status(5, EnrollmentStatus::Withdrawn),
        ])
        .await;
    let expectations: [(Parameters<'_>, &[i64]); 21] = [
        (&[], &[1, 2, 3, 4, 5]),
        (&[("studentId", "3")], &[3]),
        (&[("studentId", "9")], &[]),
        (&[("name", "하늘 2")], &[2]),
        (&[("email", "@SCHOOL.EXAMPLE")], &[1, 2, 3, 4, 5]),
        (&[("email", "s4@")], &[4]),
        (&[("grade", "2")], &[2]),
        (&[("classNum", "4")], &[2]),
        (&[("number", "3")], &[3]),
        (&[("sex", "MAN")], &[1, 3]),
        (&[("role", "STUDENT_COUNCIL")], &[1]),
        (&[("role", "DORMITORY_MANAGER")], &[2]),
        (&[("role", "GENERAL_STUDENT")], &[3]),
        (&[("role", "GRADUATE")], &[4]),
        (&[("role", "WITHDRAWN")], &[5]),
        (&[("specialty", "END")], &[2, 3]),
        (&[("major", "AI")], &[3]),
        (&[("githubId", "Kim-2")], &[2]),
        (&[("dormitoryRoom", "402")], &[2]),
        (&[("sex", "MAN"), ("grade", "3")], &[3]),
        (&[("sex", "MAN"), ("name", "하늘 2")], &[]),
    ];
    for (asked, expected) in expectations {
        assert_eq!(
            store.students(&[EVERYONE, asked].concat()).await.all_ids(),
            expected,
            "{asked:?}"
        );
    }
    assert_eq!(
        store.students(&[("role", "GRADUATE")]).await.all_ids(),
        [0_i64; 0]
    );
}

pub(super) async fn pages_make_up_the_whole(store: &StoreUnderTest) {
    store.put((1..=7).map(student)).await;
    for size in [1, 2, 3, 7, 8] {
        let mut together = Vec::new();
        for number in 0..7_usize.div_ceil(size) {
            let part = store
                .students(&[("page", &number.to_string()), ("size", &size.to_string())])
                .await;
            assert_eq!(part.total, 7, "every page knows the total");
            assert!(
                part.items.len() == size || number == 7 / size,
                "only the last page may be shorter"
            );
            together.extend(part.ids());
        }
        assert_eq!(
            together,
            [1, 2, 3, 4, 5, 6, 7],
            "pages of {size} together are the whole list"
        );
    }
}

// Proves: spec 2.4
pub(super) async fn a_page_past_the_end_is_empty_and_knows_the_total(store: &StoreUnderTest) {
    store.put((1..=7).map(student)).await;
    for (number, size) in [("1", "7"), ("7", "1"), ("100", "3"), ("2147483647", "1000")] {
        let page = store.students(&[("page", number), ("size", size)]).await;
        assert_eq!(
            (page.total, page.items.len()),
            (7, 0),
            "page {number} of {size}"
        );
    }
}

/// Returns enrolled students who differ in all values.
fn various(number: i64) -> Student {
    let at = usize::try_from(number).unwrap_or_default();
    Student {
        name: short_text(&format!("김하늘 {number}")),
        sex: if number == 2 { Sex::Woman } else { Sex::Man },
        specialty: [None, Some("frontend"), Some("Backend")][at - 1].map(short_text),
        github_id: (number > 1).then(|| format!("KIM-{number}").parse().expect("a user name")),
        ..enrolled(number, |enrollment| {
            enrollment.grade = value(number, Grade::new);
            enrollment.class_num = value([3, 4, 1][at - 1], ClassNum::new);
            enrollment.number = value(number, SeatNumber::new);
            enrollment.role = EnrolledRole::ALL[at - 1];
            enrollment.major = Major::STANDARD[at - 1].clone();
            enrollment.dormitory_room =
                (number != 3).then(|| value(400 + number, DormitoryRoom::new));
        })
    }
}
