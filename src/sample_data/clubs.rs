use super::rng::SeededRng;
use super::word_lists::{AUTONOMOUS_CLUBS, MAJOR_CLUBS};
use super::{id, year};
use crate::domain::{Club, ClubId, ClubType, Date, ShortText, Student, YearRange};

/// Generates the clubs, without leaders. Every fourth is abolished.
pub(super) fn clubs(rng: &mut SeededRng, today: Date) -> Vec<Club> {
    let major = MAJOR_CLUBS.iter().map(|name| (*name, ClubType::Major));
    let autonomous = AUTONOMOUS_CLUBS
        .iter()
        .map(|name| (*name, ClubType::Autonomous));
    let mut words: Vec<_> = major.chain(autonomous).collect();
    rng.shuffle(&mut words);
    (1..)
        .zip(words)
        .map(|(number, (name, kind))| club(number, name, kind, rng, today))
        .collect()
}

fn club(number: i64, name: &'static str, kind: ClubType, rng: &mut SeededRng, today: Date) -> Club {
    let founded = 3 + rng.below(8);
    let abolished = (number % 4 == 0).then(|| year(today, rng.below(founded)));
    let years = YearRange::new(year(today, founded), abolished)
        .expect("a club is abolished after it was founded");
    Club {
        id: id(number, ClubId::new),
        name: ShortText::from_static(name),
        kind,
        years,
        leader: None,
    }
}

/// Assigns leaders to most of the clubs that have members.
pub(super) fn assign_leaders(clubs: &mut [Club], students: &[Student], rng: &mut SeededRng) {
    for club in clubs {
        let members: Vec<_> = students
            .iter()
            .filter(|student| student.is_member_of(club.id))
            .collect();
        if !members.is_empty() && rng.percent(90) {
            club.leader = Some(rng.pick(&members).id);
        }
    }
}
