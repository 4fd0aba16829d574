#[path = "../../../tests/support/logins/mod.rs"]
#[allow(unreachable_pub, reason = "test programs share it")]
mod logins;

use logins::{LOGINS_PER_BATCH, RowCounts, STEADY_AFTER, simulate_login};

use super::MemoryStore;
use super::lock::read_lock;

impl MemoryStore {
    fn rows(&self) -> RowCounts {
        let (sessions, grants, user_sessions) = read_lock(&self.grants).len();
        RowCounts {
            sessions: sessions as u64,
            user_sessions: user_sessions as u64,
            grants: grants as u64,
            api_keys: read_lock(&self.api_keys).len() as u64,
            rate_limits: read_lock(&self.rate_limits).len() as u64,
            signing_keys: read_lock(&self.signing_keys).len() as u64,
        }
    }
}

// Proves: threats 42
/// Fails if sessions or grants are not swept.
#[tokio::test]
async fn over_a_year_of_logins_leaves_the_rows_that_are_needed() {
    let (store, mut flat) = (MemoryStore::new(), None);
    for number in 0..100_000 {
        simulate_login(&store, number).await.unwrap();
        if (number + 1) % (100 * LOGINS_PER_BATCH) == 0 {
            let (rows, so_far) = (store.rows(), number + 1);
            println!("after {so_far:>6} logins: {rows:?}");
            rows.assert_as_expected(so_far);
            if so_far >= STEADY_AFTER {
                rows.assert_not_grown_since(flat.get_or_insert(rows));
            }
        }
    }
}
