//! Words of the sample school: clubs, topics, dishes, events, subjects.

use crate::domain::Major;

pub(super) const SCHOOL: [&str; 4] = ["9990001", "별빛소프트웨어고등학교", "Z10", "별빛시교육청"];

pub(super) const MAJOR_CLUBS: &[&str] = &[
    "컴파일러",
    "모래상자",
    "반딧불",
    "등대",
    "뿌리",
    "데이터 정원",
    "엣지",
    "나침반",
    "조각보",
    "Null Pointers",
    "회로도",
    "센서랩",
    "퍼셉트론",
    "깊은 바다",
    "글자공방",
    "Café Kernel",
];

pub(super) const AUTONOMOUS_CLUBS: &[&str] = &[
    "별보기",
    "농구부 리바운드",
    "합창단 메아리",
    "사진부 셔터",
    "독서모임 책갈피",
    "보드게임",
    "밴드 노이즈",
    "텃밭 가꾸기",
    "연극부 막간",
    "배드민턴",
    "방송부",
    "영화 감상",
    "요리조리",
    "그림자 애니메이션",
    "달리기",
    "봉사단 손길",
    "체스",
    "시 쓰는 밤",
    "뜨개질",
    "자전거",
    "댄스 팀 Überschall",
    "탁구 100%",
    "수화",
    "우표 수집",
];

pub(super) const SPECIALTIES: &[&str] = &[
    "백엔드",
    "프론트엔드",
    "안드로이드",
    "iOS",
    "임베디드",
    "게임 개발",
    "인공지능",
    "정보 보안",
    "데이터 분석",
    "UI/UX 디자인",
    "DevOps",
    "블록체인",
];

/// Topics of projects, in Korean and in ASCII.
pub(super) const TOPICS: &[(&str, &str)] = &[
    ("급식", "meal"),
    ("시간표", "timetable"),
    ("기숙사", "dormitory"),
    ("도서관", "library"),
    ("동아리", "club"),
    ("출석", "attendance"),
    ("버스", "bus"),
    ("날씨", "weather"),
    ("분실물", "lost-and-found"),
    ("미세먼지", "air"),
    ("세탁실", "laundry"),
    ("자습실", "study-room"),
    ("체육관", "gym"),
    ("화분", "plant"),
    ("헌책", "used-book"),
    ("봉사", "volunteer"),
    ("졸업앨범", "yearbook"),
    ("건강", "health"),
    ("전기", "power"),
    ("악보", "score"),
];

/// Products of projects, in Korean and in ASCII.
pub(super) const PRODUCTS: &[(&str, &str)] = &[
    ("알리미", "notifier"),
    ("지도", "map"),
    ("일지", "journal"),
    ("도우미", "helper"),
];

pub(super) const TECH_STACKS: &[&str] = &[
    "Rust",
    "Kotlin",
    "Java",
    "TypeScript",
    "C++",
    "Python",
    "Go",
    "Swift",
    "React",
    "Vue.js",
    "Spring Boot",
    "Axum",
    "PostgreSQL",
    "SQLite",
    "Redis",
    "Docker",
    "Arduino",
    "PyTorch",
];

pub(super) const REPOSITORY_KINDS: &[&str] = &["server", "web", "app", "firmware"];

/// A dish and its allergens by their official numbers.
pub(super) type DishEntry = (&'static str, &'static [u8]);

pub(super) const RICE: &[DishEntry] = &[
    ("쌀밥", &[]),
    ("현미밥", &[]),
    ("흑미밥", &[]),
    ("차조밥", &[]),
    ("비빔밥(계란)", &[1, 5, 6]),
    ("카레라이스", &[2, 5, 6, 12, 13, 16]),
    ("김치볶음밥", &[5, 6, 9, 10]),
];

pub(super) const SOUP: &[DishEntry] = &[
    ("미역국", &[5, 6, 16]),
    ("된장찌개", &[5, 6]),
    ("김치찌개", &[5, 6, 9, 10]),
    ("콩나물국", &[5]),
    ("육개장", &[1, 5, 6, 16]),
    ("어묵국", &[1, 5, 6, 9]),
    ("감자수제비국", &[5, 6, 18]),
];

pub(super) const MAIN: &[DishEntry] = &[
    ("제육볶음", &[5, 6, 10, 13]),
    ("닭갈비", &[5, 6, 13, 15]),
    ("돈까스&소스", &[1, 2, 5, 6, 10, 12]),
    ("고등어구이", &[7]),
    ("불고기", &[5, 6, 13, 16]),
    ("두부조림", &[5, 6]),
    ("오징어볶음", &[5, 6, 13, 17]),
    ("계란말이", &[1]),
];

pub(super) const SIDE: &[DishEntry] = &[
    ("배추김치", &[9]),
    ("깍두기", &[9]),
    ("시금치나물", &[5, 6]),
    ("메밀전병", &[3, 5, 6, 10]),
    ("멸치볶음", &[4, 5, 6, 14]),
    ("잣샐러드", &[1, 5, 12, 19]),
];

pub(super) const DESSERT: &[DishEntry] = &[
    ("요구르트", &[2]),
    ("사과", &[]),
    ("복숭아", &[11]),
    ("우유", &[2]),
    ("꽃게맛과자", &[5, 6, 8]),
];

/// An event: days from today, name, kind of day, and grades.
pub(super) type EventEntry = (i32, &'static str, &'static str, &'static [i64]);

pub(super) const EVENTS: &[EventEntry] = &[
    (-14, "진로 특강", "해당없음", &[1]),
    (-12, "동아리 발표회", "해당없음", &[1, 2, 3]),
    (-12, "학부모 공개 수업", "해당없음", &[1, 2, 3]),
    (-9, "소방 훈련", "해당없음", &[1, 2, 3]),
    (-7, "모의고사", "해당없음", &[3]),
    (-5, "개교기념일", "휴업일", &[1, 2, 3]),
    (-3, "교내 해커톤", "해당없음", &[2, 3]),
    (-2, "교내 해커톤", "해당없음", &[2, 3]),
    (0, "전교 조회", "해당없음", &[1, 2, 3]),
    (0, "기업 방문의 날", "해당없음", &[3]),
    (0, "신입생 멘토링", "해당없음", &[1]),
    (2, "체육 대회", "해당없음", &[1, 2, 3]),
    (5, "수행 평가 기간", "해당없음", &[1, 2, 3]),
    (6, "수행 평가 기간", "해당없음", &[1, 2, 3]),
    (9, "현장 체험 학습", "해당없음", &[1, 2]),
    (9, "취업 박람회", "해당없음", &[3]),
    (12, "재량 휴업일", "휴업일", &[1, 2, 3]),
    (15, "학생회 선거", "해당없음", &[1, 2, 3]),
];

pub(super) const COMMON_SUBJECTS: &[&str] = &[
    "국어",
    "수학",
    "영어",
    "한국사",
    "통합과학",
    "체육",
    "음악",
    "진로와 직업",
];

/// Returns the subjects of a major, the department that teaches them and its room.
pub(super) fn specialized_subjects(
    major: &Major,
) -> ([&'static str; 4], &'static str, &'static str) {
    match major.as_str() {
        "SW_DEVELOPMENT" => (
            ["자료구조", "알고리즘", "웹 프로그래밍", "데이터베이스"],
            "소프트웨어개발과",
            "SW 실습실",
        ),
        "SMART_IOT" => (
            ["회로 이론", "임베디드 시스템", "센서 응용", "네트워크"],
            "스마트IoT과",
            "IoT 실습실",
        ),
        _ => (
            ["기계 학습", "선형대수", "파이썬", "영상 처리"],
            "인공지능과",
            "AI 실습실",
        ),
    }
}
