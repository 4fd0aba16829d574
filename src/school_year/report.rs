//! Plans as texts for people.

use std::fmt;

use super::plan::{Step, YearPlan};
use super::undo::YearUndoPlan;
use crate::import::plain;

impl fmt::Display for YearPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let year = self.year;
        for student in &self.students {
            let (id, name) = (student.id, plain(&student.name));
            let [before, after] = student.numbers.map(|number| number.unwrap_or_default());
            match student.step {
                Step::Graduates => writeln!(f, "- {id} {name} ({before}) graduates")?,
                Step::Stays => writeln!(f, "~ {id} {name}: {before} → {after}")?,
                Step::IsNew => writeln!(f, "+ {id} {name}: {after}")?,
            }
        }
        for club in &self.leaderless {
            writeln!(f, "~ club {} has no leader then", plain(club))?;
        }
        for conflict in &self.conflicts {
            writeln!(f, "! {}", plain(&conflict.to_string()))?;
        }
        write!(
            f,
            "school year {year}: {} graduate, {} stay, {} new, {} conflicts",
            self.graduated(),
            self.moved(),
            self.added(),
            self.conflicts.len()
        )
    }
}

impl fmt::Display for YearUndoPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for conflict in &self.conflicts {
            writeln!(f, "! {}", plain(&conflict.to_string()))?;
        }
        write!(
            f,
            "undo of the turn of the school year {}: {} students as before, {} new ones removed, {} left as they are",
            self.turn.year,
            self.restored,
            self.removed,
            self.conflicts.len()
        )
    }
}
