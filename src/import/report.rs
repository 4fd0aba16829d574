//! A plan as text for people.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use super::diff::{Difference, FieldChange, PlannedRecord};
use super::plan::Plan;

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.kind;
        writeln!(f, "{kind}: {} rows in {}", self.file.rows, self.encoding())?;
        let columns: Vec<String> = self
            .columns()
            .map(|(heading, column)| {
                if heading == column {
                    column.to_owned()
                } else {
                    format!("{column} ({})", plain(heading))
                }
            })
            .collect();
        writeln!(f, "columns: {}", columns.join(", "))?;
        for record in self.records() {
            write_record(f, record, "")?;
        }
        for record in self.consequences() {
            write_record(f, record, &format!("{} ", record.kind))?;
        }
        for refusal in self.refused() {
            writeln!(f, "! {}", plain(&refusal.to_string()))?;
        }
        if self.keeps_missing {
            writeln!(
                f,
                "No record is gone: a refused line may be one that the file seems to lack."
            )?;
        }
        if self.suggests_match() {
            writeln!(
                f,
                "About as many records are new as gone: if they are the same ones, let rows find their records by another column. A new record has a new id, and the account of its student ends."
            )?;
        }
        if self.former_kept > 0 {
            let former = self.former_kept;
            writeln!(f, "{former} former students stay, whom the file lacks.")?;
        }
        write!(
            f,
            "{kind}: {} added, {} changed, {} gone, {} unchanged, {} refused",
            self.added(),
            self.changed(),
            self.removed(),
            self.unchanged(),
            self.refused().len()
        )
    }
}

/// Writes a record as a line, with a text before its id.
pub(crate) fn write_record(
    f: &mut fmt::Formatter<'_>,
    record: &PlannedRecord,
    kind: &str,
) -> fmt::Result {
    let sign = match record.difference {
        Difference::Added => '+',
        Difference::Changed => '~',
        Difference::Gone => '-',
    };
    write!(f, "{sign} {kind}{} {}", record.id, plain(&record.name))?;
    if let Some(place) = record.place {
        write!(f, " ({place})")?;
    }
    let is_new = record.difference == Difference::Added;
    write_fields(f, &record.fields, ": ", is_new)?;
    writeln!(f)
}

/// Writes the fields that change, after a separator; of a new record their values alone.
pub(crate) fn write_fields<'a>(
    f: &mut fmt::Formatter<'_>,
    fields: impl IntoIterator<Item = &'a FieldChange>,
    mut separator: &str,
    is_new: bool,
) -> fmt::Result {
    for change in fields {
        f.write_str(separator)?;
        write_field(f, change, is_new)?;
        separator = "; ";
    }
    Ok(())
}

fn write_field(f: &mut fmt::Formatter<'_>, change: &FieldChange, is_new: bool) -> fmt::Result {
    let FieldChange {
        field,
        before,
        after,
    } = change;
    if is_new {
        return write!(f, "{field} {}", plain(after));
    }
    if *field != "participants" {
        return write!(f, "{field} {} → {}", value(before), value(after));
    }
    let [before, after] =
        [before, after].map(|cell| cell.split_whitespace().collect::<BTreeSet<&str>>());
    write!(f, "{field}")?;
    for joined in after.difference(&before) {
        write!(f, " +{}", plain(joined))?;
    }
    for left in before.difference(&after) {
        write!(f, " -{}", plain(left))?;
    }
    Ok(())
}

fn value(text: &str) -> String {
    if text.is_empty() {
        "(none)".to_owned()
    } else {
        plain(text)
    }
}

/// Text on one line of a terminal, which must not obey it: control characters and those that change
/// the direction of text are escaped.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        let is_direction = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if c.is_control() || is_direction {
            let _ = write!(plain, "{}", c.escape_default());
        } else {
            plain.push(c);
        }
    }
    plain
}
