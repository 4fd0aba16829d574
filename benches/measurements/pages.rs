//! Pages of students and 304 responses over a socket, against hyper.

use std::path::PathBuf;
use std::time::Duration;

use bytes::Bytes;
use tempfile::TempDir;

use crate::support::client::{Connection, get, load};
use crate::support::process::{Process, SERVER};
use crate::support::report::{ROUNDS, Sample, compare, measured};
use crate::support::server::api_key;

/// Duration of one side of a round.
const LENGTH: Duration = Duration::from_secs(1);
const GZIP: &str = "accept-encoding: gzip\r\n";

/// Name and location of a store.
pub struct StoreSpec {
    pub name: &'static str,
    pub store: String,
}

/// A request with the API key.
pub fn keyed_request(target: &str, lines: &str) -> Bytes {
    get(
        target,
        &format!("x-api-key: {}\r\n{lines}", api_key().expose()),
    )
}

/// `page_cached`, `not_modified` and, on memory, `page_gzip`: the first 300 of 1,500 students.
pub async fn cached(place: &StoreSpec, folder: &TempDir) {
    let mut ours = Process::of_this(SERVER, &["serve", &place.store, "1500"]);
    let mut connection = Connection::open(ours.address()).await;
    let page = keyed_request("/v1/students", "");
    let (bytes, tag) = {
        let answer = connection.ask(&page).await;
        let tag = answer
            .head
            .lines()
            .find_map(|line| line.strip_prefix("etag: "))
            .unwrap()
            .to_owned();
        (answer.body.to_vec(), tag)
    };
    let mut hyper = hyper(&bytes, folder);
    println!("      a page has {} bytes", bytes.len());
    let (plain, bare) = (get("/", ""), get("/304", ""));
    against(
        &format!("page_cached_{}", place.name),
        [&mut ours, &mut hyper],
        200,
        [&page, &plain],
    )
    .await;
    let unchanged = keyed_request("/v1/students", &format!("if-none-match: {tag}\r\n"));
    against(
        &format!("not_modified_{}", place.name),
        [&mut ours, &mut hyper],
        304,
        [&unchanged, &bare],
    )
    .await;
    if place.name == "memory" {
        let compressed = keyed_request("/v1/students", GZIP);
        let answer = connection.ask(&compressed).await;
        assert!(
            answer.head.contains("content-encoding: gzip"),
            "{}",
            answer.head
        );
        println!("      compressed it has {} bytes", answer.body.len());
        against(
            "page_gzip",
            [&mut ours, &mut hyper],
            200,
            [&compressed, &plain],
        )
        .await;
    }
}

fn hyper(page: &[u8], folder: &TempDir) -> Process {
    let file = folder.path().join("page");
    std::fs::write(&file, page).unwrap();
    Process::of_this(SERVER, &["hyper", file.to_str().unwrap()])
}

/// Five rounds in which ours repeatedly serves the first request and the other the second.
async fn against(name: &str, [ours, other]: [&mut Process; 2], status: u16, requests: [&Bytes; 2]) {
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        rounds.push([
            repeated(ours, status, requests[0]).await,
            repeated(other, status, requests[1]).await,
        ]);
    }
    compare(name, rounds);
}

async fn repeated(process: &mut Process, status: u16, request: &Bytes) -> Sample {
    let request = request.clone();
    measured(process, async |process| {
        load(process.address(), LENGTH, status, 0, move |_| {
            request.clone()
        })
        .await
    })
    .await
}

/// `page_uncached`: 100,000 students and a different query for each request. All records are
/// already rendered.
pub async fn uncached(folder: &TempDir) {
    let mut ours = Process::of_this(SERVER, &["serve", "memory", "100000"]);
    let mut connection = Connection::open(ours.address()).await;
    for page in 0..100 {
        connection
            .ask(&keyed_request(
                &format!("/v1/students?size=1000&page={page}"),
                "",
            ))
            .await;
    }
    let bytes = connection
        .ask(&keyed_request("/v1/students?page=100", ""))
        .await
        .body
        .to_vec();
    let mut hyper = hyper(&bytes, folder);
    let plain = get("/", "");
    let (mut rounds, mut first) = (Vec::new(), 0);
    for _ in 0..ROUNDS {
        let side = measured(&mut ours, async |process| {
            let answered = load(process.address(), LENGTH, 200, first, |number| {
                keyed_request(&query_variant(number, 310), "")
            })
            .await;
            // Skips the numbers that connections took but did not send.
            first += answered + 1000;
            answered
        });
        rounds.push([side.await, repeated(&mut hyper, 200, &plain).await]);
    }
    compare("page_uncached", rounds);
}

/// Queries of about 300 students with varying order, direction, size and page: 880 variants for
/// each page.
pub fn query_variant(number: u64, pages: u64) -> String {
    const ORDERS: [&str; 11] = [
        "ID",
        "NAME",
        "EMAIL",
        "STUDENT_NUMBER",
        "GRADE",
        "CLASS_NUM",
        "NUMBER",
        "MAJOR",
        "ROLE",
        "SEX",
        "DORMITORY_ROOM",
    ];
    let order = ORDERS[(number % 11) as usize];
    let direction = if (number / 11).is_multiple_of(2) {
        "ASC"
    } else {
        "DESC"
    };
    let size = 280 + number / 22 % 40;
    let page = number / 880 % pages;
    format!(
        "/v1/students?includeGraduates=true&includeWithdrawn=true&sortBy={order}&sortDirection={direction}&size={size}&page={page}"
    )
}

/// `page_vs_axum_sqlx`: a page against a hand-written server over the same file.
pub async fn against_axum_sqlx(program: Option<PathBuf>, folder: &TempDir) {
    let Some(program) = program else {
        println!(
            "      left out: page_vs_axum_sqlx, for AXUM_SQLX does not name the program of benches/axum_sqlx"
        );
        return;
    };
    let file = folder.path().join("page_vs_axum_sqlx.db");
    let file = file.to_str().unwrap();
    let mut ours = Process::of_this(SERVER, &["serve", &format!("sqlite:{file}"), "1500"]);
    let mut other = Process::start(SERVER, &program, &[file]);
    let (page, plain) = (keyed_request("/v1/students", ""), get("/v1/students", ""));
    let (mut one, mut two) = (
        Connection::open(ours.address()).await,
        Connection::open(other.address()).await,
    );
    assert!(
        one.ask(&page).await.body == two.ask(&plain).await.body,
        "both responses are equal"
    );
    against(
        "page_vs_axum_sqlx",
        [&mut ours, &mut other],
        200,
        [&page, &plain],
    )
    .await;
}
