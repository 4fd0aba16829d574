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
    let told: Vec<_> =
        calls.iter().map(|call| (call, calls.iter().any(|other| !std::ptr::eq(call, other) && call.is_beside(other)))).collect();
    explained(model, &told)
}

/// The same, for calls of which it is known whether each ran beside another.
fn explained(model: &Model, calls: &[(&Call, bool)]) -> Vec<Model> {
    if calls.is_empty() {
        return vec![model.clone()];
    }
    let mut states = Vec::new();
    for (index, (next, is_beside)) in calls.iter().enumerate() {
        let mut others = calls.to_vec();
        others.remove(index);
        if others.iter().any(|(other, _)| other.ended < next.began) {
            continue;
        }
        for state in next.leaves(model, *is_beside) {
            for explained in explained(&state, &others) {
                if !states.contains(&explained) {
                    states.push(explained);
                }
            }
        }
    }
    states
}

impl Call {
    fn is_beside(&self, other: &Self) -> bool {
        self.began <= other.ended && other.began <= self.ended
    }

    /// The states that it may have left; none when its outcome is wrong.
    fn leaves(&self, model: &Model, is_beside: bool) -> Vec<Model> {
        let (outcome, states) = if is_beside {
            model.beside_others(self.operation)
        } else {
            let mut state = model.clone();
            (state.apply(self.operation), vec![state])
        };
        if outcome == self.outcome { states } else { Vec::new() }
    }
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
