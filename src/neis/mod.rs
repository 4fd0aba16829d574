//! Meals, school events and timetables from NEIS, the portal of Korea's ministry of education.
//!
//! [`Sync`] reads a kind of records of some days through a [`Client`] and brings the
//! [`Directory`](crate::directory::Directory) up to date, in one write or none:
//!
//! * **Whole or not at all.** A run writes only after it has read every row that the portal counts.
//! * **Deletions** concern records of this school on the days of the run alone, and never follow
//!   from an empty answer. A run that would delete more than a set share writes nothing.
//! * **A bad row is no failure.** It is counted and reported; a record that the row is about stays.
//! * **An unchanged record** keeps its version, and a run without changes keeps every entity tag.
//!
//! [`SyncSchedule`] runs it once a day, on one of many nodes, and records each run.
//!
//! `docs/operations.md` has the outcomes of a run and what to do about them.
//!
//! ```no_run
//! # async fn run(directory: lyceum::directory::Directory) -> Result<(), Box<dyn std::error::Error>> {
//! use lyceum::domain::Timestamp;
//! use lyceum::http::{Clock, SystemClock};
//! use lyceum::neis::{self, AcademicYear, NeisKey, NeisSchool, SchoolKind, SyncKind};
//!
//! let client = neis::Client::builder(tokio::time::sleep)
//!     .key(NeisKey::parse("0123456789abcdef0123456789abcdef")?)
//!     .build()?;
//! let school = NeisSchool::new("F10", "7380292", SchoolKind::High)?;
//! let sync = neis::Sync::new(directory, client, school);
//! let year = AcademicYear::at(SystemClock.now());
//! for window in year.windows(SyncKind::Timetables) {
//!     let run = sync.run(SyncKind::Timetables, window).await?;
//!     println!("{run}");
//! }
//! # Ok(()) }
//! ```

mod academic_year;
mod client;
mod key;
mod plan;
mod read_rows;
mod run_record;
mod schedule;
mod school;
mod sync;
mod synced_record;
mod wire;

pub use crate::domain::AcademicYear;
pub use client::{Client, ClientBuilder, ClientError};
pub use key::NeisKey;
pub use run_record::{SkippedRow, SyncOutcome, SyncRun, UpstreamFault};
pub use schedule::{SyncAttempt, SyncSchedule, SyncScheduleBuilder, YearRun};
pub use school::{NeisSchool, SchoolKind};
pub use sync::{Sync, SyncKind};
pub use wire::ResultCode;
