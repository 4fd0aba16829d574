//! What the page of a plan says beside its records.

use http::StatusCode;

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
        "One account loses its access at once",
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
