use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::plan::{Plan, ReadRecords};
use super::read_rows::read_rows;
use super::synced_record::SyncedRecord;
use super::wire::Query;
use super::{AcademicYear, Client, NeisSchool, SyncOutcome, SyncRun};
use crate::clock::{Clock, SystemClock};
use crate::directory::{Directory, WriteOutcome};
use crate::domain::{DataKind, Date, DateRange, Lesson, Meal, SchoolEvent, Timestamp, string_enum};
use crate::store::StorageError;

/// Maximum attempts of a write while other processes write too.
const MAX_ATTEMPTS: usize = 5;

string_enum! {
    /// A kind of records that the portal has.
    SyncKind {
        /// Meals.
        Meals = "meals",
        /// Events of the school calendar.
        Schedules = "schedules",
        /// Lessons of the classes.
        Timetables = "timetables",
    }
}

impl From<SyncKind> for DataKind {
    fn from(kind: SyncKind) -> Self {
        match kind {
            SyncKind::Meals => Self::Meals,
            SyncKind::Schedules => Self::Schedules,
            SyncKind::Timetables => Self::Timetables,
        }
    }
}

/// Brings the meals, events and lessons of a directory up to date with the portal.
///
/// The school's records on the days of a run become those of the portal, also where somebody else
/// has written others. Records of other schools and days stay.
pub struct Sync {
    pub(super) directory: Directory,
    client: Client,
    school: NeisSchool,
    pub(super) clock: Arc<dyn Clock>,
    max_deleted_percent: u8,
    /// The Korean day whose quota is spent.
    quota_spent_on: Mutex<Option<Date>>,
}

impl Sync {
    /// Creates a sync of one school.
    pub fn new(directory: Directory, client: Client, school: NeisSchool) -> Self {
        Self {
            directory,
            client,
            school,
            clock: Arc::new(SystemClock),
            max_deleted_percent: 20,
            quota_spent_on: Mutex::new(None),
        }
    }

    /// Sets the clock; the system's clock by default.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Sets the share of the records on the days of a run that it may delete, in percent; 20 by
    /// default. A run that would delete more changes nothing. 100 permits all deletions.
    #[must_use]
    pub fn max_deleted_percent(mut self, percent: u8) -> Self {
        self.max_deleted_percent = percent;
        self
    }

    /// Reads a kind of records of these days, and writes what has changed, all of it or nothing.
    ///
    /// [`AcademicYear::windows`] has days of suitable length. Days of timetables belong to one
    /// academic year.
    ///
    /// # Errors
    /// When the store does not respond. It is then unknown whether the changes are stored, and the
    /// next run finds out.
    pub async fn run(&self, kind: SyncKind, window: DateRange) -> Result<SyncRun, StorageError> {
        let mut run = SyncRun::new(kind, window, self.clock.now());
        run.versions = [self.directory.snapshot().await?.version().number; 2];
        run.outcome = match kind {
            SyncKind::Meals => self.sync::<Meal>(&mut run).await?,
            SyncKind::Schedules => self.sync::<SchoolEvent>(&mut run).await?,
            SyncKind::Timetables => self.sync::<Lesson>(&mut run).await?,
        };
        run.ended_at = self.clock.now();
        Ok(run)
    }

    async fn sync<T: SyncedRecord>(&self, run: &mut SyncRun) -> Result<SyncOutcome, StorageError> {
        let [first, last] = [run.window.from(), run.window.to()].map(AcademicYear::containing);
        if run.kind == SyncKind::Timetables && first != last {
            return Ok(SyncOutcome::TwoAcademicYears);
        }
        let today = Date::korean(self.clock.now());
        if *self.quota_spent_on() == Some(today) {
            return Ok(SyncOutcome::QuotaSpent);
        }
        let query = Query::new(run.kind, &self.school, run.window);
        let rows = match read_rows(&self.client, &query, run).await {
            Ok(rows) => rows,
            Err(outcome) => {
                if outcome == SyncOutcome::QuotaSpent {
                    *self.quota_spent_on() = Some(today);
                }
                return Ok(outcome);
            }
        };
        let snapshot = self.directory.snapshot().await?;
        let (school, directory) = (&self.school, &self.directory);
        let read = ReadRecords::<T>::parse(&rows, school, directory, &snapshot, run);
        run.used = read.len();
        self.write(&read, run).await
    }

    /// Compares the records with the directory's and writes the changes, if nobody else writes in
    /// between.
    async fn write<T: SyncedRecord>(
        &self,
        read: &ReadRecords<T>,
        run: &mut SyncRun,
    ) -> Result<SyncOutcome, StorageError> {
        for _ in 0..MAX_ATTEMPTS {
            let snapshot = self.directory.snapshot().await?;
            let before = T::of_days(&snapshot, run.window);
            let plan = Plan::new(read, before, &self.school);
            if plan.deletes_more_than(self.max_deleted_percent) {
                return Ok(SyncOutcome::TooManyDeletions {
                    deleted: plan.lost,
                    records: plan.records,
                });
            }
            let write = self.directory.write_if(snapshot.version(), plan.changes);
            match write.await? {
                WriteOutcome::Written(version) => {
                    run.versions = [snapshot.version().number, version.number];
                    run.inserted = plan.inserted;
                    run.updated = plan.updated;
                    run.deleted = plan.deleted;
                    return Ok(SyncOutcome::Synced);
                }
                WriteOutcome::Rejected { reason, .. } => return Ok(SyncOutcome::Rejected(reason)),
                WriteOutcome::Contended => {}
            }
        }
        Ok(SyncOutcome::Contended)
    }

    /// Whether the directory has records of a kind on these days, of any school: with a wrong code
    /// of the school, they are another's.
    pub(super) async fn has_records(
        &self,
        kind: SyncKind,
        days: DateRange,
    ) -> Result<bool, StorageError> {
        let snapshot = self.directory.snapshot().await?;
        Ok(!match kind {
            SyncKind::Meals => Meal::of_days(&snapshot, days).is_empty(),
            SyncKind::Schedules => SchoolEvent::of_days(&snapshot, days).is_empty(),
            SyncKind::Timetables => Lesson::of_days(&snapshot, days).is_empty(),
        })
    }

    /// Notes that the quota of the Korean day at a time is spent, as the run of another process found.
    pub(super) fn set_quota_spent(&self, at: Timestamp) {
        *self.quota_spent_on() = Some(Date::korean(at));
    }

    fn quota_spent_on(&self) -> std::sync::MutexGuard<'_, Option<Date>> {
        let guard = self.quota_spent_on.lock();
        guard.unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Sync {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sync")
            .field("client", &self.client)
            .field("school", &self.school)
            .finish_non_exhaustive()
    }
}
