//! The stories that every store must get right.

mod accounts;
mod api_keys;
mod approvals;
mod audit_trail;
mod consents;
mod ended;
mod management;
mod school;
mod user_sessions;

use super::operation::Operation::{self, *};
use super::story::Story;

/// States of one kind of records, and the operations that touch them.
struct Family {
    states: Vec<(&'static str, Vec<Operation>)>,
    operations: Vec<Operation>,
}

/// Each operation that touches a record, together with each other one, from each state that the record can be in.
pub fn pairs() -> Vec<Story> {
    let mut stories = Vec::new();
    for Family { states, operations } in families() {
        for (state, start) in &states {
            for (index, first) in operations.iter().enumerate() {
                for second in &operations[index..] {
                    let both_read = first.is_read() && second.is_read();
                    let is_repeated = first == second && !first.may_be_repeated();
                    if !both_read && !is_repeated {
                        stories.push(Story::new(format!("{state}: {first:?} beside {second:?}"), start, &[*first, *second]));
                    }
                }
            }
        }
    }
    stories.extend(management::pairs());
    stories
}

/// Each operation by itself, from each state: what a search for crash points lets die.
pub fn single_calls() -> Vec<Story> {
    let mut stories = Vec::new();
    for Family { states, operations } in families() {
        for (state, start) in &states {
            for operation in operations.iter().filter(|operation| !operation.is_read()) {
                stories.push(Story::new(format!("{state}: {operation:?}"), start, &[*operation]));
            }
        }
    }
    stories.extend(management::single_calls());
    stories
}

/// The three calls at once that have something to do with each other.
pub fn triples() -> Vec<Story> {
    let story = |state: &str, start: &[Operation], calls: [Operation; 3]| {
        let [first, second, third] = calls;
        Story::new(format!("{state}: {first:?} beside {second:?} beside {third:?}"), start, &calls)
    };
    let [redeem, revoke] = [Redeem { grant: 1, at: 1 }, RevokeGrant { grant: 1, at: 1 }];
    let rotate = |generation| Rotate { grant: 1, generation, at: 6 };
    let revoke_later = RevokeGrant { grant: 1, at: 6 };
    let close = CloseSession { session: 2, at: 1 };
    let approve = |grant| Approve { session: 2, grant, at: 1 };
    let sign_in = |replacement, subject| SignIn { session: 2, replacement, subject, at: 1 };
    let mut stories = vec![
        story("a fresh code", &approved(), [redeem, redeem, redeem]),
        story("a fresh code", &approved(), [redeem, redeem, revoke]),
        story("a fresh code", &approved(), [redeem, Rotate { grant: 1, generation: 0, at: 1 }, revoke]),
        story("a fresh code", &approved(), [redeem, Redeem { grant: 1, at: 60 }, revoke]),
        story("a spent code", &redeemed(), [redeem, Rotate { grant: 1, generation: 0, at: 1 }, revoke]),
        story("a session with a subject", &signed_in(), [approve(1), approve(2), redeem]),
        story("a session with a subject", &signed_in(), [approve(1), close, sign_in(3, 2)]),
        story("a session with a subject", &signed_in(), [approve(1), redeem, redeem]),
        story("a session with a subject", &signed_in(), [approve(1), redeem, revoke]),
        story("a session with a subject", &signed_in(), [approve(1), approve(2), sign_in(3, 2)]),
        story("a session with a subject", &signed_in(), [sign_in(3, 1), sign_in(4, 2), approve(1)]),
        story("an application", &[CreateApplication { application: 1 }], [1, 2, 3].map(|id| CreateScope { id, scope: 1 })),
        story("nothing", &[], [1, 2, 3].map(|account| CreateAccount { account, email: 1 })),
        story("nothing", &[], [1, 2, 3].map(|key| InstallKey { sequence: 1, key, at: 0 })),
        story("nothing", &[], [1, 2, 3].map(|key| CreateApiKey { key, digest: 1, at: 0 })),
        story("nothing", &[], [1, 2, 3].map(|key| IssueApiKey { key, at_most: 1, at: 0 })),
        story("nothing", &[], [1, 2, 3].map(|application| RegisterApplication { application, at_most: 1 })),
        story("an API key", &api_keys::created(), [2, 3, 4].map(|digest| RenewApiKey { key: 1, digest, at: 1 })),
        story(
            "an API key",
            &api_keys::created(),
            [RenewApiKey { key: 1, digest: 2, at: 1 }, RevokeApiKey { key: 1, at: 1 }, RenewApiKey { key: 1, digest: 3, at: 2 }],
        ),
        story("a call before", &[TakeCall { key: 1, at: 0 }], [TakeCall { key: 1, at: 0 }; 3]),
        story(
            "a club and its member",
            &[PutClub { club: 1, leader: 0 }, PutStudent { student: 1, club: 1 }],
            [PutClub { club: 1, leader: 1 }, PutStudent { student: 1, club: 0 }, RemoveClub { club: 1 }],
        ),
    ];
    for (state, start) in [("a refresh token", redeemed()), ("its successor", rotated()), ("two successors", rotated_twice())] {
        for calls in [[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1], [0, 1, 2]] {
            stories.push(story(state, &start, calls.map(rotate)));
        }
        for [first, second] in [[0, 0], [0, 1], [1, 1], [1, 2]] {
            stories.push(story(state, &start, [rotate(first), rotate(second), revoke_later]));
        }
    }
    stories
}

impl Operation {
    /// Whether two callers may do the very same. What they draw at random they never have in common.
    const fn may_be_repeated(self) -> bool {
        !matches!(
            self,
            OpenSession { .. }
                | SignIn { .. }
                | SignOut { .. }
                | Approve { .. }
                | ApproveCapped { .. }
                | ApproveRemembered { .. }
                | ApproveUnasked { .. }
                | InstallKey { .. }
                | OpenUserSession { .. }
                | MoveUserSession { .. }
        )
    }
}

fn families() -> Vec<Family> {
    let mut families = vec![
        sessions("a session", vec![OpenSession { session: 2, at: 0 }], 1),
        sessions("a session with a subject", signed_in(), 1),
        sessions("a session that has expired", signed_in(), 600),
        Family {
            states: vec![("a session with a subject", signed_in())],
            operations: vec![
                Approve { session: 2, grant: 1, at: 1 },
                Redeem { grant: 1, at: 1 },
                RevokeGrant { grant: 1, at: 1 },
                Rotate { grant: 1, generation: 0, at: 1 },
                CodeBinding { grant: 1 },
            ],
        },
    ];
    families.extend([
        grants(vec![("a fresh code", approved()), ("a spent code", redeemed()), ("a revoked code", with(approved(), REVOKED))], 1),
        grants(vec![("a code at its end", approved()), ("a refresh token and the code at its end", redeemed())], 60),
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
    families.extend([registry(), accounts(), signing_keys(), rates()]);
    families.extend(api_keys::families());
    families.extend(school::families());
    families.extend(ended::families());
    families.extend(consents::families());
    families.extend(approvals::families());
    families.extend(accounts::families());
    families.extend(user_sessions::families());
    families.extend(audit_trail::families());
    families
}

const REVOKED: Operation = RevokeGrant { grant: 1, at: 1 };

fn signed_in() -> Vec<Operation> {
    vec![OpenSession { session: 1, at: 0 }, SignIn { session: 1, replacement: 2, subject: 1, at: 0 }]
}

fn approved() -> Vec<Operation> {
    with(signed_in(), Approve { session: 2, grant: 1, at: 0 })
}

fn redeemed() -> Vec<Operation> {
    with(approved(), Redeem { grant: 1, at: 0 })
}

fn rotated() -> Vec<Operation> {
    with(redeemed(), Rotate { grant: 1, generation: 0, at: 5 })
}

fn rotated_twice() -> Vec<Operation> {
    with(rotated(), Rotate { grant: 1, generation: 1, at: 5 })
}

fn with(mut start: Vec<Operation>, last: Operation) -> Vec<Operation> {
    start.push(last);
    start
}

/// What can happen to session 2.
fn sessions(state: &'static str, start: Vec<Operation>, at: i64) -> Family {
    let operations = vec![
        OpenSession { session: 5, at },
        OpenSession { session: 6, at },
        SignIn { session: 2, replacement: 3, subject: 1, at },
        SignIn { session: 2, replacement: 4, subject: 2, at },
        Approve { session: 2, grant: 1, at },
        Approve { session: 2, grant: 2, at },
        CloseSession { session: 2, at },
        Session { session: 2, at },
    ];
    Family { states: vec![(state, start)], operations }
}

/// What can happen to grant 1.
fn grants(states: Vec<(&'static str, Vec<Operation>)>, at: i64) -> Family {
    let rotate = |generation| Rotate { grant: 1, generation, at };
    let operations = vec![
        Redeem { grant: 1, at },
        rotate(0),
        rotate(1),
        rotate(2),
        RevokeGrant { grant: 1, at },
        RefreshBinding { grant: 1 },
        GrantIsLive { grant: 1, at },
    ];
    Family { states, operations }
}

fn registry() -> Family {
    let scope = |id, scope| CreateScope { id, scope };
    let application = CreateApplication { application: 1 };
    Family {
        states: vec![
            ("no application", vec![]),
            ("an application", vec![application]),
            ("an application with a scope", vec![application, scope(3, 2)]),
        ],
        operations: vec![
            application,
            scope(1, 1),
            scope(2, 1),
            scope(1, 2),
            CreateClient { client: 1, scopes: [2, 1] },
            CreateClient { client: 1, scopes: [2, 2] },
            Client { client: 1 },
            Scope { scope: 1 },
        ],
    }
}

fn accounts() -> Family {
    Family {
        states: vec![("no account", vec![]), ("an account", vec![CreateAccount { account: 3, email: 2 }])],
        operations: vec![
            CreateAccount { account: 1, email: 1 },
            CreateAccount { account: 2, email: 1 },
            CreateAccount { account: 1, email: 2 },
            Account { account: 1 },
            AccountByEmail { email: 1 },
        ],
    }
}

fn signing_keys() -> Family {
    Family {
        states: vec![
            ("no signing key", vec![]),
            ("a signing key", vec![InstallKey { sequence: 1, key: 9, at: 0 }]),
            ("a superseded signing key", vec![InstallKey { sequence: 1, key: 9, at: 0 }, InstallKey { sequence: 2, key: 8, at: 5 }]),
            ("a revoked signing key", vec![InstallKey { sequence: 1, key: 9, at: 0 }, RevokeKey { key: 9, at: 3 }]),
        ],
        operations: vec![
            InstallKey { sequence: 1, key: 1, at: 0 },
            InstallKey { sequence: 1, key: 2, at: 0 },
            InstallKey { sequence: 2, key: 3, at: 0 },
            RevokeKey { key: 9, at: 6 },
            RevokeKey { key: 9, at: 7 },
            RevokeKey { key: 3, at: 6 },
            ResealKey { key: 9, seen: 9, sealed: 1 },
            ResealKey { key: 9, seen: 9, sealed: 2 },
            RemoveKeys { until: 4 },
            RemoveKeys { until: 5 },
            SigningKeys,
        ],
    }
}

fn rates() -> Family {
    let at = |at| TakeCall { key: 1, at };
    Family {
        states: vec![("no call before", vec![]), ("a call before", vec![at(0)]), ("as many calls as may be", vec![at(0), at(0)])],
        operations: vec![at(1), at(31), at(60)],
    }
}
