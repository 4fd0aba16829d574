//! Order of records: spec 2.7.

use crate::client::get;
use crate::school_fixtures;

// Proves: spec 2.7
#[tokio::test]
async fn every_student_sort_orders_nulls_last_and_ties_by_id_in_the_same_direction() {
    let api = school_fixtures::api().await;
    for (sort, ascending, descending) in [
        ("ID", [1, 2, 3, 4, 5, 6, 7, 8], [8, 7, 6, 5, 4, 3, 2, 1]),
        ("NAME", [5, 6, 8, 2, 1, 4, 3, 7], [7, 3, 4, 1, 2, 8, 6, 5]),
        ("EMAIL", [8, 7, 6, 5, 4, 3, 2, 1], [1, 2, 3, 4, 5, 6, 7, 8]),
        (
            "STUDENT_NUMBER",
            [2, 4, 5, 1, 3, 6, 7, 8],
            [3, 1, 5, 4, 2, 8, 7, 6],
        ),
        ("GRADE", [2, 4, 1, 5, 3, 6, 7, 8], [3, 5, 1, 4, 2, 8, 7, 6]),
        (
            "CLASS_NUM",
            [2, 5, 4, 1, 3, 6, 7, 8],
            [3, 1, 4, 5, 2, 8, 7, 6],
        ),
        ("NUMBER", [2, 5, 4, 1, 3, 6, 7, 8], [3, 1, 4, 5, 2, 8, 7, 6]),
        ("MAJOR", [1, 5, 3, 2, 4, 6, 7, 8], [4, 2, 3, 5, 1, 8, 7, 6]),
        ("ROLE", [3, 1, 4, 5, 6, 7, 2, 8], [8, 2, 7, 6, 5, 4, 1, 3]),
        ("SEX", [3, 5, 7, 8, 1, 2, 4, 6], [6, 4, 2, 1, 8, 7, 5, 3]),
        (
            "DORMITORY_ROOM",
            [3, 1, 4, 2, 5, 6, 7, 8],
            [4, 1, 3, 8, 7, 6, 5, 2],
        ),
    ] {
        let path =
            format!("/v1/students?includeGraduates=true&includeWithdrawn=true&sortBy={sort}");
        assert_eq!(get(&api, &path).await.ids(), ascending, "{sort}");
        assert_eq!(
            get(&api, &format!("{path}&sortDirection=ASC")).await.ids(),
            ascending,
            "{sort} ASC"
        );
        assert_eq!(
            get(&api, &format!("{path}&sortDirection=DESC")).await.ids(),
            descending,
            "{sort} DESC"
        );
    }
}

// Proves: spec 2.7
#[tokio::test]
async fn every_club_sort_orders_nulls_last_and_ties_by_id_in_the_same_direction() {
    let api = school_fixtures::api().await;
    for (sort, ascending, descending) in [
        ("ID", [1, 2, 3, 4], [4, 3, 2, 1]),
        ("NAME", [3, 4, 1, 2], [2, 1, 4, 3]),
        ("TYPE", [2, 3, 1, 4], [4, 1, 3, 2]),
        ("FOUNDED_YEAR", [3, 1, 4, 2], [2, 4, 1, 3]),
        ("ABOLISHED_YEAR", [3, 4, 1, 2], [4, 3, 2, 1]),
        ("STATUS", [3, 4, 1, 2], [2, 1, 4, 3]),
    ] {
        assert_eq!(
            get(&api, &format!("/v1/clubs?sortBy={sort}")).await.ids(),
            ascending,
            "{sort}"
        );
        assert_eq!(
            get(&api, &format!("/v1/clubs?sortBy={sort}&sortDirection=DESC"))
                .await
                .ids(),
            descending,
            "{sort} DESC"
        );
    }
}

// Proves: spec 2.7
#[tokio::test]
async fn projects_sort_by_id_and_by_code_points_of_the_name() {
    let api = school_fixtures::api().await;
    for (query, ids) in [
        ("ID", [1, 3]),
        ("NAME", [3, 1]),
        ("ID&sortDirection=DESC", [3, 1]),
        ("NAME&sortDirection=DESC", [1, 3]),
    ] {
        assert_eq!(
            get(&api, &format!("/v1/projects?sortBy={query}"))
                .await
                .ids(),
            ids,
            "{query}"
        );
    }
}

// Proves: spec 2.7
#[tokio::test]
async fn a_direction_alone_applies_to_the_id() {
    let api = school_fixtures::api().await;
    assert_eq!(
        get(&api, "/v1/students?sortDirection=DESC").await.ids(),
        [5, 4, 3, 2, 1]
    );
    assert_eq!(
        get(&api, "/v1/clubs?sortDirection=DESC").await.ids(),
        [4, 3, 2, 1]
    );
    assert_eq!(
        get(&api, "/v1/projects?sortDirection=DESC").await.ids(),
        [3, 1]
    );
}
