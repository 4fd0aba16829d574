//! A year of key rotations on three nodes over one store, with verifiers that cache the published
//! keys as long as allowed.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use http::Request;
use lyceum::crypto::{Entropy, InvalidToken, TokenVerifier};
use lyceum::domain::{ClientPolicy, KeyId, SigningAlgorithm, SigningKeyRecord, Timestamp};
use lyceum::http::Body;
use lyceum::http::auth_server::AuthServer;
use lyceum::store::memory::MemoryStore;
use lyceum::store::sql::SqlStore;
use lyceum::store::{AuthStorage, SigningKeyRevocation, TokenLifetimes};
use lyceum::testing::{ManualClock, SeededEntropy};
use serde_json::Value;
use tower::ServiceExt;

use super::harness::*;
use crate::postgres_server::needs_postgres;
use crate::stores::{new_schema, open_schema};

const MINUTE: i64 = 60;
const DAY: i64 = 24 * 60 * MINUTE;
const ROTATE_EVERY: i64 = 30 * DAY;
/// The minimum that a host may set, without a margin.
const PUBLISH_AHEAD: i64 = 10 * MINUTE;
/// The maximum that a host may set.
const TOKEN: i64 = DAY;
const CACHED: i64 = 5 * MINUTE;
const REFRESH: i64 = MINUTE;
/// Offsets of clocks from the true time: a minute between the extremes.
const OFFSETS: [i64; 3] = [-30, 0, 30];

// Proves: threats 39
/// Fails if a key signs as soon as it is generated, if a retired one is removed before its last
/// token has expired or without the margin for clock skew, or if nodes do not reload.
#[tokio::test]
async fn a_year_of_rotations_on_three_nodes_fails_no_valid_token_and_no_retired_key_signs() {
    simulate_year(Arc::new(MemoryStore::new()), 1, 365 * DAY).await;
}

// Proves: threats 39
/// Fails by the same faults, except for the margin, which only the whole year shows.
#[tokio::test]
async fn a_season_of_rotations_on_sqlite_fails_no_valid_token_and_no_retired_key_signs() {
    let folder = tempfile::tempdir().unwrap();
    simulate_year(
        Arc::new(SqlStore::sqlite(folder.path().join("school.db")).unwrap()),
        3,
        100 * DAY,
    )
    .await;
}

// Proves: threats 39
#[tokio::test]
async fn a_season_of_rotations_on_postgres_fails_no_valid_token_and_no_retired_key_signs() {
    needs_postgres!();
    simulate_year(Arc::new(open_schema(&new_schema()).await), 3, 100 * DAY).await;
}

async fn simulate_year(store: Arc<dyn AuthStorage>, seed: u64, length: i64) {
    let mut year = YearSimulation::begin(store, seed).await;
    let (end, emergency) = (START.seconds() + length, START.seconds() + length / 2);
    while year.now < end {
        year.pass_time().await;
        if year.now >= emergency && year.revoked.is_none() {
            year.revoke_the_active_key().await;
        }
        if year.one_in(50) {
            year.restart_a_node().await;
        }
        year.issue().await;
        for verifier in 0..OFFSETS.len() {
            year.verify(verifier).await;
        }
        year.rows_stay_few().await;
    }
    assert!(
        i64::try_from(year.sequences.len()).unwrap() >= length / ROTATE_EVERY,
        "keys were made: {}",
        year.sequences.len()
    );
    assert!(
        year.verified > 1_000 && year.refused > 0,
        "{} tokens held, {} of a revoked key did not",
        year.verified,
        year.refused
    );
}

struct YearSimulation {
    harness: Harness,
    client: TestClient,
    refresh_token: String,
    nodes: Vec<(AuthServer, ManualClock)>,
    verifiers: Vec<Verifier>,
    tokens: Vec<Issued>,
    rng: SeededEntropy,
    now: i64,
    /// End of the period in which time advances by seconds.
    busy_until: i64,
    /// Sequence of every key that ever existed.
    sequences: HashMap<String, i64>,
    revoked: Option<(String, i64)>,
    verified: usize,
    refused: usize,
}

struct Verifier {
    keys: TokenVerifier,
    fetched_at: i64,
    offset: i64,
}

#[derive(Clone)]
struct Issued {
    token: String,
    key: String,
    expires_at: i64,
    node: usize,
}

impl YearSimulation {
    async fn begin(store: Arc<dyn AuthStorage>, seed: u64) -> Self {
        let harness = Harness::with_store(store.clone(), settings).await;
        let client = harness.client(ClientPolicy::Public).await;
        let refresh_token = harness.tokens(&client).await.refresh;
        let mut nodes = Vec::new();
        for offset in OFFSETS {
            let clock = ManualClock::new(Timestamp::from_seconds(START.seconds() + offset));
            nodes.push((node(&harness, &clock).await, clock));
        }
        let empty = || TokenVerifier::new(&serde_json::from_str(r#"{"keys":[]}"#).unwrap());
        let verifiers = OFFSETS
            .iter()
            .map(|offset| Verifier {
                keys: empty(),
                fetched_at: 0,
                offset: *offset,
            })
            .collect();
        Self {
            harness,
            client,
            refresh_token,
            nodes,
            verifiers,
            tokens: Vec::new(),
            rng: SeededEntropy::new(seed),
            now: START.seconds(),
            busy_until: START.seconds() + 20 * MINUTE,
            sequences: HashMap::new(),
            revoked: None,
            verified: 0,
            refused: 0,
        }
    }

    /// Advances by hours, but not past a time at which a key is generated, starts to sign, or is
    /// removed. Around these times, and occasionally, advances by seconds.
    async fn pass_time(&mut self) {
        let keys = self.keys().await;
        let moments = keys.iter().flat_map(|key| {
            let made = key.created_at.seconds();
            [
                made,
                made + PUBLISH_AHEAD,
                made + PUBLISH_AHEAD + TOKEN,
                made + ROTATE_EVERY,
            ]
        });
        let next = moments.filter(|moment| *moment - MINUTE > self.now).min();
        if keys
            .iter()
            .any(|key| !self.sequences.contains_key(key.id.as_str()))
        {
            self.busy_until = self.now + 20 * MINUTE;
        }
        self.sequences
            .extend(keys.iter().map(|key| (key.id.to_string(), key.sequence)));
        if self.now >= self.busy_until {
            let hours = self.now + DAY / 4 + self.random_below(DAY / 2);
            let is_moment = next.is_some_and(|next| next - MINUTE <= hours);
            self.now = if is_moment {
                next.unwrap_or(hours) - MINUTE
            } else {
                hours
            };
            self.busy_until = self.now + if is_moment { 20 * MINUTE } else { MINUTE };
        }
        self.now += 1 + self.random_below(40);
        self.harness.clock.set(Timestamp::from_seconds(self.now));
        for ((_, clock), offset) in self.nodes.iter().zip(OFFSETS) {
            clock.set(Timestamp::from_seconds(self.now + offset));
        }
    }

    async fn issue(&mut self) {
        let node = self.any_node();
        let request = refresh_fields(&self.client, &self.refresh_token).as_form();
        let answer = ask(&self.nodes[node].0, request).await;
        let text = |name: &str| {
            answer[name]
                .as_str()
                .unwrap_or_else(|| panic!("{answer}"))
                .to_owned()
        };
        self.refresh_token = text("refresh_token");
        let token = text("access_token");
        let (key, expires_at) = (key_of(&token), expiry(&token));
        let issued = Issued {
            token,
            key,
            expires_at,
            node,
        };
        self.may_sign(&issued).await;
        self.tokens.push(issued);
    }

    /// Asserts that no key signs before its time, after it, or after its revocation has reached the
    /// node.
    async fn may_sign(&self, issued: &Issued) {
        let (keys, now) = (self.keys().await, self.now + OFFSETS[issued.node]);
        if let Some((revoked, at)) = &self.revoked
            && *revoked == issued.key
        {
            assert!(
                self.now < at + REFRESH && issued.node != 0,
                "a revoked key signs on node {}",
                issued.node
            );
            return;
        }
        let key = keys
            .iter()
            .find(|key| key.id.as_str() == issued.key)
            .expect("the key is stored");
        let has_been_published =
            |key: &SigningKeyRecord| key.created_at.seconds() + PUBLISH_AHEAD <= now;
        let is_newer =
            |other: &&SigningKeyRecord| other.sequence > key.sequence && other.revoked_at.is_none();
        let successor = keys
            .iter()
            .find(|other| is_newer(other) && has_been_published(other));
        assert!(
            successor.is_none(),
            "key {} has retired and signs at {now}: {keys:?}",
            key.sequence
        );
        // The first key, or the one after a revoked key.
        let is_alone = keys
            .iter()
            .rfind(|other| other.sequence < key.sequence)
            .is_none_or(|before| before.revoked_at.is_some());
        assert!(
            has_been_published(key) || is_alone,
            "key {} signs before it is known at {now}: {keys:?}",
            key.sequence
        );
    }

    /// Another service verifies the newest token, the oldest, and one in between.
    async fn verify(&mut self, verifier: usize) {
        let now = self.now + self.verifiers[verifier].offset;
        self.tokens
            .retain(|issued| issued.expires_at > self.now - MINUTE);
        if now >= self.verifiers[verifier].fetched_at + CACHED {
            let node = self.any_node();
            self.fetch(verifier, node).await;
        }
        let between = usize::try_from(self.random_below(self.tokens.len() as i64)).unwrap();
        for place in [0, between, self.tokens.len() - 1] {
            let issued = self.tokens[place].clone();
            let verdict = |year: &Self| {
                year.verifiers[verifier]
                    .keys
                    .verify::<Value>(&issued.token, Timestamp::from_seconds(now))
                    .err()
            };
            match (verdict(self), &self.revoked) {
                (None, Some((key, at))) if *key == issued.key => {
                    assert!(
                        self.now < at + REFRESH + CACHED + MINUTE,
                        "a revoked key is trusted for too long"
                    );
                }
                (Some(InvalidToken::UnknownKey), Some((key, _))) if *key == issued.key => {
                    self.refused += 1
                }
                (Some(InvalidToken::UnknownKey), Some((_, at)))
                    if self.now < at + REFRESH + CACHED + MINUTE =>
                {
                    // The key was generated after a revocation. A service that meets an unknown key
                    // fetches the key set again.
                    self.fetch(verifier, issued.node).await;
                    assert_eq!(
                        verdict(self),
                        None,
                        "{} of node {}",
                        issued.key,
                        issued.node
                    );
                }
                (None, _) => self.verified += 1,
                (Some(error), _) => assert_eq!(
                    error,
                    InvalidToken::Expired,
                    "{} of node {} at {now}",
                    issued.key,
                    issued.node
                ),
            }
        }
    }

    async fn fetch(&mut self, verifier: usize, node: usize) {
        let request = Request::get("/v1/oauth/jwk-set")
            .body(Body::empty())
            .unwrap();
        let keys = ask(&self.nodes[node].0, request).await;
        assert!(
            (1..=2).contains(&keys["keys"].as_array().unwrap().len()),
            "{keys}"
        );
        let verifier = &mut self.verifiers[verifier];
        verifier.keys = TokenVerifier::new(&serde_json::from_value(keys).unwrap());
        verifier.fetched_at = self.now + verifier.offset;
    }

    async fn revoke_the_active_key(&mut self) {
        let key = self.tokens.last().unwrap().key.clone();
        let id: KeyId = key.parse().unwrap();
        assert_eq!(
            self.nodes[0].0.revoke_signing_key(&id).await.unwrap(),
            SigningKeyRevocation::Revoked
        );
        self.revoked = Some((key, self.now));
        self.busy_until = self.now + 20 * MINUTE;
    }

    async fn restart_a_node(&mut self) {
        let place = self.any_node();
        self.nodes[place].0 = node(&self.harness, &self.nodes[place].1).await;
    }

    async fn rows_stay_few(&self) {
        let keys = self.keys().await;
        assert!(keys.len() <= 3, "{keys:?}");
    }

    async fn keys(&self) -> Vec<SigningKeyRecord> {
        self.harness.store.signing_keys().await.unwrap()
    }

    fn any_node(&self) -> usize {
        usize::try_from(self.random_below(self.nodes.len() as i64)).unwrap()
    }

    fn one_in(&self, of: i64) -> bool {
        self.random_below(of) == 0
    }

    /// A random number below this one.
    fn random_below(&self, below: i64) -> i64 {
        i64::from(u32::from_be_bytes((&self.rng as &dyn Entropy).bytes())) % below
    }
}

async fn node(harness: &Harness, clock: &ManualClock) -> AuthServer {
    let builder = AuthServer::builder(
        harness.store.clone(),
        ISSUER,
        lyceum::testing::master_key(3),
    )
    .clock(Arc::new(clock.clone()))
    .authenticator(harness.users.clone())
    .signing_algorithm(SigningAlgorithm::Es256);
    settings(builder).build().await.unwrap()
}

fn settings(
    builder: lyceum::http::auth_server::AuthServerBuilder,
) -> lyceum::http::auth_server::AuthServerBuilder {
    let seconds = |length: i64| Duration::from_secs(length.unsigned_abs());
    let for_ever = TokenLifetimes {
        idle: seconds(2 * 365 * DAY),
        absolute: seconds(2 * 365 * DAY),
        retry_window: Duration::ZERO,
    };
    builder
        .signing_key_rotation(seconds(ROTATE_EVERY), seconds(PUBLISH_AHEAD))
        .access_token_lifetime(seconds(TOKEN))
        .refresh_lifetimes(for_ever)
}

async fn ask(server: &AuthServer, request: Request<Body>) -> Value {
    let answer = server.clone().oneshot(request).await.unwrap();
    serde_json::from_slice(answer.body().as_bytes()).unwrap()
}

fn key_of(token: &str) -> String {
    part(token, 0)["kid"].as_str().unwrap().to_owned()
}

fn expiry(token: &str) -> i64 {
    part(token, 1)["exp"].as_i64().unwrap()
}

fn part(token: &str, number: usize) -> Value {
    use base64ct::Encoding;
    let part = token.split('.').nth(number).unwrap();
    serde_json::from_slice(&base64ct::Base64UrlUnpadded::decode_vec(part).unwrap()).unwrap()
}
