//! A small school for the tests.

use std::sync::Arc;

use lyceum::DataApi;
use lyceum::crypto::Entropy;
use lyceum::directory::{Directory, DirectoryChange, WriteOutcome};
use lyceum::domain::{
    ApiKey, ApiKeyId, ApiKeySecret, ApiScope, ApiScopes, ClassNum, Club, ClubId, Date, Dish,
    DormitoryRoom, EnrolledRole, Enrollment, EnrollmentStatus, Grade, Lesson, Major, Meal,
    MealType, Period, Project, ProjectId, Repositories, SchoolEvent, SchoolIdentity, SeatNumber,
    ServeCount, Sex, ShortText, Student, StudentId, TechStacks, Timestamp, Year, YearRange,
};
use lyceum::http::Clock;
use lyceum::http::data_api::DataApiBuilder;
use lyceum::store::memory::MemoryStore;
use lyceum::store::{ApiKeyStore, Creation, DirectoryStore};

pub const FULL_KEY: &str = "01010101-0101-4101-8101-010101010101";
pub const CLUB_KEY: &str = "02020202-0202-4202-8202-020202020202";
pub const EXPIRED_KEY: &str = "03030303-0303-4303-8303-030303030303";
pub const REVOKED_KEY: &str = "04040404-0404-4404-8404-040404040404";
pub const UNKNOWN_KEY: &str = "05050505-0505-4505-8505-050505050505";

/// 2026-11-20T15:30:00Z, which is 00:30 on the 21st in Seoul.
pub const NOW: Timestamp = Timestamp::from_seconds(1_795_188_600);

/// Creates the service with the school and the defaults.
pub async fn api() -> DataApi {
    builder().await.build().unwrap()
}

pub async fn builder() -> DataApiBuilder {
    builder_with_store(store().await)
        .await
        .clock(Arc::new(FixedClock))
        .entropy(Arc::new(ConstantEntropy))
}

/// Starts a service with the school in this store.
pub async fn builder_with_store(store: Arc<impl DirectoryStore + ApiKeyStore>) -> DataApiBuilder {
    DataApi::builder(directory(store.clone()).await, store)
}

/// Opens the directory in a store. Its clock stands still, so it never queries the store again.
pub async fn directory(store: Arc<dyn DirectoryStore>) -> Directory {
    Directory::builder(store)
        .clock(Arc::new(FixedClock))
        .open()
        .await
        .unwrap()
}

/// Writes to a store of which no directory is open yet.
pub async fn write(store: &Arc<MemoryStore>, changes: Vec<DirectoryChange>) {
    assert!(matches!(
        directory(store.clone()).await.write(changes).await.unwrap(),
        WriteOutcome::Written(_)
    ));
}

pub async fn store() -> Arc<MemoryStore> {
    let store = Arc::new(MemoryStore::new());
    write(&store, changes()).await;
    for key in keys() {
        assert_eq!(store.create_api_key(key).await.unwrap(), Creation::Created);
    }
    store
}

/// All data of the school.
pub fn changes() -> Vec<DirectoryChange> {
    [
        clubs(),
        students(),
        leaders(),
        projects(),
        school_information(),
    ]
    .concat()
}

/// A clock that always shows [`NOW`].
#[derive(Debug)]
pub struct FixedClock;

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        NOW
    }
}

/// Entropy whose bytes are always seven.
#[derive(Debug)]
pub struct ConstantEntropy;

impl Entropy for ConstantEntropy {
    fn fill(&self, buffer: &mut [u8]) {
        buffer.fill(7);
    }
}

/// The request id that [`ConstantEntropy`] generates.
pub const REQUEST_ID: &str = "7777777777";

pub fn key(number: u8, scopes: ApiScopes) -> ApiKey {
    let secret = ApiKeySecret::from_random([number; 16]);
    ApiKey::new(
        ApiKeyId::from_random([number; 16]),
        &secret,
        line("test"),
        scopes,
        NOW,
    )
}

fn keys() -> Vec<ApiKey> {
    let clubs_only = [ApiScope::CLUB_READ].into_iter().collect();
    vec![
        key(1, ApiScopes::built_in()),
        key(2, clubs_only),
        ApiKey {
            expires_at: NOW,
            ..key(3, ApiScopes::built_in())
        },
        ApiKey {
            revoked_at: Some(NOW),
            ..key(4, ApiScopes::built_in())
        },
    ]
}

fn clubs() -> Vec<DirectoryChange> {
    use lyceum::domain::ClubType::{Autonomous, Major};
    let club = |id, name, kind, first, last| {
        DirectoryChange::PutClub(Club {
            id: club_id(id),
            name: line(name),
            kind,
            years: years(first, last),
            leader: None,
        })
    };
    vec![
        club(1, "Robotics", Major, 2018, None),
        club(2, "밴드부", Autonomous, 2020, None),
        club(3, "Chess 100%", Autonomous, 2015, Some(2019)),
        club(4, "ROBOT art", Major, 2018, Some(2024)),
    ]
}

/// Makes a member of the first club its leader.
fn leaders() -> Vec<DirectoryChange> {
    let DirectoryChange::PutClub(robotics) = clubs().swap_remove(0) else {
        unreachable!()
    };
    vec![DirectoryChange::PutClub(Club {
        leader: Some(student_id(2)),
        ..robotics
    })]
}

fn students() -> Vec<DirectoryChange> {
    let sw = || Major::SW_DEVELOPMENT;
    let council = EnrolledRole::StudentCouncil;
    let students = [
        Student {
            specialty: Some(line("Rust")),
            github_id: Some("haneul-kim".parse().unwrap()),
            ..student(
                1,
                "김하늘",
                Sex::Woman,
                at_school(2, 3, 7, Major::AI, Some(415), [Some(1), Some(2)]),
            )
        },
        Student {
            specialty: Some(line("100% Design")),
            github_id: Some("Asa-O".parse().unwrap()),
            ..student(
                2,
                "Åsa Öberg",
                Sex::Woman,
                with_role(council, at_school(1, 1, 1, sw(), None, [Some(1), None])),
            )
        },
        student(
            3,
            "이준",
            Sex::Man,
            with_role(
                EnrolledRole::DormitoryManager,
                at_school(3, 4, 18, Major::SMART_IOT, Some(201), [None, Some(2)]),
            ),
        ),
        student(
            4,
            "박서연",
            Sex::Woman,
            at_school(1, 2, 5, sw(), Some(415), [Some(1), None]),
        ),
        Student {
            specialty: Some(line("1000 Designs")),
            ..student(
                5,
                "Bob",
                Sex::Man,
                at_school(2, 1, 3, Major::AI, None, [None; 2]),
            )
        },
        Student {
            github_id: Some("carol".parse().unwrap()),
            ..student(6, "Carol", Sex::Woman, EnrollmentStatus::Graduate)
        },
        student(7, "정민", Sex::Man, EnrollmentStatus::Graduate),
        Student {
            specialty: Some(line("a_c")),
            ..student(8, "bobby", Sex::Man, EnrollmentStatus::Withdrawn)
        },
    ];
    students
        .into_iter()
        .map(DirectoryChange::PutStudent)
        .collect()
}

fn student(id: i64, name: &str, sex: Sex, enrollment_status: EnrollmentStatus) -> Student {
    let email = format!("s{:02}@school.example", 20 - id).parse().unwrap();
    Student {
        id: student_id(id),
        name: line(name),
        sex,
        email,
        specialty: None,
        github_id: None,
        enrollment_status,
    }
}

fn at_school(
    grade: i64,
    class: i64,
    number: i64,
    major: Major,
    room: Option<i64>,
    clubs: [Option<i64>; 2],
) -> EnrollmentStatus {
    EnrollmentStatus::Enrolled(Enrollment {
        grade: Grade::new(grade).unwrap(),
        class_num: ClassNum::new(class).unwrap(),
        number: SeatNumber::new(number).unwrap(),
        major,
        role: EnrolledRole::GeneralStudent,
        dormitory_room: room.map(|room| DormitoryRoom::new(room).unwrap()),
        major_club: clubs[0].map(club_id),
        autonomous_club: clubs[1].map(club_id),
    })
}

fn with_role(role: EnrolledRole, enrollment_status: EnrollmentStatus) -> EnrollmentStatus {
    match enrollment_status {
        EnrollmentStatus::Enrolled(enrollment) => {
            EnrollmentStatus::Enrolled(Enrollment { role, ..enrollment })
        }
        left => left,
    }
}

fn projects() -> Vec<DirectoryChange> {
    let project = |id, name, first, last, club: Option<i64>, participants: &[i64]| Project {
        id: ProjectId::new(id).unwrap(),
        name: line(name),
        description: "".parse().unwrap(),
        years: years(first, last),
        club: club.map(club_id),
        participants: participants.iter().copied().map(student_id).collect(),
        repositories: Repositories::default(),
        tech_stacks: TechStacks::default(),
    };
    let map = Project {
        description: "Where is\nroom 415?".parse().unwrap(),
        repositories: Repositories::new(vec![line("https://git.example/map")]).unwrap(),
        tech_stacks: TechStacks::new(vec![line("Rust"), line("SVG")]).unwrap(),
        ..project(1, "campus map", 2024, None, Some(1), &[6, 1])
    };
    let others = [
        project(2, "급식 알리미", 2022, Some(2023), None, &[]),
        project(3, "Campus radio", 2025, None, Some(2), &[2]),
    ];
    std::iter::once(map)
        .chain(others)
        .map(DirectoryChange::PutProject)
        .collect()
}

fn school_information() -> Vec<DirectoryChange> {
    let mut changes = Vec::new();
    for (date, kind) in [
        ("2026-11-21", MealType::Lunch),
        ("2026-11-21", MealType::Breakfast),
        ("2026-11-20", MealType::Dinner),
        ("2025-11-22", MealType::Lunch),
        ("2025-11-21", MealType::Lunch),
    ] {
        changes.push(DirectoryChange::PutMeal(meal(date, kind)));
    }
    for (id, date, name) in [
        ("e3", "2026-11-21", "Sports"),
        ("e1", "2026-11-21", "Open day"),
        ("e2", "2026-11-22", "Exam"),
    ] {
        changes.push(DirectoryChange::PutEvent(event(id, date, name)));
    }
    for (id, grade, class, period) in [
        ("l4", 2, 1, 1),
        ("l3", 1, 2, 1),
        ("l2", 1, 1, 2),
        ("l1", 1, 1, 1),
    ] {
        changes.push(DirectoryChange::PutLesson(lesson(id, grade, class, period)));
    }
    changes
}

pub fn meal(date: &str, kind: MealType) -> Meal {
    let dishes = [("비빔밥", vec![1, 5, 6]), ("물", vec![])];
    Meal {
        school: identity(),
        date: day(date),
        kind,
        dishes: dishes
            .into_iter()
            .map(|(name, allergens)| Dish::new(line(name), allergens).unwrap())
            .collect(),
        calories: Some(line("812.5 Kcal")),
        origin: None,
        nutrition: None,
        serve_count: Some(ServeCount::new(216).unwrap()),
    }
}

pub fn event(id: &str, date: &str, name: &str) -> SchoolEvent {
    SchoolEvent {
        id: line(id),
        school: identity(),
        date: day(date),
        academic_year: line("2026"),
        name: line(name),
        content: None,
        day_category: None,
        course_type: None,
        day_night: None,
        target_grades: vec![Grade::new(1).unwrap(), Grade::new(3).unwrap()],
    }
}

pub fn lesson(id: &str, grade: i64, class: i64, period: i64) -> Lesson {
    Lesson {
        id: line(id),
        school: identity(),
        date: day("2026-11-21"),
        academic_year: line("2026"),
        semester: Some(line("2")),
        grade: Grade::new(grade).unwrap(),
        class_num: ClassNum::new(class).unwrap(),
        period: Period::new(period).unwrap(),
        subject: Some(line("Mathematics")),
        department: None,
        classroom: None,
    }
}

fn identity() -> SchoolIdentity {
    SchoolIdentity {
        school_code: line("7010000"),
        school_name: line("하늘고"),
        office_code: line("B10"),
        office_name: line("서울"),
    }
}

fn years(first: i64, last: Option<i64>) -> YearRange {
    let year = |year| Year::new(year).unwrap();
    YearRange::new(year(first), last.map(year)).unwrap()
}

fn club_id(number: i64) -> ClubId {
    ClubId::new(number).unwrap()
}

fn student_id(number: i64) -> StudentId {
    StudentId::new(number).unwrap()
}

fn day(text: &str) -> Date {
    text.parse().unwrap()
}

fn line(text: &str) -> ShortText {
    text.parse().unwrap()
}
