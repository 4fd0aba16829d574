use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::Notify;

use super::due::{DailyTime, parse_time};
use super::{OnRun, RunState, Schedule, SyncSchedule};
use crate::domain::{InvalidValue, SyncRunRecord};
use crate::metrics::Gauges;
use crate::metrics::definitions::SYNC_FIRST_RUN;
use crate::neis::Sync;
use crate::neis::client::Pause;
use crate::store::SyncStore;

/// Builder of a [`SyncSchedule`]. Every option has a default.
#[must_use]
pub struct SyncScheduleBuilder {
    sync: Sync,
    store: Arc<dyn SyncStore>,
    pause: Arc<Pause>,
    time: Option<String>,
    zone: String,
    on_run: Option<Box<OnRun>>,
}

impl SyncSchedule {
    /// Returns a builder. The store keeps the runs, and the lease by which one of many processes
    /// syncs. `pause` sleeps for the given time, like `tokio::time::sleep`. The clock is the one of
    /// the sync.
    pub fn builder<P>(
        sync: Sync,
        store: Arc<dyn SyncStore>,
        pause: impl Fn(Duration) -> P + Send + std::marker::Sync + 'static,
    ) -> SyncScheduleBuilder
    where
        P: Future<Output = ()> + Send + 'static,
    {
        SyncScheduleBuilder {
            sync,
            store,
            pause: Arc::new(move |time| Box::pin(pause(time))),
            time: None,
            zone: "Asia/Seoul".to_owned(),
            on_run: None,
        }
    }
}

impl SyncScheduleBuilder {
    /// Whether a text is a time that [`daily_at`](Self::daily_at) takes.
    pub fn is_daily_time(text: &str) -> bool {
        parse_time(text).is_some()
    }

    /// Runs once a day at this time, written `05:30`. By default there are only the runs that
    /// somebody asks for.
    pub fn daily_at(mut self, time: &str) -> Self {
        self.time = Some(time.to_owned());
        self
    }

    /// Sets the IANA name of the time zone of the daily time; `Asia/Seoul` by default.
    pub fn time_zone(mut self, name: &str) -> Self {
        name.clone_into(&mut self.zone);
        self
    }

    /// Calls a function with the record of each run, such as one that writes an audit event. It
    /// must not block.
    pub fn on_run(
        mut self,
        on_run: impl Fn(&SyncRunRecord) + Send + std::marker::Sync + 'static,
    ) -> Self {
        self.on_run = Some(Box::new(on_run));
        self
    }

    /// Builds the schedule.
    ///
    /// # Errors
    /// When the time is not one of a day, or there is no such time zone.
    pub fn build(self) -> Result<SyncSchedule, InvalidValue> {
        let daily = DailyTime::new(self.time.as_deref(), &self.zone)?;
        let holder = format!("{:032x}", self.sync.directory.random_number()).parse()?;
        Ok(SyncSchedule(Arc::new(Schedule {
            sync: self.sync,
            store: self.store,
            pause: self.pause,
            daily,
            on_run: self.on_run,
            holder,
            state: Mutex::new(RunState::Idle),
            requested: Notify::new(),
            current_as_of: Mutex::default(),
            first_run_gauges: Gauges::new(SYNC_FIRST_RUN),
        })))
    }
}

impl fmt::Debug for SyncScheduleBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SyncScheduleBuilder")
            .field("sync", &self.sync)
            .field("time", &self.time)
            .finish_non_exhaustive()
    }
}
