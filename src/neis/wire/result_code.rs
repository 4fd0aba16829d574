use std::fmt;

/// A result code of the portal, such as `INFO-000` or `ERROR-337`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ResultCode {
    is_error: bool,
    number: u16,
}

/// What a code means for a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::neis) enum Meaning {
    Ok,
    /// There are no rows, or none behind the last page.
    Empty,
    KeyRefused,
    RequestRefused,
    QuotaSpent,
    /// Trouble of the portal, which may be over soon.
    Trouble,
}

impl ResultCode {
    /// `INFO-000`: the answer has rows.
    pub(in crate::neis) const OK: Self = Self {
        is_error: false,
        number: 0,
    };

    /// Parses a code. `None` if it is none.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (class, number) = text.split_once('-')?;
        let is_error = match class {
            "INFO" => false,
            "ERROR" => true,
            _ => return None,
        };
        let is_number = number.len() == 3 && number.bytes().all(|byte| byte.is_ascii_digit());
        Some(Self {
            is_error,
            number: number.parse().ok().filter(|_| is_number)?,
        })
    }

    pub(in crate::neis) const fn meaning(self) -> Meaning {
        match (self.is_error, self.number) {
            (false, 0) => Meaning::Ok,
            (false, 200) => Meaning::Empty,
            (false, 300) | (true, 290) => Meaning::KeyRefused,
            (true, 300 | 310 | 333 | 336) => Meaning::RequestRefused,
            (true, 337) => Meaning::QuotaSpent,
            _ => Meaning::Trouble,
        }
    }
}

impl fmt::Display for ResultCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let class = if self.is_error { "ERROR" } else { "INFO" };
        write!(f, "{class}-{:03}", self.number)
    }
}
