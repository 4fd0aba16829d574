//! The table of reasons in `docs/wire.md` against what the service answers.

use std::collections::BTreeSet;
use std::time::Duration;

use http::{HeaderValue, Request};
use lyceum::domain::{HiddenFields, Quota};
use lyceum::http::ClientAddress;

use crate::calls::{Answer, request, send, send_with};
use crate::failing::{self, Fault};
use crate::hidden_fields;
use crate::school::{self, CLUB_KEY, EXPIRED_KEY, FULL_KEY, STRANGE_KEY};

/// The rows under the header that is marked as checked: status and reason.
pub fn documented() -> BTreeSet<(u16, String)> {
    let page = include_str!("../../docs/wire.md");
    let data_api = page.split("\n## ").find(|section| section.starts_with("Data API")).unwrap();
    let table = data_api.split("`reason` *(checked)*").nth(1).unwrap().split("\n\n").next().unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| ") && !line.contains("When |"));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        (cells[1].parse().unwrap(), cells[2].trim_matches('`').to_owned())
    })
    .collect()
}

#[tokio::test]
async fn decision_2_2_every_documented_reason_is_answered_and_every_answered_reason_is_documented() {
    let api = school::api().await;
    let mut answers: Vec<Answer> = Vec::new();
    for (method, path, key) in [
        ("GET", "/v1/students?name=%", Some(FULL_KEY)),
        ("GET", "/v1/students?grades=1", Some(FULL_KEY)),
        ("GET", "/v1/students?grade=1&grade=2", Some(FULL_KEY)),
        ("GET", "/v1/students?grade=4", Some(FULL_KEY)),
        ("GET", "/v1/students", None),
        ("GET", "/v1/students", Some("nonsense")),
        ("GET", "/v1/students", Some(EXPIRED_KEY)),
        ("GET", "/v1/students", Some(CLUB_KEY)),
        ("GET", "/v1/teachers", Some(FULL_KEY)),
        ("POST", "/v1/students", Some(FULL_KEY)),
    ] {
        answers.push(send(&api, request(method, path, key)).await);
    }
    let mut twice: Request<()> = request("GET", "/v1/students", Some(FULL_KEY));
    twice.headers_mut().append("x-api-key", HeaderValue::from_static(FULL_KEY));
    answers.push(send(&api, twice).await);
    for (name, value) in [("accept", "text/html"), ("if-match", "\"other\"")] {
        answers.push(send_with(&api, "GET", "/v1/students", &[(name, value)]).await);
    }
    let once = Quota::new(1, Duration::from_secs(60), 1).unwrap();
    let narrow = school::builder().await.rate_limit(once).bad_key_limit(once).build().unwrap();
    for key in [FULL_KEY, STRANGE_KEY].into_iter().cycle().take(4) {
        let mut request = request("GET", "/v1/clubs", Some(key));
        request.extensions_mut().insert(ClientAddress([192, 0, 2, 1].into()));
        answers.push(send(&narrow, request).await);
    }
    answers.retain(|answer| !answer.status.is_success());
    let (hiding, keys) = hidden_fields::api(&[HiddenFields::all()]).await;
    answers.push(send(&hiding, request("GET", "/v1/students?email=a", Some(&keys[0]))).await);
    for fault in [Fault::Failed, Fault::Unavailable] {
        answers.push(send(&failing::api(fault), request("GET", "/v1/students", Some(FULL_KEY))).await);
    }
    let answered: BTreeSet<_> = answers.iter().map(|answer| (answer.status.as_u16(), answer.reason().0)).collect();
    assert_eq!(answered, documented());
}
