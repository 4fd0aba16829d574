//! API keys that are created, renewed, used and revoked concurrently.

use super::{ScenarioGroup, with};
use crate::testing::interleavings::operation::Operation::{self, *};
use crate::testing::interleavings::run_ids::REVOKED_KEY_COUNTS_FOR;

pub(super) fn scenario_groups() -> Vec<ScenarioGroup> {
    vec![new(), two(), owned(), used(), renewed()]
}

pub(super) fn created() -> Vec<Operation> {
    vec![CreateApiKey {
        key: 1,
        digest: 1,
        at: 0,
    }]
}

fn new() -> ScenarioGroup {
    ScenarioGroup {
        states: vec![("no API key", vec![]), ("an API key", created())],
        operations: vec![
            CreateApiKey {
                key: 1,
                digest: 1,
                at: 0,
            },
            CreateApiKey {
                key: 2,
                digest: 1,
                at: 0,
            },
            CreateApiKey {
                key: 1,
                digest: 2,
                at: 0,
            },
            RenewApiKey {
                key: 1,
                digest: 2,
                at: 1,
            },
            RenewApiKey {
                key: 1,
                digest: 3,
                at: 2,
            },
            RevokeApiKey { key: 1, at: 1 },
            RevokeApiKey { key: 1, at: 2 },
            TouchApiKeys {
                keys: [1, 0],
                at: 3,
            },
            TouchApiKeys {
                keys: [1, 0],
                at: 4,
            },
            ClaimExpiryNotice { key: 1, issued: 0 },
            ClaimExpiryNotice { key: 1, issued: 1 },
            ApiKey { digest: 1 },
        ],
    }
}

fn owned() -> ScenarioGroup {
    let issue = |key| IssueApiKey {
        key,
        at_most: 2,
        at: 1,
    };
    ScenarioGroup {
        states: vec![
            ("one API key of two", vec![issue(1)]),
            ("two API keys of two", vec![issue(1), issue(2)]),
        ],
        operations: vec![
            issue(2),
            issue(3),
            issue(4),
            CreateApiKey {
                key: 4,
                digest: 4,
                at: 1,
            },
            RenewApiKey {
                key: 1,
                digest: 4,
                at: 2,
            },
            RevokeApiKey { key: 1, at: 2 },
            // Revoked long enough ago to count no longer.
            RevokeApiKey {
                key: 2,
                at: 1 - REVOKED_KEY_COUNTS_FOR,
            },
            RevokeApiKeysOf { owner: 1, at: 3 },
            ApiKey { digest: 3 },
        ],
    }
}

/// A key with four valid values of at most five.
fn renewed() -> ScenarioGroup {
    let renewal = |digest, at| RenewApiKey { key: 1, digest, at };
    ScenarioGroup {
        states: vec![(
            "an API key with four values",
            [created(), vec![renewal(2, 1), renewal(3, 1), renewal(4, 1)]].concat(),
        )],
        operations: vec![
            renewal(5, 2),
            renewal(6, 2),
            // The overlap of the previous values ends at that time.
            renewal(7, 11),
            RevokeApiKey { key: 1, at: 2 },
            ApiKey { digest: 1 },
            ApiKey { digest: 4 },
        ],
    }
}

/// Keys that are used again after their earlier usage counts have expired.
fn used() -> ScenarioGroup {
    const DAY: i64 = 24 * 60 * 60;
    let second = CreateApiKey {
        key: 2,
        digest: 2,
        at: 0,
    };
    let touched = |keys, day| TouchApiKeys {
        keys,
        at: day * DAY + 3,
    };
    ScenarioGroup {
        states: vec![(
            "two API keys that were used",
            [
                created(),
                vec![second, touched([1, 2], 0), touched([1, 2], 1)],
            ]
            .concat(),
        )],
        operations: vec![
            touched([1, 2], 1),
            touched([2, 1], 35),
            touched([1, 2], 36),
            touched([1, 0], 40),
            ApiKeyUsage { key: 1 },
        ],
    }
}

fn two() -> ScenarioGroup {
    let second = CreateApiKey {
        key: 2,
        digest: 2,
        at: 0,
    };
    ScenarioGroup {
        states: vec![
            ("two API keys", with(created(), second)),
            (
                "two API keys of which one was renewed",
                with(
                    with(created(), second),
                    RenewApiKey {
                        key: 1,
                        digest: 3,
                        at: 1,
                    },
                ),
            ),
        ],
        operations: vec![
            RenewApiKey {
                key: 1,
                digest: 4,
                at: 2,
            },
            RenewApiKey {
                key: 2,
                digest: 4,
                at: 2,
            },
            RenewApiKey {
                key: 2,
                digest: 1,
                at: 2,
            },
            TouchApiKeys {
                keys: [1, 2],
                at: 3,
            },
            TouchApiKeys {
                keys: [2, 1],
                at: 3,
            },
            ApiKey { digest: 1 },
            ApiKey { digest: 3 },
        ],
    }
}
