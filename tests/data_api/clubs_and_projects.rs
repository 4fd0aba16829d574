//! Fields of clubs and projects: spec 2.9, 2.10 and 2.11.

use insta::assert_snapshot;
use lyceum::directory::DirectoryChange;
use lyceum::domain::EnrollmentStatus;

use crate::client::get;
use crate::school_fixtures;

// Proves: spec 2.18
#[tokio::test]
async fn a_club_has_the_documented_fields() {
    let answer = get(&school_fixtures::api().await, "/v1/clubs?clubId=1").await;
    assert_snapshot!(answer.pretty(), @r#"
    {
      "status":"OK",
      "code":200,
      "message":"OK",
      "data":{
        "totalPages":1,
        "totalElements":1,
        "clubs":[
          {
            "id":1,
            "name":"Robotics",
            "type":"MAJOR_CLUB",
            "status":"ACTIVE",
            "foundedYear":2018,
            "abolishedYear":null,
            "leader":{
              "id":2,
              "name":"Åsa Öberg",
              "email":"s18@school.example",
              "studentNumber":1101,
              "major":"SW_DEVELOPMENT",
              "sex":"WOMAN"
            },
            "participants":[
              {
                "id":1,
                "name":"김하늘",
                "email":"s19@school.example",
                "studentNumber":2307,
                "major":"AI",
                "sex":"WOMAN"
              },
              {
                "id":4,
                "name":"박서연",
                "email":"s16@school.example",
                "studentNumber":1205,
                "major":"SW_DEVELOPMENT",
                "sex":"WOMAN"
              }
            ]
          }
        ]
      }
    }
    "#);
}

// Proves: spec 2.10
#[tokio::test]
async fn the_leader_is_a_participant_only_on_demand() {
    let api = school_fixtures::api().await;
    let participants = |json: serde_json::Value| {
        let list = json["data"]["clubs"][0]["participants"]
            .as_array()
            .unwrap()
            .clone();
        list.iter()
            .map(|participant| participant["id"].as_i64().unwrap())
            .collect::<Vec<_>>()
    };
    // Twice, because each rendering of a record is cached.
    for _ in 0..2 {
        assert_eq!(
            participants(get(&api, "/v1/clubs?clubId=1").await.json()),
            [1, 4]
        );
        let with_leader = get(&api, "/v1/clubs?clubId=1&includeLeaderInParticipants=true")
            .await
            .json();
        assert_eq!(with_leader["data"]["clubs"][0]["leader"]["id"], 2);
        assert_eq!(participants(with_leader), [1, 2, 4]);
        assert_eq!(
            participants(
                get(&api, "/v1/clubs?clubId=1&includeLeaderInParticipants=false")
                    .await
                    .json()
            ),
            [1, 4]
        );
    }
}

// Proves: spec 2.10
#[tokio::test]
async fn club_status_is_an_alias_of_status() {
    let api = school_fixtures::api().await;
    let by_alias = get(&api, "/v1/clubs?clubStatus=ABOLISHED").await;
    assert_eq!(
        by_alias.body,
        get(&api, "/v1/clubs?status=ABOLISHED").await.body
    );
    assert_eq!(by_alias.ids(), [3, 4]);
}

// Proves: spec 2.18
#[tokio::test]
async fn a_club_without_leader_and_members_has_null_and_an_empty_list() {
    let club = get(&school_fixtures::api().await, "/v1/clubs?clubId=3")
        .await
        .json()["data"]["clubs"][0]
        .clone();
    assert!(club["leader"].is_null());
    assert_eq!(club["participants"], serde_json::json!([]));
    assert_eq!(
        (club["status"].as_str(), club["abolishedYear"].as_i64()),
        (Some("ABOLISHED"), Some(2019))
    );
}

// Proves: spec 2.9
#[tokio::test]
async fn a_graduate_leaves_the_club_and_its_leadership() {
    let store = school_fixtures::store().await;
    let school = school_fixtures::directory(store.clone())
        .await
        .snapshot()
        .await
        .unwrap();
    let students = school.students();
    let mut leader = students
        .page(&students.query(&[("studentId", "2")]).unwrap())
        .items[0]
        .value()
        .student
        .clone();
    leader.enrollment_status = EnrollmentStatus::Graduate;
    school_fixtures::write(&store, vec![DirectoryChange::PutStudent(leader)]).await;
    let api = school_fixtures::builder_with_store(store)
        .await
        .clock(std::sync::Arc::new(school_fixtures::FixedClock))
        .build()
        .unwrap();
    let club = get(&api, "/v1/clubs?clubId=1").await.json()["data"]["clubs"][0].clone();
    assert!(club["leader"].is_null());
    assert_eq!(club["participants"].as_array().unwrap().len(), 2);
    let student = get(&api, "/v1/students?studentId=2&includeGraduates=true")
        .await
        .json()["data"]["students"][0]
        .clone();
    for field in [
        "grade",
        "classNum",
        "number",
        "studentNumber",
        "major",
        "dormitoryFloor",
        "dormitoryRoom",
        "majorClub",
        "autonomousClub",
    ] {
        assert!(
            student[field].is_null() && student.as_object().unwrap().contains_key(field),
            "{field}"
        );
    }
    assert_eq!(student["role"], "GRADUATE");
}

// Proves: spec 2.18
#[tokio::test]
async fn a_project_has_the_documented_fields() {
    let answer = get(&school_fixtures::api().await, "/v1/projects?projectId=1").await;
    assert_snapshot!(answer.pretty(), @r#"
    {
      "status":"OK",
      "code":200,
      "message":"OK",
      "data":{
        "totalPages":1,
        "totalElements":1,
        "projects":[
          {
            "id":1,
            "name":"campus map",
            "description":"Where is\nroom 415?",
            "startYear":2024,
            "endYear":null,
            "status":"ACTIVE",
            "club":{
              "id":1,
              "name":"Robotics",
              "type":"MAJOR_CLUB"
            },
            "participants":[
              {
                "id":1,
                "name":"김하늘",
                "email":"s19@school.example",
                "studentNumber":2307,
                "major":"AI",
                "sex":"WOMAN"
              },
              {
                "id":6,
                "name":"Carol",
                "email":"s14@school.example",
                "studentNumber":null,
                "major":null,
                "sex":"WOMAN"
              }
            ],
            "repositories":[
              "https://git.example/map"
            ],
            "techStacks":[
              "Rust",
              "SVG"
            ]
          }
        ]
      }
    }
    "#);
}

// Proves: spec 2.11
#[tokio::test]
async fn running_projects_are_the_default_and_lists_are_never_null() {
    let api = school_fixtures::api().await;
    assert_eq!(get(&api, "/v1/projects").await.ids(), [1, 3]);
    let ended = get(&api, "/v1/projects?status=ENDED").await.json()["data"]["projects"][0].clone();
    for list in ["participants", "repositories", "techStacks"] {
        assert_eq!(ended[list], serde_json::json!([]), "{list}");
    }
    assert!(ended["club"].is_null());
    assert_eq!(
        (ended["status"].as_str(), ended["endYear"].as_i64()),
        (Some("ENDED"), Some(2023))
    );
}
