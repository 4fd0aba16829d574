use super::model::{Model, Outcome};
use super::operation::Operation;

/// A call of a story as it went: between which steps, and what came of it.
#[derive(Debug, Clone)]
pub(super) struct Call {
    pub(super) operation: Operation,
    /// The step with which it began.
    pub(super) began: usize,
    /// The step with which it ended.
    pub(super) ended: usize,
    pub(super) outcome: Outcome,
}

/// The states that some order of the calls leaves, of those that keep the order of calls of which one ended before the other began, and that
/// give exactly these outcomes. There is none when the history is wrong.
pub(super) fn explanations(model: &Model, calls: &[Call]) -> Vec<Model> {
    if calls.is_empty() {
        return vec![model.clone()];
    }
    let mut states = Vec::new();
    for (index, next) in calls.iter().enumerate() {
        let others: Vec<Call> = calls.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, call)| call.clone()).collect();
        if others.iter().any(|other| other.ended < next.began) {
            continue;
        }
        let mut state = model.clone();
        if state.apply(next.operation) == next.outcome {
            for explained in explanations(&state, &others) {
                if !states.contains(&explained) {
                    states.push(explained);
                }
            }
        }
    }
    states
}

/// The states in which these operations, one after the other, have these outcomes.
pub(in crate::testing) fn consistent(mut states: Vec<Model>, answers: &[(Operation, Outcome)]) -> Vec<Model> {
    states.retain_mut(|state| answers.iter().all(|(operation, outcome)| state.apply(*operation) == *outcome));
    states
}

#[cfg(test)]
mod tests {
    use super::*;

    const REDEEM: Operation = Operation::Redeem { grant: 1, at: 1 };

    fn approved() -> Model {
        let mut model = Model::default();
        model.apply(Operation::OpenSession { session: 1, at: 0 });
        model.apply(Operation::SignIn { session: 1, replacement: 2, subject: 1, at: 0 });
        model.apply(Operation::Approve { session: 2, grant: 1, at: 0 });
        model
    }

    fn call(operation: Operation, began: usize, ended: usize, outcome: Outcome) -> Call {
        Call { operation, began, ended, outcome }
    }

    #[test]
    fn two_winners_have_no_explanation() {
        let won = approved().apply(REDEEM);
        let lost = Outcome::AlreadyRedeemed { at: 1 };
        assert_eq!(explanations(&approved(), &[call(REDEEM, 0, 2, won.clone()), call(REDEEM, 1, 3, won.clone())]), []);
        assert_eq!(explanations(&approved(), &[call(REDEEM, 0, 2, lost), call(REDEEM, 1, 3, won)]).len(), 1);
    }

    #[test]
    fn a_call_that_ended_comes_before_one_that_began_later() {
        let (won, lost) = (approved().apply(REDEEM), Outcome::AlreadyRedeemed { at: 1 });
        assert_eq!(explanations(&approved(), &[call(REDEEM, 0, 1, lost), call(REDEEM, 2, 3, won)]), []);
    }
}
