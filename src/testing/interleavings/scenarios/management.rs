//! Changes and deletions of applications, scopes and clients that run concurrently with other
//! calls.
//!
//! Many stores serialize changes that span these records, so most of these pairs have few
//! interleavings. Such changes are paired only with each other and with the calls that touch the
//! same sessions and grants, because a search on a database server is slow.

use super::{approved, redeemed, rotated, signed_in};
use crate::testing::interleavings::operation::Operation::{self, *};
use crate::testing::interleavings::scenario::Scenario;

pub(super) fn pairs() -> Vec<Scenario> {
    let mut scenarios = Vec::new();
    for (state, setup, others) in uses() {
        for removal in removals() {
            scenarios.extend(
                others
                    .iter()
                    .map(|other| scenario(state, &setup, &[removal, *other])),
            );
        }
    }
    let changes = changes();
    for (index, first) in changes.iter().enumerate() {
        for second in changes[index..]
            .iter()
            .filter(|second| !(first.is_read() && second.is_read()))
        {
            scenarios.push(scenario("a client", &client(), &[*first, *second]));
        }
    }
    scenarios
}

pub(super) fn single_calls() -> Vec<Scenario> {
    let used = [
        client(),
        redeemed(),
        vec![OpenSession { session: 3, at: 0 }],
    ]
    .concat();
    let calls = changes()
        .into_iter()
        .filter(|operation| !operation.is_read());
    calls
        .map(|operation| scenario("a client with a session and a grant", &used, &[operation]))
        .collect()
}

/// Operations that remove access from sessions and grants.
fn removals() -> [Operation; 4] {
    [
        DeleteApplication { application: 1 },
        DeleteScope { id: 1 },
        WithdrawScope { id: 1, client: 1 },
        DeleteClient { client: 1, at: 6 },
    ]
}

/// States of sessions and grants, each with operations that use them.
fn uses() -> Vec<(&'static str, Vec<Operation>, Vec<Operation>)> {
    let setup = |used: Vec<_>| [client(), used].concat();
    let (redeem, rotate) = (Redeem { grant: 1, at: 6 }, |generation| Rotate {
        grant: 1,
        generation,
        at: 6,
    });
    let session = vec![
        SignIn {
            session: 2,
            replacement: 3,
            subject: 2,
            at: 6,
        },
        Approve {
            session: 2,
            grant: 1,
            at: 6,
        },
        CloseSession { session: 2, at: 6 },
        OpenSession { session: 5, at: 6 },
    ];
    let counted = vec![
        ApplicationUsage {
            application: 1,
            at: 6,
        },
        ScopeUsage { id: 1, at: 6 },
        ScopeUsage { id: 2, at: 6 },
        ClientUsage { client: 1, at: 6 },
    ];
    vec![
        ("a client with a session", setup(signed_in()), session),
        (
            "a client with a code",
            setup(approved()),
            vec![redeem, RevokeGrant { grant: 1, at: 6 }],
        ),
        (
            "a client with a grant",
            setup(redeemed()),
            vec![redeem, rotate(0), GrantIsLive { grant: 1, at: 6 }],
        ),
        (
            "a client with a grant",
            setup(rotated()),
            vec![rotate(0), rotate(1)],
        ),
        (
            "a client with a grant that is counted",
            setup(redeemed()),
            counted,
        ),
    ]
}

/// Operations that change applications, scopes and clients, and one that reads a client.
fn changes() -> Vec<Operation> {
    let mut changes = removals().to_vec();
    changes.extend([
        UpdateClient {
            client: 1,
            seen: [1, 2],
            scopes: [2, 1],
        },
        UpdateClient {
            client: 1,
            seen: [1, 2],
            scopes: [2, 2],
        },
        CreateScope { id: 3, scope: 1 },
        CreateClient {
            client: 2,
            scopes: [1, 2],
        },
        AddClientSecret {
            client: 1,
            secret: 7,
        },
        AddClientSecret {
            client: 1,
            secret: 8,
        },
        RemoveOlderSecret { client: 1 },
        RemoveOwner { owner: 1, at: 7 },
        SetClientOwner {
            client: 1,
            owner: 2,
        },
        Client { client: 1 },
    ]);
    changes
}

/// Client 1, which may request scopes 1 and 2 and has two secrets.
pub(super) fn client() -> Vec<Operation> {
    vec![
        CreateApplication { application: 1 },
        CreateScope { id: 1, scope: 1 },
        CreateScope { id: 2, scope: 2 },
        CreateClient {
            client: 1,
            scopes: [1, 2],
        },
        AddClientSecret {
            client: 1,
            secret: 6,
        },
    ]
}

fn scenario(state: &str, setup: &[Operation], calls: &[Operation]) -> Scenario {
    let names: Vec<String> = calls.iter().map(|call| format!("{call:?}")).collect();
    Scenario::new(format!("{state}: {}", names.join(" beside ")), setup, calls)
}
