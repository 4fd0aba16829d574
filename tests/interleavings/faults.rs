//! Planted faults that a search through interleavings must find.

use lyceum::testing::interleavings::{
    InterleavingFailure, Operation, Scenario, SearchLimits, explore, pairs, replay, triples,
};

use crate::broken::Fault;
use crate::fault_search::{
    approves, changes_the_directory, found_in, found_only_with, found_with, nodes, of_the_directory,
};
use crate::search::{assert_none, explore_all};

#[test]
fn a_store_of_many_steps_may_be_right() {
    assert_none(&explore_all(
        "right",
        "pairs",
        &nodes(Fault::None),
        &pairs(),
        SearchLimits::EXHAUSTIVE,
    ));
    assert_none(&explore_all(
        "right",
        "triples",
        &nodes(Fault::None),
        &triples(),
        SearchLimits {
            systematic: 100,
            random: 50,
            seed: 1,
        },
    ));
}

// Proves: threats 1
#[test]
fn a_code_that_is_checked_and_then_spent_is_found() {
    found_only_with(Fault::RedeemsByCheckThenAct, |call| {
        matches!(call, Operation::Redeem { .. })
    });
}

// Proves: threats 4
#[test]
fn a_refresh_token_that_is_checked_and_then_rotated_is_found() {
    found_only_with(Fault::RotatesByCheckThenAct, |call| {
        matches!(call, Operation::Rotate { .. })
    });
}

// Proves: threats 3
#[test]
fn a_rotation_that_writes_the_whole_row_back_over_a_revocation_is_found() {
    let is_involved = |call: &Operation| {
        matches!(
            call,
            Operation::Rotate { .. }
                | Operation::RevokeGrant { .. }
                | Operation::GrantIsLive { .. }
        )
    };
    let of_both = |failure: &InterleavingFailure| {
        let [first, second] = failure.scenario.calls[..] else {
            return false;
        };
        matches!(
            (first, second),
            (
                Operation::Rotate { .. },
                Operation::RevokeGrant { .. } | Operation::GrantIsLive { .. }
            )
        )
    };
    let failures = found_with(Fault::WritesTheWholeRowBack, is_involved);
    assert!(failures.iter().any(of_both));
}

#[test]
fn a_session_that_is_approved_twice_is_found() {
    found_only_with(Fault::ApprovesTwice, approves);
}

#[test]
fn a_consent_that_is_read_and_then_written_is_found() {
    found_only_with(Fault::RemembersBesideWhatItSaw, |call| {
        matches!(call, Operation::ApproveAndRemember { .. })
    });
}

#[test]
fn a_signing_key_that_is_installed_twice_is_found() {
    found_only_with(Fault::InstallsKeysTwice, |call| {
        matches!(call, Operation::InstallSigningKey { .. })
    });
}

#[test]
fn a_signing_key_that_is_sealed_anew_over_what_another_sealed_is_found() {
    found_only_with(Fault::ResealsInTwoSteps, |call| {
        matches!(call, Operation::ResealSigningKey { .. })
    });
}

#[test]
fn a_scope_that_is_unique_by_select_is_found() {
    found_only_with(Fault::SelectsThenInsertsScopes, |call| {
        matches!(call, Operation::CreateScope { .. })
    });
}

#[test]
fn an_account_that_is_unique_by_select_is_found() {
    found_only_with(Fault::SelectsThenInsertsAccounts, |call| {
        matches!(call, Operation::CreateAccount { .. })
    });
}

#[test]
fn an_api_key_that_is_renewed_from_what_was_read_is_found() {
    found_only_with(Fault::RenewsWhatItSaw, |call| {
        matches!(call, Operation::RenewApiKey { .. })
    });
}

#[test]
fn a_key_that_is_issued_after_counting_is_found() {
    // The fault counts only listed keys and omits recently revoked ones. A key that is issued after
    // the two calls shows this.
    let counts = |call: &Operation| {
        matches!(
            call,
            Operation::IssueApiKey { .. }
                | Operation::RevokeApiKey { .. }
                | Operation::RevokeApiKeysOf { .. }
        )
    };
    found_only_with(Fault::IssuesByCheckThenAct, counts);
}

#[test]
fn an_application_that_is_registered_after_counting_is_found() {
    found_only_with(Fault::RegistersByCheckThenAct, |call| {
        matches!(call, Operation::RegisterApplication { .. })
    });
}

// Proves: threats 3
#[test]
fn a_revocation_that_misses_a_redemption_in_flight_is_found() {
    found_only_with(Fault::RevokesWhatItSaw, |call| {
        matches!(call, Operation::RevokeGrant { .. })
    });
}

// Proves: spec 3.11
#[test]
fn a_secret_that_is_added_to_what_was_read_is_found() {
    found_only_with(Fault::AddsSecretsToWhatItSaw, |call| {
        matches!(call, Operation::AddClientSecret { .. })
    });
}

#[test]
fn a_scope_that_is_written_back_whole_is_found() {
    found_only_with(Fault::WritesWholeScopesBack, |call| {
        matches!(
            call,
            Operation::DescribeScope { .. } | Operation::RequireScopeApproval { .. }
        )
    });
}

#[test]
fn a_client_that_is_checked_and_then_updated_is_found() {
    found_only_with(Fault::UpdatesClientsByCheckThenAct, |call| {
        matches!(call, Operation::UpdateClient { .. })
    });
}

#[test]
fn a_rehash_that_undoes_a_new_password_is_found() {
    found_only_with(Fault::RehashesWhatItSaw, |call| {
        matches!(call, Operation::RehashPassword { .. })
    });
}

#[test]
fn a_directory_that_is_written_over_what_another_wrote_is_found() {
    let failures = found_in(
        "pairs",
        &of_the_directory(pairs()),
        Fault::WritesWhateverVersionThereIs,
    );
    assert!(
        failures
            .iter()
            .all(|failure| failure.scenario.calls.iter().all(changes_the_directory)),
        "{failures:?}"
    );
}

#[test]
fn changes_that_leave_out_what_was_removed_are_found() {
    found_in(
        "pairs",
        &of_the_directory(pairs()),
        Fault::ForgetsTombstones,
    );
}

#[test]
fn changes_that_leave_out_all_versions_but_the_last_are_found() {
    found_in(
        "pairs",
        &of_the_directory(pairs()),
        Fault::TellsOnlyTheLastVersion,
    );
}

/// One call loads after another wrote, while a third writes.
#[test]
fn a_directory_that_is_loaded_in_two_transactions_is_found() {
    found_in(
        "triples",
        &of_the_directory(triples()),
        Fault::LoadsInTwoTransactions,
    );
}

// Proves: threats 23
#[test]
fn a_session_in_the_console_that_is_moved_from_what_was_read_is_found() {
    found_only_with(Fault::MovesWhatItSaw, |call| {
        matches!(call, Operation::MoveUserSession { .. })
    });
}

// Proves: threats 40
#[test]
fn a_rate_that_is_read_and_then_written_is_found() {
    found_only_with(Fault::ReadsThenWritesRates, |call| {
        matches!(call, Operation::TakeRateLimit { .. })
    });
}

#[test]
fn the_interleavings_of_a_scenario_are_counted() {
    // Two calls of two steps have six orders.
    let spend = Operation::Redeem { grant: 1, at: 1 };
    let start = [
        Operation::OpenSession { session: 1, at: 0 },
        Operation::SignIn {
            session: 1,
            replacement: 2,
            subject: 1,
            at: 0,
        },
        Operation::Approve {
            session: 2,
            grant: 1,
            at: 0,
        },
    ];
    let scenario = |calls: &[Operation]| Scenario::new("a code", &start, calls);
    let explored = |calls: &[Operation], limits| {
        explore(&nodes(Fault::None), &scenario(calls), limits).unwrap()
    };
    assert_eq!(
        explored(&[spend; 2], SearchLimits::EXHAUSTIVE).interleavings,
        6
    );
    assert_eq!(
        explored(&[spend; 3], SearchLimits::EXHAUSTIVE).interleavings,
        90
    );
    let drawn = explored(
        &[spend; 3],
        SearchLimits {
            systematic: 10,
            random: 5,
            seed: 1,
        },
    );
    assert_eq!(
        (drawn.interleavings, drawn.exhausted),
        (13, 0),
        "two of the five were tried before"
    );
    let drawn = explored(
        &[spend; 3],
        SearchLimits {
            systematic: 89,
            random: 500,
            seed: 1,
        },
    );
    assert_eq!(
        (drawn.interleavings, drawn.exhausted),
        (90, 0),
        "repeated draws do not count"
    );
}

/// Two accounts with different addresses.
fn two_accounts() -> Scenario {
    Scenario::new(
        "no account",
        &[],
        &[1, 2].map(|account| Operation::CreateAccount {
            account,
            email: account,
        }),
    )
}

/// Each account takes fewer steps than the one before, so that a run cannot follow the plan of an
/// earlier one.
#[test]
fn a_store_that_does_not_move_the_same_way_twice_is_not_searched() {
    let failure = explore(
        &nodes(Fault::TakesFewerStepsEachTime),
        &two_accounts(),
        SearchLimits::EXHAUSTIVE,
    )
    .unwrap_err();
    assert!(failure.reason.contains("is not deterministic"), "{failure}");
}

#[test]
fn calls_that_wait_for_each_other_are_found() {
    let nodes = nodes(Fault::LocksInTwoOrders);
    let failure = explore(&nodes, &two_accounts(), SearchLimits::EXHAUSTIVE).unwrap_err();
    assert!(failure.reason.contains("wait for each other"), "{failure}");
    // The search continues with the same store.
    assert!(replay(&nodes, &two_accounts(), &"0 0 0 0 1 1 1 1".parse().unwrap()).is_ok());
    assert_eq!(
        replay(&nodes, &two_accounts(), &failure.schedule)
            .unwrap_err()
            .schedule,
        failure.schedule
    );
}

#[test]
fn a_call_that_waits_for_a_lock_is_no_fault() {
    let explored = explore(
        &nodes(Fault::LocksInOneOrder),
        &two_accounts(),
        SearchLimits::EXHAUSTIVE,
    )
    .unwrap();
    assert_eq!(explored.exhausted, 1);
    assert!(explored.interleavings > 2, "{explored:?}");
}
