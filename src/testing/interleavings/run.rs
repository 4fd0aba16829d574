//! One run of a story: exactly one call moves at a time, from one boundary to the next.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

use super::history::{Call, consistent, explanations};
use super::model::{Model, Outcome};
use super::names::Names;
use super::nodes::{self, Node, Nodes};
use super::operation::Operation;
use super::schedule::Schedule;
use super::story::{Failure, Story};
use crate::store::{Storage, StorageError};

/// What a run did at each step: who moved, and who could have.
#[derive(Debug, Default)]
pub(super) struct Trace {
    pub(super) chosen: Vec<usize>,
    pub(super) movable: Vec<Vec<usize>>,
}

/// Runs a story. At each step `choose` picks one of the calls that can move.
pub(super) async fn run(nodes: &Nodes, story: &Story, choose: &mut dyn FnMut(usize, &[usize]) -> usize) -> Result<Trace, Failure> {
    let names = nodes.names();
    let mut trace = Trace::default();
    let failure = |trace: &Trace, fault: String| Failure { story: story.clone(), schedule: Schedule(trace.chosen.clone()), fault };
    let mut model = Model::default();
    for operation in &story.start {
        let (outcome, right) = (answer(nodes.observer(), *operation, names).await, model.apply(*operation));
        if outcome != right {
            return Err(failure(&trace, format!("before the calls, {operation:?} came to {outcome:?}, not {right:?}")));
        }
    }
    let mut calls: Vec<_> = story.calls.iter().enumerate().map(|(at, call)| Moving::new(nodes.node(at), at, *call, names)).collect();
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
pub(in crate::testing) async fn answers(store: &dyn Storage, operations: &[Operation], names: Names) -> Vec<(Operation, Outcome)> {
    let mut answers = Vec::new();
    for operation in operations {
        answers.push((*operation, answer(store, *operation, names).await));
    }
    answers
}

pub(in crate::testing) async fn answer(store: &dyn Storage, operation: Operation, names: Names) -> Outcome {
    outcome(operation.call(store, names).await)
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
    fn new(node: &'a Node, number: usize, operation: Operation, names: Names) -> Self {
        let call = nodes::Call { node: number, operation };
        let future = Box::pin(operation.call(&*node.store, names));
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
        let on_the_way: Vec<nodes::Call> = calls.iter().filter(|call| call.state == State::Moving).map(|call| call.call).collect();
        let mut all_are_blocked = true;
        for call in &on_the_way {
            let begun = calls.iter().filter(|other| other.began.is_some() && other.state != State::Ended).map(|other| other.call);
            let others = begun.filter(|other| other != call).collect();
            all_are_blocked = all_are_blocked && nodes.is_blocked(*call, others).await;
        }
        if all_are_blocked {
            return;
        }
        if !must_wait {
            let_others_run().await;
        }
    }
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
