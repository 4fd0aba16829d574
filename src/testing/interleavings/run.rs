//! One run of a scenario: exactly one call moves at a time, from one boundary to the next.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;

use super::accounts::create_other_administrator;
use super::history::{CompletedCall, consistent_states, linearizations};
use super::model::{Model, OperationOutcome};
use super::nodes::{self, Node, Nodes};
use super::operation::Operation;
use super::run_ids::RunIds;
use super::scenario::{InterleavingFailure, Scenario};
use super::schedule::Schedule;
use super::store_handle::StoreHandle;
use crate::store::StorageError;

/// Steps of a run: the call that moved and the calls that could have.
#[derive(Debug, Default)]
pub(super) struct Trace {
    pub(super) chosen: Vec<usize>,
    pub(super) runnable: Vec<Vec<usize>>,
}

/// Runs a scenario. At each step `choose` picks one of the calls that can move.
pub(super) async fn run(
    nodes: &Nodes,
    scenario: &Scenario,
    choose: &mut dyn FnMut(usize, &[usize]) -> usize,
) -> Result<Trace, InterleavingFailure> {
    let ids = nodes.ids();
    let outcome = run_as(ids, nodes, scenario, choose).await;
    match nodes.observer().clean_up(scenario, ids).await {
        Err(error) if outcome.is_ok() => Err(failure(
            scenario,
            &Trace::default(),
            format!("after the calls, the directory failed: {error}"),
        )),
        _ => outcome,
    }
}

fn failure(scenario: &Scenario, trace: &Trace, reason: String) -> InterleavingFailure {
    InterleavingFailure {
        scenario: scenario.clone(),
        schedule: Schedule(trace.chosen.clone()),
        reason,
    }
}

async fn run_as(
    ids: RunIds,
    nodes: &Nodes,
    scenario: &Scenario,
    choose: &mut dyn FnMut(usize, &[usize]) -> usize,
) -> Result<Trace, InterleavingFailure> {
    let mut trace = Trace::default();
    let failure = |trace: &Trace, reason: String| failure(scenario, trace, reason);
    let mut model = Model::default();
    if let Err(error) = create_other_administrator(nodes.observer().store()).await {
        return Err(failure(
            &trace,
            format!("before the calls, an account could not be created: {error}"),
        ));
    }
    for operation in &scenario.setup {
        let (outcome, expected) = (
            answer(nodes.observer(), *operation, ids).await,
            model.apply(*operation),
        );
        if outcome != expected {
            return Err(failure(
                &trace,
                format!("before the calls, {operation:?} came to {outcome:?}, not {expected:?}"),
            ));
        }
    }
    let mut calls = Vec::new();
    for (index, call) in scenario.calls.iter().enumerate() {
        match nodes
            .observer()
            .open_peer(Arc::clone(&nodes.node(index).store), scenario)
            .await
        {
            Ok(handle) => calls.push(RunningCall::new(
                nodes.node(index),
                handle,
                nodes::ActiveCall {
                    node: index,
                    operation: *call,
                },
                ids,
            )),
            Err(error) => {
                return Err(failure(
                    &trace,
                    format!("before the calls, the directory failed: {error}"),
                ));
            }
        }
    }
    while calls.iter().any(|call| call.ended.is_none()) {
        let runnable: Vec<usize> = (0..calls.len())
            .filter(|call| calls[*call].state == CallState::AtBoundary)
            .collect();
        if runnable.is_empty() {
            return Err(failure(
                &trace,
                format!(
                    "the calls wait for each other:{}",
                    listed(calls.iter().map(RunningCall::describe))
                ),
            ));
        }
        let step = trace.chosen.len();
        let chosen = choose(step, &runnable);
        trace.chosen.push(chosen);
        trace.runnable.push(runnable);
        calls[chosen].first_step.get_or_insert(step);
        calls[chosen].state = CallState::Running;
        nodes.node(chosen).gate.allow_step();
        settle(nodes, &mut calls, step).await;
    }
    let history: Vec<CompletedCall> = calls.iter().filter_map(RunningCall::history).collect();
    drop(calls);
    let states = linearizations(&model, &history);
    let calls = history
        .iter()
        .map(|call| format!("{:?} came to {:?}", call.operation, call.outcome));
    if states.is_empty() {
        return Err(failure(
            &trace,
            format!(
                "no order of the calls explains their outcomes:{}",
                listed(calls)
            ),
        ));
    }
    let after = answers(nodes.observer(), &scenario.checks, ids).await;
    if consistent_states(states, &after).is_empty() {
        let after = after
            .iter()
            .map(|(operation, outcome)| format!("afterwards {operation:?} came to {outcome:?}"));
        return Err(failure(
            &trace,
            format!(
                "the outcomes are right, the state is not:{}",
                listed(calls.chain(after))
            ),
        ));
    }
    Ok(trace)
}

/// Runs the operations one after the other and returns their outcomes.
pub(in crate::testing) async fn answers(
    handle: &StoreHandle,
    operations: &[Operation],
    ids: RunIds,
) -> Vec<(Operation, OperationOutcome)> {
    let mut answers = Vec::new();
    for operation in operations {
        answers.push((*operation, answer(handle, *operation, ids).await));
    }
    answers
}

pub(in crate::testing) async fn answer(
    handle: &StoreHandle,
    operation: Operation,
    ids: RunIds,
) -> OperationOutcome {
    outcome(operation.call(handle, ids).await)
}

/// Converts a failed call to an outcome that no model has.
fn outcome(answer: Result<OperationOutcome, StorageError>) -> OperationOutcome {
    answer.unwrap_or_else(|error| {
        let cause = std::error::Error::source(&error)
            .map(|cause| format!(": {cause}"))
            .unwrap_or_default();
        OperationOutcome::Failed(format!("{error}{cause}"))
    })
}

/// Call in progress.
struct RunningCall<'a> {
    call: nodes::ActiveCall,
    node: &'a Node,
    future: Pin<Box<dyn Future<Output = Result<OperationOutcome, StorageError>> + Send + 'a>>,
    state: CallState,
    first_step: Option<usize>,
    ended: Option<(usize, OperationOutcome)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CallState {
    /// Can be allowed to move; also a call that has not begun.
    AtBoundary,
    /// Was allowed to move, and is running or waits for another call's lock.
    Running,
    Ended,
}

impl<'a> RunningCall<'a> {
    fn new(node: &'a Node, handle: StoreHandle, call: nodes::ActiveCall, ids: RunIds) -> Self {
        let future = Box::pin(async move { call.operation.call(&handle, ids).await });
        Self {
            call,
            node,
            future,
            state: CallState::AtBoundary,
            first_step: None,
            ended: None,
        }
    }

    fn history(&self) -> Option<CompletedCall> {
        let (last_step, outcome) = self.ended.clone()?;
        Some(CompletedCall {
            operation: self.call.operation,
            first_step: self.first_step?,
            last_step,
            outcome,
        })
    }

    fn describe(&self) -> String {
        format!("{:?} {:?}", self.call.operation, self.state)
    }
}

/// Opens the gate when a run is abandoned, so that waiting calls complete.
impl Drop for RunningCall<'_> {
    fn drop(&mut self) {
        self.node.gate.open();
    }
}

/// Waits until every call that was allowed to move is at its next boundary, has ended, or waits for
/// another call's lock.
async fn settle(nodes: &Nodes, calls: &mut [RunningCall<'_>], step: usize) {
    let mut rounds = 0;
    loop {
        let must_wait = !nodes.has_probe();
        poll_fn(|context| {
            let mut moved = false;
            for call in calls
                .iter_mut()
                .filter(|call| call.state == CallState::Running)
            {
                if let Poll::Ready(answer) = call.future.as_mut().poll(context) {
                    call.ended = Some((step, outcome(answer)));
                    call.state = CallState::Ended;
                    moved = true;
                } else if call.node.gate.is_at_boundary(context) {
                    call.state = CallState::AtBoundary;
                    moved = true;
                }
            }
            if must_wait && !moved {
                Poll::Pending
            } else {
                Poll::Ready(())
            }
        })
        .await;
        let (mut still, mut on_the_way): (Vec<_>, Vec<_>) = calls
            .iter()
            .filter(|call| call.first_step.is_some() && call.state != CallState::Ended)
            .map(|call| (call.state, call.call))
            .partition(|(state, _)| *state == CallState::AtBoundary);
        // A call that waits for a blocked call is blocked too, so the results hold while the next
        // call is probed.
        while let Some(blocked) = first_blocked(nodes, &on_the_way, &still).await {
            still.push(on_the_way.remove(blocked));
        }
        if on_the_way.is_empty() {
            return;
        }
        rounds = if is_deadlock(nodes, &on_the_way).await {
            rounds + 1
        } else {
            0
        };
        if rounds == DEADLOCK_ROUNDS {
            return;
        }
        if !must_wait {
            yield_once().await;
        }
    }
}

/// Number of consecutive rounds in which calls must be found waiting for each other. Two calls with
/// short locks may each be seen waiting for the other at different moments; only a deadlock
/// persists.
const DEADLOCK_ROUNDS: usize = 20;

type PendingCall = (CallState, nodes::ActiveCall);

/// Returns the first of these calls that waits for one of the others.
async fn first_blocked(
    nodes: &Nodes,
    calls: &[PendingCall],
    others: &[PendingCall],
) -> Option<usize> {
    for (index, (_, call)) in calls.iter().enumerate() {
        if nodes
            .is_blocked(*call, others.iter().map(|(_, other)| *other).collect())
            .await
        {
            return Some(index);
        }
    }
    None
}

async fn is_deadlock(nodes: &Nodes, calls: &[PendingCall]) -> bool {
    for (_, call) in calls {
        let others = calls
            .iter()
            .map(|(_, other)| *other)
            .filter(|other| other != call)
            .collect();
        if !nodes.is_blocked(*call, others).await {
            return false;
        }
    }
    true
}

/// Lets the threads and tasks of the store run before the next probe.
async fn yield_once() {
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
