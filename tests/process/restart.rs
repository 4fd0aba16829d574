use crate::grants::{Outcome, WebClient, issue_codes};
use crate::test_database::{TestDatabase, on_each_database};

on_each_database!(tokens_refused_before_a_restart_are_refused_after_it);

// Proves: threats 5
async fn tokens_refused_before_a_restart_are_refused_after_it(database: TestDatabase) {
    let (server, ready) = database.ready();
    let codes = issue_codes(&database, &ready, 2).await;
    let client = WebClient::from_ready_line(&ready);
    // Used twice, so that the first token is older than the one that may be retried.
    let first = client.exchange(&codes[0]).await.unwrap().token();
    let second = client.refresh(&first).await.unwrap().token();
    let third = client.refresh(&second).await.unwrap().token();
    let replayed = client.exchange(&codes[1]).await.unwrap().token();
    assert_eq!(
        client.exchange(&codes[1]).await,
        Some(Outcome::InvalidGrant)
    );
    server.stop();

    let (server, ready) = database.ready();
    let client = WebClient::from_ready_line(&ready);
    assert_eq!(
        client.refresh(&replayed).await,
        Some(Outcome::InvalidGrant),
        "a revoked grant is live again"
    );
    for code in &codes[1..] {
        assert_eq!(
            client.exchange(code).await,
            Some(Outcome::InvalidGrant),
            "a redeemed code is valid again"
        );
    }
    let fourth = client.refresh(&third).await.unwrap().token();
    server.kill();

    let (server, ready) = database.ready();
    let client = WebClient::from_ready_line(&ready);
    assert_eq!(
        client.refresh(&first).await,
        Some(Outcome::InvalidGrant),
        "an old token is valid again"
    );
    assert_eq!(
        client.refresh(&fourth).await,
        Some(Outcome::InvalidGrant),
        "a used token did not end its grant"
    );
    server.kill();

    let (server, ready) = database.ready();
    assert_eq!(
        WebClient::from_ready_line(&ready).refresh(&fourth).await,
        Some(Outcome::InvalidGrant),
        "a revoked grant is live again"
    );
    server.stop();
}
