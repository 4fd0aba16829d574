use super::MemoryStore;
use super::lock::reading;
use crate::testing::logins::{AT_A_TIME, FLAT_FROM, Rows, login};

impl MemoryStore {
    fn rows(&self) -> Rows {
        let (sessions, grants, user_sessions) = reading(&self.grants).len();
        Rows {
            sessions: sessions as u64,
            user_sessions: user_sessions as u64,
            grants: grants as u64,
            api_keys: reading(&self.api_keys).len() as u64,
            rate_limits: reading(&self.rates).len() as u64,
            signing_keys: reading(&self.keys).len() as u64,
        }
    }
}

/// Fails if sessions or grants are not swept.
#[tokio::test]
async fn s42_over_a_year_of_logins_leaves_the_rows_that_are_needed() {
    let (store, mut flat) = (MemoryStore::new(), None);
    for number in 0..100_000 {
        login(&store, number).await.unwrap();
        if (number + 1) % (100 * AT_A_TIME) == 0 {
            let (rows, so_far) = (store.rows(), number + 1);
            println!("after {so_far:>6} logins: {rows:?}");
            rows.assert_no_more_than_needed(so_far);
            if so_far >= FLAT_FROM {
                rows.assert_not_grown_since(flat.get_or_insert(rows));
            }
        }
    }
}
