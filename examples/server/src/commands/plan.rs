//! What commands have in common that show a plan and apply it when they are repeated.

use std::fmt::Display;
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use clap::Args;
use lyceum::import::{FileFormat, MAX_BYTES};
use lyceum::store::DatasetVersion;

use crate::BoxError;

#[derive(Debug, Args)]
pub struct Apply {
    /// Apply what is shown; with the code of a plan, only if it is still the same
    #[arg(long, value_name = "CODE", num_args = 0..=1, require_equals = true)]
    apply: Option<Option<String>>,
}

impl Apply {
    /// Whether the option is there.
    pub const fn is_given(&self) -> bool {
        self.apply.is_some()
    }

    /// Whether the plan with this code is to be applied. Otherwise the command that applies it is
    /// shown.
    pub fn is_confirmed(&self, code: &str) -> Result<bool, BoxError> {
        match &self.apply {
            None => {
                println!("Nothing is applied yet. To apply it: the same command with --apply={code}");
                Ok(false)
            }
            Some(Some(expected)) if expected != code => Err(format!(
                "nothing is applied: this is not the plan {expected}, because a file, the options or the school have changed"
            )
            .into()),
            Some(_) => Ok(true),
        }
    }
}

/// Prints a plan with its code.
pub fn print_plan(
    plan: &impl Display,
    code: &str,
    version: DatasetVersion,
) -> Result<(), BoxError> {
    let version = version.number;
    let shown = format!("{plan}\nplan {code} for version {version} of the school\n");
    Ok(std::io::stdout().write_all(shown.as_bytes())?)
}

/// Reads at most as much as an import accepts.
pub fn read(path: &Path) -> Result<Vec<u8>, BoxError> {
    let cannot_read = |error| format!("cannot read {}: {error}", path.display());
    let file = File::open(path).map_err(cannot_read)?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(cannot_read)?;
    Ok(bytes)
}

/// The format by the name of a file.
pub fn format_of(path: &Path) -> FileFormat {
    let extension = path.extension();
    if extension.is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
        FileFormat::Json
    } else {
        FileFormat::Csv
    }
}
