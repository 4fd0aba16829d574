//! Checks that the conformance suite notices a broken store: each of these has one fault, and a
//! named case fails on it.

#[macro_use]
#[path = "support/delegate_store.rs"]
mod delegate_store;

mod broken_store;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use broken_store::{BrokenStore, Fault};
use lyceum::domain::*;
use lyceum::store::*;
use lyceum::testing::conformance::{self, StoreUnderTest};

/// Runs a case, and returns the message of its panic as an error.
fn examine(fault: Option<Fault>, case: &str) -> Result<(), String> {
    let store = StoreUnderTest::new(Arc::new(BrokenStore::new(fault)));
    said(catch_unwind(AssertUnwindSafe(|| {
        conformance::run_case(case, store)
    })))
}

/// Store that has the protocol's methods alone.
#[derive(Debug)]
struct ProtocolOnly(Arc<BrokenStore>);

impl ProtocolOnly {
    async fn delegate(&self, _: &str) -> Result<&dyn ProtocolStorage, StorageError> {
        Ok(&*self.0)
    }
}

impl StoreClock for ProtocolOnly {}

delegate!(ClientLookup for ProtocolOnly);
delegate!(GrantStore for ProtocolOnly);
delegate!(SigningKeyStore for ProtocolOnly);

/// Same as [`examine`], over a store that has the protocol's methods alone.
fn examine_protocol(fault: Option<Fault>, case: &str) -> Result<(), String> {
    let broken = Arc::new(BrokenStore::new(fault));
    let store = StoreUnderTest::protocol(Arc::new(ProtocolOnly(Arc::clone(&broken))), broken);
    said(catch_unwind(AssertUnwindSafe(|| {
        conformance::run_protocol_case(case, store)
    })))
}

/// Returns the message of a panic.
fn said(outcome: std::thread::Result<()>) -> Result<(), String> {
    outcome.map_err(|panic| match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => panic
            .downcast::<&str>()
            .map(|text| text.to_string())
            .unwrap_or_default(),
    })
}

#[test]
fn a_store_without_a_fault_passes_every_case() {
    let failed: Vec<_> = conformance::case_names()
        .filter(|case| examine(None, case).is_err())
        .collect();
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
fn a_store_of_the_protocol_alone_passes_its_cases() {
    let failed: Vec<_> = conformance::protocol_case_names()
        .filter(|case| examine_protocol(None, case).is_err())
        .collect();
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
fn a_store_of_the_protocol_alone_that_redeems_a_code_twice_is_noticed() {
    let case = "codes::of_many_redemptions_one_gives_the_grant";
    let said = examine_protocol(Some(Fault::RedeemsByCheckThenAct), case)
        .expect_err("the suite does not notice");
    assert!(
        said.contains("of 64 redemptions exactly one is redeemed"),
        "this was noticed instead: {said}"
    );
}

macro_rules! detects {
    ($($test:ident: $fault:ident fails $case:literal saying $promise:literal;)+) => {$(
        #[test]
        fn $test() {
            let said = examine(Some(Fault::$fault), $case).expect_err("the suite does not notice");
            // Other panics, such as the broken store's own or that of an unknown case, would prove
            // nothing.
            assert!(said.contains($promise), "this was noticed instead: {said}");
        }
    )+};
}

detects! {
    a_code_that_is_checked_and_then_spent_is_spent_twice:
        RedeemsByCheckThenAct fails "codes::of_many_redemptions_one_gives_the_grant" saying "of 64 redemptions exactly one is redeemed";
    an_expired_code_must_not_be_spent_by_its_refusal:
        SpendsExpiredCodes fails "codes::an_expired_code_is_refused_and_stays_unspent" saying "what was refused was not redeemed";
    a_grant_that_is_checked_and_then_rotated_forks:
        RotatesByCheckThenAct fails "refresh::of_many_rotations_one_rotates_and_the_others_repeat"
            saying "of 64 rotations exactly one rotates";
    a_window_that_never_closes_lets_a_thief_in:
        ForgetsTheWindow fails "refresh::a_token_from_before_the_window_revokes_the_grant"
            saying "one second after the window, the old token is theft";
    a_window_that_slides_never_closes:
        SlidesTheWindow fails "refresh::the_window_never_slides" saying "a repetition does not open the window anew";
    a_revocation_must_not_be_ignored:
        IgnoresRevocationAfterRedemption fails "revocation::a_revoked_grant_is_not_live" saying "a revoked grant is not live";
    a_session_that_is_checked_and_then_approved_is_approved_twice:
        ApprovesByCheckThenAct fails "session_races::of_many_approvals_one_makes_a_code" saying "of 64 approvals exactly one is approved";
    a_session_must_not_keep_its_old_token:
        KeepsTheOldSessionToken fails "sessions::the_token_from_before_the_sign_in_is_worth_nothing"
            saying "the token from before the sign-in must not find the session";
    the_last_second_of_a_session_is_not_part_of_it:
        AllowsOneSecondMore fails "sessions::a_session_is_gone_at_the_moment_it_expires" saying "at == expires_at is expired";
    a_scope_that_is_looked_up_and_then_inserted_is_there_twice:
        SelectsThenInsertsScopes fails "registry::of_many_scopes_with_one_name_one_is_kept"
            saying "of 64 scopes with one name exactly one is created";
    an_address_that_is_looked_up_and_then_inserted_is_there_twice:
        SelectsThenInsertsAccounts fails "accounts::of_many_accounts_with_one_address_one_is_kept"
            saying "of 64 accounts with one address exactly one is created";
    a_code_that_waits_must_be_revoked_too:
        RevokesOnlyRedeemedGrants fails "codes::a_code_of_a_revoked_grant_is_refused" saying "an unredeemed code is revoked with its grant";
    a_redemption_that_writes_the_row_back_undoes_a_revocation:
        RedeemsOverARevocation fails "revocation::a_revocation_beside_the_only_redemption_is_never_lost"
            saying "a revoked grant is not live";
    a_rotation_that_writes_the_row_back_undoes_a_revocation:
        RotatesOverARevocation fails "revocation::a_revocation_beside_a_rotation_is_never_lost" saying "a revoked grant is not live";
    a_signing_key_that_is_looked_up_and_then_inserted_is_there_twice:
        InstallsKeysByCheckThenAct fails "signing_keys::of_many_keys_with_one_number_one_is_installed"
            saying "of 64 keys with one number exactly one is installed";
    a_key_must_not_be_sealed_over_what_another_sealed:
        ResealsWhateverIsKept fails "signing_keys::a_key_is_sealed_anew_where_it_is_still_as_it_was_seen" saying "a key with another seal is unchanged";
    a_rate_that_is_read_and_then_written_lets_everybody_through:
        CountsByReadThenWrite fails "rate_limits::of_many_takers_a_burst_is_allowed"
            saying "of 64 takers of a burst of 10 exactly 10 are allowed";
    a_withdrawal_must_forget_what_was_allowed:
        WithdrawsWithoutTheConsent fails "consents::a_withdrawal_revokes_the_grant_and_forgets_the_consent"
            saying "the withdrawn consent is deleted";
    a_withdrawal_must_leave_the_grants_of_others:
        WithdrawsGrantsOfOthers fails "consents::nobody_withdraws_the_grant_of_another" saying "another user's grant is unknown";
    what_is_allowed_is_added_to_what_was_allowed_before:
        ReplacesConsents fails "consents::what_is_remembered_adds_up" saying "earlier scopes stay in the consent";
    a_sweep_must_leave_what_lives:
        SweepsLivingGrants fails "retention::a_grant_that_lives_is_never_swept" saying "a live grant is never swept";
    a_sweep_must_leave_what_clocks_that_are_behind_may_need:
        SweepsWhatHasJustDied fails "retention::a_dead_grant_is_kept_for_a_day_to_the_second" saying "grant 1 is stored until then";
    a_sweep_must_come:
        NeverSweeps fails "retention::dead_grants_go_in_small_batches_when_new_ones_come" saying "more are deleted than added";
    a_client_that_goes_must_take_its_grants_along:
        DeletesClientsButNotTheirGrants fails "clients::deleting_a_client_ends_its_sessions_and_grants"
            saying "a deleted client's grants are revoked";
    a_scope_that_goes_must_be_taken_from_grants:
        ForgetsGrantsWhenAScopeGoes fails "management::a_deleted_scope_is_removed_from_clients_and_grants"
            saying "a deleted scope is removed from grants";
    a_secret_that_is_added_to_what_was_read_replaces_anothers:
        AddsSecretsByReadThenWrite fails "client_secrets::of_many_new_secrets_the_newest_two_stay"
            saying "of 64 new secrets two stay and the first goes";
    a_third_secret_must_not_stay:
        KeepsThreeSecrets fails "client_secrets::a_third_secret_takes_the_place_of_the_oldest" saying "the newest last";
    a_key_that_is_revoked_must_be_the_one_that_was_named:
        RevokesTheNewestKey fails "signing_keys::a_revoked_key_says_so_and_the_others_stay"
            saying "the named key is revoked, and no other";
    a_key_is_not_revoked_a_second_time:
        RevokesKeysAgain fails "signing_keys::a_key_is_revoked_once_and_the_first_moment_stays" saying "a key is revoked once";
    a_key_is_revoked_for_good:
        RevokesKeysUntilTheNextOne fails "signing_keys::a_revoked_key_is_removed_like_any_other"
            saying "a revoked key stays revoked when the next one is installed";
    a_key_that_is_looked_up_and_then_revoked_is_revoked_by_everybody:
        RevokesKeysByCheckThenAct fails "signing_keys::of_many_revocations_one_is_the_first" saying "of 64 revocations 64 are the first";
    what_is_said_yes_to_once_must_not_be_remembered:
        RemembersEveryApproval fails "consents::only_what_is_to_be_remembered_is_remembered" saying "and must be asked again";
    an_approval_without_asking_must_look_at_what_was_allowed:
        ApprovesWithoutAsking fails "consents::an_approval_without_asking_needs_a_consent_to_every_scope" saying "the user must be asked";
    who_signs_out_everywhere_must_lose_codes_that_wait:
        RevokesOnlyWhatIsShown fails "consents::who_signs_out_everywhere_has_nothing_that_lives" saying "each grant is revoked once";
    a_sign_out_that_is_checked_and_then_done_moves_a_session_many_times:
        SignsOutByCheckThenAct fails "session_races::of_many_sign_outs_one_moves_the_session"
            saying "of 64 sign-outs exactly one moves the session";
    consents_must_lose_what_goes:
        NeverForgetsConsents fails "management::deleted_scopes_are_removed_from_consents"
            saying "a deleted scope is removed from consents";
    a_client_that_is_checked_and_then_updated_loses_an_update:
        UpdatesClientsByCheckThenAct fails "clients::of_many_updates_from_the_same_settings_one_is_kept"
            saying "of 64 updates from one version exactly one is stored";
    a_scope_that_is_withdrawn_from_one_client_must_stay_with_others:
        WithdrawsScopesFromEverybody fails "management::a_withdrawn_scope_is_taken_from_that_client_alone"
            saying "no other client loses it";
    clients_that_are_reviewed_must_not_be_listed_for_review:
        ListsEverybodyForReview fails "client_review::a_client_is_listed_for_review_until_an_administrator_verifies_it"
            saying "only clients that await review are listed";
    a_verification_is_one_of_the_settings_that_were_seen:
        VerifiesWhatItIsGiven fails "client_review::a_client_is_listed_for_review_until_an_administrator_verifies_it"
            saying "an update based on settings before the review does not revert it";
    what_the_owner_changes_meanwhile_must_not_be_verified:
        VerifiesWhatNobodyReviewed fails "client_review::a_client_is_listed_for_review_until_an_administrator_verifies_it"
            saying "a client that was not reviewed is not verified";
    what_is_not_to_change_of_a_scope_must_stay:
        OpensScopesThatAreDescribed fails "management::the_parts_of_a_scope_change_one_by_one"
            saying "changing the description keeps the approval requirement";
    a_scope_that_is_written_back_whole_undoes_what_others_changed:
        WritesWholeScopesBack fails "management::of_many_changes_to_the_parts_of_a_scope_none_undoes_another"
            saying "both parts have their last values";
    a_scope_that_goes_must_be_taken_from_lists:
        LeavesDeletedScopesOnLists fails "management::a_scope_deleted_beside_new_clients_is_on_no_list" saying "lists a deleted scope";
    an_older_secret_that_is_looked_up_and_then_removed_is_removed_by_everybody:
        RemovesSecretsByCheckThenAct fails "client_secrets::of_many_removals_of_an_older_secret_one_removes_it"
            saying "of 64 removals exactly one removes it";
    an_approval_of_a_client_must_be_kept:
        ForgetsApprovals fails "management::a_scope_that_needs_approval_is_listed_after_it"
            saying "a client that has been approved may list the scope";
    the_old_value_of_a_renewed_key_must_be_found:
        ForgetsPreviousValues fails "api_keys::a_renewed_key_is_found_by_each_of_its_values"
            saying "the previous value is still known";
    a_second_renewal_must_not_end_the_value_before_the_last:
        CutsOverlapsThatRun fails "api_keys::a_second_renewal_keeps_the_value_in_production_alive" saying "value 1 belongs to the key";
    live_values_that_are_not_counted_grow_without_end:
        RenewsPastTheMost fails "api_keys::of_many_renewals_with_an_overlap_no_live_value_is_lost"
            saying "as many succeed as values may work";
    a_key_must_be_listed_to_its_owner_alone:
        ListsKeysOfEverybody fails "api_keys::keys_come_by_owner_in_the_order_of_their_creation" saying "the owner's own keys";
    a_key_that_is_renewed_from_what_was_read_loses_a_value:
        RenewsWhatItSaw fails "api_keys::of_many_renewals_each_is_whole" saying "two renewals replaced one value";
    what_is_revoked_must_not_be_renewed:
        RenewsRevokedKeys fails "api_keys::a_revoked_key_is_not_renewed" saying "a revoked key stays revoked";
    a_last_use_must_not_move_backwards:
        WritesWhicheverUseComesLast fails "api_keys::a_last_use_never_moves_backwards" saying "the latest use stays";
    a_notice_that_is_looked_up_and_then_claimed_is_claimed_by_everybody:
        ClaimsNoticesByCheckThenAct fails "api_keys::of_many_claims_of_a_notice_one_tells" saying "of 64 claims exactly one succeeds";
    a_key_that_is_issued_after_counting_is_issued_to_everybody:
        IssuesByCheckThenAct fails "api_keys::of_many_keys_issued_at_once_an_owner_gets_as_many_as_one_may_have"
            saying "of 64 keys exactly 5 are issued";
    an_application_that_is_registered_after_counting_is_registered_for_everybody:
        RegistersByCheckThenAct fails "registry::of_many_applications_registered_at_once_an_owner_gets_as_many_as_one_may_have"
            saying "of 64 applications exactly 5 are registered";
    a_scope_that_is_registered_after_counting_is_registered_for_everybody:
        RegistersByCheckThenAct fails "registry::of_many_scopes_registered_at_once_an_application_gets_as_many_as_one_may_have"
            saying "of 64 scopes exactly 5 are registered";
    a_client_that_is_registered_after_counting_is_registered_for_everybody:
        RegistersByCheckThenAct fails "registry::of_many_clients_registered_at_once_an_owner_gets_as_many_as_one_may_have"
            saying "of 64 clients exactly 5 are registered";
    a_scope_that_is_gone_and_granted_all_the_same_comes_back:
        GrantsScopesThatAreGone fails "deleted_scopes::a_scope_that_is_gone_before_its_session_is_opened_is_not_granted"
            saying "deleted scopes are left out, and the others keep their order";
    grants_that_are_counted_before_they_come_are_more_than_one_may_have:
        CapsGrantsByCheckThenAct fails "consents::of_many_approvals_at_once_no_more_grants_live_than_may"
            saying "of 64 grants exactly 5 are left";
    a_hash_that_is_read_and_then_replaced_undoes_a_new_password:
        ChangesHashesByReadThenWrite fails "accounts::of_many_new_passwords_from_one_sight_one_is_kept"
            saying "of 64 hashes with one expected hash exactly one is stored";
    a_new_password_must_leave_the_thief_of_the_old_one_nothing:
        ChangesPasswordsButEndsNothing fails "accounts::a_new_password_ends_what_the_old_one_had_begun"
            saying "the account's grants are revoked";
    a_new_password_must_revoke_the_keys:
        ChangesPasswordsButNotTheKeys fails "accounts::a_new_password_ends_what_the_old_one_had_begun"
            saying "a new password revokes the account's keys";
    keys_that_are_to_be_kept_must_go_on:
        RevokesKeysThatAreToBeKept fails "accounts::a_new_password_leaves_the_keys_where_they_are_to_be_kept"
            saying "keys to keep stay valid";
    an_account_that_goes_must_take_its_keys_along:
        RemovesAccountsButNotTheirKeys fails "accounts::a_removed_account_takes_all_of_its_own_along"
            saying "a removed account's keys are revoked";
    an_account_that_goes_must_leave_its_clients_suspended:
        LeavesTheClientsOfLeavers fails "owners::a_removed_account_leaves_its_clients_suspended"
            saying "the client of a removed account is suspended";
    the_last_of_the_services_own_clients_must_stay:
        DeletesTheLastFirstParty fails "owners::the_last_of_the_services_own_clients_stays"
            saying "the last of the service's own clients stays";
    a_sign_out_everywhere_must_revoke_the_keys:
        SignsOutWithoutTheKeys fails "api_keys::a_sign_out_everywhere_revokes_the_keys_unless_they_are_kept"
            saying "the user's keys are revoked";
    the_keys_of_one_owner_must_go_alone:
        RevokesApiKeysOfEverybody fails "api_keys::all_keys_of_an_owner_are_revoked_at_once"
            saying "other owners' keys stay valid";
    an_account_that_goes_must_take_its_consents_along:
        RemovesAccountsButNotTheirConsents fails "accounts::a_removed_account_takes_all_of_its_own_along"
            saying "a removed account's consents are deleted";
    somebody_must_stay_an_administrator:
        LetsTheLastAdministratorGo fails "accounts::the_last_administrator_stays_one" saying "the last administrator cannot be removed";
    a_write_of_the_directory_must_check_the_mark:
        IgnoresTheExpectedMark fails "directory::a_write_that_expects_another_mark_writes_nothing" saying "is not the present version";
    a_version_that_is_checked_and_then_written_is_written_twice:
        AdvancesByCheckThenAct fails "directory::of_many_writes_from_one_version_one_is_made"
            saying "of 64 writes from one version exactly one is made";
    rows_must_not_be_written_before_the_version_is_checked:
        WritesRowsBeforeTheVersion fails "directory::a_write_that_expects_another_number_writes_nothing"
            saying "an outdated write writes nothing";
    changes_must_tell_of_removed_records:
        ForgetsTombstones fails "directory::changes_tell_each_row_once_as_it_is_now" saying "the changes since";
    changes_must_not_end_after_a_page:
        TellsOnlyTenChanges fails "directory::changes_tell_each_row_once_as_it_is_now" saying "the changes since";
    each_column_must_hold_its_own_value:
        MixesColumns fails "directory::rows_are_loaded_as_they_were_written" saying "the loaded rows are the written ones";
    a_list_must_keep_a_text_that_it_has_twice:
        DropsRepeatedTexts fails "directory::rows_are_loaded_as_they_were_written" saying "the loaded rows are the written ones";
    changes_since_another_mark_must_be_unknown:
        TakesAnyMark fails "directory::changes_since_another_mark_are_unknown" saying "so it is unknown";
    accounts_must_be_listed_without_regard_to_case:
        SortsAccountsAsTheyAreWritten fails "accounts::accounts_come_in_the_order_of_their_folded_addresses" saying "case does not affect the order";
    what_was_allowed_must_be_shown_also_where_nothing_of_it_lives:
        HidesConsentsWithoutGrants fails "consents::what_was_allowed_is_shown_also_where_nothing_of_it_lives"
            saying "latest consent first";
    a_usage_must_count_the_grants_that_have_the_scope:
        CountsOnlyGrantsOfListingClients fails "usage::a_scopes_usage_is_who_lists_it_and_what_of_it_lives"
            saying "live grants count, whether or not their client lists the scope";
    a_usage_of_many_clients_must_have_each_of_them:
        ReadsTheUsageOfOneClient fails "usage::a_clients_usage_is_what_of_its_grants_lives"
            saying "each client has its own live grants";
    keys_that_are_read_by_their_ids_must_include_revoked_ones:
        LeavesRevokedKeysOut fails "api_keys::many_keys_come_whole_in_the_order_of_their_ids" saying "also a revoked one";
    calls_that_are_read_and_then_written_are_lost:
        CountsCallsByReadThenWrite fails "api_keys::of_many_batches_every_call_counts" saying "no call is lost";
    what_happened_must_not_be_written_down_one_by_one:
        AppendsOneByOne fails "audit_trail::of_many_batches_of_what_happened_none_is_lost_and_each_stays_together"
            saying "nothing comes between the records of a batch";
    a_filter_must_hold_on_every_page:
        PagesWithoutTheFilter fails "audit_trail::every_filter_of_what_happened_finds_what_it_says"
            saying "a filter holds on every page";
    what_happened_long_ago_must_not_go_at_once:
        SweepsAuditAtOnce fails "audit_trail::old_audit_records_are_deleted_in_small_batches" saying "one call deletes a few";
    a_session_in_the_console_must_not_idle_for_ever:
        LetsSessionsIdle fails "user_sessions::a_session_is_over_when_it_was_idle_too_long"
            saying "at last_used_at and the idle time later it has expired";
    a_session_in_the_console_must_not_keep_its_old_token:
        KeepsTheOldUserSessionToken fails "user_sessions::a_moved_session_is_known_by_its_new_digest_alone"
            saying "the old token is invalid";
    a_session_in_the_console_that_is_checked_and_then_moved_is_moved_by_everybody:
        MovesSessionsByCheckThenAct fails "user_sessions::of_many_moves_one_moves_the_session"
            saying "of 64 moves exactly one moves the session";
    another_role_must_not_come_to_whoever_has_an_old_session:
        ChangesRolesAlone fails "user_sessions::losing_rights_ends_the_sessions_of_a_user"
            saying "a session has no more rights than its user had when it began";
}
