//! Planted faults that a search for crash points must find.

use lyceum::testing::interleavings::Operation;

use crate::broken::Fault;
use crate::fault_search::{approves, changes_the_directory, half_done};

#[test]
fn a_directory_whose_rows_are_written_before_its_version_is_found_half_done() {
    let found = half_done(Fault::WritesRowsBeforeTheVersion);
    assert!(!found.is_empty());
    assert!(
        found
            .iter()
            .all(|found| found.scenario.calls.iter().all(changes_the_directory)),
        "{found:?}"
    );
}

#[test]
fn an_approval_in_two_transactions_is_found_half_done() {
    let found = half_done(Fault::ApprovesInTwoTransactions);
    assert!(!found.is_empty());
    assert!(
        found
            .iter()
            .all(|found| matches!(&found.scenario.calls[..], [call] if approves(call))),
        "{found:?}"
    );
}

#[test]
fn a_withdrawal_in_two_transactions_is_found_half_done() {
    let found = half_done(Fault::WithdrawsInTwoTransactions);
    assert!(!found.is_empty());
    assert!(
        found
            .iter()
            .all(|found| matches!(found.scenario.calls[..], [Operation::WithdrawGrant { .. }])),
        "{found:?}"
    );
}

#[test]
fn an_account_that_goes_in_two_transactions_is_found_half_done() {
    let found = half_done(Fault::RemovesAccountsInTwoTransactions);
    assert!(!found.is_empty());
    assert!(
        found
            .iter()
            .all(|found| matches!(found.scenario.calls[..], [Operation::RemoveAccount { .. }])),
        "{found:?}"
    );
}

#[test]
fn an_account_that_goes_after_its_clients_is_found_half_done() {
    let found = half_done(Fault::RemovesOwnersBeforeTheirAccounts);
    assert!(!found.is_empty());
    assert!(
        found
            .iter()
            .all(|found| matches!(found.scenario.calls[..], [Operation::RemoveAccount { .. }])),
        "{found:?}"
    );
}

#[test]
fn a_password_that_changes_after_its_keys_is_found_half_done() {
    let found = half_done(Fault::SetsPasswordsAfterTheKeys);
    assert!(!found.is_empty());
    assert!(
        found
            .iter()
            .all(|found| matches!(found.scenario.calls[..], [Operation::SetPassword { .. }])),
        "{found:?}"
    );
}

#[test]
fn audit_records_written_in_a_second_transaction_are_found() {
    let found = half_done(Fault::AppendsInTwoTransactions);
    assert!(!found.is_empty());
    assert!(
        found
            .iter()
            .all(|found| matches!(found.scenario.calls[..], [Operation::AppendAudit { .. }])),
        "{found:?}"
    );
}

#[test]
fn an_answer_before_the_commit_is_found() {
    let found = half_done(Fault::AnswersBeforeItCommits);
    assert!(!found.is_empty());
    assert!(
        found
            .iter()
            .all(|found| matches!(found.scenario.calls[..], [Operation::RevokeGrant { .. }])),
        "{found:?}"
    );
}

#[test]
fn a_store_of_many_steps_may_die_at_each_of_them() {
    assert_eq!(half_done(Fault::None), []);
}
