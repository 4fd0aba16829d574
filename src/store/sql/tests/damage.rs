use rusqlite::Connection;

use super::{CODE, LIFETIMES, NOW, approved_grant, database};
use crate::domain::ClientProof;
use crate::store::GrantStore;
use crate::store::sql::SqlStore;

#[tokio::test]
async fn a_damaged_row_is_an_error_and_nothing_comes_of_it() {
    for damage in ["scopes = 'no scope'", "client_id = 'somebody'", "subject_role = 'KING'", "scopes = CAST(x'ff' AS TEXT)"] {
        let (_folder, path) = database();
        let store = SqlStore::sqlite(&path).unwrap();
        let grant = approved_grant(&store).await;
        Connection::open(&path).unwrap().execute_batch(&format!("UPDATE grants SET {damage}")).unwrap();
        let error = store.redeem_authorization_code(&CODE, ClientProof::Pkce, LIFETIMES, NOW).await.unwrap_err();
        assert!(!error.is_unavailable());
        assert!(!store.grant_is_live(&grant, NOW).await.unwrap(), "{damage} left a redeemed grant");
    }
}

#[tokio::test]
async fn a_challenge_that_lost_its_value_does_not_pass_for_none() {
    let (_folder, path) = database();
    let store = SqlStore::sqlite(&path).unwrap();
    approved_grant(&store).await;
    Connection::open(&path).unwrap().execute_batch("UPDATE grants SET challenge_method = 'S256'").unwrap();
    assert!(store.code_binding(&CODE).await.is_err());
}
