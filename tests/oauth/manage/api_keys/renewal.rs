//! Renewal of keys, and the overlap with earlier values.

use super::*;

// Proves: spec 2.12
#[tokio::test]
async fn a_renewed_key_keeps_all_but_its_value_and_the_old_one_goes_on_for_a_day() {
    let keys = ApiKeyHarness::new().await;
    let made = keys
        .management
        .post(
            &keys.management.owner,
            PATH,
            with(api_key(), "hiddenFields", json!(["EMAIL", "SEX"])),
        )
        .await;
    keys.management
        .harness
        .clock
        .advance(Duration::from_secs(10 * DAY));
    let renewed = keys.renew(&made["id"], json!({})).await;
    assert_ne!(renewed["key"], made["key"]);
    let mut expected = with(made.clone(), "key", renewed["key"].clone());
    for (name, value) in [
        ("hint", renewed["hint"].clone()),
        ("expiresAt", json!(after(&keys, 30 * DAY))),
        (
            "previousValues",
            json!([{"hint": made["hint"], "worksUntil": after(&keys, DAY)}]),
        ),
    ] {
        expected = with(expected, name, value);
    }
    assert_eq!(renewed, expected);
    assert_eq!(renewed["hiddenFields"], json!(["SEX", "EMAIL"]));
    let until = Some(
        keys.management
            .harness
            .clock
            .now()
            .plus(Duration::from_secs(DAY))
            .to_string(),
    );
    assert_eq!(
        (
            keys.call(&made["key"]).await,
            keys.call(&renewed["key"]).await
        ),
        ((200, until), (200, None)),
        "each value has its own expiry"
    );
    keys.management
        .harness
        .clock
        .advance(Duration::from_secs(DAY - 1));
    assert!(keys.is_valid(&made["key"]).await && keys.is_valid(&renewed["key"]).await);
    keys.management
        .harness
        .clock
        .advance(Duration::from_secs(1));
    assert!(!keys.is_valid(&made["key"]).await && keys.is_valid(&renewed["key"]).await);
    let token = keys.owner().await;
    assert_eq!(
        keys.management.get(&token, PATH).await["apiKeys"][0]["previousValues"],
        json!([]),
        "the old value has expired"
    );
}

/// Fails if a second renewal stops a program that still uses the first value.
#[tokio::test]
async fn a_second_renewal_keeps_the_value_in_production_alive() {
    let keys = ApiKeyHarness::new().await;
    let made = keys.key().await;
    let first = keys
        .renew(&made["id"], json!({"overlapSeconds": 7 * DAY}))
        .await;
    let week = after(&keys, 7 * DAY);
    keys.management
        .harness
        .clock
        .advance(Duration::from_secs(DAY));
    let second = keys.renew(&made["id"], json!({})).await;
    let previous = [(&made, week), (&first, after(&keys, DAY))];
    assert_eq!(
        second["previousValues"],
        Value::from_iter(previous.map(|(of, end)| json!({"hint": of["hint"], "worksUntil": end})))
    );
    for (value, ends) in [(&made, week), (&first, after(&keys, DAY))] {
        let told = Some(lyceum::domain::Timestamp::from_seconds(ends).to_string());
        assert_eq!(
            keys.call(&value["key"]).await,
            (200, told),
            "each value reports its own expiry"
        );
    }
    keys.management
        .harness
        .clock
        .advance(Duration::from_secs(DAY));
    assert_eq!(
        [
            keys.is_valid(&made["key"]).await,
            keys.is_valid(&first["key"]).await
        ],
        [true, false]
    );
    keys.management
        .harness
        .clock
        .advance(Duration::from_secs(5 * DAY - 1));
    assert!(keys.is_valid(&made["key"]).await);
    keys.management
        .harness
        .clock
        .advance(Duration::from_secs(1));
    assert_eq!(
        [
            keys.is_valid(&made["key"]).await,
            keys.is_valid(&second["key"]).await
        ],
        [false, true]
    );
}

#[tokio::test]
async fn a_key_with_five_values_that_work_is_renewed_only_without_an_overlap() {
    let keys = ApiKeyHarness::new().await;
    let made = keys.key().await;
    for _ in 0..4 {
        keys.renew(&made["id"], json!({})).await;
    }
    let (token, path) = (
        keys.owner().await,
        format!("{PATH}/{}/renew", text(&made["id"])),
    );
    let answer = keys
        .management
        .ask(&token, Method::POST, &path, Some(json!({})))
        .await;
    assert_eq!(refusal(&answer), refused(409, "too_many_key_values", ""));
    assert!(
        keys.is_valid(&made["key"]).await,
        "no value is revoked implicitly"
    );
    let renewed = keys.renew(&made["id"], json!({"overlapSeconds": 0})).await;
    assert_eq!(renewed["previousValues"].as_array().unwrap().len(), 4);
    assert!(keys.is_valid(&made["key"]).await && keys.is_valid(&renewed["key"]).await);
}

/// Fails if each value of a key has a separate rate limit.
#[tokio::test]
async fn all_values_of_a_key_are_under_one_limit() {
    let keys = ApiKeyHarness::new().await;
    let body = with(api_key(), "rateLimit", json!(2));
    let made = keys
        .management
        .post(&keys.management.admin, PATH, body)
        .await;
    let renewed = keys
        .management
        .post(
            &keys.management.admin,
            &format!("{PATH}/{}/renew", text(&made["id"])),
            json!({}),
        )
        .await;
    let calls = [
        keys.call(&made["key"]).await.0,
        keys.call(&renewed["key"]).await.0,
        keys.call(&made["key"]).await.0,
    ];
    assert_eq!(calls, [200, 200, 429]);
}

// Proves: spec 2.12
#[tokio::test]
async fn the_overlap_is_chosen_and_never_outlives_the_old_value() {
    let keys = ApiKeyHarness::new().await;
    for (overlap, works_until) in [
        (json!(0), None),
        (json!(60), Some(60)),
        (json!(30 * DAY), Some(20 * DAY)),
    ] {
        let made = keys.key().await;
        keys.management
            .harness
            .clock
            .advance(Duration::from_secs(10 * DAY));
        let renewed = keys
            .renew(&made["id"], json!({"overlapSeconds": overlap}))
            .await;
        let previous = works_until
            .map(|seconds| json!({"hint": made["hint"], "worksUntil": after(&keys, seconds)}));
        assert_eq!(
            renewed["previousValues"],
            Value::Array(previous.into_iter().collect())
        );
        assert_eq!(
            keys.is_valid(&made["key"]).await,
            works_until.is_some(),
            "{overlap}"
        );
    }
    let made = keys.key().await;
    let token = keys.owner().await;
    for wrong in [
        json!(30 * DAY + 1),
        json!(-1),
        json!("60"),
        json!(1.5),
        json!(null),
    ] {
        let body = Some(format!(r#"{{"overlapSeconds":{wrong}}}"#));
        let answer = keys
            .management
            .send(
                &token,
                Method::POST,
                &format!("{PATH}/{}/renew", text(&made["id"])),
                body,
            )
            .await;
        assert_eq!(
            refusal(&answer),
            refused(400, "field_invalid", "overlapSeconds"),
            "{wrong}"
        );
    }
    assert!(
        keys.is_valid(&made["key"]).await,
        "a refused renewal changes nothing"
    );
}

// Proves: spec 2.12
#[tokio::test]
async fn an_expired_key_is_listed_and_can_be_renewed() {
    let keys = ApiKeyHarness::new().await;
    let made = keys.key().await;
    keys.management
        .harness
        .clock
        .advance(Duration::from_secs(31 * DAY));
    let token = keys.owner().await;
    assert_eq!(
        keys.management.get(&token, PATH).await["apiKeys"][0]["id"],
        made["id"]
    );
    let renewed = keys.renew(&made["id"], json!({})).await;
    assert_eq!(renewed["previousValues"], json!([]));
    assert!(
        keys.is_valid(&renewed["key"]).await && !keys.is_valid(&made["key"]).await,
        "the old value stays invalid"
    );
}
