//! Scenarios of three calls.

use super::super::operation::Operation::{self, *};
use super::super::scenario::Scenario;
use super::{api_keys, approved, redeemed, rotated, rotated_twice, signed_in};

/// Returns three concurrent calls each that touch the same records.
pub fn triples() -> Vec<Scenario> {
    let scenario = |state: &str, setup: &[Operation], calls: [Operation; 3]| {
        let [first, second, third] = calls;
        Scenario::new(
            format!("{state}: {first:?} beside {second:?} beside {third:?}"),
            setup,
            &calls,
        )
    };
    let [redeem, revoke] = [Redeem { grant: 1, at: 1 }, RevokeGrant { grant: 1, at: 1 }];
    let rotate = |generation| Rotate {
        grant: 1,
        generation,
        at: 6,
    };
    let revoke_later = RevokeGrant { grant: 1, at: 6 };
    let close = CloseSession { session: 2, at: 1 };
    let approve = |grant| Approve {
        session: 2,
        grant,
        at: 1,
    };
    let sign_in = |replacement, subject| SignIn {
        session: 2,
        replacement,
        subject,
        at: 1,
    };
    let mut scenarios = vec![
        scenario("a fresh code", &approved(), [redeem, redeem, redeem]),
        scenario("a fresh code", &approved(), [redeem, redeem, revoke]),
        scenario(
            "a fresh code",
            &approved(),
            [
                redeem,
                Rotate {
                    grant: 1,
                    generation: 0,
                    at: 1,
                },
                revoke,
            ],
        ),
        scenario(
            "a fresh code",
            &approved(),
            [redeem, Redeem { grant: 1, at: 60 }, revoke],
        ),
        scenario(
            "a spent code",
            &redeemed(),
            [
                redeem,
                Rotate {
                    grant: 1,
                    generation: 0,
                    at: 1,
                },
                revoke,
            ],
        ),
        scenario(
            "a session with a subject",
            &signed_in(),
            [approve(1), approve(2), redeem],
        ),
        scenario(
            "a session with a subject",
            &signed_in(),
            [approve(1), close, sign_in(3, 2)],
        ),
        scenario(
            "a session with a subject",
            &signed_in(),
            [approve(1), redeem, redeem],
        ),
        scenario(
            "a session with a subject",
            &signed_in(),
            [approve(1), redeem, revoke],
        ),
        scenario(
            "a session with a subject",
            &signed_in(),
            [approve(1), approve(2), sign_in(3, 2)],
        ),
        scenario(
            "a session with a subject",
            &signed_in(),
            [sign_in(3, 1), sign_in(4, 2), approve(1)],
        ),
        scenario(
            "an application",
            &[CreateApplication { application: 1 }],
            [1, 2, 3].map(|id| CreateScope { id, scope: 1 }),
        ),
        scenario(
            "nothing",
            &[],
            [1, 2, 3].map(|account| CreateAccount { account, email: 1 }),
        ),
        scenario(
            "nothing",
            &[],
            [1, 2, 3].map(|key| InstallSigningKey {
                sequence: 1,
                key,
                at: 0,
            }),
        ),
        scenario(
            "nothing",
            &[],
            [1, 2, 3].map(|key| CreateApiKey {
                key,
                digest: 1,
                at: 0,
            }),
        ),
        scenario(
            "nothing",
            &[],
            [1, 2, 3].map(|key| IssueApiKey {
                key,
                at_most: 1,
                at: 0,
            }),
        ),
        scenario(
            "nothing",
            &[],
            [1, 2, 3].map(|application| RegisterApplication {
                application,
                at_most: 1,
            }),
        ),
        scenario(
            "an API key",
            &api_keys::created(),
            [2, 3, 4].map(|digest| RenewApiKey {
                key: 1,
                digest,
                at: 1,
            }),
        ),
        scenario(
            "an API key",
            &api_keys::created(),
            [
                RenewApiKey {
                    key: 1,
                    digest: 2,
                    at: 1,
                },
                RevokeApiKey { key: 1, at: 1 },
                RenewApiKey {
                    key: 1,
                    digest: 3,
                    at: 2,
                },
            ],
        ),
        scenario(
            "a call before",
            &[TakeRateLimit { key: 1, at: 0 }],
            [TakeRateLimit { key: 1, at: 0 }; 3],
        ),
        scenario(
            "a club and its member",
            &[
                PutClub { club: 1, leader: 0 },
                PutStudent {
                    student: 1,
                    club: 1,
                },
            ],
            [
                PutClub { club: 1, leader: 1 },
                PutStudent {
                    student: 1,
                    club: 0,
                },
                RemoveClub { club: 1 },
            ],
        ),
    ];
    for (state, setup) in [
        ("a refresh token", redeemed()),
        ("its successor", rotated()),
        ("two successors", rotated_twice()),
    ] {
        for calls in [[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1], [0, 1, 2]] {
            scenarios.push(scenario(state, &setup, calls.map(rotate)));
        }
        for [first, second] in [[0, 0], [0, 1], [1, 1], [1, 2]] {
            scenarios.push(scenario(
                state,
                &setup,
                [rotate(first), rotate(second), revoke_later],
            ));
        }
    }
    scenarios
}
