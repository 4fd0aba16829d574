//! Names of applications and scopes, and the scopes that clients may list.

use super::ScenarioGroup;
use crate::testing::interleavings::operation::Operation::{self, *};

pub(super) fn scenario_groups() -> Vec<ScenarioGroup> {
    vec![
        names(),
        free_scope(),
        guarded_scope(),
        few_applications(),
        few_scopes(),
        few_clients(),
    ]
}

const LISTS_IT: Operation = UpdateClient {
    client: 1,
    seen: [2, 2],
    scopes: [2, 1],
};

/// Client 1, which lists scope 2 and not scope 1, and subsequent operations.
fn client(then: &[Operation]) -> Vec<Operation> {
    let created = [
        CreateApplication { application: 1 },
        CreateScope { id: 1, scope: 1 },
        CreateScope { id: 2, scope: 2 },
        CreateClient {
            client: 1,
            scopes: [2, 2],
        },
    ];
    [&created, then].concat()
}

fn names() -> ScenarioGroup {
    ScenarioGroup {
        states: vec![(
            "an application with a scope",
            vec![
                CreateApplication { application: 1 },
                CreateScope { id: 1, scope: 1 },
            ],
        )],
        operations: vec![
            RenameApplication {
                application: 1,
                name: 2,
            },
            RenameApplication {
                application: 1,
                name: 3,
            },
            DeleteApplication { application: 1 },
            CreateScope { id: 2, scope: 2 },
            Application { application: 1 },
            Definition { id: 1 },
        ],
    }
}

fn free_scope() -> ScenarioGroup {
    ScenarioGroup {
        states: vec![("a scope that any client may list", client(&[]))],
        operations: vec![
            RequireScopeApproval {
                id: 1,
                approval_required: true,
            },
            DescribeScope {
                id: 1,
                description: 2,
            },
            DescribeScope {
                id: 1,
                description: 3,
            },
            LISTS_IT,
            CreateClient {
                client: 2,
                scopes: [1, 2],
            },
            DeleteScope { id: 1 },
            Definition { id: 1 },
        ],
    }
}

fn guarded_scope() -> ScenarioGroup {
    let approval_required = RequireScopeApproval {
        id: 1,
        approval_required: true,
    };
    ScenarioGroup {
        states: vec![
            (
                "a scope that needs an approval",
                client(&[approval_required]),
            ),
            (
                "a scope with an approved client",
                client(&[approval_required, ApproveScope { id: 1, client: 1 }]),
            ),
        ],
        operations: vec![
            RequireScopeApproval {
                id: 1,
                approval_required: false,
            },
            ApproveScope { id: 1, client: 1 },
            WithdrawScope { id: 1, client: 1 },
            LISTS_IT,
            DeleteScope { id: 1 },
            DeleteClient { client: 1, at: 6 },
            ScopeApprovals { id: 1 },
        ],
    }
}

fn few_applications() -> ScenarioGroup {
    let register = |application| RegisterApplication {
        application,
        at_most: 2,
    };
    ScenarioGroup {
        states: vec![
            ("one application of two", vec![register(1)]),
            ("two applications of two", vec![register(1), register(2)]),
        ],
        operations: vec![
            register(2),
            register(3),
            DeleteApplication { application: 1 },
        ],
    }
}

fn few_scopes() -> ScenarioGroup {
    let register = |id, scope| RegisterScope {
        id,
        scope,
        at_most: 2,
    };
    let application = CreateApplication { application: 1 };
    ScenarioGroup {
        states: vec![("one scope of two", vec![application, register(1, 1)])],
        operations: vec![
            register(2, 2),
            register(3, 3),
            register(4, 2),
            DeleteScope { id: 1 },
            DeleteApplication { application: 1 },
        ],
    }
}

fn few_clients() -> ScenarioGroup {
    let register = |client| RegisterClient {
        client,
        scopes: [2, 2],
        at_most: 2,
    };
    let setup = vec![
        CreateApplication { application: 1 },
        CreateScope { id: 2, scope: 2 },
        register(1),
    ];
    ScenarioGroup {
        states: vec![("one client of two", setup)],
        operations: vec![
            register(2),
            register(3),
            DeleteClient { client: 1, at: 6 },
            DeleteScope { id: 2 },
        ],
    }
}
