use lyceum::domain::{ClientPolicy, Timestamp};
use lyceum::http::Clock;
use proptest::prelude::*;

use super::harness::*;

const WINDOW: i64 = 30;

/// A step: the clock moves by some seconds, occasionally backwards, or one of the tokens seen so
/// far is presented, counted from the newest.
#[derive(Debug, Clone)]
enum Step {
    Move(i64),
    Present(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        (-5..=20_i64).prop_map(Step::Move),
        Just(Step::Move(31)),
        Just(Step::Present(0)),
        Just(Step::Present(1)),
        (0..4_usize).prop_map(Step::Present),
    ];
    prop::collection::vec(step, 1..25)
}

/// Expected state: the tokens in order of issue, the time of the newest, and whether the grant is
/// live.
struct Model {
    tokens: Vec<String>,
    rotated_at: Timestamp,
    is_live: bool,
}

// Proves: threats 6
/// Fails if a repetition restarts the window, or the token before the previous one is repeated too.
#[test]
fn the_retry_window_neither_forks_the_chain_nor_slides() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let harness = runtime.block_on(Harness::new());
    let client = runtime.block_on(harness.client(ClientPolicy::Public));
    proptest!(ProptestConfig::with_cases(200), |(steps in steps())| {
        runtime.block_on(async {
            let first = harness.tokens(&client).await.refresh;
            let mut model = Model { tokens: vec![first], rotated_at: harness.clock.now(), is_live: true };
            for step in steps {
                match step {
                    Step::Move(seconds) => harness.clock.set(Timestamp::from_seconds(harness.clock.now().seconds() + seconds)),
                    Step::Present(back) => present(&harness, &client, &mut model, back).await?,
                }
            }
            Ok::<(), TestCaseError>(())
        })?;
    });
}

async fn present(
    harness: &Harness,
    client: &TestClient,
    model: &mut Model,
    back: usize,
) -> Result<(), TestCaseError> {
    let now = harness.clock.now();
    let at = model.tokens.len().saturating_sub(back + 1);
    let age = model.tokens.len() - 1 - at;
    let is_within_window = now.seconds() <= model.rotated_at.seconds() + WINDOW;
    let answer = harness.refresh(client, &model.tokens[at]).await;
    match (model.is_live, age) {
        (true, 0) => {
            let successor = answer.tokens().refresh;
            prop_assert!(!model.tokens.contains(&successor));
            model.tokens.push(successor);
            model.rotated_at = now;
        }
        (true, 1) if is_within_window => {
            prop_assert_eq!(Some(&answer.tokens().refresh), model.tokens.last())
        }
        _ => {
            prop_assert_eq!(answer.error(), error(400, "invalid_grant"));
            model.is_live = false;
        }
    }
    Ok(())
}
