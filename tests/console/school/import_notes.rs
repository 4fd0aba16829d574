//! What the page of a plan says beside its records.

use http::StatusCode;
use lyceum::domain::DataKind;

use super::imports::{apply, plan_of, upload};
use super::*;

/// Fails if an administrator is not told before that accounts end, or that former students stay.
#[tokio::test]
async fn the_plan_says_how_many_accounts_end_and_which_students_stay() {
    let harness = school().await;
    let mut browser = harness.browser_of(ADMIN).await;
    submit(
        &mut browser,
        "/admin/school/students/3",
        &[("email", EMAIL)],
    )
    .await;
    let file = "id,name\n1,김하늘\n2,Kim\n4,Lee\n5,Bob\n";
    let page = upload(&mut browser, file, &[]).await;
    for note in [
        "One account loses its access immediately",
        "3 former students are not in the file, and stay.",
    ] {
        assert!(page.body.contains(note), "{note}: {}", page.body);
    }
    let page = upload(&mut browser, file, &["partial"]).await;
    assert!(!page.body.contains("loses its access"), "{}", page.body);
    let new = "name,sex,email,grade,classNum,number,major\n박산,MAN,san@school.example,1,1,2,AI\n";
    let page = upload(&mut browser, new, &["allow_removals"]).await;
    assert!(!page.body.contains("About as many"), "{}", page.body);
}

/// Fails if a list that has not changed for a year can be confirmed by a command alone.
#[tokio::test]
async fn an_unchanged_file_of_all_records_confirms_that_they_are_current() {
    let harness = Harness::with_school_year(|auth| auth).await;
    let written = harness.directory.write(school_fixtures::changes()).await;
    assert!(matches!(written.unwrap(), WriteOutcome::Written(_)));
    let mut browser = harness.browser_of(ADMIN).await;
    let file = browser.get("/admin/school/students.csv").await.body;
    let page = upload(&mut browser, &file, &["partial"]).await;
    assert_eq!(plan_of(&page.body).1, None, "others may be missing");
    let page = upload(&mut browser, &file, &[]).await;
    let button = "Confirm that the list is current";
    assert!(page.body.contains(button), "{}", page.body);
    assert_eq!(*harness.directory.data_as_of(), []);
    let answer = apply(&mut browser, &page.body).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    assert_eq!(edits(&harness), [], "nothing has changed");
    harness.clock.advance(MINUTE);
    harness.directory.check().await.unwrap();
    let as_of = harness.directory.data_as_of();
    let kinds: Vec<DataKind> = as_of.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds, [DataKind::Students]);
}
