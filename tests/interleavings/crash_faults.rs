//! Planted faults that a search for crash points must find.

use lyceum::testing::interleavings::Operation::{self, *};

use crate::broken::Fault;
use crate::fault_search::{approves, changes_the_directory, half_done};

/// Makes a test of each fault: the search finds it, and only in the calls that it affects.
macro_rules! is_found_half_done {
    ($($test:ident: $fault:ident in $is_affected:expr;)+) => {$(
        #[test]
        fn $test() {
            let is_affected: fn(&Operation) -> bool = $is_affected;
            let found = half_done(Fault::$fault);
            assert!(!found.is_empty());
            assert!(
                found.iter().all(|found| matches!(&found.scenario.calls[..], [call] if is_affected(call))),
                "{found:?}"
            );
        }
    )+};
}

is_found_half_done! {
    a_directory_whose_rows_are_written_before_its_version_is_found_half_done:
        WritesRowsBeforeTheVersion in changes_the_directory;
    an_approval_in_two_transactions_is_found_half_done:
        ApprovesInTwoTransactions in approves;
    a_withdrawal_in_two_transactions_is_found_half_done:
        WithdrawsInTwoTransactions in |call| matches!(call, WithdrawGrant { .. });
    an_account_that_goes_in_two_transactions_is_found_half_done:
        RemovesAccountsInTwoTransactions in |call| matches!(call, RemoveAccount { .. });
    an_account_that_goes_after_its_clients_is_found_half_done:
        RemovesOwnersBeforeTheirAccounts in |call| matches!(call, RemoveAccount { .. });
    a_password_that_changes_after_its_keys_is_found_half_done:
        SetsPasswordsAfterTheKeys in |call| matches!(call, SetPassword { .. });
    audit_records_written_in_a_second_transaction_are_found:
        AppendsInTwoTransactions in |call| matches!(call, AppendAudit { .. });
    an_answer_before_the_commit_is_found:
        AnswersBeforeItCommits in |call| matches!(call, RevokeGrant { .. });
}

#[test]
fn a_store_of_many_steps_may_die_at_each_of_them() {
    assert_eq!(half_done(Fault::None), []);
}
