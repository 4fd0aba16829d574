use super::candidate::{Answered, Candidate};
use super::given_school::{EVERYONE, autonomous, club, club_id, enrolled, left, line, student, student_id, students, value, values};
use crate::domain::{
    ClassNum, DormitoryRoom, EnrolledRole, EnrolmentFilter, Grade, Major, Needle, PageRequest, SeatNumber, Sex, Standing, Student,
    StudentFilter, StudentProfile, StudentQuery, StudentRole,
};

pub(super) async fn a_student_is_found_as_it_was_written(store: &Candidate) {
    store.put([club(1), autonomous(2)]).await;
    let resident = Student {
        sex: Sex::Man,
        specialty: Some(line("백엔드")),
        github_id: "haneul-kim".parse().ok(),
        ..enrolled(1, |enrolment| {
            enrolment.grade = value(3, Grade::new);
            enrolment.class_num = value(4, ClassNum::new);
            enrolment.number = value(18, SeatNumber::new);
            enrolment.major = Major::SmartIot;
            enrolment.role = EnrolledRole::DormitoryManager;
            enrolment.dormitory_room = Some(value(415, DormitoryRoom::new));
            enrolment.major_club = Some(club_id(1));
            enrolment.autonomous_club = Some(club_id(2));
        })
    };
    let others = [student(2), left(3, Standing::Graduate), left(4, Standing::Withdrawn)];
    store.put([resident.clone()]).await;
    store.put(others.clone()).await;
    let expected = StudentProfile {
        student: resident,
        major_club: Some(club(1).summary().into()),
        autonomous_club: Some(autonomous(2).summary().into()),
    };
    assert_eq!(store.one_student(1).await, expected);
    for (number, student) in (2..).zip(others) {
        assert_eq!(store.one_student(number).await, StudentProfile { student, major_club: None, autonomous_club: None });
    }
}

pub(super) async fn the_three_enrolment_filters_combine(store: &Candidate) {
    store.put([student(1), left(2, Standing::Graduate), left(3, Standing::Withdrawn)]).await;
    for (only, graduates, withdrawn) in (0..8).map(|bits| (bits & 1 > 0, bits & 2 > 0, bits & 4 > 0)) {
        let enrolment = EnrolmentFilter::new(only, graduates, withdrawn);
        let mut expected = vec![1];
        expected.extend((graduates && !only).then_some(2));
        expected.extend((withdrawn && !only).then_some(3));
        assert_eq!(found(store, StudentFilter { enrolment, ..StudentFilter::default() }).await, expected, "{enrolment:?}");
    }
}

pub(super) async fn every_filter_finds_what_it_says(store: &Candidate) {
    store.put([various(1), various(2), various(3)]).await;
    store.put([left(4, Standing::Graduate), left(5, Standing::Withdrawn)]).await;
    let needle = |text| Needle::new(text).ok();
    let all = || StudentFilter { enrolment: EVERYONE, ..StudentFilter::default() };
    let expectations: [(StudentFilter, &[i64]); 22] = [
        (all(), &[1, 2, 3, 4, 5]),
        (StudentFilter { id: Some(student_id(3)), ..all() }, &[3]),
        (StudentFilter { id: Some(student_id(9)), ..all() }, &[]),
        (StudentFilter { name: needle("하늘 2"), ..all() }, &[2]),
        (StudentFilter { email: needle("@SCHOOL.EXAMPLE"), ..all() }, &[1, 2, 3, 4, 5]),
        (StudentFilter { email: needle("s4@"), ..all() }, &[4]),
        (StudentFilter { grade: Some(value(2, Grade::new)), ..all() }, &[2]),
        (StudentFilter { class_num: Some(value(4, ClassNum::new)), ..all() }, &[2]),
        (StudentFilter { number: Some(value(3, SeatNumber::new)), ..all() }, &[3]),
        (StudentFilter { sex: Some(Sex::Man), ..all() }, &[1, 3]),
        (StudentFilter { role: Some(StudentRole::StudentCouncil), ..all() }, &[1]),
        (StudentFilter { role: Some(StudentRole::DormitoryManager), ..all() }, &[2]),
        (StudentFilter { role: Some(StudentRole::GeneralStudent), ..all() }, &[3]),
        (StudentFilter { role: Some(StudentRole::Graduate), ..all() }, &[4]),
        (StudentFilter { role: Some(StudentRole::Withdrawn), ..all() }, &[5]),
        (StudentFilter { role: Some(StudentRole::Graduate), ..StudentFilter::default() }, &[]),
        (StudentFilter { specialty: needle("END"), ..all() }, &[2, 3]),
        (StudentFilter { major: Some(Major::Ai), ..all() }, &[3]),
        (StudentFilter { github_id: needle("Kim-2"), ..all() }, &[2]),
        (StudentFilter { dormitory_room: Some(value(402, DormitoryRoom::new)), ..all() }, &[2]),
        (StudentFilter { sex: Some(Sex::Man), grade: Some(value(3, Grade::new)), ..all() }, &[3]),
        (StudentFilter { sex: Some(Sex::Man), name: needle("하늘 2"), ..all() }, &[]),
    ];
    for (filter, expected) in expectations {
        assert_eq!(found(store, filter.clone()).await, expected, "{filter:?}");
    }
}

pub(super) async fn pages_make_up_the_whole(store: &Candidate) {
    store.put((1..=7).map(student)).await;
    let page = |page, size| StudentQuery { page: PageRequest::new(page, size).expect("a page"), ..students(StudentFilter::default()) };
    for size in [1, 2, 3, 7, 8] {
        let mut together = Vec::new();
        for number in 0..7_u32.div_ceil(size) {
            let part = store.school().await.students(&page(number, size)).await.answered();
            assert_eq!(part.total, 7, "every page knows the total");
            assert!(part.items.len() == size as usize || number == 7 / size, "only the last page may be short");
            together.extend(ids(&values(&part)));
        }
        assert_eq!(together, [1, 2, 3, 4, 5, 6, 7], "pages of {size} make up the whole");
    }
}

pub(super) async fn decision_2_4_a_page_past_the_end_is_empty_and_knows_the_total(store: &Candidate) {
    store.put((1..=7).map(student)).await;
    for (number, size) in [(1, 7), (7, 1), (100, 3), (i32::MAX as u32, 1000)] {
        let query = StudentQuery { page: PageRequest::new(number, size).expect("a page"), ..students(StudentFilter::default()) };
        let page = store.school().await.students(&query).await.answered();
        assert_eq!((page.total, page.items.len()), (7, 0), "page {number} of {size}");
    }
}

/// Enrolled students who differ in everything.
fn various(number: i64) -> Student {
    let at = usize::try_from(number).unwrap_or_default();
    Student {
        name: line(&format!("김하늘 {number}")),
        sex: if number == 2 { Sex::Woman } else { Sex::Man },
        specialty: [None, Some("frontend"), Some("Backend")][at - 1].map(line),
        github_id: (number > 1).then(|| format!("KIM-{number}").parse().expect("a user name")),
        ..enrolled(number, |enrolment| {
            enrolment.grade = value(number, Grade::new);
            enrolment.class_num = value([3, 4, 1][at - 1], ClassNum::new);
            enrolment.number = value(number, SeatNumber::new);
            enrolment.role = EnrolledRole::ALL[at - 1];
            enrolment.major = Major::ALL[at - 1];
            enrolment.dormitory_room = (number != 3).then(|| value(400 + number, DormitoryRoom::new));
        })
    }
}

async fn found(store: &Candidate, filter: StudentFilter) -> Vec<i64> {
    let page = store.school().await.students(&students(filter)).await.answered();
    let found = ids(&values(&page));
    assert_eq!(page.total, found.len() as u64, "the total counts what was found");
    found
}

fn ids(profiles: &[StudentProfile]) -> Vec<i64> {
    profiles.iter().map(|profile| profile.student.id.get()).collect()
}
