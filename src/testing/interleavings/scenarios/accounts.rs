//! Accounts that are changed or removed beside other uses.

use super::consents::{remembered, sessions};
use super::management::client;
use super::{ScenarioGroup, with};
use crate::testing::interleavings::operation::Operation::{self, *};

pub(super) fn scenario_groups() -> Vec<ScenarioGroup> {
    vec![
        account(),
        account_in_use(),
        account_with_keys(),
        account_with_client(),
    ]
}

fn created() -> Vec<Operation> {
    vec![CreateAccount {
        account: 1,
        email: 1,
    }]
}

fn account() -> ScenarioGroup {
    ScenarioGroup {
        states: vec![
            ("an account", created()),
            (
                "an account with another hash",
                with(
                    created(),
                    RehashPassword {
                        account: 1,
                        seen: 1,
                        new: 4,
                    },
                ),
            ),
        ],
        operations: vec![
            RehashPassword {
                account: 1,
                seen: 1,
                new: 2,
            },
            SetPassword {
                account: 1,
                seen: 1,
                new: 3,
                at: 1,
            },
            SetPassword {
                account: 1,
                seen: 4,
                new: 5,
                at: 1,
            },
            SetRole {
                account: 1,
                is_admin: true,
            },
            RemoveAccount { account: 1, at: 1 },
            CreateAccount {
                account: 2,
                email: 1,
            },
            Credentials { account: 1 },
        ],
    }
}

fn account_with_client() -> ScenarioGroup {
    ScenarioGroup {
        states: vec![("an account with a client", [created(), client()].concat())],
        operations: vec![
            RemoveAccount { account: 1, at: 2 },
            RemoveOwner { owner: 1, at: 3 },
            SetClientOwner {
                client: 1,
                owner: 2,
            },
            CreateClient {
                client: 2,
                scopes: [1, 2],
            },
            UpdateClient {
                client: 1,
                seen: [1, 2],
                scopes: [2, 1],
            },
            DeleteClient { client: 1, at: 4 },
        ],
    }
}

fn account_with_keys() -> ScenarioGroup {
    let issue = |key| IssueApiKey {
        key,
        at_most: 2,
        at: 0,
    };
    ScenarioGroup {
        states: vec![("an account with an API key", with(created(), issue(1)))],
        operations: vec![
            SetPassword {
                account: 1,
                seen: 1,
                new: 2,
                at: 1,
            },
            RemoveAccount { account: 1, at: 2 },
            RevokeGrantsOf { subject: 1, at: 3 },
            issue(2),
            RenewApiKey {
                key: 1,
                digest: 4,
                at: 1,
            },
            RevokeApiKey { key: 1, at: 4 },
            RevokeApiKeysOf { owner: 1, at: 5 },
        ],
    }
}

fn account_in_use() -> ScenarioGroup {
    ScenarioGroup {
        states: vec![(
            "an account with a consent, its grant and sessions",
            sessions([created(), remembered()].concat()),
        )],
        operations: vec![
            SetPassword {
                account: 1,
                seen: 1,
                new: 2,
                at: 1,
            },
            RemoveAccount { account: 1, at: 1 },
            ApproveAndRemember {
                session: 8,
                grant: 2,
                at: 1,
            },
            WithdrawGrant {
                subject: 1,
                grant: 1,
                at: 1,
            },
            RevokeGrantsOf { subject: 1, at: 1 },
            Rotate {
                grant: 1,
                generation: 0,
                at: 1,
            },
        ],
    }
}
