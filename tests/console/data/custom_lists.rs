//! Custom lists of the host in the data browser.

use super::*;
use crate::custom_resource::teachers;
use crate::pages::assert_safe;

#[tokio::test]
async fn a_list_of_the_hosts_own_is_shown_filtered_and_sorted_as_the_schools_are() {
    let (harness, api) = harness_with(|builder| builder.resource(teachers().unwrap())).await;
    keep(
        &harness,
        ApiKey {
            scopes: api.scopes(),
            ..key(&harness, 1)
        },
    )
    .await;
    let mut browser = harness.browser_of(EMAIL).await;
    let page = browser.get("/data/teachers").await;
    assert_safe(&page);
    assert_eq!(
        rows(&page),
        [
            ["한별", "1", "byeol@school.example", "MUSIC", "2019"],
            ["Ada", "2", "ada@school.example", "MATHS", "2022"]
        ]
    );
    assert!(
        page.body.contains("placeholder=\"1950–2100\"")
            && page
                .body
                .contains("<option value=\"PHYSICS\">PHYSICS</option>"),
        "{}",
        page.body
    );
    assert_eq!(
        rows(&browser.get(&link(&page, "Name").unwrap()).await)[0][0],
        "Ada"
    );
    let found = browser.get("/data/teachers?subject=MUSIC&since=2019").await;
    assert_eq!(rows(&found).len(), 1);
    let faulty = browser.get("/data/teachers?since=1949").await;
    assert_eq!(faulty.status, StatusCode::BAD_REQUEST);
    assert!(
        faulty.body.contains("id=\"since-fault\""),
        "{}",
        faulty.body
    );
    let table = browser.get("/data/teachers.csv").await;
    assert!(
        table.body.starts_with("id,name,email,subject,since\r\n"),
        "{}",
        table.body
    );
}
