use std::collections::BTreeSet;

use super::dice::Dice;
use super::life::{PRODUCTS, REPOSITORY_KINDS, TECH_STACKS, TOPICS};
use super::{id, line, year};
use crate::domain::{Club, ClubId, ClubStatus, Date, Lifespan, Line, Project, ProjectId, Repositories, Student, StudentId, TechStacks};

/// Eighty projects: every topic as every product. Two of five have ended.
pub(super) fn projects(dice: &mut Dice, clubs: &[Club], students: &[Student], today: Date) -> Vec<Project> {
    let mut ideas: Vec<_> = TOPICS.iter().flat_map(|topic| PRODUCTS.iter().map(move |product| (*topic, *product))).collect();
    dice.shuffle(&mut ideas);
    (1..).zip(ideas).map(|(number, idea)| project(number, idea, dice, clubs, students, today)).collect()
}

type Idea = ((&'static str, &'static str), (&'static str, &'static str));

fn project(number: i64, (topic, product): Idea, dice: &mut Dice, clubs: &[Club], students: &[Student], today: Date) -> Project {
    let ended = number % 5 < 2;
    let started = if ended { 1 + dice.below(5) } else { dice.below(3) };
    let last = ended.then(|| year(today, dice.below(started)));
    let slug = format!("{}-{}", topic.1, product.1);
    Project {
        id: id(number, ProjectId::new),
        name: line(&format!("{} {}", topic.0, product.0)),
        description: format!("{} {}를 만듭니다.\nA {slug} for everyone at school.", topic.0, product.0).parse().expect("a short text"),
        years: Lifespan::new(year(today, started), last).expect("a project ends after its start"),
        club: dice.percent(70).then(|| owner(clubs, ended, dice)),
        participants: participants(students, ended, dice),
        repositories: repositories(&slug, dice),
        tech_stacks: tech_stacks(dice),
    }
}

/// A running project belongs to a running club.
fn owner(clubs: &[Club], ended: bool, dice: &mut Dice) -> ClubId {
    let owners: Vec<_> = clubs.iter().filter(|club| ended || club.status() == ClubStatus::Active).collect();
    dice.pick(&owners).id
}

/// Two to six people. Those who have left the school took part in what has ended, and in a few that go on.
fn participants(students: &[Student], ended: bool, dice: &mut Dice) -> BTreeSet<StudentId> {
    let enrolled: Vec<_> = students.iter().filter(|student| student.enrolment().is_some()).collect();
    let everyone: Vec<_> = students.iter().collect();
    let count = 2 + dice.below(5);
    (0..count).map(|_| if ended || dice.percent(10) { dice.pick(&everyone).id } else { dice.pick(&enrolled).id }).collect()
}

fn repositories(slug: &str, dice: &mut Dice) -> Repositories {
    let addresses =
        REPOSITORY_KINDS.iter().take(dice.below(4)).map(|kind| line(&format!("https://git.school.example/{slug}/{kind}"))).collect();
    Repositories::new(addresses).expect("a few web addresses")
}

fn tech_stacks(dice: &mut Dice) -> TechStacks {
    let mut names: Vec<_> = TECH_STACKS.iter().map(|name| Line::literal(name)).collect();
    dice.shuffle(&mut names);
    names.truncate(dice.below(6));
    TechStacks::new(names).expect("a few names")
}
