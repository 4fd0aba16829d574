//! What applications and scopes are called, and which scopes clients may list.

use super::Family;
use crate::testing::interleavings::operation::Operation::{self, *};

pub(super) fn families() -> Vec<Family> {
    vec![names(), free_scope(), guarded_scope(), few_applications(), few_scopes(), few_clients()]
}

const LISTS_IT: Operation = UpdateClient { client: 1, seen: [2, 2], scopes: [2, 1] };

/// Client 1, which lists scope 2 and not scope 1, and what came after.
fn client(then: &[Operation]) -> Vec<Operation> {
    let created = [
        CreateApplication { application: 1 },
        CreateScope { id: 1, scope: 1 },
        CreateScope { id: 2, scope: 2 },
        CreateClient { client: 1, scopes: [2, 2] },
    ];
    [&created, then].concat()
}

fn names() -> Family {
    Family {
        states: vec![("an application with a scope", vec![CreateApplication { application: 1 }, CreateScope { id: 1, scope: 1 }])],
        operations: vec![
            RenameApplication { application: 1, name: 2 },
            RenameApplication { application: 1, name: 3 },
            DeleteApplication { application: 1 },
            CreateScope { id: 2, scope: 2 },
            Application { application: 1 },
            Definition { id: 1 },
        ],
    }
}

fn free_scope() -> Family {
    Family {
        states: vec![("a scope that any client may list", client(&[]))],
        operations: vec![
            GuardScope { id: 1, guarded: true },
            DescribeScope { id: 1, description: 2 },
            DescribeScope { id: 1, description: 3 },
            LISTS_IT,
            CreateClient { client: 2, scopes: [1, 2] },
            DeleteScope { id: 1 },
            Definition { id: 1 },
        ],
    }
}

fn guarded_scope() -> Family {
    let guarded = GuardScope { id: 1, guarded: true };
    Family {
        states: vec![
            ("a scope that needs an approval", client(&[guarded])),
            ("a scope with an approved client", client(&[guarded, ApproveScope { id: 1, client: 1 }])),
        ],
        operations: vec![
            GuardScope { id: 1, guarded: false },
            ApproveScope { id: 1, client: 1 },
            WithdrawScope { id: 1, client: 1 },
            LISTS_IT,
            DeleteScope { id: 1 },
            DeleteClient { client: 1, at: 6 },
            Approved { id: 1 },
        ],
    }
}

fn few_applications() -> Family {
    let register = |application| RegisterApplication { application, at_most: 2 };
    Family {
        states: vec![("one application of two", vec![register(1)]), ("two applications of two", vec![register(1), register(2)])],
        operations: vec![register(2), register(3), DeleteApplication { application: 1 }],
    }
}

fn few_scopes() -> Family {
    let register = |id, scope| RegisterScope { id, scope, at_most: 2 };
    let application = CreateApplication { application: 1 };
    Family {
        states: vec![("one scope of two", vec![application, register(1, 1)])],
        operations: vec![register(2, 2), register(3, 3), register(4, 2), DeleteScope { id: 1 }, DeleteApplication { application: 1 }],
    }
}

fn few_clients() -> Family {
    let register = |client| RegisterClient { client, scopes: [2, 2], at_most: 2 };
    let start = vec![CreateApplication { application: 1 }, CreateScope { id: 2, scope: 2 }, register(1)];
    Family {
        states: vec![("one client of two", start)],
        operations: vec![register(2), register(3), DeleteClient { client: 1, at: 6 }, DeleteScope { id: 2 }],
    }
}
