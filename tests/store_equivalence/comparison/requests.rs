//! Random requests to the data API.

use std::fmt;

use super::random_records::{CLUBS, DATES, PROJECTS, STUDENTS, number};
use super::random_text;
use crate::rng::SeededRng;
use lyceum::domain::{ClubStatus, ClubType, Major, ProjectStatus, Sex, SortDirection, StudentRole};

/// Generator of a parameter's value, before encoding.
type Value = fn(&mut SeededRng) -> String;

/// Endpoint with its parameters and sort keys.
pub(super) struct Endpoint {
    path: &'static str,
    pub(super) filters: &'static [(&'static str, Value)],
    /// Boolean parameters, which are set often.
    pub(super) switches: &'static [(&'static str, Value)],
    /// Sort keys; an endpoint without them has no pages either.
    sorts: &'static [&'static str],
}

pub(super) static ENDPOINTS: [&Endpoint; 6] = [
    &STUDENT_PAGES,
    &CLUB_PAGES,
    &PROJECT_PAGES,
    &MEALS,
    &EVENTS,
    &LESSONS,
];

static STUDENT_PAGES: Endpoint = Endpoint {
    path: "/v1/students",
    filters: &[
        ("studentId", |rng| number(rng, STUDENTS).to_string()),
        ("name", random_text::term),
        ("email", |rng| {
            if rng.percent(50) {
                random_text::term(rng)
            } else {
                rng.pick(&["S1", "@school", "2@", "EXAMPLE"]).to_owned()
            }
        }),
        ("grade", |rng| number(rng, 3).to_string()),
        ("classNum", |rng| number(rng, 4).to_string()),
        ("number", |rng| number(rng, 18).to_string()),
        ("sex", |rng| rng.pick(Sex::ALL).to_string()),
        ("role", |rng| rng.pick(StudentRole::ALL).to_string()),
        ("specialty", random_text::term),
        ("major", |rng| rng.pick(&Major::STANDARD).to_string()),
        ("githubId", |rng| {
            rng.pick(&["kim", "-2", "LEE", "m-"]).to_owned()
        }),
        ("dormitoryRoom", |rng| (number(rng, 4) + 400).to_string()),
    ],
    switches: &[
        ("includeGraduates", |rng| {
            rng.pick(&["true", "TRUE", "false"]).to_owned()
        }),
        ("includeWithdrawn", |rng| {
            rng.pick(&["true", "True", "false"]).to_owned()
        }),
        ("onlyEnrolled", |rng| {
            rng.pick(&["true", "false", "false"]).to_owned()
        }),
    ],
    sorts: &[
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
    ],
};

static CLUB_PAGES: Endpoint = Endpoint {
    path: "/v1/clubs",
    filters: &[
        ("clubId", |rng| number(rng, CLUBS).to_string()),
        ("clubName", random_text::term),
        ("clubType", |rng| rng.pick(ClubType::ALL).to_string()),
        ("status", |rng| rng.pick(ClubStatus::ALL).to_string()),
        ("clubStatus", |rng| rng.pick(ClubStatus::ALL).to_string()),
        ("foundedYear", |rng| (2015 + number(rng, 3)).to_string()),
    ],
    switches: &[("includeLeaderInParticipants", |rng| {
        rng.pick(&["true", "false"]).to_owned()
    })],
    sorts: &[
        "ID",
        "NAME",
        "TYPE",
        "FOUNDED_YEAR",
        "ABOLISHED_YEAR",
        "STATUS",
    ],
};

static PROJECT_PAGES: Endpoint = Endpoint {
    path: "/v1/projects",
    filters: &[
        ("projectId", |rng| number(rng, PROJECTS).to_string()),
        ("projectName", random_text::term),
        ("clubId", |rng| number(rng, CLUBS).to_string()),
    ],
    switches: &[("status", |rng| rng.pick(ProjectStatus::ALL).to_string())],
    sorts: &["ID", "NAME"],
};

/// Day filters that belong together: [`days`].
const DAYS: &[(&str, Value)] = &[
    ("date", day),
    ("fromDate", day),
    ("toDate", day),
    ("startDate", day),
    ("endDate", day),
];

static MEALS: Endpoint = Endpoint {
    path: "/v1/neis/meals",
    filters: DAYS,
    switches: &[],
    sorts: &[],
};

static EVENTS: Endpoint = Endpoint {
    path: "/v1/neis/schedules",
    filters: DAYS,
    switches: &[],
    sorts: &[],
};

static LESSONS: Endpoint = Endpoint {
    path: "/v1/neis/timetables",
    filters: DAYS,
    switches: &[
        ("grade", |rng| number(rng, 3).to_string()),
        ("classNum", |rng| number(rng, 4).to_string()),
    ],
    sorts: &[],
};

impl Endpoint {
    fn is_paged(&self) -> bool {
        !self.sorts.is_empty()
    }

    /// Returns the coverage keys of this endpoint, as in [`RequestTarget::coverage_keys`].
    pub(super) fn coverage_keys(&self) -> impl Iterator<Item = String> {
        let names = self
            .filters
            .iter()
            .chain(self.switches)
            .map(|(name, _)| name.to_string());
        let sorts = self.sorts.iter().flat_map(|sort| {
            SortDirection::ALL
                .iter()
                .map(move |way| sorting(sort, way.as_str()))
        });
        let paging = if self.is_paged() {
            &["page", "size", "sortDirection"][..]
        } else {
            &[]
        };
        names
            .chain(sorts)
            .chain(paging.iter().map(|name| (*name).to_owned()))
            .map(|key| format!("{} {key}", self.path))
    }
}

/// Path and parameters of a request.
#[derive(Debug, Clone)]
pub(super) struct RequestTarget {
    pub(super) path: &'static str,
    /// Names and values, percent-encoded.
    pub(super) parameters: Vec<(&'static str, String)>,
}

impl RequestTarget {
    /// Returns a request to any endpoint. A few are invalid.
    pub(super) fn random(rng: &mut SeededRng) -> Self {
        let endpoint = rng.pick(&[
            &STUDENT_PAGES,
            &STUDENT_PAGES,
            &STUDENT_PAGES,
            &CLUB_PAGES,
            &PROJECT_PAGES,
            &MEALS,
            &EVENTS,
            &LESSONS,
        ]);
        let mut given = if endpoint.is_paged() {
            filters(endpoint, rng)
        } else {
            days(rng)
        };
        for (name, value) in endpoint.switches {
            if rng.percent(40) && given.iter().all(|(other, _)| other != name) {
                given.push((name, value(rng)));
            }
        }
        if endpoint.is_paged() {
            given.extend(sort_and_page(endpoint, rng));
        }
        let mut parameters: Vec<_> = given
            .into_iter()
            .map(|(name, value)| (name, percent_encoded(&value, rng)))
            .collect();
        if rng.percent(4) {
            parameters.push(invalid_parameter(rng));
        }
        rng.shuffle(&mut parameters);
        Self {
            path: endpoint.path,
            parameters,
        }
    }

    /// Returns a request for a list, perhaps with filters, without a page or an order.
    pub(super) fn list(rng: &mut SeededRng) -> Self {
        let endpoint = rng.pick(&[&STUDENT_PAGES, &STUDENT_PAGES, &CLUB_PAGES, &PROJECT_PAGES]);
        let parameters = filters(endpoint, rng)
            .into_iter()
            .map(|(name, value)| (name, percent_encoded(&value, rng)))
            .collect();
        Self {
            path: endpoint.path,
            parameters,
        }
    }

    /// Returns the coverage keys of this request: each parameter, and the sort key with its
    /// direction.
    pub(super) fn coverage_keys(&self) -> impl Iterator<Item = String> {
        let value = |name| {
            self.parameters
                .iter()
                .find(|(given, _)| *given == name)
                .map(|(_, value)| value.as_str())
        };
        let sorted =
            value("sortBy").map(|sort| sorting(sort, value("sortDirection").unwrap_or("ASC")));
        let named = self
            .parameters
            .iter()
            .map(|(name, _)| (*name).to_owned())
            .filter(|name| name != "sortBy");
        named
            .chain(sorted)
            .map(|key| format!("{} {key}", self.path))
    }
}

impl fmt::Display for RequestTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.path)?;
        for (at, (name, value)) in self.parameters.iter().enumerate() {
            write!(f, "{}{name}={value}", if at == 0 { '?' } else { '&' })?;
        }
        Ok(())
    }
}

fn sorting(key: &str, direction: &str) -> String {
    format!("sortBy={key} {direction}")
}

fn filters(endpoint: &Endpoint, rng: &mut SeededRng) -> Vec<(&'static str, String)> {
    let mut filters: Vec<_> = endpoint.filters.iter().collect();
    rng.shuffle(&mut filters);
    // Many filters together match nothing, which tests little.
    let count = rng.pick(&[0, 0, 1, 1, 1, 1, 2, 3]);
    let alias = |name: &str| matches!(name, "status" | "clubStatus");
    let mut given: Vec<(&str, String)> = Vec::new();
    for (name, value) in filters.into_iter().take(count) {
        if !alias(name) || given.iter().all(|(other, _)| !alias(other)) {
            given.push((*name, value(rng)));
        }
    }
    given
}

fn sort_and_page(endpoint: &Endpoint, rng: &mut SeededRng) -> Vec<(&'static str, String)> {
    let mut given = Vec::new();
    if rng.percent(70) {
        given.push(("sortBy", rng.pick(endpoint.sorts).to_owned()));
    }
    if rng.percent(60) {
        given.push(("sortDirection", rng.pick(SortDirection::ALL).to_string()));
    }
    if rng.percent(50) {
        given.push((
            "size",
            rng.pick(&["1", "2", "3", "5", "10", "1000"]).to_owned(),
        ));
    }
    if rng.percent(30) {
        given.push((
            "page",
            rng.pick(&["0", "1", "1", "2", "3", "7", "2147483647"])
                .to_owned(),
        ));
    }
    given
}

/// Returns no day, a single one, one bound or both. They may be too far apart.
fn days(rng: &mut SeededRng) -> Vec<(&'static str, String)> {
    let (from, to) = (
        rng.pick(&["fromDate", "startDate"]),
        rng.pick(&["toDate", "endDate"]),
    );
    let (one, other) = (day(rng), day(rng));
    match rng.below(10) {
        0 => Vec::new(),
        1 | 2 => vec![("date", one)],
        3 | 4 => vec![(from, one)],
        5 | 6 => vec![(to, one)],
        _ => vec![(from, one.clone().min(other.clone())), (to, one.max(other))],
    }
}

fn day(rng: &mut SeededRng) -> String {
    if rng.percent(90) {
        rng.pick(DATES).to_owned()
    } else {
        rng.pick(&["0001-01-01", "9999-12-31", "2024-02-29"])
            .to_owned()
    }
}

/// Returns an unknown parameter, or one with an invalid value; encoded.
fn invalid_parameter(rng: &mut SeededRng) -> (&'static str, String) {
    let name = rng.pick(&[
        "name",
        "clubName",
        "projectName",
        "grade",
        "page",
        "size",
        "sortBy",
        "date",
        "nobody",
        "studentId",
    ]);
    let value = [
        "%00",
        "a%00b",
        "%0A",
        "%C2%85",
        "%FF",
        "%ED%A0%80",
        "%ZZ",
        "%",
        "",
        "0",
        "-1",
        "1001",
        "99999999999999999999",
        "NaN",
    ];
    (name, rng.pick(&value).to_owned())
}

/// Percent-encodes text, with a blank in one of its two encodings.
fn percent_encoded(text: &str, rng: &mut SeededRng) -> String {
    let encode = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
            char::from(byte).to_string()
        }
        b' ' if rng.percent(50) => "+".to_owned(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(encode).collect()
}
