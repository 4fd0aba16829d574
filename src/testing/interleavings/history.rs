use super::model::{Model, OperationOutcome};
use super::operation::Operation;

/// Completed call of a scenario: its steps and its outcome.
#[derive(Debug, Clone)]
pub(super) struct CompletedCall {
    pub(super) operation: Operation,
    /// Step at which it began.
    pub(super) first_step: usize,
    /// Step at which it ended.
    pub(super) last_step: usize,
    pub(super) outcome: OperationOutcome,
}

/// Returns the states that some sequential order of the calls leaves. The order must keep calls in
/// sequence that did not overlap, and must give exactly these outcomes. There is no state when the
/// history is wrong.
pub(super) fn linearizations(model: &Model, calls: &[CompletedCall]) -> Vec<Model> {
    let marked: Vec<_> = calls
        .iter()
        .map(|call| {
            (
                call,
                calls
                    .iter()
                    .any(|other| !std::ptr::eq(call, other) && call.overlaps(other)),
            )
        })
        .collect();
    linearize(model, &marked)
}

/// Same as [`linearizations`], with the calls marked that overlapped another.
fn linearize(model: &Model, calls: &[(&CompletedCall, bool)]) -> Vec<Model> {
    if calls.is_empty() {
        return vec![model.clone()];
    }
    let mut states = Vec::new();
    for (index, (next, overlaps)) in calls.iter().enumerate() {
        let mut others = calls.to_vec();
        others.remove(index);
        if others
            .iter()
            .any(|(other, _)| other.last_step < next.first_step)
        {
            continue;
        }
        for state in next.resulting_states(model, *overlaps) {
            for linearized in linearize(&state, &others) {
                if !states.contains(&linearized) {
                    states.push(linearized);
                }
            }
        }
    }
    states
}

impl CompletedCall {
    fn overlaps(&self, other: &Self) -> bool {
        self.first_step <= other.last_step && other.first_step <= self.last_step
    }

    /// Returns the states that the call may have left; none when its outcome is wrong.
    fn resulting_states(&self, model: &Model, overlaps: bool) -> Vec<Model> {
        let (outcome, states) = if overlaps {
            model.apply_concurrently(self.operation)
        } else {
            let mut state = model.clone();
            (state.apply(self.operation), vec![state])
        };
        if outcome == self.outcome {
            states
        } else {
            Vec::new()
        }
    }
}

/// Returns the states in which these operations, one after the other, have these outcomes.
pub(in crate::testing) fn consistent_states(
    mut states: Vec<Model>,
    answers: &[(Operation, OperationOutcome)],
) -> Vec<Model> {
    states.retain_mut(|state| {
        answers
            .iter()
            .all(|(operation, outcome)| state.apply(*operation) == *outcome)
    });
    states
}

#[cfg(test)]
mod tests {
    use super::*;

    const REDEEM: Operation = Operation::Redeem { grant: 1, at: 1 };

    fn approved() -> Model {
        let mut model = Model::default();
        model.apply(Operation::OpenSession { session: 1, at: 0 });
        model.apply(Operation::SignIn {
            session: 1,
            replacement: 2,
            subject: 1,
            at: 0,
        });
        model.apply(Operation::Approve {
            session: 2,
            grant: 1,
            at: 0,
        });
        model
    }

    fn call(
        operation: Operation,
        first_step: usize,
        last_step: usize,
        outcome: OperationOutcome,
    ) -> CompletedCall {
        CompletedCall {
            operation,
            first_step,
            last_step,
            outcome,
        }
    }

    #[test]
    fn two_winners_have_no_explanation() {
        let won = approved().apply(REDEEM);
        let lost = OperationOutcome::AlreadyRedeemed { at: 1 };
        assert_eq!(
            linearizations(
                &approved(),
                &[
                    call(REDEEM, 0, 2, won.clone()),
                    call(REDEEM, 1, 3, won.clone())
                ]
            ),
            []
        );
        assert_eq!(
            linearizations(
                &approved(),
                &[call(REDEEM, 0, 2, lost), call(REDEEM, 1, 3, won)]
            )
            .len(),
            1
        );
    }

    #[test]
    fn a_call_that_ended_comes_before_one_that_began_later() {
        let (won, lost) = (
            approved().apply(REDEEM),
            OperationOutcome::AlreadyRedeemed { at: 1 },
        );
        assert_eq!(
            linearizations(
                &approved(),
                &[call(REDEEM, 0, 1, lost), call(REDEEM, 2, 3, won)]
            ),
            []
        );
    }
}
