//! Pages and links: spec 2.4.

use std::sync::Arc;

use lyceum::directory::DirectoryChange;
use lyceum::domain::{
    Club, ClubId, ClubType, EnrollmentStatus, Project, ProjectId, Repositories, Sex, Student,
    StudentId, TechStacks, Year, YearRange,
};

use crate::client::{get, request, send};
use crate::school_fixtures::{self, FULL_KEY};

// Proves: spec 2.4
#[tokio::test]
async fn pages_follow_each_other_and_totals_stay() {
    let api = school_fixtures::api().await;
    for (page, ids) in [
        (0, vec![1, 2]),
        (1, vec![3, 4]),
        (2, vec![5]),
        (3, vec![]),
        (2_147_483_647, vec![]),
    ] {
        let answer = get(&api, &format!("/v1/students?size=2&page={page}")).await;
        assert_eq!(answer.ids(), ids, "page {page}");
        let data = &answer.json()["data"];
        assert_eq!(
            (data["totalPages"].as_i64(), data["totalElements"].as_i64()),
            (Some(3), Some(5))
        );
    }
}

// Proves: spec 2.4
#[tokio::test]
async fn a_page_has_300_students_or_100_clubs_or_projects_by_default() {
    let store = school_fixtures::store().await;
    school_fixtures::write(&store, (1001..=1301).flat_map(crowd).collect()).await;
    let api = school_fixtures::builder_with_store(store)
        .await
        .clock(Arc::new(school_fixtures::FixedClock))
        .build()
        .unwrap();
    for (path, size) in [
        ("/v1/students?includeGraduates=true&", 300),
        ("/v1/clubs?", 100),
        ("/v1/projects?", 100),
    ] {
        assert_eq!(get(&api, path).await.ids().len(), size, "{path}");
        assert_eq!(
            get(&api, &format!("{path}size=1000")).await.ids().len(),
            301 + get(&school_fixtures::api().await, path).await.ids().len()
        );
    }
}

/// Creates a student, a club and a project with this id.
fn crowd(id: i64) -> [DirectoryChange; 3] {
    let name: lyceum::domain::ShortText = "One of many".parse().unwrap();
    let years = YearRange::new(Year::new(2020).unwrap(), None).unwrap();
    let student = Student {
        id: StudentId::new(id).unwrap(),
        name: name.clone(),
        sex: Sex::Man,
        email: format!("{id}@school.example").parse().unwrap(),
        specialty: None,
        github_id: None,
        enrollment_status: EnrollmentStatus::Graduate,
    };
    let club = Club {
        id: ClubId::new(id).unwrap(),
        name: name.clone(),
        kind: ClubType::Major,
        years,
        leader: None,
    };
    let project = Project {
        id: ProjectId::new(id).unwrap(),
        name,
        description: "".parse().unwrap(),
        years,
        club: None,
        participants: [].into(),
        repositories: Repositories::default(),
        tech_stacks: TechStacks::default(),
    };
    [
        DirectoryChange::PutStudent(student),
        DirectoryChange::PutClub(club),
        DirectoryChange::PutProject(project),
    ]
}

// Proves: spec 2.4
#[tokio::test]
async fn past_the_end_the_previous_page_is_the_last() {
    let answer = get(&school_fixtures::api().await, "/v1/students?size=2&page=40").await;
    assert!(
        answer
            .header("link")
            .contains("<?size=2&page=2>; rel=\"prev\", <?size=2&page=2>; rel=\"last\"")
    );
}

// Proves: spec 2.4
#[tokio::test]
async fn an_empty_result_has_no_pages() {
    let answer = get(&school_fixtures::api().await, "/v1/clubs?clubName=nobody").await;
    assert_eq!(
        answer.body,
        r#"{"status":"OK","code":200,"message":"OK","data":{"totalPages":0,"totalElements":0,"clubs":[]}}"#
    );
}

// Proves: threats 38
/// Fails if a number is truncated to its low bits.
#[tokio::test]
async fn page_and_size_out_of_their_ranges_are_400() {
    let api = school_fixtures::api().await;
    for path in ["/v1/students", "/v1/clubs", "/v1/projects"] {
        for page in [
            "-1",
            "2147483648",
            "4294967296",
            "9223372036854775807",
            "9223372036854775808",
            "1.0",
            "%2B1",
            "x",
        ] {
            let answer = get(&api, &format!("{path}?page={page}")).await;
            assert_eq!(
                (answer.status.as_u16(), answer.reason().1.as_deref()),
                (400, Some("page")),
                "{path} {page}"
            );
        }
        for size in [
            "0",
            "-1",
            "1001",
            "2147483648",
            "9223372036854775808",
            "-9223372036854775808",
            "1e2",
            "%D9%A3",
        ] {
            let answer = get(&api, &format!("{path}?size={size}")).await;
            assert_eq!(
                (answer.status.as_u16(), answer.reason().1.as_deref()),
                (400, Some("size")),
                "{path} {size}"
            );
            let message = answer.json()["message"].as_str().unwrap().to_owned();
            assert_eq!(
                message,
                "The parameter size must be a whole number from 1 to 1000."
            );
        }
        for good in [
            "page=0",
            "size=1",
            "size=1000",
            "page=2147483647&size=1000",
            "page=&size=",
        ] {
            assert_eq!(
                get(&api, &format!("{path}?{good}")).await.status,
                200,
                "{path}?{good}"
            );
        }
    }
}

// Proves: spec 2.4
#[tokio::test]
async fn links_lead_from_page_to_page_with_the_same_parameters() {
    let api = school_fixtures::api().await;
    let answer = get(&api, "/v1/students?page=1&name=&size=2&sortBy=NAME").await;
    assert_eq!(
        answer.header("link"),
        "<?sortBy=NAME&size=2&page=0>; rel=\"first\", <?sortBy=NAME&size=2&page=0>; rel=\"prev\", \
         <?sortBy=NAME&size=2&page=2>; rel=\"next\", <?sortBy=NAME&size=2&page=2>; rel=\"last\""
    );
    let only = get(&api, "/v1/students?name=a%2Fb%26+%C3%A5").await;
    let query = "?name=a%2Fb%26%20%C3%A5&page=0";
    assert_eq!(
        only.header("link"),
        format!("<{query}>; rel=\"first\", <{query}>; rel=\"last\"")
    );
}

// Proves: spec 2.4
#[tokio::test]
async fn following_next_visits_every_record_once() {
    let api = school_fixtures::api().await;
    let mut at =
        "?size=2&includeGraduates=true&includeWithdrawn=true&sortBy=NAME&sortDirection=DESC"
            .to_owned();
    let mut seen = Vec::new();
    while !at.is_empty() {
        let answer = get(&api, &format!("/v1/students{at}")).await;
        seen.extend(answer.ids());
        let links: Vec<_> = answer
            .header("link")
            .split(", ")
            .filter_map(|link| link.split_once(">; rel=\"next\""))
            .collect();
        at = links
            .first()
            .map(|(target, _)| target.trim_start_matches('<').to_owned())
            .unwrap_or_default();
    }
    let all =
        "/v1/students?includeGraduates=true&includeWithdrawn=true&sortBy=NAME&sortDirection=DESC";
    assert_eq!(seen, get(&api, all).await.ids());
    assert_eq!(seen.len(), 8);
}

// Proves: spec 2.4
#[tokio::test]
async fn links_are_absolute_when_the_public_url_is_known() {
    let api = school_fixtures::builder()
        .await
        .public_url("https://school.example/open/")
        .build()
        .unwrap();
    let answer = get(&api, "/v1/%63lubs?clubStatus=ACTIVE&size=1").await;
    let base = "<https://school.example/open/v1/clubs?status=ACTIVE&size=1&page=";
    assert_eq!(
        answer.header("link"),
        format!("{base}0>; rel=\"first\", {base}1>; rel=\"next\", {base}1>; rel=\"last\"")
    );
}

#[tokio::test]
async fn school_information_and_errors_have_no_pages() {
    let api = school_fixtures::api().await;
    for path in ["/v1/neis/meals", "/v1/clubs?page=-1"] {
        assert_eq!(
            send(&api, request("GET", path, Some(FULL_KEY)))
                .await
                .header("link"),
            ""
        );
    }
}
