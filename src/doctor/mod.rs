//! Checks of a running school, for its operator: what is wrong, or will be soon.
//!
//! Each check is a function of its inputs and returns [`Finding`]s. The functions of [`files`] read
//! the files that they are given, a [`Probe`] sends the requests that it is given, and the others
//! do no I/O. Nothing changes a file or a database. The command `doctor` of the bundled programs
//! collects the inputs, runs all checks and prints the [`Report`]; `docs/operations.md` has what to
//! do about each finding.
//!
//! ```
//! use lyceum::doctor::{self, Level, Report};
//! use lyceum::domain::Timestamp;
//!
//! let here = Timestamp::from_seconds(1_790_000_090);
//! let there = Timestamp::from_seconds(1_790_000_000);
//! let report: Report = [doctor::clock(here, there, "the database")].into_iter().collect();
//! assert_eq!(report.level(), Level::Failure);
//! assert!(report.to_string().starts_with("FAILED   clock"));
//! ```

pub mod files;
mod network;
mod probe;
mod records;
mod wire;

use std::fmt;

pub use network::{ProxySettings, certificates, clock, issuer, served_certificate};
pub use probe::{Answer, Probe, ProbeError};
pub use records::{api_keys, clients, master_key, migrations, signing_keys, suspensions, tables};

use crate::domain::string_enum;

string_enum! {
    /// A check.
    #[non_exhaustive]
    Check {
        /// The settings of the program.
        Settings = "settings",
        /// The database can be opened.
        Database = "database",
        /// The database has the schema of this build.
        Migrations = "migrations",
        /// Sizes of the tables, and rows that should have been deleted.
        Tables = "tables",
        /// This machine's clock against others.
        Clock = "clock",
        /// The public URL leads to this service.
        PublicUrl = "public_url",
        /// Addresses of clients behind proxies.
        Proxies = "proxies",
        /// Certificates.
        Tls = "tls",
        /// The master key and its file.
        MasterKey = "master_key",
        /// Age of the signing keys.
        SigningKeys = "signing_keys",
        /// API keys that expire.
        ApiKeys = "api_keys",
        /// [Advice](crate::domain::Advice) on clients.
        Clients = "clients",
        /// What a restoration suspended.
        Suspensions = "suspensions",
        /// Backups of the database.
        Backups = "backups",
    }
}

string_enum! {
    /// Severity of a finding, the least first.
    Level {
        /// Nothing to do.
        Ok = "ok",
        /// An improvement.
        Advice = "advice",
        /// Something fails later, or protects less than it should.
        Warning = "warning",
        /// Something does not work, or is open to attackers.
        Failure = "failure",
    }
}

/// Result of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The check.
    pub check: Check,
    /// The severity.
    pub level: Level,
    /// What was found and, unless it is [`Ok`](Level::Ok), what to do. It contains no secrets.
    pub text: String,
}

impl Finding {
    /// Nothing to do.
    pub fn ok(check: Check, text: impl Into<String>) -> Self {
        Self::new(check, Level::Ok, text)
    }

    /// An improvement.
    pub fn advice(check: Check, text: impl Into<String>) -> Self {
        Self::new(check, Level::Advice, text)
    }

    /// Something fails later, or protects less than it should.
    pub fn warning(check: Check, text: impl Into<String>) -> Self {
        Self::new(check, Level::Warning, text)
    }

    /// Something does not work, or is open to attackers.
    pub fn failure(check: Check, text: impl Into<String>) -> Self {
        Self::new(check, Level::Failure, text)
    }

    fn new(check: Check, level: Level, text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            check,
            level,
            text: text.lines().collect::<Vec<_>>().join(" "),
        }
    }
}

/// Prints as one line.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = match self.level {
            Level::Failure => "FAILED",
            level => level.as_str(),
        };
        write!(f, "{level:7}  {:12}  {}", self.check.as_str(), self.text)
    }
}

/// The findings of several checks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report(Vec<Finding>);

impl Report {
    /// The findings, in the order of the checks that were run.
    pub fn findings(&self) -> &[Finding] {
        &self.0
    }

    /// The highest severity of a finding.
    pub fn level(&self) -> Level {
        let levels = self.0.iter().map(|finding| finding.level);
        levels.max().unwrap_or(Level::Ok)
    }

    /// The report as JSON: the highest `level`, and the `findings`, each with `check`, `level` and
    /// `text`.
    pub fn to_json(&self) -> String {
        wire::to_json(self)
    }
}

impl FromIterator<Finding> for Report {
    fn from_iter<I: IntoIterator<Item = Finding>>(findings: I) -> Self {
        Self(findings.into_iter().collect())
    }
}

/// Prints a line for each finding.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.0 {
            writeln!(f, "{finding}")?;
        }
        Ok(())
    }
}

/// `1 key`, `2 keys`.
fn counted(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// A number of bytes in the largest unit that fits.
fn size(bytes: u64) -> String {
    const UNITS: [(&str, u64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    let (name, unit) = UNITS
        .into_iter()
        .find(|(_, unit)| bytes >= *unit)
        .unwrap_or(("bytes", 1));
    match (bytes / unit, bytes % unit * 10 / unit) {
        (whole, tenths) if whole < 10 && tenths > 0 => format!("{whole}.{tenths} {name}"),
        (whole, _) => format!("{whole} {name}"),
    }
}

#[cfg(test)]
mod tests;
