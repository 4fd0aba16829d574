use std::fmt;

use super::operation::Operation;
use super::schedule::Schedule;

/// Setup, concurrent calls and subsequent checks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scenario {
    /// Name in reports.
    pub name: String,
    /// Operations that run first, one after the other.
    pub setup: Vec<Operation>,
    /// The two or three calls that run concurrently.
    pub calls: Vec<Operation>,
    /// Operations that run afterwards, one after the other: reads first.
    pub checks: Vec<Operation>,
}

/// Run whose outcomes no sequential order of its calls explains. Its schedule reproduces it: see
/// [`replay`](super::replay).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InterleavingFailure {
    /// The scenario.
    pub scenario: Scenario,
    /// Order of the steps.
    pub schedule: Schedule,
    /// Description of the inconsistency, with all outcomes.
    pub reason: String,
}

impl fmt::Display for InterleavingFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            scenario,
            schedule,
            reason,
        } = self;
        write!(
            f,
            "{}\n  setup: {:?}\n  schedule: {schedule}\n  {reason}",
            scenario.name, scenario.setup
        )
    }
}

impl std::error::Error for InterleavingFailure {}

impl Scenario {
    /// Whether any of its operations reads or writes the directory.
    pub(in crate::testing) fn uses_directory(&self) -> bool {
        self.setup
            .iter()
            .chain(&self.calls)
            .chain(&self.checks)
            .any(|operation| operation.uses_directory())
    }

    /// Creates a scenario whose checks read every record that its operations touch.
    pub fn new(name: impl Into<String>, setup: &[Operation], calls: &[Operation]) -> Self {
        let (setup, calls) = (setup.to_vec(), calls.to_vec());
        let at = calls.iter().map(|call| call.at()).max().unwrap_or(0);
        let mut checks = Vec::new();
        for operation in setup.iter().chain(&calls) {
            for check in operation.checks(at) {
                if !checks.contains(&check) {
                    checks.push(check);
                }
            }
        }
        // The stable sort keeps the order of the reads and that of the writes.
        checks.sort_by_key(|operation| !operation.is_read());
        Self {
            name: name.into(),
            setup,
            calls,
            checks,
        }
    }
}
