//! Random requests to the data API.

use std::fmt;

use super::invent::{CLUBS, DATES, PROJECTS, STUDENTS, number};
use super::words;
use crate::domain::{ClubStatus, ClubType, Direction, Major, ProjectStatus, Sex, StudentRole};
use crate::testing::school::dice::Dice;

/// What a parameter's value may be, not yet encoded.
type Value = fn(&mut Dice) -> String;

/// What an endpoint can be asked.
pub(super) struct Endpoint {
    path: &'static str,
    pub(super) filters: &'static [(&'static str, Value)],
    /// Switches that are often given.
    pub(super) switches: &'static [(&'static str, Value)],
    /// The sort keys; an endpoint without them has no pages either.
    sorts: &'static [&'static str],
}

pub(super) static ENDPOINTS: [&Endpoint; 6] = [&STUDENT_PAGES, &CLUB_PAGES, &PROJECT_PAGES, &MEALS, &EVENTS, &LESSONS];

static STUDENT_PAGES: Endpoint = Endpoint {
    path: "/v1/students",
    filters: &[
        ("studentId", |dice| number(dice, STUDENTS).to_string()),
        ("name", words::needle),
        ("email", |dice| if dice.percent(50) { words::needle(dice) } else { dice.pick(&["S1", "@school", "2@", "EXAMPLE"]).to_owned() }),
        ("grade", |dice| number(dice, 3).to_string()),
        ("classNum", |dice| number(dice, 4).to_string()),
        ("number", |dice| number(dice, 18).to_string()),
        ("sex", |dice| dice.pick(Sex::ALL).to_string()),
        ("role", |dice| dice.pick(StudentRole::ALL).to_string()),
        ("specialty", words::needle),
        ("major", |dice| dice.pick(&Major::STANDARD).to_string()),
        ("githubId", |dice| dice.pick(&["kim", "-2", "LEE", "m-"]).to_owned()),
        ("dormitoryRoom", |dice| (number(dice, 4) + 400).to_string()),
    ],
    switches: &[
        ("includeGraduates", |dice| dice.pick(&["true", "TRUE", "false"]).to_owned()),
        ("includeWithdrawn", |dice| dice.pick(&["true", "True", "false"]).to_owned()),
        ("onlyEnrolled", |dice| dice.pick(&["true", "false", "false"]).to_owned()),
    ],
    sorts: &["ID", "NAME", "EMAIL", "STUDENT_NUMBER", "GRADE", "CLASS_NUM", "NUMBER", "MAJOR", "ROLE", "SEX", "DORMITORY_ROOM"],
};

static CLUB_PAGES: Endpoint = Endpoint {
    path: "/v1/clubs",
    filters: &[
        ("clubId", |dice| number(dice, CLUBS).to_string()),
        ("clubName", words::needle),
        ("clubType", |dice| dice.pick(ClubType::ALL).to_string()),
        ("status", |dice| dice.pick(ClubStatus::ALL).to_string()),
        ("clubStatus", |dice| dice.pick(ClubStatus::ALL).to_string()),
        ("foundedYear", |dice| (2015 + number(dice, 3)).to_string()),
    ],
    switches: &[("includeLeaderInParticipants", |dice| dice.pick(&["true", "false"]).to_owned())],
    sorts: &["ID", "NAME", "TYPE", "FOUNDED_YEAR", "ABOLISHED_YEAR", "STATUS"],
};

static PROJECT_PAGES: Endpoint = Endpoint {
    path: "/v1/projects",
    filters: &[
        ("projectId", |dice| number(dice, PROJECTS).to_string()),
        ("projectName", words::needle),
        ("clubId", |dice| number(dice, CLUBS).to_string()),
    ],
    switches: &[("status", |dice| dice.pick(ProjectStatus::ALL).to_string())],
    sorts: &["ID", "NAME"],
};

/// Days are filters that belong together: [`days`].
const DAYS: &[(&str, Value)] = &[("date", day), ("fromDate", day), ("toDate", day), ("startDate", day), ("endDate", day)];

static MEALS: Endpoint = Endpoint { path: "/v1/neis/meals", filters: DAYS, switches: &[], sorts: &[] };

static EVENTS: Endpoint = Endpoint { path: "/v1/neis/schedules", filters: DAYS, switches: &[], sorts: &[] };

static LESSONS: Endpoint = Endpoint {
    path: "/v1/neis/timetables",
    filters: DAYS,
    switches: &[("grade", |dice| number(dice, 3).to_string()), ("classNum", |dice| number(dice, 4).to_string())],
    sorts: &[],
};

impl Endpoint {
    fn is_paged(&self) -> bool {
        !self.sorts.is_empty()
    }

    /// The name of everything that can be asked here, as [`Address::topics`] names it.
    pub(super) fn topics(&self) -> impl Iterator<Item = String> {
        let names = self.filters.iter().chain(self.switches).map(|(name, _)| name.to_string());
        let sorts = self.sorts.iter().flat_map(|sort| Direction::ALL.iter().map(move |way| sorting(sort, way.as_str())));
        let paging = if self.is_paged() { &["page", "size", "sortDirection"][..] } else { &[] };
        names.chain(sorts).chain(paging.iter().map(|name| (*name).to_owned())).map(|topic| format!("{} {topic}", self.path))
    }
}

/// A request's path and parameters.
#[derive(Debug, Clone)]
pub(super) struct Address {
    pub(super) path: &'static str,
    /// Names and values, percent-encoded.
    pub(super) parameters: Vec<(&'static str, String)>,
}

impl Address {
    /// A request to any endpoint. A few are wrong, which must be noticed alike.
    pub(super) fn random(dice: &mut Dice) -> Self {
        let endpoint = dice.pick(&[&STUDENT_PAGES, &STUDENT_PAGES, &STUDENT_PAGES, &CLUB_PAGES, &PROJECT_PAGES, &MEALS, &EVENTS, &LESSONS]);
        let mut given = if endpoint.is_paged() { filters(endpoint, dice) } else { days(dice) };
        for (name, value) in endpoint.switches {
            if dice.percent(40) && given.iter().all(|(other, _)| other != name) {
                given.push((name, value(dice)));
            }
        }
        if endpoint.is_paged() {
            given.extend(sort_and_page(endpoint, dice));
        }
        let mut parameters: Vec<_> = given.into_iter().map(|(name, value)| (name, encoded(&value, dice))).collect();
        if dice.percent(4) {
            parameters.push(mistake(dice));
        }
        dice.shuffle(&mut parameters);
        Self { path: endpoint.path, parameters }
    }

    /// A list, perhaps with conditions, without a page or an order.
    pub(super) fn list(dice: &mut Dice) -> Self {
        let endpoint = dice.pick(&[&STUDENT_PAGES, &STUDENT_PAGES, &CLUB_PAGES, &PROJECT_PAGES]);
        let parameters = filters(endpoint, dice).into_iter().map(|(name, value)| (name, encoded(&value, dice))).collect();
        Self { path: endpoint.path, parameters }
    }

    /// What this request asks about: each parameter, and the sort key with its direction.
    pub(super) fn topics(&self) -> impl Iterator<Item = String> {
        let value = |name| self.parameters.iter().find(|(given, _)| *given == name).map(|(_, value)| value.as_str());
        let sorted = value("sortBy").map(|sort| sorting(sort, value("sortDirection").unwrap_or("ASC")));
        let named = self.parameters.iter().map(|(name, _)| (*name).to_owned()).filter(|name| name != "sortBy");
        named.chain(sorted).map(|topic| format!("{} {topic}", self.path))
    }
}

impl fmt::Display for Address {
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

fn filters(endpoint: &Endpoint, dice: &mut Dice) -> Vec<(&'static str, String)> {
    let mut filters: Vec<_> = endpoint.filters.iter().collect();
    dice.shuffle(&mut filters);
    // Many conditions at once find nothing, which says little.
    let count = dice.pick(&[0, 0, 1, 1, 1, 1, 2, 3]);
    let alias = |name: &str| matches!(name, "status" | "clubStatus");
    let mut given: Vec<(&str, String)> = Vec::new();
    for (name, value) in filters.into_iter().take(count) {
        if !alias(name) || given.iter().all(|(other, _)| !alias(other)) {
            given.push((*name, value(dice)));
        }
    }
    given
}

fn sort_and_page(endpoint: &Endpoint, dice: &mut Dice) -> Vec<(&'static str, String)> {
    let mut given = Vec::new();
    if dice.percent(70) {
        given.push(("sortBy", dice.pick(endpoint.sorts).to_owned()));
    }
    if dice.percent(60) {
        given.push(("sortDirection", dice.pick(Direction::ALL).to_string()));
    }
    if dice.percent(50) {
        given.push(("size", dice.pick(&["1", "2", "3", "5", "10", "1000"]).to_owned()));
    }
    if dice.percent(30) {
        given.push(("page", dice.pick(&["0", "1", "1", "2", "3", "7", "2147483647"]).to_owned()));
    }
    given
}

/// No day, a single one, one bound or both. They may be too far apart.
fn days(dice: &mut Dice) -> Vec<(&'static str, String)> {
    let (from, to) = (dice.pick(&["fromDate", "startDate"]), dice.pick(&["toDate", "endDate"]));
    let (one, other) = (day(dice), day(dice));
    match dice.below(10) {
        0 => Vec::new(),
        1 | 2 => vec![("date", one)],
        3 | 4 => vec![(from, one)],
        5 | 6 => vec![(to, one)],
        _ => vec![(from, one.clone().min(other.clone())), (to, one.max(other))],
    }
}

fn day(dice: &mut Dice) -> String {
    if dice.percent(90) { dice.pick(DATES).to_owned() } else { dice.pick(&["0001-01-01", "9999-12-31", "2024-02-29"]).to_owned() }
}

/// A parameter that nobody knows, or with a value that is refused; encoded.
fn mistake(dice: &mut Dice) -> (&'static str, String) {
    let name = dice.pick(&["name", "clubName", "projectName", "grade", "page", "size", "sortBy", "date", "nobody", "studentId"]);
    let value = ["%00", "a%00b", "%0A", "%C2%85", "%FF", "%ED%A0%80", "%ZZ", "%", "", "0", "-1", "1001", "99999999999999999999", "NaN"];
    (name, dice.pick(&value).to_owned())
}

/// Percent-encoded, a blank in one of its two ways.
fn encoded(text: &str, dice: &mut Dice) -> String {
    let encode = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        b' ' if dice.percent(50) => "+".to_owned(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(encode).collect()
}
