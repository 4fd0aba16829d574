use std::collections::HashSet;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use super::nodes::Nodes;
use super::run::{Trace, run};
use super::scenario::{InterleavingFailure, Scenario};
use super::schedule::Schedule;

/// Limits of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchLimits {
    /// Number of interleavings of one scenario that are tried in depth-first order. A scenario with
    /// no more than these is searched exhaustively.
    pub systematic: usize,
    /// Number of interleavings that are drawn at random if there are more. Those drawn twice, or
    /// already tried in order, do not count.
    pub random: usize,
    /// Seed of the random draws.
    pub seed: u64,
}

impl SearchLimits {
    /// Tries every interleaving, however many there are.
    pub const EXHAUSTIVE: Self = Self {
        systematic: usize::MAX,
        random: 0,
        seed: 0,
    };
}

/// Result of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SearchReport {
    /// Number of scenarios that were run.
    pub scenarios: usize,
    /// Number of scenarios whose interleavings were all tried.
    pub exhausted: usize,
    /// Number of interleavings that were tried.
    pub interleavings: usize,
}

impl std::ops::AddAssign for SearchReport {
    fn add_assign(&mut self, other: Self) {
        self.scenarios += other.scenarios;
        self.exhausted += other.exhausted;
        self.interleavings += other.interleavings;
    }
}

/// Runs a scenario in the orders of its steps, each from fresh records.
///
/// # Errors
/// Returns the first run that is wrong. A call that cannot move where the same steps let it move
/// before is an error too: the store is not deterministic, so the search could not say which orders
/// it tried.
///
/// # Panics
/// When the scenario has more than three calls.
pub fn explore(
    nodes: &Nodes,
    scenario: &Scenario,
    limits: SearchLimits,
) -> Result<SearchReport, Box<InterleavingFailure>> {
    let mut report = SearchReport {
        scenarios: 1,
        ..SearchReport::default()
    };
    let mut plan = Vec::new();
    while report.interleavings < limits.systematic {
        let trace = run_one(nodes, scenario, &mut |step, runnable| {
            planned_call(&plan, step, runnable)
        })?;
        if !trace.chosen.starts_with(&plan) {
            return Err(Box::new(nondeterministic(scenario, plan, trace)));
        }
        report.interleavings += 1;
        match next_schedule(trace) {
            Some(following) => plan = following,
            None => {
                return Ok(SearchReport {
                    exhausted: 1,
                    ..report
                });
            }
        }
    }
    let mut rng = ChaCha8Rng::seed_from_u64(limits.seed);
    // Schedules before `plan` were tried in order, and repeated draws do not count.
    let mut drawn = HashSet::new();
    for _ in 0..limits.random {
        let trace = run_one(nodes, scenario, &mut |_, runnable| {
            runnable[rng.next_u32() as usize % runnable.len()]
        })?;
        if trace.chosen >= plan && drawn.insert(trace.chosen) {
            report.interleavings += 1;
        }
    }
    Ok(report)
}

/// Reports that a plan taken from an earlier run could not be followed. A deterministic store can
/// always follow it.
fn nondeterministic(scenario: &Scenario, plan: Vec<usize>, trace: Trace) -> InterleavingFailure {
    let (plan, schedule) = (Schedule(plan), Schedule(trace.chosen));
    let reason = format!(
        "this store is not deterministic: it could not follow {plan} as in an earlier run, and went {schedule}"
    );
    InterleavingFailure {
        scenario: scenario.clone(),
        schedule,
        reason,
    }
}

/// Runs a scenario in one order of its steps, such as that of an [`InterleavingFailure`]. Where the
/// schedule has ended, or names a call that cannot move, the first call that can move does.
///
/// # Errors
/// When the run is wrong.
///
/// # Panics
/// When the scenario has more than three calls.
pub fn replay(
    nodes: &Nodes,
    scenario: &Scenario,
    schedule: &Schedule,
) -> Result<(), Box<InterleavingFailure>> {
    run_one(nodes, scenario, &mut |step, runnable| {
        planned_call(&schedule.0, step, runnable)
    })
    .map(drop)
}

fn run_one(
    nodes: &Nodes,
    scenario: &Scenario,
    choose: &mut dyn FnMut(usize, &[usize]) -> usize,
) -> Result<Trace, Box<InterleavingFailure>> {
    nodes
        .execute(run(nodes, scenario, choose))
        .map_err(Box::new)
}

fn planned_call(plan: &[usize], step: usize, runnable: &[usize]) -> usize {
    plan.get(step)
        .copied()
        .filter(|call| runnable.contains(call))
        .unwrap_or(runnable[0])
}

/// Returns the next schedule, depth first: it differs at the last step at which a later call could
/// have moved.
fn next_schedule(trace: Trace) -> Option<Vec<usize>> {
    let Trace {
        mut chosen,
        runnable,
    } = trace;
    while let Some(last) = chosen.pop() {
        if let Some(later) = runnable[chosen.len()].iter().find(|call| **call > last) {
            chosen.push(*later);
            return Some(chosen);
        }
    }
    None
}
