//! Searches that the tests of all stores share.

use lyceum::testing::crash_points::CrashSearch;
use lyceum::testing::interleavings::{
    InterleavingFailure, Nodes, Scenario, SearchLimits, SearchReport, explore,
};

use crate::report::report;

#[path = "../support/long_run.rs"]
mod long_run;
pub use long_run::is_long_run;

/// Explores every scenario, and prints the extent of the search and the failures.
pub fn explore_all(
    backend: &str,
    kind: &str,
    nodes: &Nodes,
    scenarios: &[Scenario],
    limits: SearchLimits,
) -> Vec<InterleavingFailure> {
    let (mut totals, mut failures) = (SearchReport::default(), Vec::new());
    for scenario in scenarios {
        match explore(nodes, scenario, limits) {
            Ok(one) => totals += one,
            Err(failure) => failures.push(*failure),
        }
    }
    let SearchReport {
        scenarios,
        exhausted,
        interleavings,
    } = totals;
    let found = format!(
        "{scenarios} {kind} of calls in {interleavings} interleavings, exhaustively for {exhausted}"
    );
    report("interleavings", format!("{backend}: {found}"));
    for failure in &failures {
        println!("{failure}");
    }
    failures
}

/// Limits of the search of a SQL store. There are some 2,200 pairs; a short run tries at most four
/// orders of each, in minutes.
pub fn pair_extent() -> SearchLimits {
    if is_long_run() {
        SearchLimits::EXHAUSTIVE
    } else {
        SearchLimits {
            systematic: 2,
            random: 2,
            seed: 1,
        }
    }
}

/// Crashes each operation at every point, and prints the number of points.
pub fn crash_everywhere(backend: &str, scenarios: &[Scenario], crash_search: &CrashSearch) {
    let points: usize = scenarios
        .iter()
        .map(|scenario| {
            crash_search
                .explore(scenario)
                .unwrap_or_else(|failure| panic!("{failure}"))
        })
        .sum();
    report(
        "crash points",
        format!(
            "{backend}: {} operations crashed at {points} points",
            scenarios.len()
        ),
    );
    assert!(
        points > scenarios.len(),
        "an operation has more than one crash point"
    );
}

/// Returns one of so many parts of the scenarios, long and short ones mixed, so that each part can
/// have its own thread and connections.
pub fn part(scenarios: Vec<Scenario>, number: usize, of: usize) -> Vec<Scenario> {
    scenarios.into_iter().skip(number).step_by(of).collect()
}

/// Fails with the failures.
#[track_caller]
pub fn assert_none(failures: &[InterleavingFailure]) {
    assert!(
        failures.is_empty(),
        "{} scenarios failed, of which the first:\n{}",
        failures.len(),
        failures[0]
    );
}
