//! Texts of the pages in every language. A missing text does not compile.

mod domain;
mod en;
mod errors;
mod ko;
mod removal;
mod review;
mod rules;
mod school;

use std::fmt::Display;

pub(crate) use domain::DomainTexts;
pub(crate) use en::EN;
pub(crate) use errors::ErrorTexts;
pub(crate) use ko::KO;
pub(crate) use removal::RemovalTexts;
pub(crate) use review::ReviewTexts;
pub(crate) use rules::RuleTexts;
use school::SchoolTexts;

/// A sentence with one placeholder `{}` for a name, date or number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MessageTemplate(&'static str);

impl MessageTemplate {
    /// The sentence as plain text. Invisible characters isolate the value, so that its writing
    /// direction does not affect the sentence.
    pub(crate) fn with(&self, value: impl Display) -> String {
        format!("{}\u{2068}{value}\u{2069}{}", self.before(), self.after())
    }

    /// The text before the placeholder, for pages with markup around the value.
    pub(crate) fn before(&self) -> &'static str {
        self.0.split_once("{}").map_or(self.0, |(before, _)| before)
    }

    /// The text after the placeholder.
    pub(crate) fn after(&self) -> &'static str {
        self.0.split_once("{}").map_or("", |(_, after)| after)
    }
}

/// A sentence with a count at `{}`. Languages without a plural have the same sentence twice.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PluralMessage {
    one: &'static str,
    other: &'static str,
}

impl PluralMessage {
    /// The sentence for this count.
    pub(crate) fn of(&self, count: impl Display) -> String {
        let count = count.to_string();
        let sentence = if count == "1" { self.one } else { self.other };
        sentence.replacen("{}", &count, 1)
    }
}

/// Texts of one language.
#[derive(Debug)]
pub(crate) struct Texts {
    /// Texts about the review of clients.
    pub(crate) review: ReviewTexts,
    /// Names of domain terms.
    pub(crate) domain: DomainTexts,
    /// Labels of the school's lists and fields.
    pub(crate) school: SchoolTexts,
    /// Effects of removing an account or changing its password.
    pub(crate) removal: RemovalTexts,
    /// Error messages for users.
    pub(crate) errors: ErrorTexts,
    /// Explanations of rules for administrators.
    pub(crate) rules: RuleTexts,

    // The language and the link to the other one.
    pub(crate) language_code: &'static str,
    pub(crate) other_language_code: &'static str,
    pub(crate) other_language: &'static str,

    // Layout of every page.
    pub(crate) skip_to_content: &'static str,
    pub(crate) navigation: &'static str,
    pub(crate) menu: &'static str,
    pub(crate) nav_apps: &'static str,
    pub(crate) nav_account: &'static str,
    pub(crate) nav_keys: &'static str,
    pub(crate) nav_data: &'static str,
    pub(crate) nav_applications: &'static str,
    pub(crate) nav_clients: &'static str,
    pub(crate) nav_admin: &'static str,
    pub(crate) nav_people: &'static str,
    pub(crate) nav_all_keys: &'static str,
    pub(crate) nav_all_applications: &'static str,
    pub(crate) nav_all_clients: &'static str,
    pub(crate) nav_audit: &'static str,
    pub(crate) sign_out: &'static str,

    // Words and buttons of several pages.
    pub(crate) cancel: &'static str,
    pub(crate) save: &'static str,
    pub(crate) edit: &'static str,
    pub(crate) rename: &'static str,
    pub(crate) delete: &'static str,
    pub(crate) create: &'static str,
    pub(crate) show: &'static str,
    pub(crate) copy: &'static str,
    pub(crate) copied: &'static str,
    pub(crate) withdraw: &'static str,
    pub(crate) withdraw_from: MessageTemplate,
    pub(crate) owner: &'static str,
    pub(crate) nobody: &'static str,
    pub(crate) none: &'static str,
    pub(crate) never: &'static str,
    pub(crate) state: &'static str,
    pub(crate) created: &'static str,
    pub(crate) expires: &'static str,
    pub(crate) until: MessageTemplate,
    pub(crate) since: &'static str,
    pub(crate) last_used: &'static str,
    pub(crate) when: &'static str,
    pub(crate) day: &'static str,
    pub(crate) details: &'static str,
    pub(crate) role: &'static str,
    pub(crate) email: &'static str,
    pub(crate) password: &'static str,
    pub(crate) network_address: &'static str,
    pub(crate) request_id: &'static str,
    pub(crate) clear_filters: &'static str,
    pub(crate) more_filters: &'static str,
    pub(crate) nothing_found: &'static str,
    pub(crate) pages: &'static str,
    pub(crate) page_of: MessageTemplate,
    pub(crate) entries: PluralMessage,
    pub(crate) previous_page: &'static str,
    pub(crate) next_page: &'static str,
    pub(crate) form_has_faults: &'static str,

    // Sign-in, consent and error pages of an authorization.
    pub(crate) sign_in: &'static str,
    pub(crate) to_continue: MessageTemplate,
    pub(crate) minutes_to_sign_in: PluralMessage,
    pub(crate) minutes_to_decide: PluralMessage,
    pub(crate) time_is_up: &'static str,
    pub(crate) allow_question: MessageTemplate,
    pub(crate) asks_to: MessageTemplate,
    pub(crate) asks_anew: &'static str,
    pub(crate) allowed_before: &'static str,
    pub(crate) new_mark: &'static str,
    pub(crate) of_application: MessageTemplate,
    pub(crate) signed_in_as: MessageTemplate,
    pub(crate) other_account: &'static str,
    pub(crate) allow: &'static str,
    pub(crate) deny: &'static str,
    pub(crate) then_back_to: MessageTemplate,
    pub(crate) withdraw_any_time: &'static str,
    pub(crate) error_start_again: &'static str,
    pub(crate) error_nothing_here: &'static str,
    pub(crate) error_try_later: &'static str,
    pub(crate) error_went_wrong: &'static str,
    pub(crate) error_cannot_go_on: &'static str,
    pub(crate) error_not_allowed: &'static str,
    pub(crate) wrongly_asked: &'static str,
    pub(crate) tell_this_id: &'static str,
    pub(crate) to_the_start: &'static str,

    // The start page.
    pub(crate) home_title: &'static str,
    pub(crate) needs_attention: &'static str,
    pub(crate) home_apps: &'static str,
    pub(crate) home_keys: &'static str,
    pub(crate) home_data: &'static str,
    pub(crate) home_applications: &'static str,
    pub(crate) home_clients: &'static str,
    pub(crate) home_account: &'static str,
    pub(crate) home_admin: &'static str,
    pub(crate) count_apps: PluralMessage,
    pub(crate) count_keys: PluralMessage,
    pub(crate) count_applications: PluralMessage,
    pub(crate) count_clients: PluralMessage,
    pub(crate) attention_key_expires: MessageTemplate,
    pub(crate) attention_key_expired: MessageTemplate,
    pub(crate) attention_client_advice: MessageTemplate,
    pub(crate) see_advice: &'static str,

    // Authorized apps.
    pub(crate) apps_lead: &'static str,
    pub(crate) apps_empty: &'static str,
    pub(crate) allowed_at: &'static str,
    pub(crate) app_may_return: &'static str,
    pub(crate) withdraw_app_title: MessageTemplate,
    pub(crate) withdraw_app_effect: &'static str,
    pub(crate) withdraw_app_tokens: &'static str,

    // The user's own account.
    pub(crate) profile: &'static str,
    pub(crate) student_record: &'static str,
    pub(crate) account_since: &'static str,
    pub(crate) account_elsewhere: &'static str,
    pub(crate) change_password: &'static str,
    pub(crate) password_lead: &'static str,
    pub(crate) old_password: &'static str,
    pub(crate) new_password: &'static str,
    pub(crate) new_password_hint: &'static str,
    pub(crate) new_password_again: &'static str,
    pub(crate) sessions: &'static str,
    pub(crate) sessions_lead: &'static str,
    pub(crate) browser: &'static str,
    pub(crate) browser_unknown: &'static str,
    pub(crate) signed_in_at: &'static str,
    pub(crate) last_seen: &'static str,
    pub(crate) this_session: &'static str,
    pub(crate) end_session: &'static str,
    pub(crate) end_session_of: MessageTemplate,
    pub(crate) sign_out_everywhere: &'static str,
    pub(crate) sign_out_everywhere_title: &'static str,
    pub(crate) sign_out_everywhere_effect: &'static str,

    // API keys.
    pub(crate) key: &'static str,
    pub(crate) keys_lead: &'static str,
    pub(crate) keys_empty: &'static str,
    pub(crate) keys_empty_everyone: &'static str,
    pub(crate) new_key: &'static str,
    pub(crate) create_key: &'static str,
    pub(crate) key_description: &'static str,
    pub(crate) key_description_hint: &'static str,
    pub(crate) key_scopes: &'static str,
    pub(crate) key_hidden: &'static str,
    pub(crate) key_hidden_hint: &'static str,
    pub(crate) key_limit: &'static str,
    pub(crate) rate_limit: &'static str,
    pub(crate) rate_limit_hint: &'static str,
    pub(crate) rate_window: &'static str,
    pub(crate) rate_burst: &'static str,
    pub(crate) key_valid_30_days: &'static str,
    pub(crate) may_read: &'static str,
    pub(crate) does_without: &'static str,
    pub(crate) nothing_hidden: &'static str,
    pub(crate) this_key: &'static str,
    pub(crate) key_begins: &'static str,
    pub(crate) limit: &'static str,
    pub(crate) limit_of_all: &'static str,
    pub(crate) old_values: &'static str,
    pub(crate) old_value_unnamed: &'static str,
    pub(crate) key_works: &'static str,
    pub(crate) key_expires_soon: &'static str,
    pub(crate) key_expired: &'static str,
    pub(crate) key_warning_soon: PluralMessage,
    pub(crate) key_warning_expired: &'static str,
    pub(crate) renew: &'static str,
    pub(crate) renew_key: MessageTemplate,
    pub(crate) renew_lead: &'static str,
    pub(crate) overlap: &'static str,
    pub(crate) overlap_hint: &'static str,
    pub(crate) overlap_none: &'static str,
    pub(crate) overlap_hour: &'static str,
    pub(crate) overlap_day: &'static str,
    pub(crate) overlap_week: &'static str,
    pub(crate) revoke: &'static str,
    pub(crate) revoke_key_title: MessageTemplate,
    pub(crate) revoke_key_effect: &'static str,
    pub(crate) revoke_key_used: PluralMessage,
    pub(crate) revoke_key_unused: &'static str,
    pub(crate) requests: &'static str,
    pub(crate) requests_30_days: &'static str,
    pub(crate) usage_summary: PluralMessage,
    pub(crate) usage_none: &'static str,
    pub(crate) at_most: MessageTemplate,
    pub(crate) as_a_table: &'static str,

    // Secrets that are shown once.
    pub(crate) shown_once: &'static str,
    pub(crate) key_created: &'static str,
    pub(crate) key_renewed: &'static str,
    pub(crate) key_value: &'static str,
    pub(crate) key_old_until: MessageTemplate,
    pub(crate) key_old_ended: &'static str,
    pub(crate) client_created: &'static str,
    pub(crate) secret_created: &'static str,
    pub(crate) secret_value: &'static str,
    pub(crate) secret_advice: &'static str,
    pub(crate) secret_older_goes_on: &'static str,
    pub(crate) try_it: &'static str,
    pub(crate) sample_language: &'static str,
    pub(crate) sample_key: &'static str,
    pub(crate) sample_places: &'static str,
    pub(crate) i_have_kept_it: &'static str,

    // Applications and scopes.
    pub(crate) application: &'static str,
    pub(crate) applications_lead: &'static str,
    pub(crate) applications_empty: &'static str,
    pub(crate) applications_empty_everyone: &'static str,
    pub(crate) new_application: &'static str,
    pub(crate) rename_application: &'static str,
    pub(crate) application_name: &'static str,
    pub(crate) application_name_hint: &'static str,
    pub(crate) application_id: &'static str,
    pub(crate) application_read_only: &'static str,
    pub(crate) scopes: &'static str,
    pub(crate) scopes_empty: &'static str,
    pub(crate) scope: &'static str,
    pub(crate) new_scope: &'static str,
    pub(crate) edit_scope: &'static str,
    pub(crate) scope_name: &'static str,
    pub(crate) scope_name_hint: &'static str,
    pub(crate) scope_description: &'static str,
    pub(crate) scope_description_hint: &'static str,
    pub(crate) full_scope: &'static str,
    pub(crate) approval: &'static str,
    pub(crate) approval_required: &'static str,
    pub(crate) approval_not_required: &'static str,
    pub(crate) approval_required_hint: &'static str,
    pub(crate) approve: &'static str,
    pub(crate) approved: &'static str,
    pub(crate) listed: &'static str,
    pub(crate) approve_a_client: &'static str,
    pub(crate) approve_lead: &'static str,
    pub(crate) approve_client_hint: &'static str,
    pub(crate) who_uses_it: &'static str,
    pub(crate) scope_unused: &'static str,
    pub(crate) clients_that_use_it: &'static str,
    pub(crate) last_granted: &'static str,
    pub(crate) live_grants: &'static str,
    pub(crate) withdraw_scope_title: MessageTemplate,
    pub(crate) withdraw_scope_effect: &'static str,
    pub(crate) withdraw_open_scope_effect: &'static str,
    pub(crate) delete_scope_title: MessageTemplate,
    pub(crate) delete_scope_effect: &'static str,
    pub(crate) delete_application_title: MessageTemplate,
    pub(crate) delete_application_effect: &'static str,
    pub(crate) touches: MessageTemplate,
    pub(crate) touches_nobody: &'static str,
    pub(crate) touched_meanwhile: &'static str,
    pub(crate) count_connections: PluralMessage,

    // Clients.
    pub(crate) client: &'static str,
    pub(crate) clients_lead: &'static str,
    pub(crate) clients_empty: &'static str,
    pub(crate) clients_empty_everyone: &'static str,
    pub(crate) new_client: &'static str,
    pub(crate) edit_client: &'static str,
    pub(crate) register_client: &'static str,
    pub(crate) client_name: &'static str,
    pub(crate) client_name_hint: &'static str,
    pub(crate) client_id: &'static str,
    pub(crate) client_read_only: &'static str,
    pub(crate) this_client: &'static str,
    pub(crate) first_party: &'static str,
    pub(crate) first_party_hint: &'static str,
    pub(crate) policy: &'static str,
    pub(crate) policy_question: &'static str,
    pub(crate) policy_secret: &'static str,
    pub(crate) policy_secret_hint: &'static str,
    pub(crate) policy_secret_or_pkce: &'static str,
    pub(crate) policy_secret_or_pkce_hint: &'static str,
    pub(crate) policy_none: &'static str,
    pub(crate) policy_none_hint: &'static str,
    pub(crate) policy_none_drops_secrets: &'static str,
    pub(crate) redirect_uris: &'static str,
    pub(crate) redirect_uris_hint: &'static str,
    pub(crate) redirect_rules: &'static str,
    pub(crate) redirect_line: MessageTemplate,
    pub(crate) redirect_all_good: &'static str,
    pub(crate) redirect_absolute: &'static str,
    pub(crate) redirect_scheme: &'static str,
    pub(crate) redirect_fragment: &'static str,
    pub(crate) redirect_user: &'static str,
    pub(crate) redirect_host: &'static str,
    pub(crate) redirect_port: &'static str,
    pub(crate) redirect_reserved: &'static str,
    pub(crate) redirect_length: &'static str,
    pub(crate) allowed_scopes: &'static str,
    pub(crate) allowed_scopes_hint: &'static str,
    pub(crate) find_scope: &'static str,
    pub(crate) scope_needs_approval: &'static str,
    pub(crate) scope_first_party_only: &'static str,
    pub(crate) more_settings: &'static str,
    pub(crate) pkce_required: &'static str,
    pub(crate) pkce_required_hint: &'static str,
    pub(crate) plain_pkce_allowed: &'static str,
    pub(crate) plain_pkce_allowed_hint: &'static str,
    pub(crate) iss_omitted: &'static str,
    pub(crate) iss_omitted_hint: &'static str,
    pub(crate) client_credentials_allowed: &'static str,
    pub(crate) client_credentials_allowed_hint: &'static str,
    pub(crate) advice: &'static str,
    pub(crate) no_advice: &'static str,
    pub(crate) count_advice: PluralMessage,
    pub(crate) secrets: &'static str,
    pub(crate) secrets_lead: &'static str,
    pub(crate) secret_of: &'static str,
    pub(crate) newest: &'static str,
    pub(crate) new_secret: &'static str,
    pub(crate) new_secret_title: MessageTemplate,
    pub(crate) new_secret_effect: &'static str,
    pub(crate) first_secret_effect: &'static str,
    pub(crate) new_secret_pushes_out: &'static str,
    pub(crate) remove_older_secret: &'static str,
    pub(crate) remove_older_secret_title: MessageTemplate,
    pub(crate) remove_older_secret_effect: &'static str,
    pub(crate) delete_client_title: MessageTemplate,
    pub(crate) delete_client_effect: &'static str,
    pub(crate) use_it: &'static str,
    pub(crate) authorize_link: &'static str,
    pub(crate) authorize_link_lead: &'static str,
    pub(crate) code_samples: &'static str,
    pub(crate) code_samples_lead: &'static str,

    // School data.
    pub(crate) data_needs_key: &'static str,
    pub(crate) key_lacks_scope: MessageTemplate,
    pub(crate) look_with_key: &'static str,
    pub(crate) as_csv: &'static str,
    pub(crate) no_records: &'static str,
    pub(crate) filters_have_faults: &'static str,
    pub(crate) hidden_cell: &'static str,
    pub(crate) any: &'static str,
    pub(crate) yes: &'static str,
    pub(crate) no: &'static str,
    pub(crate) sort_by: &'static str,
    pub(crate) sort_direction: &'static str,
    pub(crate) ascending: &'static str,
    pub(crate) descending: &'static str,
    pub(crate) page_size: &'static str,
    pub(crate) same_request: &'static str,
    pub(crate) same_request_lead: &'static str,

    // Administration.
    pub(crate) new_person: &'static str,
    pub(crate) people_elsewhere: &'static str,
    pub(crate) email_contains: &'static str,
    pub(crate) last_sign_in: &'static str,
    pub(crate) you: &'static str,
    pub(crate) person_id: &'static str,
    pub(crate) first_password: &'static str,
    pub(crate) first_password_hint: &'static str,
    pub(crate) what_may_they_do: &'static str,
    pub(crate) not_your_own_role: &'static str,
    pub(crate) lost_password: &'static str,
    pub(crate) lost_password_lead: &'static str,
    pub(crate) set_password: &'static str,
    pub(crate) remove_account: &'static str,
    pub(crate) remove_account_title: MessageTemplate,
    pub(crate) remove_account_effect: &'static str,
    pub(crate) remove_account_stays: &'static str,
    pub(crate) events_of_person: &'static str,
    pub(crate) explain_id: &'static str,
    pub(crate) explain_id_hint: &'static str,
    pub(crate) explain: &'static str,
    pub(crate) explained: MessageTemplate,
    pub(crate) id_unknown: &'static str,
    pub(crate) what_happened: &'static str,
    pub(crate) who_or_client: &'static str,
    pub(crate) from_day: &'static str,
    pub(crate) to_day: &'static str,
    pub(crate) nothing_kept: &'static str,
    pub(crate) events_elsewhere: &'static str,
    pub(crate) no_events: &'static str,
    pub(crate) fact_person: &'static str,
    pub(crate) fact_scopes: &'static str,
    pub(crate) fact_object: &'static str,
    pub(crate) fact_change: &'static str,
    pub(crate) fact_fields: &'static str,
    pub(crate) fact_rule: &'static str,
    pub(crate) fact_status: &'static str,
    pub(crate) fact_endpoint: &'static str,
    pub(crate) fact_connection: &'static str,
    pub(crate) fact_count: &'static str,

    // Notices after a redirect.
    pub(crate) done_withdrawn: &'static str,
    pub(crate) done_password: &'static str,
    pub(crate) done_session_ended: &'static str,
    pub(crate) done_signed_out: &'static str,
    pub(crate) done_session_expired: &'static str,
    pub(crate) done_sign_in_first: &'static str,
    pub(crate) done_key_revoked: &'static str,
    pub(crate) done_saved: &'static str,
    pub(crate) done_created: &'static str,
    pub(crate) done_deleted: &'static str,
    pub(crate) done_approved: &'static str,
    pub(crate) done_scope_withdrawn: &'static str,
    pub(crate) done_secret_removed: &'static str,
    pub(crate) done_role: &'static str,
    pub(crate) done_password_set: &'static str,
    pub(crate) done_account_removed: &'static str,
}

#[cfg(test)]
mod tests;
