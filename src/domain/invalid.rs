use std::borrow::Cow;
use std::fmt;

/// Why a value was refused, worded to follow the name of the thing at fault: "`grade` *must be a whole number from 1 to 3*".
///
/// The text never repeats the value, so it can be shown to anyone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid(Cow<'static, str>);

impl Invalid {
    /// A reason that reads well after the name of the value: "must be …".
    pub const fn new(reason: &'static str) -> Self {
        Self(Cow::Borrowed(reason))
    }

    /// A reason made at run time, for ranges that a host configures.
    pub fn owned(reason: String) -> Self {
        Self(Cow::Owned(reason))
    }

    /// The reason itself.
    pub fn reason(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Invalid {}
