//! Searches of a store with one planted fault.

use std::sync::Arc;

use lyceum::testing::crash_points::{CrashFailure, CrashSearch};
use lyceum::testing::interleavings::{
    InterleavingFailure, Nodes, Operation, Scenario, SearchLimits, pairs, replay, single_calls,
};

use crate::broken::{BrokenStore, Fault, Shared};
use crate::report::report;
use crate::search::{explore_all, is_long_run, part};

pub fn nodes(fault: Fault) -> Nodes {
    let shared = Arc::new(Shared::default());
    let (locks, mut opened) = (shared.clone(), 0);
    let nodes = Nodes::new(move |gate| {
        opened += 1;
        Arc::new(BrokenStore {
            shared: shared.clone(),
            fault,
            gate,
            node: opened - 1,
        })
    });
    match fault {
        Fault::LocksInOneOrder | Fault::LocksInTwoOrders => {
            nodes.with_lock_probe(move |call, others| {
                let is_blocked = locks.locks.is_blocked(call, &others);
                async move { is_blocked }
            })
        }
        _ => nodes,
    }
}

/// Crashes each operation of a faulty store, and returns the failures.
pub fn half_done(fault: Fault) -> Vec<CrashFailure> {
    let shared = Arc::new(Shared::default());
    let crash_search = CrashSearch::new(move |gate| {
        Arc::new(BrokenStore {
            shared: shared.clone(),
            fault,
            gate,
            node: 0,
        })
    });
    let found: Vec<_> = single_calls()
        .iter()
        .filter_map(|scenario| crash_search.explore(scenario).err())
        .map(|found| *found)
        .collect();
    found
        .iter()
        .take(1)
        .for_each(|found| println!("{fault:?}: {found}"));
    found
}

/// Returns the pairs in which the fault shows, among those with an involved call. A long run searches
/// every pair, and a short one some of the others.
pub fn found_with(
    fault: Fault,
    is_involved: impl Fn(&Operation) -> bool,
) -> Vec<InterleavingFailure> {
    let (mut searched, others): (Vec<_>, Vec<_>) = pairs()
        .into_iter()
        .partition(|pair| pair.calls.iter().any(&is_involved));
    searched.extend(part(others, 0, if is_long_run() { 1 } else { 10 }));
    found_in("pairs", &searched, fault)
}

/// Fails if the fault shows in a pair without an involved call.
pub fn found_only_with(fault: Fault, is_involved: impl Fn(&Operation) -> bool) {
    for failure in found_with(fault, &is_involved) {
        assert!(failure.scenario.calls.iter().any(&is_involved), "{failure}");
    }
}

/// Returns the scenarios in which the fault shows. The first failure must repeat when its schedule is
/// replayed.
pub fn found_in(kind: &str, scenarios: &[Scenario], fault: Fault) -> Vec<InterleavingFailure> {
    let nodes = nodes(fault);
    let failures = explore_all(
        &format!("{fault:?}"),
        kind,
        &nodes,
        scenarios,
        SearchLimits::EXHAUSTIVE,
    );
    let first = failures
        .first()
        .unwrap_or_else(|| panic!("{fault:?} was not found"));
    report(
        "interleavings",
        format!("{fault:?} is found in {} {kind}", failures.len()),
    );
    println!("first in\n{first}");
    let again = replay(&nodes, &first.scenario, &first.schedule).unwrap_err();
    assert_eq!(
        (&again.reason, &again.schedule),
        (&first.reason, &first.schedule)
    );
    failures
}

pub fn approves(call: &Operation) -> bool {
    matches!(
        call,
        Operation::Approve { .. }
            | Operation::ApproveAndRemember { .. }
            | Operation::ApproveFromConsent { .. }
            | Operation::ApproveCapped { .. }
    )
}

pub fn changes_the_directory(call: &Operation) -> bool {
    use Operation::*;
    matches!(
        call,
        PutClub { .. }
            | RemoveClub { .. }
            | PutStudent { .. }
            | RemoveStudent { .. }
            | PutClubAndStudent { .. }
            | PutProject { .. }
            | RemoveProject { .. }
            | PutNeis { .. }
            | RemoveNeis { .. }
    )
}

/// Retains the scenarios that change the directory.
pub fn of_the_directory(mut scenarios: Vec<Scenario>) -> Vec<Scenario> {
    scenarios.retain(|scenario| scenario.calls.iter().any(changes_the_directory));
    scenarios
}
