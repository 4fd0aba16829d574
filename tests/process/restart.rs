use crate::grants::{Outcome, WebClient, issue_codes};
use crate::place::{Place, on_each_database};

on_each_database!(s05_what_was_refused_before_a_restart_is_refused_after_it);

async fn s05_what_was_refused_before_a_restart_is_refused_after_it(place: Place) {
    let (server, ready) = place.ready();
    let codes = issue_codes(&place, &ready, 2).await;
    let client = WebClient::of(&ready);
    // Used twice, so that the first token is older than the one that may be tried again.
    let first = client.exchange(&codes[0]).await.unwrap().token();
    let second = client.refresh(&first).await.unwrap().token();
    let third = client.refresh(&second).await.unwrap().token();
    let replayed = client.exchange(&codes[1]).await.unwrap().token();
    assert_eq!(client.exchange(&codes[1]).await, Some(Outcome::InvalidGrant));
    server.stop();

    let (server, ready) = place.ready();
    let client = WebClient::of(&ready);
    assert_eq!(client.refresh(&replayed).await, Some(Outcome::InvalidGrant), "a revoked grant lives again");
    for code in &codes[1..] {
        assert_eq!(client.exchange(code).await, Some(Outcome::InvalidGrant), "a spent code lives again");
    }
    let fourth = client.refresh(&third).await.unwrap().token();
    server.kill();

    let (server, ready) = place.ready();
    let client = WebClient::of(&ready);
    assert_eq!(client.refresh(&first).await, Some(Outcome::InvalidGrant), "an old token lives again");
    assert_eq!(client.refresh(&fourth).await, Some(Outcome::InvalidGrant), "a used token did not end its grant");
    server.kill();

    let (server, ready) = place.ready();
    assert_eq!(WebClient::of(&ready).refresh(&fourth).await, Some(Outcome::InvalidGrant), "a revoked grant lives again");
    server.stop();
}
