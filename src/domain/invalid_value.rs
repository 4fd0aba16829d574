use std::borrow::Cow;
use std::fmt;

/// Reason why a value is invalid, worded to follow the name of the value: "`grade` *must be a whole
/// number from 1 to 3*".
///
/// The text never repeats the value, so it can be shown to anyone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidValue(Cow<'static, str>);

impl InvalidValue {
    /// Creates a reason that reads well after the name of the value: "must be …".
    pub const fn new(reason: &'static str) -> Self {
        Self(Cow::Borrowed(reason))
    }

    /// Creates a reason at run time, for ranges that a host configures.
    pub fn from_string(reason: String) -> Self {
        Self(Cow::Owned(reason))
    }

    /// The reason.
    pub fn reason(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for InvalidValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InvalidValue {}
