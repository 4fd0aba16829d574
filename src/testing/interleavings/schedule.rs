use std::fmt;
use std::str::FromStr;

use crate::domain::InvalidValue;

/// Order of the steps of a scenario: the number of the call that took each step, such as `0 0 1 0 1
/// 1`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Schedule(pub(super) Vec<usize>);

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps: Vec<_> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&steps.join(" "))
    }
}

impl FromStr for Schedule {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let steps = text
            .split_whitespace()
            .map(str::parse)
            .collect::<Result<_, _>>();
        steps
            .map(Self)
            .map_err(|_| InvalidValue::new("must be the numbers of calls with blanks between them"))
    }
}
