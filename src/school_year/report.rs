//! Plans as texts for people.

use std::fmt;

use super::plan::{Step, YearPlan};
use super::undo::YearUndoPlan;
use crate::domain::RecordKind;
use crate::import::{plain, write_fields, write_record};

impl fmt::Display for YearPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let year = self.year;
        for student in &self.students {
            let (id, name) = (student.id, plain(&student.name));
            let [before, after] = student.numbers.map(|number| number.unwrap_or_default());
            match student.step {
                Step::Graduates => writeln!(f, "- {id} {name} ({before}) graduates")?,
                Step::MovesUp | Step::Repeats => {
                    let (sign, repeats) = match student.step {
                        Step::Repeats => ('=', " repeats the grade"),
                        _ => ('~', ""),
                    };
                    write!(f, "{sign} {id} {name}: {before} → {after}{repeats}")?;
                    write_fields(f, &student.fields, "; ", false)?;
                    writeln!(f)?;
                }
                Step::IsNew => {
                    write!(f, "+ {id} {name}: {after}")?;
                    write_fields(f, &student.fields, "; ", true)?;
                    writeln!(f)?;
                }
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
            "school year {year}: {} graduate, {} go up, {} repeat, {} new, {} conflicts",
            self.graduated(),
            self.promoted(),
            self.repeated(),
            self.added(),
            self.conflicts.len()
        )
    }
}

impl fmt::Display for YearUndoPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for record in &self.records {
            let kind = match record.kind {
                RecordKind::Students => String::new(),
                kind => format!("{kind} "),
            };
            write_record(f, record, &kind)?;
        }
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
