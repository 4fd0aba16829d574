//! Console sessions beside operations that end them.

use super::{ScenarioGroup, with};
use crate::testing::interleavings::operation::Operation::{self, *};

pub(super) fn scenario_groups() -> Vec<ScenarioGroup> {
    vec![sessions(), of_an_account(), over(660), over(659)]
}

/// Two sessions of user 1 and one of user 2.
fn opened(setup: Vec<Operation>) -> Vec<Operation> {
    [(1, 1), (2, 1), (3, 2)]
        .into_iter()
        .fold(setup, |setup, (session, subject)| {
            with(
                setup,
                OpenUserSession {
                    session,
                    subject,
                    at: 0,
                },
            )
        })
}

fn sessions() -> ScenarioGroup {
    ScenarioGroup {
        states: vec![
            ("sessions in the console", opened(vec![])),
            (
                "a session in the console that was rotated",
                with(
                    opened(vec![]),
                    MoveUserSession {
                        digest: 1,
                        replacement: 7,
                        at: 0,
                    },
                ),
            ),
        ],
        operations: vec![
            OpenUserSession {
                session: 4,
                subject: 1,
                at: 1,
            },
            TouchUserSessions {
                sessions: [1, 2],
                at: 5,
            },
            TouchUserSessions {
                sessions: [2, 1],
                at: 5,
            },
            MoveUserSession {
                digest: 1,
                replacement: 5,
                at: 1,
            },
            MoveUserSession {
                digest: 1,
                replacement: 6,
                at: 1,
            },
            EndUserSession {
                subject: 1,
                session: 1,
            },
            EndUserSession {
                subject: 2,
                session: 1,
            },
            EndUserSessionsOf {
                subject: 1,
                except: 0,
            },
            EndUserSessionsOf {
                subject: 1,
                except: 2,
            },
            UserSession { digest: 1, at: 1 },
        ],
    }
}

fn of_an_account() -> ScenarioGroup {
    ScenarioGroup {
        states: vec![(
            "an account with sessions in the console",
            opened(vec![CreateAccount {
                account: 1,
                email: 1,
            }]),
        )],
        operations: vec![
            SetPassword {
                account: 1,
                seen: 1,
                new: 2,
                at: 1,
            },
            SetRole {
                account: 1,
                is_admin: true,
            },
            SetRole {
                account: 1,
                is_admin: false,
            },
            RemoveAccount { account: 1, at: 1 },
            RevokeGrantsOf { subject: 1, at: 1 },
            OpenUserSession {
                session: 4,
                subject: 1,
                at: 1,
            },
            MoveUserSession {
                digest: 1,
                replacement: 5,
                at: 1,
            },
            TouchUserSessions {
                sessions: [2, 1],
                at: 5,
            },
            EndUserSessionsOf {
                subject: 1,
                except: 1,
            },
            UserSessionsOf { subject: 1, at: 1 },
        ],
    }
}

/// Sessions that expired at 600, and nodes whose clocks are behind.
fn over(at: i64) -> ScenarioGroup {
    ScenarioGroup {
        states: vec![("a session in the console that has expired", opened(vec![]))],
        operations: vec![
            OpenUserSession {
                session: 5,
                subject: 2,
                at,
            },
            OpenUserSession {
                session: 6,
                subject: 2,
                at,
            },
            MoveUserSession {
                digest: 1,
                replacement: 7,
                at: 99,
            },
            TouchUserSessions {
                sessions: [1, 0],
                at: 99,
            },
            // Ignored unless the other use was before it.
            TouchUserSessions {
                sessions: [1, 0],
                at: 150,
            },
            EndUserSessionsOf {
                subject: 1,
                except: 0,
            },
            UserSession { digest: 1, at: 99 },
        ],
    }
}
