use super::dice::Dice;
use super::life::{AUTONOMOUS_CLUBS, MAJOR_CLUBS};
use super::{id, year};
use crate::domain::{Club, ClubId, ClubType, Date, Lifespan, Line, Student};

/// The clubs, without leaders. Every fourth is abolished.
pub(super) fn clubs(dice: &mut Dice, today: Date) -> Vec<Club> {
    let major = MAJOR_CLUBS.iter().map(|name| (*name, ClubType::Major));
    let autonomous = AUTONOMOUS_CLUBS.iter().map(|name| (*name, ClubType::Autonomous));
    let mut words: Vec<_> = major.chain(autonomous).collect();
    dice.shuffle(&mut words);
    (1..).zip(words).map(|(number, (name, kind))| club(number, name, kind, dice, today)).collect()
}

fn club(number: i64, name: &'static str, kind: ClubType, dice: &mut Dice, today: Date) -> Club {
    let founded = 3 + dice.below(8);
    let abolished = (number % 4 == 0).then(|| year(today, dice.below(founded)));
    let years = Lifespan::new(year(today, founded), abolished).expect("a club is abolished after it was founded");
    Club { id: id(number, ClubId::new), name: Line::literal(name), kind, years, leader: None }
}

/// The clubs that have members, most of them with a leader now.
pub(super) fn elect_leaders(clubs: &mut [Club], students: &[Student], dice: &mut Dice) {
    for club in clubs {
        let members: Vec<_> = students.iter().filter(|student| student.is_member_of(club.id)).collect();
        if !members.is_empty() && dice.percent(90) {
            club.leader = Some(dice.pick(&members).id);
        }
    }
}
