//! Records of erasures, and their repetition after a restoration.

use std::collections::HashSet;
use std::path::Path;

use lyceum::domain::{StudentId, Timestamp};
use lyceum::school_year::erase_student;
use lyceum::store::sql::SqlStore;
use lyceum::store::{Erasure, SchoolHistoryStore};
use serde_json::{Value, json};

use super::all_pages;
use super::person::{Person, erase_person};
use crate::BoxError;
use crate::services::School;

/// All erasures of a database, newest first.
pub async fn read_all(store: &SqlStore) -> Result<Vec<Erasure>, BoxError> {
    all_pages(async |page| store.erasures(page).await).await
}

/// The erasures as JSON, which [`read_file`] reads.
pub fn to_json(erasures: &[Erasure]) -> Value {
    let erasure = |erasure: &Erasure| {
        json!({
            "student": erasure.student.get(),
            "atSeconds": erasure.at.seconds(),
            "by": erasure.by.as_str(),
            "entries": erasure.entries,
        })
    };
    erasures.iter().map(erasure).collect()
}

/// Reads a file that `person erasures --json` has written.
pub fn read_file(path: &Path) -> Result<Vec<Erasure>, BoxError> {
    let text =
        std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let listed: Option<Vec<Value>> = serde_json::from_slice(&text).ok();
    let erasures = listed.and_then(|listed| listed.iter().map(from_json).collect());
    erasures.ok_or_else(|| {
        format!(
            "{} is no list of erasures: `person erasures --json` writes one",
            path.display()
        )
        .into()
    })
}

fn from_json(erasure: &Value) -> Option<Erasure> {
    Some(Erasure {
        student: StudentId::new(erasure["student"].as_i64()?).ok()?,
        at: Timestamp::from_seconds(erasure["atSeconds"].as_i64()?),
        by: erasure["by"].as_str()?.parse().ok()?,
        entries: erasure["entries"].as_u64()?,
    })
}

/// Repeats the erasures that the database does not know, with their time, and says how many persons
/// are erased again; without `yes` it only shows them. An erasure that fails does not keep back the others.
pub async fn repeat(school: &School, erasures: &[Erasure], yes: bool) -> Result<(), BoxError> {
    let known = read_all(&school.store).await?;
    let known: HashSet<_> = known
        .iter()
        .map(|known| (known.student, known.at))
        .collect();
    let directory = school.directory().await?;
    let (mut erased, mut failed) = (0, 0);
    let unknown = erasures
        .iter()
        .rev()
        .filter(|erasure| !known.contains(&(erasure.student, erasure.at)));
    for erasure in unknown {
        let person = Person::find(school, &directory, erasure.student, None).await?;
        let (by, at) = (erasure.by.clone(), erasure.at);
        let outcome = if person.is_nothing() {
            // Who came after the backup is not in it. The record keeps a later run from erasing
            // somebody who has the id by then.
            if !yes {
                continue;
            }
            let recorded = erase_student(&directory, erasure.student, by, at).await;
            recorded.map(|_| 0).map_err(BoxError::from)
        } else {
            println!("{person}");
            if !yes {
                continue;
            }
            let outcome = erase_person(school, &directory, &person, (by, at)).await;
            outcome.map(|()| 1)
        };
        match outcome {
            Ok(persons) => erased += persons,
            Err(error) => {
                eprintln!("student {}: {error}", erasure.student);
                failed += 1;
            }
        }
    }
    if !yes {
        println!("Nothing is erased yet. To erase them: the same command with --yes");
        return Ok(());
    }
    println!("Erased again: {erased} persons who were erased after the backup.");
    if failed > 0 {
        return Err(format!("{failed} persons are not erased again: see above").into());
    }
    Ok(())
}
