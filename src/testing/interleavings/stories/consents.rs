//! What users allow, which spares them a question, and take back. Only what shares rows is paired.

use super::{Family, redeemed, signed_in, with};
use crate::testing::interleavings::operation::Operation::{self, *};

pub(super) fn families() -> Vec<Family> {
    vec![nothing_allowed(), allowed(), more_is_asked_for(), fresh_code(), few_grants()]
}

/// Session 4 asks for scope 1, session 8 for scope 2.
pub(super) fn sessions(start: Vec<Operation>) -> Vec<Operation> {
    [(3, 4), (7, 8)].into_iter().fold(start, |start, (session, replacement)| {
        with(with(start, OpenSession { session, at: 0 }), SignIn { session, replacement, subject: 1, at: 0 })
    })
}

/// Grant 1, with which scope 1 was allowed for good.
pub(super) fn remembered() -> Vec<Operation> {
    with(with(signed_in(), ApproveRemembered { session: 2, grant: 1, at: 0 }), Redeem { grant: 1, at: 0 })
}

fn nothing_allowed() -> Family {
    Family {
        states: vec![
            ("two sessions of a user", sessions(vec![])),
            ("two sessions of a user who allowed something once", sessions(redeemed())),
        ],
        operations: vec![
            ApproveRemembered { session: 4, grant: 2, at: 1 },
            ApproveRemembered { session: 8, grant: 3, at: 1 },
            ApproveUnasked { session: 8, grant: 4, at: 1 },
        ],
    }
}

fn allowed() -> Family {
    Family {
        states: vec![("a consent, its grant and a session that it covers", sessions(remembered()))],
        operations: vec![
            ApproveUnasked { session: 4, grant: 2, at: 1 },
            SignOut { session: 4, replacement: 5, at: 1 },
            Withdraw { subject: 1, grant: 1, at: 1 },
            Withdraw { subject: 2, grant: 1, at: 1 },
            ForgetConsent { subject: 1 },
            RevokeGrantsOf { subject: 1, at: 1 },
            Redeem { grant: 1, at: 1 },
            Rotate { grant: 1, generation: 0, at: 1 },
            GrantsOf { subject: 1, at: 1 },
        ],
    }
}

fn more_is_asked_for() -> Family {
    Family {
        states: vec![("a consent, its grant and sessions beyond it", sessions(remembered()))],
        operations: vec![
            ApproveRemembered { session: 8, grant: 2, at: 1 },
            ApproveRemembered { session: 4, grant: 3, at: 1 },
            ApproveUnasked { session: 8, grant: 2, at: 1 },
            Withdraw { subject: 1, grant: 1, at: 1 },
            ForgetConsent { subject: 1 },
            Consent { subject: 1 },
        ],
    }
}

fn fresh_code() -> Family {
    Family {
        states: vec![("a consent and its fresh code", with(signed_in(), ApproveRemembered { session: 2, grant: 1, at: 0 }))],
        operations: vec![
            Redeem { grant: 1, at: 1 },
            Withdraw { subject: 1, grant: 1, at: 1 },
            RevokeGrantsOf { subject: 1, at: 1 },
            GrantsOf { subject: 1, at: 1 },
        ],
    }
}

/// Whichever of two sign-ins comes second, the grant that was used longest ago makes room, and no more than two work.
fn few_grants() -> Family {
    Family {
        states: vec![("a grant and two sessions", sessions(redeemed()))],
        operations: vec![
            ApproveCapped { session: 4, grant: 2, at_most: 2, at: 1 },
            ApproveCapped { session: 8, grant: 3, at_most: 2, at: 1 },
            ApproveCapped { session: 4, grant: 4, at_most: 1, at: 1 },
            Rotate { grant: 1, generation: 0, at: 1 },
            RevokeGrantsOf { subject: 1, at: 1 },
        ],
    }
}
