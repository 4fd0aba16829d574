use crate::domain::Timestamp;

/// A moment for a script, which knows the browser's zone.
pub(crate) fn in_utc(at: Timestamp) -> String {
    at.to_string()
}

/// A moment or a day, for programs and as people in the school read it: neither language writes it another way.
#[cfg(feature = "ui")]
#[derive(Debug, Clone)]
pub(crate) struct Moment {
    pub(crate) iso: String,
    pub(crate) text: String,
}
