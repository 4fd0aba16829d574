use std::collections::HashSet;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use super::nodes::Nodes;
use super::run::{Trace, run};
use super::schedule::Schedule;
use super::story::{Failure, Story};

/// How far a search goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// As many interleavings of one story are tried in order. Where there are no more, all have been tried.
    pub in_order: usize,
    /// As many more are drawn where there are more; those that are drawn twice, or were tried in order, do not count.
    pub drawn: usize,
    /// What the draw begins with.
    pub seed: u64,
}

impl Extent {
    /// Every interleaving, however many there are.
    pub const EVERY: Self = Self { in_order: usize::MAX, drawn: 0, seed: 0 };
}

/// How far a search went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Explored {
    /// How many stories were told.
    pub stories: usize,
    /// Of how many of them every interleaving was tried.
    pub exhausted: usize,
    /// How many interleavings were tried.
    pub interleavings: usize,
}

impl std::ops::AddAssign for Explored {
    fn add_assign(&mut self, other: Self) {
        self.stories += other.stories;
        self.exhausted += other.exhausted;
        self.interleavings += other.interleavings;
    }
}

/// Tells a story in the orders of its steps, each from fresh records.
///
/// # Errors
/// With the first run that is wrong, also when a call cannot move where the same steps let it move before: such a store does not move the
/// same way twice, and nobody can say which orders were tried.
///
/// # Panics
/// When the story has more than three calls.
pub fn explore(nodes: &Nodes, story: &Story, extent: Extent) -> Result<Explored, Box<Failure>> {
    let mut explored = Explored { stories: 1, ..Explored::default() };
    let mut plan = Vec::new();
    while explored.interleavings < extent.in_order {
        let trace = run_one(nodes, story, &mut |step, movable| planned(&plan, step, movable))?;
        if !trace.chosen.starts_with(&plan) {
            return Err(Box::new(strayed(story, plan, trace)));
        }
        explored.interleavings += 1;
        match next(trace) {
            Some(following) => plan = following,
            None => return Ok(Explored { exhausted: 1, ..explored }),
        }
    }
    let mut dice = ChaCha8Rng::seed_from_u64(extent.seed);
    // Those in order came before the plan, and what is drawn twice is no other one.
    let mut drawn = HashSet::new();
    for _ in 0..extent.drawn {
        let trace = run_one(nodes, story, &mut |_, movable| movable[dice.next_u32() as usize % movable.len()])?;
        if trace.chosen >= plan && drawn.insert(trace.chosen) {
            explored.interleavings += 1;
        }
    }
    Ok(explored)
}

/// The plan took its steps from a run before, so a store that moves the same way each time can always follow it.
fn strayed(story: &Story, plan: Vec<usize>, trace: Trace) -> Failure {
    let (plan, schedule) = (Schedule(plan), Schedule(trace.chosen));
    let fault = format!("this store does not move the same way twice: {plan} was planned, as it had moved before, and it went {schedule}");
    Failure { story: story.clone(), schedule, fault }
}

/// Tells a story in one order of its steps, such as that of a [`Failure`]. Where the schedule ends, or names a call that cannot move, the
/// first one that can does.
///
/// # Errors
/// When the run is wrong.
///
/// # Panics
/// When the story has more than three calls.
pub fn replay(nodes: &Nodes, story: &Story, schedule: &Schedule) -> Result<(), Box<Failure>> {
    run_one(nodes, story, &mut |step, movable| planned(&schedule.0, step, movable)).map(drop)
}

fn run_one(nodes: &Nodes, story: &Story, choose: &mut dyn FnMut(usize, &[usize]) -> usize) -> Result<Trace, Box<Failure>> {
    nodes.drive(run(nodes, story, choose)).map_err(Box::new)
}

fn planned(plan: &[usize], step: usize, movable: &[usize]) -> usize {
    plan.get(step).copied().filter(|call| movable.contains(call)).unwrap_or(movable[0])
}

/// The schedule after this one, depth first: the last step at which a later call could have moved, and that one moves.
fn next(trace: Trace) -> Option<Vec<usize>> {
    let Trace { mut chosen, movable } = trace;
    while let Some(last) = chosen.pop() {
        if let Some(later) = movable[chosen.len()].iter().find(|call| **call > last) {
            chosen.push(*later);
            return Some(chosen);
        }
    }
    None
}
