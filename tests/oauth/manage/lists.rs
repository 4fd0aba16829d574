use http::Method;
use serde_json::json;

use super::*;

const LISTS: [&str; 4] = [
    "/v1/applications",
    "/v1/clients",
    "/v1/clients/available-scopes",
    "/v1/api-keys",
];

#[tokio::test]
async fn a_user_lists_own_records_and_an_administrator_lists_all() {
    let management = ManagementClient::new().await;
    for token in [&management.owner, &management.other] {
        management
            .post(token, "/v1/applications", json!({"name": "Clubs"}))
            .await;
        management.post(token, "/v1/clients", client()).await;
    }
    for (path, field, are_in_the_harness) in [
        ("/v1/applications", "applications", 1),
        ("/v1/clients", "clients", 1),
    ] {
        for (token, owners) in [
            (&management.owner, vec!["owner"]),
            (&management.other, vec!["other"]),
            (&management.admin, vec!["owner", "other"]),
        ] {
            let listed = management.get(token, path).await;
            let mut found: Vec<&str> = listed[field]
                .as_array()
                .unwrap()
                .iter()
                .map(|one| one["owner"].as_str().unwrap())
                .collect();
            assert_eq!(listed["totalElements"], found.len());
            assert_eq!(
                found.iter().filter(|owner| **owner == "service").count(),
                if owners.len() > 1 {
                    are_in_the_harness
                } else {
                    0
                }
            );
            found.retain(|owner| *owner != "service");
            found.sort_unstable_by(|one, other| other.cmp(one));
            assert_eq!(found, owners, "{path}");
        }
    }
}

// Proves: spec 4
#[tokio::test]
async fn anyone_sees_every_scope_with_its_description_and_application() {
    let management = ManagementClient::new().await;
    let (application, scope) = management.application().await;
    management
        .patch(
            &management.owner,
            &format!("/v1/applications/{application}/scopes/{scope}"),
            json!({"approvalRequired": true}),
        )
        .await;
    for token in [&management.owner, &management.other, &management.admin] {
        let listed = management.get(token, "/v1/clients/available-scopes").await;
        assert_eq!(
            (&listed["totalPages"], &listed["totalElements"]),
            (&json!(1), &json!(3))
        );
        let scopes = listed["scopes"].as_array().unwrap();
        let expected = json!({
            "scope": format!("{application}:read"), "description": "See your clubs", "descriptionTranslations": {}, "applicationName": "Club portal",
            "applicationNameTranslations": {},
            "approvalRequired": true, "firstPartyOnly": false,
        });
        assert!(scopes.contains(&expected), "{listed}");
        let reserved: Vec<_> = scopes
            .iter()
            .filter(|scope| scope["firstPartyOnly"] == true)
            .map(|scope| &scope["scope"])
            .collect();
        assert_eq!(reserved, ["service:manage"], "spec 3.21");
    }
}

// Proves: spec 2.4
#[tokio::test]
async fn lists_come_in_pages() {
    let management = ManagementClient::new().await;
    for number in 0..5 {
        management
            .post(
                &management.owner,
                "/v1/applications",
                json!({"name": format!("Club {number}")}),
            )
            .await;
    }
    let mut seen = Vec::new();
    for (page, length) in [(0, 2), (1, 2), (2, 1), (3, 0)] {
        let listed = management
            .get(
                &management.owner,
                &format!("/v1/applications?size=2&page={page}"),
            )
            .await;
        assert_eq!(
            (&listed["totalPages"], &listed["totalElements"]),
            (&json!(3), &json!(5))
        );
        let applications = listed["applications"].as_array().unwrap();
        assert_eq!(applications.len(), length);
        seen.extend(
            applications
                .iter()
                .map(|application| text(&application["name"])),
        );
    }
    seen.sort_unstable();
    assert_eq!(seen, ["Club 0", "Club 1", "Club 2", "Club 3", "Club 4"]);
    assert_eq!(
        management
            .get(&management.owner, "/v1/applications?size=&page=")
            .await["applications"]
            .as_array()
            .unwrap()
            .len(),
        5
    );

    for path in LISTS {
        for (query, reason, parameter) in [
            ("size=0", "parameter_invalid", "size"),
            ("size=1001", "parameter_invalid", "size"),
            ("size=x", "parameter_invalid", "size"),
            ("page=-1", "parameter_invalid", "page"),
            ("page=%2B1", "parameter_invalid", "page"),
            ("page=2147483648", "parameter_invalid", "page"),
            ("page=99999999999", "parameter_invalid", "page"),
            ("owner=other", "parameter_unknown", ""),
            ("page=1&page=2", "invalid_request", ""),
            ("page=%zz", "invalid_request", ""),
            ("access_token=x", "invalid_request", ""),
        ] {
            let answer = management
                .ask(
                    &management.owner,
                    Method::GET,
                    &format!("{path}?{query}"),
                    None,
                )
                .await;
            assert_eq!(
                refusal(&answer),
                refused(400, reason, parameter),
                "{path}?{query}"
            );
        }
        let answer = management
            .ask(&management.owner, Method::HEAD, path, None)
            .await;
        assert_eq!((answer.status.as_u16(), &*answer.body), (200, ""));
    }
    for path in ["/v1/grants?page=0", &format!("/v1/clients/{NOBODY}?x")] {
        let answer = management
            .ask(&management.owner, Method::GET, path, None)
            .await;
        assert_eq!(
            refusal(&answer),
            refused(400, "parameter_unknown", ""),
            "{path}"
        );
    }
}
