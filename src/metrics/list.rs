use metrics::Unit;

/// Something that is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Metric {
    /// Its name, which ends in its unit.
    pub name: &'static str,
    /// How its values come about.
    pub kind: Kind,
    /// The names of its labels.
    pub labels: &'static [&'static str],
    /// What it tells.
    pub description: &'static str,
}

/// How the values of a metric come about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It counts up.
    Counter,
    /// It goes up and down.
    Gauge,
    /// Each value is a time in seconds, and how they are spread is of interest.
    Histogram,
}

impl Metric {
    pub(super) fn describe(&self) {
        let (name, description) = (self.name, self.description);
        match self.kind {
            Kind::Counter => metrics::describe_counter!(name, Unit::Count, description),
            Kind::Gauge if name.ends_with("_seconds") => metrics::describe_gauge!(name, Unit::Seconds, description),
            Kind::Gauge => metrics::describe_gauge!(name, Unit::Count, description),
            Kind::Histogram => metrics::describe_histogram!(name, Unit::Seconds, description),
        }
    }
}

/// Declares the metrics and the list of all.
macro_rules! metrics {
    ($($constant:ident: $kind:ident $name:literal [$($label:literal),*] $description:literal;)+) => {
        $(pub(crate) const $constant: Metric =
            Metric { name: $name, kind: Kind::$kind, labels: &[$($label),*], description: $description };)+

        /// Every metric of this library, also those of features that this build lacks.
        pub const ALL: &[Metric] = &[$($constant),+];
    };
}

metrics! {
    REQUESTS: Counter "lyceum_requests_total" ["service", "route", "status"] "Requests that were answered or given up.";
    REQUEST_TIME: Histogram "lyceum_request_duration_seconds" ["service", "route"] "The time from a request to the head of its answer.";
    REFUSALS: Counter "lyceum_refusals_total" ["service", "reason"] "Answers that refuse something, by the rule that did.";
    EVENTS: Counter "lyceum_events_total" ["event"] "Events of the authorization service other than refusals.";
    AUDIT_LOST: Counter "lyceum_audit_records_lost_total" ["reason"] "Events that were not kept in the audit trail.";
    LIMITER_VERDICTS: Counter "lyceum_limiter_verdicts_total" ["limit", "verdict"] "What the limits on API keys and clients came to.";
    CACHE_LOOKUPS: Counter "lyceum_cache_lookups_total" ["cache", "outcome"] "Looks into what is kept to spare work.";
    UNOPENED_KEYS: Gauge "lyceum_unopened_signing_keys" [] "Signing keys that would be published and do not open under the master key.";
    CLOCK_OFFSET: Gauge "lyceum_clock_offset_seconds" [] "How far the clock of this node is ahead of the store's; behind it below 0.";
    DIRECTORY_AGE: Gauge "lyceum_directory_age_seconds" [] "How long ago the store last confirmed the directory's version.";
    PASSWORD_QUEUE: Gauge "lyceum_password_queue_jobs" [] "Passwords that wait for a thread.";
    PASSWORD_TIME: Histogram "lyceum_password_duration_seconds" ["stage"] "How long a password waits for its thread, and how long it is hashed there, or estimated if it is new.";
    STORE_TIME: Histogram "lyceum_store_duration_seconds" ["backend", "method"] "The time that a call to the store takes, waiting included.";
    STORE_WAIT: Histogram "lyceum_store_wait_seconds" ["backend", "access"] "How long a call waits for a connection or its turn.";
    STORE_ERRORS: Counter "lyceum_store_errors_total" ["backend", "kind"] "Calls to the store that failed.";
}
