//! List of all cases. The compiler reports a case that is missing here as dead code.

/// Passes every case, by subject, to the macro `$then`.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_cases {
    ([$($then:tt)*] $($arguments:tt)*) => {
        $($then)*! { ($($arguments)*)
            accounts {
                an_account_is_found_by_its_id_as_it_was_kept
                an_account_is_found_by_its_address_in_any_case
                an_address_is_taken_in_any_case
                an_id_is_taken_once
                an_unknown_account_is_not_found
                of_many_accounts_with_one_address_one_is_kept
                a_hash_is_replaced_only_where_it_was_seen
                a_new_password_ends_what_the_old_one_had_begun
                a_new_password_leaves_the_keys_where_they_are_to_be_kept
                a_role_changes_alone
                a_removed_account_takes_all_of_its_own_along
                the_last_administrator_stays_one
                administrators_who_take_the_role_from_each_other_leave_one
                of_many_new_passwords_from_one_sight_one_is_kept
                an_account_removed_beside_approvals_has_no_live_grant
                accounts_come_in_the_order_of_their_folded_addresses
                accounts_are_found_by_any_part_of_their_address
            }
            api_keys {
                a_key_is_found_by_its_digest_as_it_was_kept
                a_key_whose_id_or_digest_is_taken_is_refused
                a_revoked_key_keeps_the_time_of_its_first_revocation
                an_unknown_key_cannot_be_revoked
                of_many_keys_with_one_digest_one_is_kept
                of_many_revocations_one_sets_the_time
                a_key_is_found_by_its_id
                keys_come_by_owner_in_the_order_of_their_creation
                an_owner_gets_no_more_keys_than_one_may_have
                of_many_keys_issued_at_once_an_owner_gets_as_many_as_one_may_have
                a_key_issued_beside_revocations_never_makes_one_too_many
                all_keys_of_an_owner_are_revoked_at_once
                a_sign_out_everywhere_revokes_the_keys_unless_they_are_kept
                a_renewed_key_is_found_by_each_of_its_values
                a_second_renewal_keeps_the_value_in_production_alive
                no_more_values_of_a_key_work_at_once_than_one_key_may_have
                a_renewed_key_keeps_all_but_its_value
                a_value_that_is_taken_renews_nothing
                a_revoked_key_is_not_renewed
                an_expired_key_can_be_renewed
                of_many_renewals_each_is_whole
                of_many_renewals_with_an_overlap_no_live_value_is_lost
                of_many_keys_renewed_to_one_value_one_has_it
                a_renewal_beside_a_revocation_brings_nothing_back
                a_last_use_never_moves_backwards
                the_calls_of_a_day_add_up
                of_many_batches_every_call_counts
                usage_counts_are_deleted_after_five_weeks_and_with_their_key
                an_expiry_is_told_of_once_and_again_after_a_renewal
                of_many_claims_of_a_notice_one_tells
            }
            api_keys_version {
                whatever_may_stop_a_key_from_working_is_told_as_a_change
            }
            owners {
                removing_an_owner_suspends_clients_and_reassigns_applications
                a_removed_account_leaves_its_clients_suspended
                a_client_that_is_given_away_is_in_use_again
                the_last_of_the_services_own_clients_stays
                of_many_deletions_of_the_services_own_clients_one_is_left
                a_client_created_while_its_owner_is_removed_is_suspended_or_created_afterwards
            }
            registry {
                the_service_and_its_scopes_are_there_from_the_start
                an_application_is_kept_unless_its_id_is_taken
                a_scope_name_is_unique_in_its_application
                a_scope_needs_its_application
                a_scope_tells_the_name_of_its_application
                definitions_come_in_the_order_in_which_they_were_asked_for
                many_applications_come_in_the_order_in_which_they_were_asked_for
                many_clients_come_whole_in_the_order_in_which_they_were_asked_for
                a_client_is_found_as_it_was_kept
                a_client_needs_a_free_id_and_scopes_that_exist
                a_client_that_breaks_a_rule_is_refused
                nobody_gets_more_applications_scopes_or_clients_than_one_may_have
                of_many_applications_registered_at_once_an_owner_gets_as_many_as_one_may_have
                of_many_scopes_registered_at_once_an_application_gets_as_many_as_one_may_have
                of_many_clients_registered_at_once_an_owner_gets_as_many_as_one_may_have
                of_many_applications_with_one_id_one_is_kept
                of_many_scopes_with_one_name_one_is_kept
                of_many_clients_with_one_id_one_is_kept
            }
            clients {
                clients_come_by_owner_in_the_order_of_their_registration
                a_client_is_updated_from_what_was_seen
                deleting_a_client_ends_its_sessions_and_grants
                of_many_updates_from_the_same_settings_one_is_kept
            }
            management {
                applications_come_by_owner_in_the_order_of_their_registration
                a_renamed_application_is_told_by_its_scopes
                the_services_own_application_and_scopes_stay
                scopes_come_by_application_and_name
                the_parts_of_a_scope_change_one_by_one
                a_deleted_scope_is_removed_from_clients_and_grants
                deleting_an_application_deletes_its_scopes
                an_application_with_many_scopes_is_deleted
                a_scope_that_needs_approval_is_listed_after_it
                whoever_lists_a_scope_or_was_approved_for_it_is_on_its_list
                a_withdrawn_scope_is_taken_from_that_client_alone
                a_scope_deleted_beside_approvals_is_in_no_grant
                a_client_deleted_beside_redemptions_has_no_live_grant
                deleted_scopes_are_removed_from_consents
                of_many_changes_to_the_parts_of_a_scope_none_undoes_another
                a_scope_deleted_beside_new_clients_is_on_no_list
            }
            deleted_scopes {
                a_scope_that_is_gone_before_its_session_is_opened_is_not_granted
            }
            client_review {
                a_client_is_listed_for_review_until_an_administrator_verifies_it
            }
            client_secrets {
                a_third_secret_takes_the_place_of_the_oldest
                the_older_secret_can_go_at_once
                of_many_new_secrets_the_newest_two_stay
                of_many_removals_of_an_older_secret_one_removes_it
            }
            signing_keys {
                a_fresh_store_has_no_signing_key
                keys_come_in_order_of_sequence
                who_comes_second_gets_the_key_of_the_first
                of_many_keys_with_one_number_one_is_installed
                superseded_keys_go_in_small_batches_and_the_newest_stays
                a_key_is_superseded_when_a_newer_one_is_made
                removals_beside_installations_leave_what_is_new
                a_revoked_key_says_so_and_the_others_stay
                a_key_is_revoked_once_and_the_first_moment_stays
                a_key_that_is_not_there_cannot_be_revoked
                a_revoked_key_is_removed_like_any_other
                of_many_revocations_one_is_the_first
                a_key_is_sealed_anew_where_it_is_still_as_it_was_seen
                of_many_that_seal_a_key_anew_one_does
                the_clock_of_a_store_goes_on_if_it_has_one
            }
            sessions {
                a_session_is_found_as_it_was_opened
                a_session_is_gone_at_the_moment_it_expires
                signing_in_writes_down_the_subject_and_moves_the_session
                the_token_from_before_the_sign_in_is_worth_nothing
                somebody_else_may_sign_in_after_all
                signing_out_forgets_the_subject_and_moves_the_session
                an_unknown_session_cannot_be_used
                nobody_approves_before_signing_in
                an_approval_ends_the_session_and_makes_a_code
                a_session_is_closed_once
                of_many_approvals_one_makes_a_code
                of_many_sign_ins_one_moves_the_session
                a_session_is_either_approved_or_closed
                a_session_is_either_moved_or_closed
                of_many_sign_outs_one_moves_the_session
            }
            codes {
                a_code_tells_what_must_be_proven_whatever_became_of_it
                a_redeemed_code_gives_the_grant
                a_grant_keeps_its_scopes_in_the_order_they_were_asked_for
                a_grant_never_idles_past_its_end
                a_code_is_redeemed_once
                a_replay_ends_the_grant
                a_replay_is_known_also_after_the_grant_was_revoked
                an_expired_code_is_refused_and_stays_unspent
                a_code_of_a_revoked_grant_is_refused
                an_unknown_code_is_refused
                of_many_redemptions_one_gives_the_grant
            }
            refresh {
                a_redeemed_grant_tells_what_a_refresh_must_prove
                the_current_token_makes_the_next_one_current
                the_previous_token_gets_the_same_successor_inside_the_window
                a_node_whose_clock_is_behind_repeats_too
                the_window_never_slides
                a_token_from_before_the_window_revokes_the_grant
                a_token_whose_successor_was_used_is_theft_inside_the_window
                a_window_of_nothing_still_forgives_the_same_second
                a_token_that_was_never_issued_changes_nothing
                a_grant_has_no_token_before_its_redemption
                an_unused_grant_expires_at_the_end_of_its_idle_time
                a_grant_expires_at_its_end_however_often_it_is_used
                a_revoked_grant_says_so_to_every_token
                of_many_rotations_one_rotates_and_the_others_repeat
                of_many_thieves_one_is_caught_and_the_others_find_the_grant_revoked
            }
            revocation {
                a_grant_is_live_from_its_redemption_to_its_end
                a_revoked_grant_is_not_live
                an_unknown_grant_cannot_be_revoked
                a_revocation_beside_a_redemption_is_never_lost
                a_revocation_beside_a_rotation_is_never_lost
                a_revocation_beside_the_only_redemption_is_never_lost
            }
            consents {
                only_what_is_to_be_remembered_is_remembered
                what_is_remembered_adds_up
                an_approval_without_asking_needs_a_consent_to_every_scope
                nobody_is_spared_the_sign_in
                a_withdrawal_revokes_the_grant_and_forgets_the_consent
                nobody_withdraws_the_grant_of_another
                a_code_that_waits_can_be_withdrawn
                users_are_shown_what_of_theirs_is_live
                no_more_grants_are_shown_than_anyone_reads
                who_signs_out_everywhere_has_nothing_that_lives
                the_grant_that_was_used_longest_ago_makes_room
                of_many_approvals_at_once_no_more_grants_live_than_may
                the_consent_that_was_used_longest_ago_makes_room
                of_many_consents_at_once_no_more_are_kept_than_may
                what_was_allowed_is_shown_also_where_nothing_of_it_lives
                no_more_consents_are_shown_than_anyone_reads
                a_forgotten_consent_leaves_the_grants
                of_many_consents_at_once_none_is_lost
                a_withdrawal_beside_approvals_without_asking_is_never_lost
            }
            directory {
                a_fresh_store_is_empty_at_number_0
                rows_are_loaded_as_they_were_written
                rows_come_in_ascending_order_of_id
                the_id_of_a_removed_record_stays_with_the_version
                removing_what_is_not_there_is_no_error
                a_write_that_expects_another_number_writes_nothing
                a_write_that_expects_another_mark_writes_nothing
                a_write_that_expects_another_lineage_writes_nothing
                of_many_writes_from_one_version_one_is_made
                changes_tell_each_row_once_as_it_is_now
                changes_since_another_lineage_are_unknown
                changes_since_a_later_number_are_unknown
                changes_since_another_mark_are_unknown
                new_records_may_refer_to_each_other_in_any_order
                a_removal_changes_only_what_the_rows_say
                another_handle_loads_the_same
                a_load_beside_writes_is_of_one_version
            }
            rate_limits {
                a_burst_is_allowed_at_once_and_then_one_an_interval
                a_denied_call_costs_nothing
                no_key_pays_for_another
                a_new_quota_holds_at_once
                on_a_clock_that_is_behind_time_stands_still
                every_verdict_is_that_of_the_quota
                at_the_ends_of_time_nothing_overflows
                several_calls_are_taken_together_or_not_at_all
                of_many_takers_a_burst_is_allowed
                rested_keys_go_in_small_batches_when_new_ones_come
                a_key_that_has_not_rested_is_never_swept
            }
            retention {
                dead_grants_go_in_small_batches_when_new_ones_come
                a_dead_grant_is_kept_for_a_day_to_the_second
                a_grant_that_lives_is_never_swept
                a_swept_grant_is_as_if_it_had_never_been
                approvals_that_sweep_at_once_take_only_what_is_dead
                expired_sessions_go_in_small_batches_when_new_ones_come
                an_expired_session_is_kept_for_clocks_that_are_behind
                dead_api_keys_go_in_small_batches_when_new_ones_come
                a_dead_api_key_is_kept_for_ninety_days_to_the_second
                a_key_that_is_refused_sweeps_nothing
                a_renewed_key_is_swept_by_its_new_end
                unused_consents_go_in_small_batches_when_new_ones_come
                a_consent_is_kept_for_two_years_after_its_last_use
            }
            audit_trail {
                what_happened_is_found_as_it_was_written_down
                a_page_goes_on_where_the_one_before_ended
                every_filter_of_what_happened_finds_what_it_says
                what_happened_in_a_request_comes_in_order
                no_more_of_what_happened_is_shown_than_anyone_reads
                of_many_batches_of_what_happened_none_is_lost_and_each_stays_together
                old_audit_records_are_deleted_in_small_batches
            }
            token_records {
                one_read_finds_of_a_code_what_each_read_finds
                one_read_finds_of_a_refresh_token_what_each_read_finds
            }
            usage {
                a_scopes_usage_is_who_lists_it_and_what_of_it_lives
                a_scope_whose_name_begins_anothers_is_told_apart
                an_applications_usage_is_that_of_all_its_scopes_and_counts_each_once
                a_clients_usage_is_what_of_its_grants_lives
                no_more_clients_are_named_than_anyone_reads_and_all_are_counted
                the_services_own_scopes_have_a_usage_too
            }
            user_sessions {
                a_session_is_found_by_its_digest_as_it_was_opened
                a_digest_and_an_id_are_taken_once
                a_session_is_over_when_it_was_idle_too_long
                a_session_is_over_at_its_end_however_often_it_is_used
                a_last_use_of_a_session_never_moves_backwards
                a_moved_session_is_known_by_its_new_digest_alone
                of_many_moves_one_moves_the_session
                people_are_shown_their_own_sessions_that_live
                no_more_sessions_are_shown_than_anyone_reads
                people_end_sessions_of_their_own_alone
                people_end_all_their_sessions_but_the_one_they_name
                losing_rights_ends_the_sessions_of_a_user
                sessions_that_are_over_go_in_small_batches_when_new_ones_come
            }
            restart {
                accounts_keys_and_the_registry_are_there_through_another_handle
                sessions_codes_and_grants_go_on_through_another_handle
                consents_approvals_and_revocations_hold_through_another_handle
            }
        }
    };
}

/// Creates a named `#[test]` for every [conformance](crate::testing::conformance) case, in a module
/// of the given name. Each test evaluates the expression, which must give a
/// [`StoreUnderTest`](crate::testing::conformance::StoreUnderTest) that is fresh and empty.
#[macro_export]
macro_rules! conformance {
    ($backend:ident, $store:expr) => {
        $crate::__conformance_cases! { [$crate::__conformance_tests] $backend, $store }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_tests {
    (($backend:ident, $store:expr) $($subject:ident { $($case:ident)* })*) => {
        mod $backend {
            $(mod $subject {
                #[allow(unused_imports)]
                use super::super::*;

                $(#[test]
                fn $case() {
                    $crate::testing::conformance::run_case(concat!(stringify!($subject), "::", stringify!($case)), $store);
                })*
            })*
        }
    };
}
