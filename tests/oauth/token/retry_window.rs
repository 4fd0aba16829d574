use lyceum::domain::{ClientPolicy, Timestamp};
use lyceum::http::Clock;
use proptest::prelude::*;

use super::world::*;

const WINDOW: i64 = 30;

/// What happens: the clock moves by some seconds, now and then backwards, or somebody presents one of the tokens seen so far, counted from
/// the newest.
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

/// What should be: the tokens in order of issue, when the newest one came to be, and whether the grant still lives.
struct Model {
    tokens: Vec<String>,
    rotated_at: Timestamp,
    is_live: bool,
}

/// Fails if a repetition begins the window anew, or the token before the last one is repeated too.
#[test]
fn s06_the_retry_window_neither_forks_the_chain_nor_slides() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let world = runtime.block_on(World::new());
    let client = runtime.block_on(world.client(ClientPolicy::Public));
    proptest!(ProptestConfig::with_cases(200), |(steps in steps())| {
        runtime.block_on(async {
            let first = world.tokens(&client).await.refresh;
            let mut model = Model { tokens: vec![first], rotated_at: world.clock.now(), is_live: true };
            for step in steps {
                match step {
                    Step::Move(seconds) => world.clock.set(Timestamp::from_seconds(world.clock.now().seconds() + seconds)),
                    Step::Present(back) => present(&world, &client, &mut model, back).await?,
                }
            }
            Ok::<(), TestCaseError>(())
        })?;
    });
}

async fn present(world: &World, client: &TestClient, model: &mut Model, back: usize) -> Result<(), TestCaseError> {
    let now = world.clock.now();
    let at = model.tokens.len().saturating_sub(back + 1);
    let age = model.tokens.len() - 1 - at;
    let is_within_window = now.seconds() <= model.rotated_at.seconds() + WINDOW;
    let answer = world.refresh(client, &model.tokens[at]).await;
    match (model.is_live, age) {
        (true, 0) => {
            let successor = answer.tokens().refresh;
            prop_assert!(!model.tokens.contains(&successor));
            model.tokens.push(successor);
            model.rotated_at = now;
        }
        (true, 1) if is_within_window => prop_assert_eq!(Some(&answer.tokens().refresh), model.tokens.last()),
        _ => {
            prop_assert_eq!(answer.error(), error(400, "invalid_grant"));
            model.is_live = false;
        }
    }
    Ok(())
}
