//! Consents that are given, used and withdrawn. Only operations that share rows are paired.

use super::{ScenarioGroup, redeemed, signed_in, with};
use crate::testing::interleavings::operation::Operation::{self, *};

pub(super) fn scenario_groups() -> Vec<ScenarioGroup> {
    vec![
        nothing_allowed(),
        allowed(),
        more_is_asked_for(),
        fresh_code(),
        few_grants(),
    ]
}

/// Sessions 4 and 8, with different built-in scopes.
pub(super) fn sessions(setup: Vec<Operation>) -> Vec<Operation> {
    [(3, 4), (7, 8)]
        .into_iter()
        .fold(setup, |setup, (session, replacement)| {
            with(
                with(setup, OpenSession { session, at: 0 }),
                SignIn {
                    session,
                    replacement,
                    subject: 1,
                    at: 0,
                },
            )
        })
}

/// Grant 1 with a remembered consent.
pub(super) fn remembered() -> Vec<Operation> {
    with(
        with(
            signed_in(),
            ApproveAndRemember {
                session: 2,
                grant: 1,
                at: 0,
            },
        ),
        Redeem { grant: 1, at: 0 },
    )
}

fn nothing_allowed() -> ScenarioGroup {
    ScenarioGroup {
        states: vec![
            ("two sessions of a user", sessions(vec![])),
            (
                "two sessions of a user who approved once",
                sessions(redeemed()),
            ),
        ],
        operations: vec![
            ApproveAndRemember {
                session: 4,
                grant: 2,
                at: 1,
            },
            ApproveAndRemember {
                session: 8,
                grant: 3,
                at: 1,
            },
            ApproveFromConsent {
                session: 8,
                grant: 4,
                at: 1,
            },
        ],
    }
}

fn allowed() -> ScenarioGroup {
    ScenarioGroup {
        states: vec![(
            "a consent, its grant and a session that it covers",
            sessions(remembered()),
        )],
        operations: vec![
            ApproveFromConsent {
                session: 4,
                grant: 2,
                at: 1,
            },
            SignOut {
                session: 4,
                replacement: 5,
                at: 1,
            },
            WithdrawGrant {
                subject: 1,
                grant: 1,
                at: 1,
            },
            WithdrawGrant {
                subject: 2,
                grant: 1,
                at: 1,
            },
            ForgetConsent { subject: 1 },
            RevokeGrantsOf { subject: 1, at: 1 },
            Redeem { grant: 1, at: 1 },
            Rotate {
                grant: 1,
                generation: 0,
                at: 1,
            },
            GrantsOf { subject: 1, at: 1 },
        ],
    }
}

fn more_is_asked_for() -> ScenarioGroup {
    ScenarioGroup {
        states: vec![(
            "a consent, its grant and sessions beyond it",
            sessions(remembered()),
        )],
        operations: vec![
            ApproveAndRemember {
                session: 8,
                grant: 2,
                at: 1,
            },
            ApproveAndRemember {
                session: 4,
                grant: 3,
                at: 1,
            },
            ApproveFromConsent {
                session: 8,
                grant: 2,
                at: 1,
            },
            WithdrawGrant {
                subject: 1,
                grant: 1,
                at: 1,
            },
            ForgetConsent { subject: 1 },
            Consent { subject: 1 },
        ],
    }
}

fn fresh_code() -> ScenarioGroup {
    ScenarioGroup {
        states: vec![(
            "a consent and its fresh code",
            with(
                signed_in(),
                ApproveAndRemember {
                    session: 2,
                    grant: 1,
                    at: 0,
                },
            ),
        )],
        operations: vec![
            Redeem { grant: 1, at: 1 },
            WithdrawGrant {
                subject: 1,
                grant: 1,
                at: 1,
            },
            RevokeGrantsOf { subject: 1, at: 1 },
            GrantsOf { subject: 1, at: 1 },
        ],
    }
}

/// Approvals at the limit of two grants: the one that commits second revokes the least recently
/// used grant.
fn few_grants() -> ScenarioGroup {
    ScenarioGroup {
        states: vec![("a grant and two sessions", sessions(redeemed()))],
        operations: vec![
            ApproveCapped {
                session: 4,
                grant: 2,
                at_most: 2,
                at: 1,
            },
            ApproveCapped {
                session: 8,
                grant: 3,
                at_most: 2,
                at: 1,
            },
            ApproveCapped {
                session: 4,
                grant: 4,
                at_most: 1,
                at: 1,
            },
            Rotate {
                grant: 1,
                generation: 0,
                at: 1,
            },
            RevokeGrantsOf { subject: 1, at: 1 },
        ],
    }
}
