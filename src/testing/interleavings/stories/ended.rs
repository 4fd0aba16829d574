//! What has had its time, is swept by one call and still wanted by another, or had nearly had it.

use super::{Family, approved, redeemed, signed_in, with};
use crate::testing::interleavings::operation::Operation::*;

const DAY: i64 = 24 * 60 * 60;

pub(super) fn families() -> Vec<Family> {
    let idled = 1_000 + DAY;
    vec![sessions(660), sessions(659), grants(idled), grants(idled - 1), api_keys(1 + 90 * DAY), api_keys(90 * DAY), rates()]
}

/// A session that expired at 600, and nodes whose clocks are behind.
fn sessions(at: i64) -> Family {
    Family {
        states: vec![("a session that has had its time", signed_in())],
        operations: vec![
            OpenSession { session: 5, at },
            OpenSession { session: 6, at },
            SignIn { session: 2, replacement: 3, subject: 2, at: 599 },
            Approve { session: 2, grant: 1, at: 599 },
            CloseSession { session: 2, at: 599 },
            Session { session: 2, at: 599 },
        ],
    }
}

/// A grant that died at 60 or 1000, and two sessions from which others come.
fn grants(at: i64) -> Family {
    let start = |start: Vec<_>| {
        [(3, 4), (5, 6)].into_iter().fold(start, |start, (session, replacement)| {
            with(with(start, OpenSession { session, at }), SignIn { session, replacement, subject: 2, at })
        })
    };
    Family {
        states: vec![("a grant that idled long ago", start(redeemed())), ("a code that was forgotten long ago", start(approved()))],
        operations: vec![
            Approve { session: 4, grant: 2, at },
            Approve { session: 6, grant: 3, at },
            Redeem { grant: 1, at },
            Rotate { grant: 1, generation: 0, at },
            Rotate { grant: 1, generation: 0, at: 999 },
            RevokeGrant { grant: 1, at },
            CodeBinding { grant: 1 },
        ],
    }
}

/// An API key that was revoked at 1.
fn api_keys(at: i64) -> Family {
    let create = |number| CreateApiKey { key: number, digest: number, at };
    Family {
        states: vec![(
            "an API key that was revoked long ago",
            vec![CreateApiKey { key: 1, digest: 1, at: 0 }, TouchApiKeys { keys: [1, 0], at: 0 }, RevokeApiKey { key: 1, at: 1 }],
        )],
        operations: vec![
            create(1),
            create(2),
            create(3),
            TouchApiKeys { keys: [1, 0], at },
            RevokeApiKey { key: 1, at },
            RenewApiKey { key: 1, digest: 4, at },
            ApiKey { digest: 1 },
        ],
    }
}

/// A key that has rested since 30, and a node whose clock is behind.
fn rates() -> Family {
    let take = |key, at| TakeCall { key, at };
    Family {
        states: vec![("a key that has rested", vec![take(1, 0)])],
        operations: vec![take(2, 90), take(3, 90), take(1, 90), take(1, 0)],
    }
}
