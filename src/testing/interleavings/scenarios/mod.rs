//! Scenarios that every store must pass.

mod accounts;
mod api_keys;
mod approvals;
mod audit_trail;
mod consents;
mod directory;
mod expired;
mod management;
mod signing_keys;
mod triples;
mod user_sessions;

use signing_keys::signing_keys;
pub use triples::triples;

use super::operation::Operation::{self, *};
use super::scenario::Scenario;

/// States of one kind of records, and the operations that touch them.
struct ScenarioGroup {
    states: Vec<(&'static str, Vec<Operation>)>,
    operations: Vec<Operation>,
}

/// Returns the pairs: each two operations that touch the same record, from each state of that
/// record.
pub fn pairs() -> Vec<Scenario> {
    let mut scenarios = Vec::new();
    for ScenarioGroup { states, operations } in scenario_groups() {
        for (state, setup) in &states {
            for (index, first) in operations.iter().enumerate() {
                for second in &operations[index..] {
                    let both_read = first.is_read() && second.is_read();
                    let is_repeated = first == second && !first.may_be_repeated();
                    if !both_read && !is_repeated {
                        scenarios.push(Scenario::new(
                            format!("{state}: {first:?} beside {second:?}"),
                            setup,
                            &[*first, *second],
                        ));
                    }
                }
            }
        }
    }
    scenarios.extend(management::pairs());
    scenarios
}

/// Returns each writing operation alone, from each state, for a search for crash points.
pub fn single_calls() -> Vec<Scenario> {
    let mut scenarios = Vec::new();
    for ScenarioGroup { states, operations } in scenario_groups() {
        for (state, setup) in &states {
            for operation in operations.iter().filter(|operation| !operation.is_read()) {
                scenarios.push(Scenario::new(
                    format!("{state}: {operation:?}"),
                    setup,
                    &[*operation],
                ));
            }
        }
    }
    scenarios.extend(management::single_calls());
    scenarios
}

fn scenario_groups() -> Vec<ScenarioGroup> {
    let mut scenario_groups = vec![
        sessions("a session", vec![OpenSession { session: 2, at: 0 }], 1),
        sessions("a session with a subject", signed_in(), 1),
        sessions("a session that has expired", signed_in(), 600),
        ScenarioGroup {
            states: vec![("a session with a subject", signed_in())],
            operations: vec![
                Approve {
                    session: 2,
                    grant: 1,
                    at: 1,
                },
                Redeem { grant: 1, at: 1 },
                RevokeGrant { grant: 1, at: 1 },
                Rotate {
                    grant: 1,
                    generation: 0,
                    at: 1,
                },
                CodeBinding { grant: 1 },
            ],
        },
    ];
    scenario_groups.extend([
        grants(
            vec![
                ("a fresh code", approved()),
                ("a spent code", redeemed()),
                ("a revoked code", with(approved(), REVOKED)),
            ],
            1,
        ),
        grants(
            vec![
                ("a code at its end", approved()),
                ("a refresh token and the code at its end", redeemed()),
            ],
            60,
        ),
        grants(
            vec![
                ("a refresh token", redeemed()),
                ("its successor", rotated()),
                ("two successors", rotated_twice()),
                ("a revoked refresh token", with(rotated(), REVOKED)),
            ],
            6,
        ),
        grants(vec![("a successor after its window", rotated())], 36),
        grants(vec![("an idle refresh token", redeemed())], 1_000),
    ]);
    scenario_groups.extend([registry(), accounts(), signing_keys(), rates()]);
    scenario_groups.extend(api_keys::scenario_groups());
    scenario_groups.extend(directory::scenario_groups());
    scenario_groups.extend(expired::scenario_groups());
    scenario_groups.extend(consents::scenario_groups());
    scenario_groups.extend(approvals::scenario_groups());
    scenario_groups.extend(accounts::scenario_groups());
    scenario_groups.extend(user_sessions::scenario_groups());
    scenario_groups.extend(audit_trail::scenario_groups());
    scenario_groups
}

const REVOKED: Operation = RevokeGrant { grant: 1, at: 1 };

fn signed_in() -> Vec<Operation> {
    vec![
        OpenSession { session: 1, at: 0 },
        SignIn {
            session: 1,
            replacement: 2,
            subject: 1,
            at: 0,
        },
    ]
}

fn approved() -> Vec<Operation> {
    with(
        signed_in(),
        Approve {
            session: 2,
            grant: 1,
            at: 0,
        },
    )
}

fn redeemed() -> Vec<Operation> {
    with(approved(), Redeem { grant: 1, at: 0 })
}

fn rotated() -> Vec<Operation> {
    with(
        redeemed(),
        Rotate {
            grant: 1,
            generation: 0,
            at: 5,
        },
    )
}

fn rotated_twice() -> Vec<Operation> {
    with(
        rotated(),
        Rotate {
            grant: 1,
            generation: 1,
            at: 5,
        },
    )
}

fn with(mut setup: Vec<Operation>, last: Operation) -> Vec<Operation> {
    setup.push(last);
    setup
}

/// Operations on session 2.
fn sessions(state: &'static str, setup: Vec<Operation>, at: i64) -> ScenarioGroup {
    let operations = vec![
        OpenSession { session: 5, at },
        OpenSession { session: 6, at },
        SignIn {
            session: 2,
            replacement: 3,
            subject: 1,
            at,
        },
        SignIn {
            session: 2,
            replacement: 4,
            subject: 2,
            at,
        },
        Approve {
            session: 2,
            grant: 1,
            at,
        },
        Approve {
            session: 2,
            grant: 2,
            at,
        },
        CloseSession { session: 2, at },
        Session { session: 2, at },
    ];
    ScenarioGroup {
        states: vec![(state, setup)],
        operations,
    }
}

/// Operations on grant 1.
fn grants(states: Vec<(&'static str, Vec<Operation>)>, at: i64) -> ScenarioGroup {
    let rotate = |generation| Rotate {
        grant: 1,
        generation,
        at,
    };
    let operations = vec![
        Redeem { grant: 1, at },
        rotate(0),
        rotate(1),
        rotate(2),
        RevokeGrant { grant: 1, at },
        RefreshBinding { grant: 1 },
        GrantIsLive { grant: 1, at },
    ];
    ScenarioGroup { states, operations }
}

fn registry() -> ScenarioGroup {
    let scope = |id, scope| CreateScope { id, scope };
    let application = CreateApplication { application: 1 };
    ScenarioGroup {
        states: vec![
            ("no application", vec![]),
            ("an application", vec![application]),
            (
                "an application with a scope",
                vec![application, scope(3, 2)],
            ),
        ],
        operations: vec![
            application,
            scope(1, 1),
            scope(2, 1),
            scope(1, 2),
            CreateClient {
                client: 1,
                scopes: [2, 1],
            },
            CreateClient {
                client: 1,
                scopes: [2, 2],
            },
            Client { client: 1 },
            Scope { scope: 1 },
        ],
    }
}

fn accounts() -> ScenarioGroup {
    ScenarioGroup {
        states: vec![
            ("no account", vec![]),
            (
                "an account",
                vec![CreateAccount {
                    account: 3,
                    email: 2,
                }],
            ),
        ],
        operations: vec![
            CreateAccount {
                account: 1,
                email: 1,
            },
            CreateAccount {
                account: 2,
                email: 1,
            },
            CreateAccount {
                account: 1,
                email: 2,
            },
            Account { account: 1 },
            AccountByEmail { email: 1 },
        ],
    }
}

fn rates() -> ScenarioGroup {
    let at = |at| TakeRateLimit { key: 1, at };
    ScenarioGroup {
        states: vec![
            ("no call before", vec![]),
            ("a call before", vec![at(0)]),
            ("as many calls as may be", vec![at(0), at(0)]),
        ],
        operations: vec![at(1), at(31), at(60)],
    }
}
