use metrics::Unit;

/// Definition of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Metric {
    /// The name, which ends in the unit.
    pub name: &'static str,
    /// The kind of metric.
    pub kind: MetricKind,
    /// The names of the labels.
    pub labels: &'static [&'static str],
    /// The description.
    pub description: &'static str,
}

/// Kind of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricKind {
    /// A value that only increases.
    Counter,
    /// A value that increases and decreases.
    Gauge,
    /// A distribution of durations in seconds.
    Histogram,
}

impl Metric {
    pub(super) fn describe(&self) {
        let (name, description) = (self.name, self.description);
        match self.kind {
            MetricKind::Counter => metrics::describe_counter!(name, Unit::Count, description),
            MetricKind::Gauge if name.ends_with("_seconds") => {
                metrics::describe_gauge!(name, Unit::Seconds, description)
            }
            MetricKind::Gauge => metrics::describe_gauge!(name, Unit::Count, description),
            MetricKind::Histogram => metrics::describe_histogram!(name, Unit::Seconds, description),
        }
    }
}

/// Declares the metrics and the list of all of them.
macro_rules! metrics {
    ($($constant:ident: $kind:ident $name:literal [$($label:literal),*] $description:literal;)+) => {
        $(pub(crate) const $constant: Metric =
            Metric { name: $name, kind: MetricKind::$kind, labels: &[$($label),*], description: $description };)+

        /// Every metric of this library, including those of disabled features.
        pub const ALL: &[Metric] = &[$($constant),+];
    };
}

metrics! {
    REQUESTS: Counter "lyceum_requests_total" ["service", "route", "status"] "Requests that were answered or given up.";
    REQUEST_DURATION: Histogram "lyceum_request_duration_seconds" ["service", "route"] "The time from a request to the head of its answer.";
    REFUSALS: Counter "lyceum_refusals_total" ["service", "reason"] "Answers that refuse something, by the rule that did.";
    EVENTS: Counter "lyceum_events_total" ["event"] "Events of the authorization service other than refusals.";
    AUDIT_RECORDS_LOST: Counter "lyceum_audit_records_lost_total" ["reason"] "Events that were not kept in the audit trail.";
    RATE_LIMIT_DECISIONS: Counter "lyceum_rate_limit_decisions_total" ["limit", "decision"] "Decisions of the rate limits on API keys and clients.";
    CACHE_LOOKUPS: Counter "lyceum_cache_lookups_total" ["cache", "outcome"] "Cache lookups, by outcome.";
    UNDECRYPTABLE_SIGNING_KEYS: Gauge "lyceum_undecryptable_signing_keys" [] "Signing keys that would be published and cannot be decrypted with the master key.";
    SIGNING_KEY_OVERDUE: Gauge "lyceum_signing_key_overdue_seconds" [] "How long a new signing key has been due.";
    CLOCK_OFFSET: Gauge "lyceum_clock_offset_seconds" [] "How far the clock of this node is ahead of the store's; behind it below 0.";
    CERTIFICATE_EXPIRY: Gauge "lyceum_certificate_expiry_timestamp_seconds" [] "When the TLS certificate expires, in seconds since 1970.";
    DIRECTORY_AGE: Gauge "lyceum_directory_age_seconds" [] "How long ago the store last confirmed the directory's version.";
    DATA_AS_OF: Gauge "lyceum_data_as_of_timestamp_seconds" ["kind"] "When a kind of records was last confirmed to be current, in seconds since 1970.";
    SYNC_FIRST_RUN: Gauge "lyceum_sync_first_run_timestamp_seconds" ["kind"] "When a kind of records that was never confirmed to be current was first synced, in seconds since 1970.";
    PASSWORD_QUEUE: Gauge "lyceum_password_queue_jobs" [] "Passwords that wait for a thread.";
    PASSWORD_DURATION: Histogram "lyceum_password_duration_seconds" ["stage"] "How long a password waits for its thread, and how long it is hashed there, or estimated if it is new.";
    STORE_DURATION: Histogram "lyceum_store_duration_seconds" ["backend", "method"] "The time that a call to the store takes, waiting included.";
    STORE_WAIT: Histogram "lyceum_store_wait_seconds" ["backend", "access"] "How long a call waits for a connection or its turn.";
    STORE_ERRORS: Counter "lyceum_store_errors_total" ["backend", "kind"] "Calls to the store that failed.";
}
