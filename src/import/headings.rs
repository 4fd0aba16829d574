//! The Korean headings of columns.

use crate::domain::{RecordKind, fold_case};

/// Columns with their Korean headings. An export writes the first of them.
const KOREAN: &[(&str, &[&str])] = &[
    ("id", &["고유번호"]),
    ("name", &["이름"]),
    ("sex", &["성별"]),
    ("email", &["이메일", "이메일 주소", "메일", "전자우편"]),
    ("grade", &["학년"]),
    ("classNum", &["반"]),
    ("number", &["번호"]),
    ("studentNumber", &["학번"]),
    ("major", &["학과", "전공", "전공 학과"]),
    ("specialty", &["특기 분야", "특기"]),
    ("role", &["구분", "역할"]),
    ("dormitoryFloor", &["기숙사 층"]),
    ("dormitoryRoom", &["기숙사 호실", "호실"]),
    ("majorClub.id", &["전공 동아리 고유번호"]),
    ("majorClub.name", &["전공 동아리"]),
    ("autonomousClub.id", &["자율 동아리 고유번호"]),
    ("autonomousClub.name", &["자율 동아리"]),
    ("githubId", &["GitHub", "깃허브"]),
    ("type", &["종류", "동아리 종류"]),
    ("status", &["상태"]),
    ("foundedYear", &["창설 연도", "설립 연도"]),
    ("abolishedYear", &["폐지 연도"]),
    ("leader.id", &["동아리장 고유번호"]),
    ("leader.name", &["동아리장", "부장"]),
    ("leader.email", &["동아리장 이메일"]),
    ("participants", &["구성원", "부원", "참여자", "참여 학생"]),
    ("description", &["설명"]),
    ("startYear", &["시작 연도"]),
    ("endYear", &["종료 연도"]),
    ("club.id", &["동아리 고유번호"]),
    ("club.name", &["동아리"]),
    ("repositories", &["저장소"]),
    ("techStacks", &["기술 스택"]),
];

/// More Korean headings, each in the files of one kind only.
const KOREAN_OF_KIND: &[(RecordKind, &str, &[&str])] = &[
    (RecordKind::Students, "name", &["성명"]),
    (RecordKind::Clubs, "name", &["동아리명", "동아리 이름"]),
    (
        RecordKind::Projects,
        "name",
        &["프로젝트명", "프로젝트 이름"],
    ),
];

/// The Korean words for values of enumerations.
const KOREAN_VALUES: &[(&str, &[&str], &str)] = &[
    ("sex", &["남", "남자"], "MAN"),
    ("sex", &["여", "여자"], "WOMAN"),
    ("role", &["학생회"], "STUDENT_COUNCIL"),
    ("role", &["기숙사 자치위원"], "DORMITORY_MANAGER"),
    (
        "role",
        &["일반 학생", "재학생", "재학", "학생"],
        "GENERAL_STUDENT",
    ),
    ("role", &["졸업생", "졸업"], "GRADUATE"),
    ("role", &["자퇴생", "자퇴"], "WITHDRAWN"),
    ("type", &["전공 동아리", "전공"], "MAJOR_CLUB"),
    ("type", &["자율 동아리", "자율"], "AUTONOMOUS_CLUB"),
];

/// The Korean heading that an export writes for a column.
pub(super) fn korean(column: &str) -> Option<&'static str> {
    KOREAN
        .iter()
        .find(|(name, _)| *name == column)
        .and_then(|(_, headings)| headings.first().copied())
}

/// Whether a heading names a column of a kind, by its name or in Korean. Blanks and case do not
/// matter.
pub(super) fn names(kind: RecordKind, heading: &str, column: &str) -> bool {
    let heading = folded(heading);
    let of_all = KOREAN
        .iter()
        .filter(|(name, _)| *name == column)
        .map(|(_, headings)| *headings);
    let of_kind = KOREAN_OF_KIND
        .iter()
        .filter(|(only, name, _)| *only == kind && *name == column)
        .map(|(_, _, headings)| *headings);
    let mut in_korean = of_all.chain(of_kind).flatten();
    folded(column) == heading || in_korean.any(|known| folded(known) == heading)
}

/// The value that a Korean word stands for in a column, or the text itself.
pub(super) fn value<'a>(column: &str, text: &'a str) -> &'a str {
    let text = text.trim();
    let stands_for = |words: &[&str]| words.iter().any(|word| folded(word) == folded(text));
    KOREAN_VALUES
        .iter()
        .find(|(name, words, _)| *name == column && stands_for(words))
        .map_or(text, |(_, _, value)| value)
}

fn folded(text: &str) -> String {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    fold_case(&text)
}
