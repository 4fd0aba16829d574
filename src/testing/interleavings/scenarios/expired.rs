//! Rows that have expired, or nearly so, and are swept by one call while another still uses them.

use super::{ScenarioGroup, approved, redeemed, signed_in, with};
use crate::testing::interleavings::operation::Operation::*;

const DAY: i64 = 24 * 60 * 60;

pub(super) fn scenario_groups() -> Vec<ScenarioGroup> {
    let idled = 1_000 + DAY;
    vec![
        sessions(660),
        sessions(659),
        grants(idled),
        grants(idled - 1),
        api_keys(1 + 90 * DAY),
        api_keys(90 * DAY),
        rates(),
    ]
}

/// A session that expired at 600, and nodes whose clocks are behind.
fn sessions(at: i64) -> ScenarioGroup {
    ScenarioGroup {
        states: vec![("a session that expired long ago", signed_in())],
        operations: vec![
            OpenSession { session: 5, at },
            OpenSession { session: 6, at },
            SignIn {
                session: 2,
                replacement: 3,
                subject: 2,
                at: 599,
            },
            Approve {
                session: 2,
                grant: 1,
                at: 599,
            },
            CloseSession {
                session: 2,
                at: 599,
            },
            Session {
                session: 2,
                at: 599,
            },
        ],
    }
}

/// A grant that ended at 60 or 1000, and two sessions from which others are approved.
fn grants(at: i64) -> ScenarioGroup {
    let setup = |setup: Vec<_>| {
        [(3, 4), (5, 6)]
            .into_iter()
            .fold(setup, |setup, (session, replacement)| {
                with(
                    with(setup, OpenSession { session, at }),
                    SignIn {
                        session,
                        replacement,
                        subject: 2,
                        at,
                    },
                )
            })
    };
    ScenarioGroup {
        states: vec![
            ("a grant that idled long ago", setup(redeemed())),
            ("a code that expired long ago", setup(approved())),
        ],
        operations: vec![
            Approve {
                session: 4,
                grant: 2,
                at,
            },
            Approve {
                session: 6,
                grant: 3,
                at,
            },
            Redeem { grant: 1, at },
            Rotate {
                grant: 1,
                generation: 0,
                at,
            },
            Rotate {
                grant: 1,
                generation: 0,
                at: 999,
            },
            RevokeGrant { grant: 1, at },
            CodeBinding { grant: 1 },
        ],
    }
}

/// An API key that was revoked at 1.
fn api_keys(at: i64) -> ScenarioGroup {
    let create = |number| CreateApiKey {
        key: number,
        digest: number,
        at,
    };
    ScenarioGroup {
        states: vec![(
            "an API key that was revoked long ago",
            vec![
                CreateApiKey {
                    key: 1,
                    digest: 1,
                    at: 0,
                },
                TouchApiKeys {
                    keys: [1, 0],
                    at: 0,
                },
                RevokeApiKey { key: 1, at: 1 },
            ],
        )],
        operations: vec![
            create(1),
            create(2),
            create(3),
            TouchApiKeys { keys: [1, 0], at },
            RevokeApiKey { key: 1, at },
            RenewApiKey {
                key: 1,
                digest: 4,
                at,
            },
            ApiKey { digest: 1 },
        ],
    }
}

/// A rate limit that has been full since 30, and a node whose clock is behind.
fn rates() -> ScenarioGroup {
    let take = |key, at| TakeRateLimit { key, at };
    ScenarioGroup {
        states: vec![("a key that has rested", vec![take(1, 0)])],
        operations: vec![take(2, 90), take(3, 90), take(1, 90), take(1, 0)],
    }
}
