use std::collections::BTreeSet;

use super::rng::SeededRng;
use super::word_lists::{PRODUCTS, REPOSITORY_KINDS, TECH_STACKS, TOPICS};
use super::{id, short_text, year};
use crate::domain::{
    Club, ClubId, ClubStatus, Date, Project, ProjectId, Repositories, ShortText, Student,
    StudentId, TechStacks, YearRange,
};

/// Generates eighty projects: every topic as every product. Two of five have ended.
pub(super) fn projects(
    rng: &mut SeededRng,
    clubs: &[Club],
    students: &[Student],
    today: Date,
) -> Vec<Project> {
    let mut ideas: Vec<_> = TOPICS
        .iter()
        .flat_map(|topic| PRODUCTS.iter().map(move |product| (*topic, *product)))
        .collect();
    rng.shuffle(&mut ideas);
    (1..)
        .zip(ideas)
        .map(|(number, idea)| project(number, idea, rng, clubs, students, today))
        .collect()
}

type Idea = ((&'static str, &'static str), (&'static str, &'static str));

fn project(
    number: i64,
    (topic, product): Idea,
    rng: &mut SeededRng,
    clubs: &[Club],
    students: &[Student],
    today: Date,
) -> Project {
    let ended = number % 5 < 2;
    let started = if ended {
        1 + rng.below(5)
    } else {
        rng.below(3)
    };
    let last = ended.then(|| year(today, rng.below(started)));
    let slug = format!("{}-{}", topic.1, product.1);
    Project {
        id: id(number, ProjectId::new),
        name: short_text(&format!("{} {}", topic.0, product.0)),
        description: format!(
            "{} {}를 만듭니다.\nA {slug} for everyone at school.",
            topic.0, product.0
        )
        .parse()
        .expect("a short text"),
        years: YearRange::new(year(today, started), last).expect("a project ends after its start"),
        club: rng.percent(70).then(|| owner(clubs, ended, rng)),
        participants: participants(students, ended, rng),
        repositories: repositories(&slug, rng),
        tech_stacks: tech_stacks(rng),
    }
}

/// Returns the owning club. A running project belongs to an active club.
fn owner(clubs: &[Club], ended: bool, rng: &mut SeededRng) -> ClubId {
    let owners: Vec<_> = clubs
        .iter()
        .filter(|club| ended || club.status() == ClubStatus::Active)
        .collect();
    rng.pick(&owners).id
}

/// Returns two to six students. Former students took part in ended projects, and in a few running
/// ones.
fn participants(students: &[Student], ended: bool, rng: &mut SeededRng) -> BTreeSet<StudentId> {
    let enrolled: Vec<_> = students
        .iter()
        .filter(|student| student.enrollment().is_some())
        .collect();
    let everyone: Vec<_> = students.iter().collect();
    let count = 2 + rng.below(5);
    (0..count)
        .map(|_| {
            if ended || rng.percent(10) {
                rng.pick(&everyone).id
            } else {
                rng.pick(&enrolled).id
            }
        })
        .collect()
}

fn repositories(slug: &str, rng: &mut SeededRng) -> Repositories {
    let addresses = REPOSITORY_KINDS
        .iter()
        .take(rng.below(4))
        .map(|kind| short_text(&format!("https://git.school.example/{slug}/{kind}")))
        .collect();
    Repositories::new(addresses).expect("a few web addresses")
}

fn tech_stacks(rng: &mut SeededRng) -> TechStacks {
    let mut names: Vec<_> = TECH_STACKS
        .iter()
        .map(|name| ShortText::from_static(name))
        .collect();
    rng.shuffle(&mut names);
    names.truncate(rng.below(6));
    TechStacks::new(names).expect("a few names")
}
