//! One run of a story: exactly one call moves at a time, from one boundary to the next.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;

use super::accounts::somebody_else_administers;
use super::handle::Handle;
use super::history::{Call, consistent, explanations};
use super::model::{Model, Outcome};
use super::names::Names;
use super::nodes::{self, Node, Nodes};
use super::operation::Operation;
use super::schedule::Schedule;
use super::story::{Failure, Story};
use crate::store::StorageError;

/// What a run did at each step: who moved, and who could have.
#[derive(Debug, Default)]
pub(super) struct Trace {
    pub(super) chosen: Vec<usize>,
    pub(super) movable: Vec<Vec<usize>>,
}

/// Runs a story. At each step `choose` picks one of the calls that can move.
pub(super) async fn run(nodes: &Nodes, story: &Story, choose: &mut dyn FnMut(usize, &[usize]) -> usize) -> Result<Trace, Failure> {
    let names = nodes.names();
    let outcome = run_as(names, nodes, story, choose).await;
    match nodes.observer().tidy(story, names).await {
        Err(error) if outcome.is_ok() => Err(failure(story, &Trace::default(), format!("after the calls, the directory failed: {error}"))),
        _ => outcome,
    }
}

fn failure(story: &Story, trace: &Trace, fault: String) -> Failure {
    Failure { story: story.clone(), schedule: Schedule(trace.chosen.clone()), fault }
}

async fn run_as(names: Names, nodes: &Nodes, story: &Story, choose: &mut dyn FnMut(usize, &[usize]) -> usize) -> Result<Trace, Failure> {
    let mut trace = Trace::default();
    let failure = |trace: &Trace, fault: String| failure(story, trace, fault);
    let mut model = Model::default();
    if let Err(error) = somebody_else_administers(nodes.observer().store()).await {
        return Err(failure(&trace, format!("before the calls, an account could not be made: {error}")));
    }
    for operation in &story.start {
        let (outcome, right) = (answer(nodes.observer(), *operation, names).await, model.apply(*operation));
        if outcome != right {
            return Err(failure(&trace, format!("before the calls, {operation:?} came to {outcome:?}, not {right:?}")));
        }
    }
    let mut calls = Vec::new();
    for (at, call) in story.calls.iter().enumerate() {
        match nodes.observer().beside(Arc::clone(&nodes.node(at).store), story).await {
            Ok(handle) => calls.push(Moving::new(nodes.node(at), handle, nodes::Call { node: at, operation: *call }, names)),
            Err(error) => return Err(failure(&trace, format!("before the calls, the directory failed: {error}"))),
        }
    }
    while calls.iter().any(|call| call.ended.is_none()) {
        let movable: Vec<usize> = (0..calls.len()).filter(|call| calls[*call].state == State::AtBoundary).collect();
        if movable.is_empty() {
            return Err(failure(&trace, format!("the calls wait for each other:{}", listed(calls.iter().map(Moving::told)))));
        }
        let step = trace.chosen.len();
        let chosen = choose(step, &movable);
        trace.chosen.push(chosen);
        trace.movable.push(movable);
        calls[chosen].began.get_or_insert(step);
        calls[chosen].state = State::Moving;
        nodes.node(chosen).turn.let_pass();
        settle(nodes, &mut calls, step).await;
    }
    let history: Vec<Call> = calls.iter().filter_map(Moving::history).collect();
    drop(calls);
    let states = explanations(&model, &history);
    let calls = history.iter().map(|call| format!("{:?} came to {:?}", call.operation, call.outcome));
    if states.is_empty() {
        return Err(failure(&trace, format!("no order of the calls explains their outcomes:{}", listed(calls))));
    }
    let after = answers(nodes.observer(), &story.after, names).await;
    if consistent(states, &after).is_empty() {
        let after = after.iter().map(|(operation, outcome)| format!("afterwards {operation:?} came to {outcome:?}"));
        return Err(failure(&trace, format!("the outcomes are right, the state is not:{}", listed(calls.chain(after)))));
    }
    Ok(trace)
}

/// What the operations come to, one after the other.
pub(in crate::testing) async fn answers(handle: &Handle, operations: &[Operation], names: Names) -> Vec<(Operation, Outcome)> {
    let mut answers = Vec::new();
    for operation in operations {
        answers.push((*operation, answer(handle, *operation, names).await));
    }
    answers
}

pub(in crate::testing) async fn answer(handle: &Handle, operation: Operation, names: Names) -> Outcome {
    outcome(operation.call(handle, names).await)
}

/// What cannot be answered is an outcome that no model has.
fn outcome(answer: Result<Outcome, StorageError>) -> Outcome {
    answer.unwrap_or_else(|error| {
        let cause = std::error::Error::source(&error).map(|cause| format!(": {cause}")).unwrap_or_default();
        Outcome::Failed(format!("{error}{cause}"))
    })
}

/// A call on its way.
struct Moving<'a> {
    call: nodes::Call,
    node: &'a Node,
    future: Pin<Box<dyn Future<Output = Result<Outcome, StorageError>> + Send + 'a>>,
    state: State,
    began: Option<usize>,
    ended: Option<(usize, Outcome)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// It can be let go on. One that has not begun can, too.
    AtBoundary,
    /// It was let go on, and is on its way or waits for another's lock.
    Moving,
    Ended,
}

impl<'a> Moving<'a> {
    fn new(node: &'a Node, handle: Handle, call: nodes::Call, names: Names) -> Self {
        let future = Box::pin(async move { call.operation.call(&handle, names).await });
        Self { call, node, future, state: State::AtBoundary, began: None, ended: None }
    }

    fn history(&self) -> Option<Call> {
        let (ended, outcome) = self.ended.clone()?;
        Some(Call { operation: self.call.operation, began: self.began?, ended, outcome })
    }

    fn told(&self) -> String {
        format!("{:?} {:?}", self.call.operation, self.state)
    }
}

/// When a run is given up, what waits goes on and ends by itself.
impl Drop for Moving<'_> {
    fn drop(&mut self) {
        self.node.turn.free();
    }
}

/// Waits until every call that was let go on is at its next boundary, has ended, or is held up by another's lock.
async fn settle(nodes: &Nodes, calls: &mut [Moving<'_>], step: usize) {
    let mut rounds = 0;
    loop {
        let must_wait = !nodes.has_probe();
        poll_fn(|context| {
            let mut moved = false;
            for call in calls.iter_mut().filter(|call| call.state == State::Moving) {
                if let Poll::Ready(answer) = call.future.as_mut().poll(context) {
                    call.ended = Some((step, outcome(answer)));
                    call.state = State::Ended;
                    moved = true;
                } else if call.node.turn.is_waiting(context) {
                    call.state = State::AtBoundary;
                    moved = true;
                }
            }
            if must_wait && !moved { Poll::Pending } else { Poll::Ready(()) }
        })
        .await;
        let (mut still, mut on_the_way): (Vec<_>, Vec<_>) = calls
            .iter()
            .filter(|call| call.began.is_some() && call.state != State::Ended)
            .map(|call| (call.state, call.call))
            .partition(|(state, _)| *state == State::AtBoundary);
        // Who waits for one that stands still stands still too, so the answers stay true while the next is asked.
        while let Some(blocked) = first_blocked(nodes, &on_the_way, &still).await {
            still.push(on_the_way.remove(blocked));
        }
        if on_the_way.is_empty() {
            return;
        }
        rounds = if all_wait_for_each_other(nodes, &on_the_way).await { rounds + 1 } else { 0 };
        if rounds == CERTAIN {
            return;
        }
        if !must_wait {
            let_others_run().await;
        }
    }
}

/// How often in a row calls must be found waiting for each other. Two that take locks for a moment may each be seen waiting for the other,
/// at different moments; what is so in round after round is a deadlock.
const CERTAIN: usize = 20;

type Standing = (State, nodes::Call);

/// The first of these calls that waits for one of the others.
async fn first_blocked(nodes: &Nodes, calls: &[Standing], others: &[Standing]) -> Option<usize> {
    for (index, (_, call)) in calls.iter().enumerate() {
        if nodes.is_blocked(*call, others.iter().map(|(_, other)| *other).collect()).await {
            return Some(index);
        }
    }
    None
}

async fn all_wait_for_each_other(nodes: &Nodes, calls: &[Standing]) -> bool {
    for (_, call) in calls {
        let others = calls.iter().map(|(_, other)| *other).filter(|other| other != call).collect();
        if !nodes.is_blocked(*call, others).await {
            return false;
        }
    }
    true
}

/// Lets the threads and tasks of the store go on before they are asked about again.
async fn let_others_run() {
    std::thread::yield_now();
    let mut is_first = true;
    poll_fn(|context| {
        if !std::mem::take(&mut is_first) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

fn listed(lines: impl Iterator<Item = String>) -> String {
    lines.map(|line| format!("\n    {line}")).collect()
}
