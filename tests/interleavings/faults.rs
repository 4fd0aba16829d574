use std::sync::Arc;

use lyceum::testing::crashes::{Crashes, HalfDone};
use lyceum::testing::interleavings::{Extent, Failure, Nodes, Operation, Story, explore, pairs, replay, single_calls, triples};

use crate::broken::{BrokenStore, Fault, Shared};
use crate::report::report;
use crate::search::{none, tell_all};

fn nodes(fault: Fault) -> Nodes {
    let shared = Arc::new(Shared::default());
    let (locks, mut opened) = (shared.clone(), 0);
    let nodes = Nodes::new(move |turn| {
        opened += 1;
        Arc::new(BrokenStore { shared: shared.clone(), fault, turn, node: opened - 1 })
    });
    match fault {
        Fault::LocksInOneOrder | Fault::LocksInTwoOrders => nodes.probed_by(move |call, others| {
            let is_blocked = locks.locks.is_blocked(call, &others);
            async move { is_blocked }
        }),
        _ => nodes,
    }
}

/// Lets the operations of a faulty store die, and gives what was found.
fn half_done(fault: Fault) -> Vec<HalfDone> {
    let shared = Arc::new(Shared::default());
    let crashes = Crashes::new(move |turn| Arc::new(BrokenStore { shared: shared.clone(), fault, turn, node: 0 }));
    let found: Vec<_> = single_calls().iter().filter_map(|story| crashes.explore(story).err()).map(|found| *found).collect();
    found.iter().take(1).for_each(|found| println!("{fault:?}: {found}"));
    found
}

/// The pairs in which the fault shows. Each first failure must show again when its schedule is run again, and not without the fault.
fn found(fault: Fault) -> Vec<Failure> {
    found_in("pairs", &pairs(), fault)
}

fn found_in(kind: &str, stories: &[Story], fault: Fault) -> Vec<Failure> {
    let nodes = nodes(fault);
    let failures = tell_all(&format!("{fault:?}"), kind, &nodes, stories, Extent::EVERY);
    let first = failures.first().unwrap_or_else(|| panic!("{fault:?} was not found"));
    report("interleavings", format!("{fault:?} is found in {} {kind}", failures.len()));
    println!("first in\n{first}");
    let again = replay(&nodes, &first.story, &first.schedule).unwrap_err();
    assert_eq!((&again.fault, &again.schedule), (&first.fault, &first.schedule));
    failures
}

fn all_are_of(failures: &[Failure], is_involved: impl Fn(&Operation) -> bool) {
    for failure in failures {
        assert!(failure.story.calls.iter().any(&is_involved), "{failure}");
    }
}

fn approves(call: &Operation) -> bool {
    matches!(
        call,
        Operation::Approve { .. }
            | Operation::ApproveRemembered { .. }
            | Operation::ApproveUnasked { .. }
            | Operation::ApproveCapped { .. }
    )
}

#[test]
fn a_store_of_many_steps_may_be_right() {
    none(&tell_all("right", "pairs", &nodes(Fault::None), &pairs(), Extent::EVERY));
    none(&tell_all("right", "triples", &nodes(Fault::None), &triples(), Extent { in_order: 100, drawn: 50, seed: 1 }));
}

#[test]
fn s01_a_code_that_is_checked_and_then_spent_is_found() {
    all_are_of(&found(Fault::RedeemsByCheckThenAct), |call| matches!(call, Operation::Redeem { .. }));
}

#[test]
fn s04_a_refresh_token_that_is_checked_and_then_rotated_is_found() {
    all_are_of(&found(Fault::RotatesByCheckThenAct), |call| matches!(call, Operation::Rotate { .. }));
}

#[test]
fn s03_a_rotation_that_writes_the_whole_row_back_over_a_revocation_is_found() {
    let of_both = |failure: &Failure| {
        let [first, second] = failure.story.calls[..] else { return false };
        matches!((first, second), (Operation::Rotate { .. }, Operation::RevokeGrant { .. } | Operation::GrantIsLive { .. }))
    };
    assert!(found(Fault::WritesTheWholeRowBack).iter().any(of_both));
}

#[test]
fn a_session_that_is_approved_twice_is_found() {
    all_are_of(&found(Fault::ApprovesTwice), approves);
}

#[test]
fn a_consent_that_is_read_and_then_written_is_found() {
    all_are_of(&found(Fault::RemembersBesideWhatItSaw), |call| matches!(call, Operation::ApproveRemembered { .. }));
}

#[test]
fn a_signing_key_that_is_installed_twice_is_found() {
    all_are_of(&found(Fault::InstallsKeysTwice), |call| matches!(call, Operation::InstallKey { .. }));
}

#[test]
fn a_signing_key_that_is_sealed_anew_over_what_another_sealed_is_found() {
    all_are_of(&found(Fault::ResealsInTwoSteps), |call| matches!(call, Operation::ResealKey { .. }));
}

#[test]
fn a_scope_that_is_unique_by_select_is_found() {
    all_are_of(&found(Fault::SelectsThenInsertsScopes), |call| matches!(call, Operation::CreateScope { .. }));
}

#[test]
fn an_account_that_is_unique_by_select_is_found() {
    all_are_of(&found(Fault::SelectsThenInsertsAccounts), |call| matches!(call, Operation::CreateAccount { .. }));
}

#[test]
fn an_api_key_that_is_renewed_from_what_was_read_is_found() {
    all_are_of(&found(Fault::RenewsWhatItSaw), |call| matches!(call, Operation::RenewApiKey { .. }));
}

#[test]
fn a_key_that_is_issued_after_counting_is_found() {
    // It counts what is listed, so it also forgets what was revoked lately: a key that is issued after the two calls shows that.
    let counts = |call: &Operation| {
        matches!(call, Operation::IssueApiKey { .. } | Operation::RevokeApiKey { .. } | Operation::RevokeApiKeysOf { .. })
    };
    all_are_of(&found(Fault::IssuesByCheckThenAct), counts);
}

#[test]
fn an_application_that_is_registered_after_counting_is_found() {
    all_are_of(&found(Fault::RegistersByCheckThenAct), |call| matches!(call, Operation::RegisterApplication { .. }));
}

#[test]
fn s03_a_revocation_that_misses_a_redemption_in_flight_is_found() {
    all_are_of(&found(Fault::RevokesWhatItSaw), |call| matches!(call, Operation::RevokeGrant { .. }));
}

#[test]
fn decision_3_11_a_secret_that_is_added_to_what_was_read_is_found() {
    all_are_of(&found(Fault::AddsSecretsToWhatItSaw), |call| matches!(call, Operation::AddSecret { .. }));
}

#[test]
fn a_scope_that_is_written_back_whole_is_found() {
    all_are_of(&found(Fault::WritesWholeScopesBack), |call| matches!(call, Operation::DescribeScope { .. } | Operation::GuardScope { .. }));
}

#[test]
fn a_client_that_is_checked_and_then_updated_is_found() {
    all_are_of(&found(Fault::UpdatesClientsByCheckThenAct), |call| matches!(call, Operation::UpdateClient { .. }));
}

#[test]
fn a_rehash_that_undoes_a_new_password_is_found() {
    all_are_of(&found(Fault::RehashesWhatItSaw), |call| matches!(call, Operation::Rehash { .. }));
}

fn changes_the_directory(call: &Operation) -> bool {
    use Operation::*;
    matches!(
        call,
        PutClub { .. }
            | RemoveClub { .. }
            | PutStudent { .. }
            | RemoveStudent { .. }
            | PutClubAndStudent { .. }
            | PutProject { .. }
            | RemoveProject { .. }
            | PutNeis { .. }
            | RemoveNeis { .. }
    )
}

/// The stories in which two calls change the directory, or one changes it and another reads.
fn of_the_directory(mut stories: Vec<Story>) -> Vec<Story> {
    stories.retain(|story| story.calls.iter().any(changes_the_directory));
    stories
}

#[test]
fn a_directory_that_is_written_over_what_another_wrote_is_found() {
    let failures = found_in("pairs", &of_the_directory(pairs()), Fault::WritesWhateverVersionThereIs);
    assert!(failures.iter().all(|failure| failure.story.calls.iter().all(changes_the_directory)), "{failures:?}");
}

#[test]
fn changes_that_leave_out_what_was_removed_are_found() {
    found_in("pairs", &of_the_directory(pairs()), Fault::ForgetsTombstones);
}

#[test]
fn changes_that_leave_out_all_versions_but_the_last_are_found() {
    found_in("pairs", &of_the_directory(pairs()), Fault::TellsOnlyTheLastVersion);
}

/// A call loads after another wrote, and a third writes while it does.
#[test]
fn a_directory_that_is_loaded_in_two_transactions_is_found() {
    found_in("triples", &of_the_directory(triples()), Fault::LoadsInTwoTransactions);
}

#[test]
fn a_directory_whose_rows_are_written_before_its_version_is_found_half_done() {
    let found = half_done(Fault::WritesRowsBeforeTheVersion);
    assert!(!found.is_empty());
    assert!(found.iter().all(|found| found.story.calls.iter().all(changes_the_directory)), "{found:?}");
}

#[test]
fn s23_a_session_in_the_console_that_is_moved_from_what_was_read_is_found() {
    all_are_of(&found(Fault::MovesWhatItSaw), |call| matches!(call, Operation::MoveUserSession { .. }));
}

#[test]
fn s40_a_rate_that_is_read_and_then_written_is_found() {
    all_are_of(&found(Fault::ReadsThenWritesRates), |call| matches!(call, Operation::TakeCall { .. }));
}

#[test]
fn the_orders_of_a_story_are_counted() {
    // Two calls of two steps have six orders.
    let spend = Operation::Redeem { grant: 1, at: 1 };
    let start = [
        Operation::OpenSession { session: 1, at: 0 },
        Operation::SignIn { session: 1, replacement: 2, subject: 1, at: 0 },
        Operation::Approve { session: 2, grant: 1, at: 0 },
    ];
    let story = |calls: &[Operation]| Story::new("a code", &start, calls);
    let explored = |calls: &[Operation], extent| explore(&nodes(Fault::None), &story(calls), extent).unwrap();
    assert_eq!(explored(&[spend; 2], Extent::EVERY).interleavings, 6);
    assert_eq!(explored(&[spend; 3], Extent::EVERY).interleavings, 90);
    let drawn = explored(&[spend; 3], Extent { in_order: 10, drawn: 5, seed: 1 });
    assert_eq!((drawn.interleavings, drawn.exhausted), (13, 0), "two of the five were tried before");
    let drawn = explored(&[spend; 3], Extent { in_order: 89, drawn: 500, seed: 1 });
    assert_eq!((drawn.interleavings, drawn.exhausted), (90, 0), "what is drawn twice, or was tried in order, is not counted");
}

/// Two people who register with addresses of their own.
fn two_accounts() -> Story {
    Story::new("nobody", &[], &[1, 2].map(|account| Operation::CreateAccount { account, email: account }))
}

/// Fewer steps for each account than for the one before: what a run did, the next one cannot do.
#[test]
fn a_store_that_does_not_move_the_same_way_twice_is_not_searched() {
    let failure = explore(&nodes(Fault::TakesFewerStepsEachTime), &two_accounts(), Extent::EVERY).unwrap_err();
    assert!(failure.fault.contains("does not move the same way twice"), "{failure}");
}

#[test]
fn calls_that_wait_for_each_other_are_found() {
    let nodes = nodes(Fault::LocksInTwoOrders);
    let failure = explore(&nodes, &two_accounts(), Extent::EVERY).unwrap_err();
    assert!(failure.fault.contains("wait for each other"), "{failure}");
    // The search goes on with the same store.
    assert!(replay(&nodes, &two_accounts(), &"0 0 0 0 1 1 1 1".parse().unwrap()).is_ok());
    assert_eq!(replay(&nodes, &two_accounts(), &failure.schedule).unwrap_err().schedule, failure.schedule);
}

#[test]
fn a_call_that_waits_for_a_lock_is_no_fault() {
    let explored = explore(&nodes(Fault::LocksInOneOrder), &two_accounts(), Extent::EVERY).unwrap();
    assert_eq!(explored.exhausted, 1);
    assert!(explored.interleavings > 2, "{explored:?}");
}

#[test]
fn an_approval_in_two_transactions_is_found_half_done() {
    let found = half_done(Fault::ApprovesInTwoTransactions);
    assert!(!found.is_empty());
    assert!(found.iter().all(|found| matches!(&found.story.calls[..], [call] if approves(call))), "{found:?}");
}

#[test]
fn a_withdrawal_in_two_transactions_is_found_half_done() {
    let found = half_done(Fault::WithdrawsInTwoTransactions);
    assert!(!found.is_empty());
    assert!(found.iter().all(|found| matches!(found.story.calls[..], [Operation::Withdraw { .. }])), "{found:?}");
}

#[test]
fn an_account_that_goes_in_two_transactions_is_found_half_done() {
    let found = half_done(Fault::RemovesAccountsInTwoTransactions);
    assert!(!found.is_empty());
    assert!(found.iter().all(|found| matches!(found.story.calls[..], [Operation::RemoveAccount { .. }])), "{found:?}");
}

#[test]
fn an_account_that_goes_after_its_clients_is_found_half_done() {
    let found = half_done(Fault::RemovesOwnersBeforeTheirAccounts);
    assert!(!found.is_empty());
    assert!(found.iter().all(|found| matches!(found.story.calls[..], [Operation::RemoveAccount { .. }])), "{found:?}");
}

#[test]
fn a_password_that_changes_after_its_keys_is_found_half_done() {
    let found = half_done(Fault::SetsPasswordsAfterTheKeys);
    assert!(!found.is_empty());
    assert!(found.iter().all(|found| matches!(found.story.calls[..], [Operation::SetPassword { .. }])), "{found:?}");
}

#[test]
fn what_happened_written_down_in_two_transactions_is_found_half_done() {
    let found = half_done(Fault::AppendsInTwoTransactions);
    assert!(!found.is_empty());
    assert!(found.iter().all(|found| matches!(found.story.calls[..], [Operation::AppendAudit { .. }])), "{found:?}");
}

#[test]
fn an_answer_before_the_commit_is_found() {
    let found = half_done(Fault::AnswersBeforeItCommits);
    assert!(!found.is_empty());
    assert!(found.iter().all(|found| matches!(found.story.calls[..], [Operation::RevokeGrant { .. }])), "{found:?}");
}

#[test]
fn a_store_of_many_steps_may_die_at_each_of_them() {
    assert_eq!(half_done(Fault::None), []);
}
