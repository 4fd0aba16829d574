use super::directory_fixtures::{club, project, short_text, student};
use super::store_under_test::StoreUnderTest;
use crate::domain::{Club, Project, Student};

// Proves: spec 2.6
pub(super) async fn wildcards_mean_themselves(store: &StoreUnderTest) {
    written(
        store,
        &[
            "100% sure",
            "a_c",
            "abc",
            "back\\slash",
            "it's",
            "\"quoted\"",
            "star*",
            "what?",
            "[a-z]",
        ],
    )
    .await;
    let expectations: [(&str, &[i64]); 11] = [
        ("%", &[1]),
        ("100%", &[1]),
        ("_", &[2]),
        ("a_c", &[2]),
        ("\\", &[4]),
        ("'", &[5]),
        ("' OR '1'='1", &[]),
        ("\"", &[6]),
        ("*", &[7]),
        ("?", &[8]),
        ("[a", &[9]),
    ];
    finds(store, &expectations).await;
}

// Proves: spec 2.6
pub(super) async fn case_is_ignored_in_every_script(store: &StoreUnderTest) {
    written(
        store,
        &[
            "Straße",
            "ΣΊΣΥΦΟΣ",
            "Ёлкин",
            "Ångström",
            "ǅungla",
            "ﬁle",
            "ARMENIAN Ֆ",
        ],
    )
    .await;
    let expectations: [(&str, &[i64]); 10] = [
        ("STRASSE", &[1]),
        ("straße", &[1]),
        ("ẞ", &[1]),
        ("σίσυφος", &[2]),
        ("σ", &[2]),
        ("ёлкин", &[3]),
        ("ÅNGSTRÖM", &[4]),
        ("ǆUNGLA", &[5]),
        ("FILE", &[6]),
        ("armenian ֆ", &[7]),
    ];
    finds(store, &expectations).await;
}

// Proves: spec 2.6
pub(super) async fn composed_and_combining_characters_are_the_same(store: &StoreUnderTest) {
    written(
        store,
        &[
            "A\u{30a}ngstro\u{308}m",
            "한글",
            "\u{1112}\u{1161}\u{11ab}글",
            "Nguye\u{302}\u{303}n",
            "résumé",
        ],
    )
    .await;
    let expectations: [(&str, &[i64]); 8] = [
        ("ångström", &[1]),
        ("한", &[2, 3]),
        ("\u{1112}\u{1161}\u{11ab}", &[2, 3]),
        ("하", &[]),
        ("nguyễn", &[4]),
        ("nguyen", &[]),
        ("resume", &[]),
        ("RE\u{301}SUME\u{301}", &[5]),
    ];
    finds(store, &expectations).await;
}

// Proves: spec 2.6
pub(super) async fn characters_beyond_the_basic_plane_are_found(store: &StoreUnderTest) {
    written(store, &["개발 👩‍💻", "👩 혼자", "𐐀 deseret", "월월 月見里"]).await;
    let expectations: [(&str, &[i64]); 6] = [
        ("👩", &[1, 2]),
        ("👩‍💻", &[1]),
        ("💻", &[1]),
        ("\u{10428}", &[3]),
        ("月見", &[4]),
        ("👨", &[]),
    ];
    finds(store, &expectations).await;
}

// Proves: spec 2.6
pub(super) async fn a_space_matches_like_any_character(store: &StoreUnderTest) {
    written(store, &["하늘 김", "하늘김", "하늘\u{3000}김"]).await;
    finds(
        store,
        &[
            (" ", &[1]),
            ("\u{3000}", &[3]),
            ("하늘", &[1, 2, 3]),
            ("하늘 ", &[1]),
        ],
    )
    .await;
}

/// Writes a student, a club and a project of each name.
async fn written(store: &StoreUnderTest, names: &[&str]) {
    for (number, name) in (1..).zip(names) {
        store
            .put([Student {
                name: short_text(name),
                specialty: Some(short_text(name)),
                ..student(number)
            }])
            .await;
        store
            .put([Club {
                name: short_text(name),
                ..club(number)
            }])
            .await;
        store
            .put([Project {
                name: short_text(name),
                ..project(number, &[])
            }])
            .await;
    }
}

/// Asserts that every text filter finds exactly these.
async fn finds(store: &StoreUnderTest, expectations: &[(&str, &[i64])]) {
    for (text, expected) in expectations {
        for parameter in ["name", "specialty"] {
            assert_eq!(
                store.students(&[(parameter, text)]).await.ids(),
                *expected,
                "students by {text:?}"
            );
        }
        assert_eq!(
            store.clubs(&[("clubName", text)]).await.ids(),
            *expected,
            "clubs by {text:?}"
        );
        assert_eq!(
            store.projects(&[("projectName", text)]).await.ids(),
            *expected,
            "projects by {text:?}"
        );
    }
}
