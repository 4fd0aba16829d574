//! `GET /v1/students` on axum and sqlx over the tables of Lyceum: the same response bytes, without
//! API keys, rate limits, entity tags, metrics and audit.

use std::io::Read;

use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use sqlx::{FromRow, SqlitePool};

#[derive(Deserialize)]
struct Page {
    #[serde(default)]
    page: i64,
    #[serde(default = "usual_size")]
    size: i64,
}

fn usual_size() -> i64 {
    300
}

#[derive(FromRow)]
struct Row {
    id: i64,
    name: String,
    sex: String,
    email: String,
    grade: Option<i64>,
    class_num: Option<i64>,
    number: Option<i64>,
    student_number: Option<i64>,
    major: Option<String>,
    specialty: Option<String>,
    role: String,
    dormitory_room: Option<i64>,
    github_id: Option<String>,
    major_club_id: Option<i64>,
    major_club_name: Option<String>,
    major_club_kind: Option<String>,
    autonomous_club_id: Option<i64>,
    autonomous_club_name: Option<String>,
    autonomous_club_kind: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Student {
    id: i64,
    name: String,
    sex: String,
    email: String,
    grade: Option<i64>,
    class_num: Option<i64>,
    number: Option<i64>,
    student_number: Option<i64>,
    major: Option<String>,
    specialty: Option<String>,
    role: String,
    dormitory_floor: Option<i64>,
    dormitory_room: Option<i64>,
    major_club: Option<Club>,
    autonomous_club: Option<Club>,
    github_id: Option<String>,
    github_url: Option<String>,
}

#[derive(Serialize)]
struct Club {
    id: i64,
    name: String,
    r#type: String,
}

#[derive(Serialize)]
struct Envelope {
    status: &'static str,
    code: u16,
    message: &'static str,
    data: Students,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Students {
    total_pages: i64,
    total_elements: i64,
    students: Vec<Student>,
}

const STUDENTS: &str = "SELECT s.id, s.name, s.sex, s.email, s.grade, s.class_num, s.number, s.student_number, s.major, s.specialty, \
    s.role, s.dormitory_room, s.github_id, m.id AS major_club_id, m.name AS major_club_name, m.kind AS major_club_kind, \
    a.id AS autonomous_club_id, a.name AS autonomous_club_name, a.kind AS autonomous_club_kind \
    FROM students s LEFT JOIN clubs m ON m.id = s.major_club_id LEFT JOIN clubs a ON a.id = s.autonomous_club_id \
    WHERE s.role NOT IN ('GRADUATE', 'WITHDRAWN') ORDER BY s.id LIMIT ? OFFSET ?";

async fn students(State(pool): State<SqlitePool>, Query(page): Query<Page>) -> Result<Json<Envelope>, StatusCode> {
    let failed = |_| StatusCode::INTERNAL_SERVER_ERROR;
    let counted = sqlx::query_scalar("SELECT count(*) FROM students WHERE role NOT IN ('GRADUATE', 'WITHDRAWN')");
    let total: i64 = counted.fetch_one(&pool).await.map_err(failed)?;
    let rows = sqlx::query_as(STUDENTS).bind(page.size).bind(page.page * page.size).fetch_all(&pool).await.map_err(failed)?;
    let data = Students {
        total_pages: (total + page.size - 1) / page.size,
        total_elements: total,
        students: rows.into_iter().map(student).collect(),
    };
    Ok(Json(Envelope { status: "OK", code: 200, message: "OK", data }))
}

fn student(row: Row) -> Student {
    Student {
        id: row.id,
        name: row.name,
        sex: row.sex,
        email: row.email,
        grade: row.grade,
        class_num: row.class_num,
        number: row.number,
        student_number: row.student_number,
        major: row.major,
        specialty: row.specialty,
        role: row.role,
        dormitory_floor: row.dormitory_room.map(|room| room / 100),
        dormitory_room: row.dormitory_room,
        major_club: club(row.major_club_id, row.major_club_name, row.major_club_kind),
        autonomous_club: club(row.autonomous_club_id, row.autonomous_club_name, row.autonomous_club_kind),
        github_url: row.github_id.as_ref().map(|id| format!("https://github.com/{id}")),
        github_id: row.github_id,
    }
}

fn club(id: Option<i64>, name: Option<String>, kind: Option<String>) -> Option<Club> {
    Some(Club { id: id?, name: name?, r#type: kind? })
}

/// Serves the file until standard input ends.
#[tokio::main]
async fn main() {
    let file = std::env::args().nth(1).expect("the path of the database");
    let pool = SqlitePoolOptions::new().connect_with(SqliteConnectOptions::new().filename(file)).await.unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    println!("{}", listener.local_addr().unwrap());
    std::thread::spawn(|| {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        std::process::exit(0);
    });
    let app = Router::new().route("/v1/students", get(students)).with_state(pool);
    axum::serve(listener, app).await.unwrap();
}
