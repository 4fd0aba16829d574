//! Lists of the conformance cases, and the macros that create a `#[test]` for each.

/// Registers the cases of a file, which are its functions of these names. The compiler reports a
/// case that is missing here as dead code.
///
/// `cases! { Storage, accounts as __conformance_accounts_roles: … }` names the trait that the cases
/// need, their group, and the macro that makes a test of each. That macro is in the list of files
/// below.
macro_rules! cases {
    ($($list:tt)*) => { __cases! { ($) $($list)* } };
}

// `$d` carries a `$`: a macro cannot write the variables of a macro that it defines otherwise.
macro_rules! __cases {
    (($d:tt) $storage:ident, $group:ident as $tests:ident: $($case:ident)+) => {
        pub(in crate::testing::conformance) const CASES: $crate::testing::conformance::Cases<
            dyn $crate::testing::conformance::storage::$storage,
        > = &[$((
            concat!(stringify!($group), "::", stringify!($case)),
            |store| Box::pin($case(store)),
        )),+];

        #[doc(hidden)]
        #[macro_export]
        macro_rules! $tests {
            ($d run:path, $d store:expr) => {
                $(#[test]
                fn $case() {
                    $d run(concat!(stringify!($group), "::", stringify!($case)), $d store);
                })+
            };
        }
    };
}

/// Calls the macro `$callback` with the case files of `ProtocolStorage`, by group. A store
/// needs no other trait for them.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_protocol_files {
    ([$($callback:tt)*] $($arguments:tt)*) => {
        $($callback)*! { ($($arguments)*)
            client_lookup { client_lookup => __conformance_client_lookup, }
            signing_keys { signing_keys => __conformance_signing_keys, }
            sessions {
                sessions => __conformance_sessions,
                session_races => __conformance_session_races,
            }
            codes { codes => __conformance_codes, }
            refresh { refresh => __conformance_refresh, }
            revocation { revocation => __conformance_revocation, }
            retention {
                retention => __conformance_retention,
                retention::grants => __conformance_retention_grants,
            }
            restart { restart => __conformance_restart, }
        }
    };
}

/// Calls the macro `$callback` with the case files of `SyncStore`.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_sync_files {
    ([$($callback:tt)*] $($arguments:tt)*) => {
        $($callback)*! { ($($arguments)*)
            sync_runs { sync_runs => __conformance_sync_runs, }
        }
    };
}

/// Calls the macro `$callback` with the case files that need traits beyond `ProtocolStorage`.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_layer_files {
    ([$($callback:tt)*] $($arguments:tt)*) => {
        $($callback)*! { ($($arguments)*)
            accounts {
                accounts => __conformance_accounts,
                accounts::passwords => __conformance_accounts_passwords,
                accounts::roles => __conformance_accounts_roles,
                accounts::removal => __conformance_accounts_removal,
                accounts::leavers => __conformance_accounts_leavers,
                accounts::listing => __conformance_accounts_listing,
            }
            api_keys {
                api_keys => __conformance_api_keys,
                api_keys::revocation => __conformance_api_keys_revocation,
                api_keys::settings => __conformance_api_keys_settings,
                api_keys::limits => __conformance_api_keys_limits,
                api_keys::renewal => __conformance_api_keys_renewal,
                api_keys::retention => __conformance_api_keys_retention,
                api_keys::usage => __conformance_api_keys_usage,
                api_keys::expiry_notices => __conformance_api_keys_expiry_notices,
            }
            api_keys_version { api_keys_version => __conformance_api_keys_version, }
            owners { owners => __conformance_owners, }
            registry {
                registry => __conformance_registry,
                registry::clients => __conformance_registry_clients,
                registry::limits => __conformance_registry_limits,
            }
            clients { clients => __conformance_clients, }
            management {
                management::applications => __conformance_management_applications,
                management::scopes => __conformance_management_scopes,
                management::scope_deletion => __conformance_management_scope_deletion,
                management::scope_approval => __conformance_management_scope_approval,
                management::scope_requests => __conformance_management_scope_requests,
                management => __conformance_management,
            }
            deleted_scopes { deleted_scopes => __conformance_deleted_scopes, }
            client_review { client_review => __conformance_client_review, }
            client_secrets { client_secrets => __conformance_client_secrets, }
            consents {
                consents => __conformance_consents,
                consents::withdrawal => __conformance_consents_withdrawal,
                consents::listing => __conformance_consents_listing,
                consents::limits => __conformance_consents_limits,
                consents::retention => __conformance_consents_retention,
            }
            directory {
                directory => __conformance_directory,
                directory::conditional_writes => __conformance_directory_conditional_writes,
                directory::changes_since => __conformance_directory_changes_since,
                directory::concurrent_loads => __conformance_directory_concurrent_loads,
            }
            rate_limits { rate_limits => __conformance_rate_limits, }
            audit_trail { audit_trail => __conformance_audit_trail, }
            token_records { token_records => __conformance_token_records, }
            usage { usage => __conformance_usage, }
            user_sessions {
                user_sessions => __conformance_user_sessions,
                user_sessions::expiry => __conformance_user_sessions_expiry,
                user_sessions::sign_out => __conformance_user_sessions_sign_out,
            }
            management_restart { management_restart => __conformance_management_restart, }
        }
    };
}

/// Calls the macro `$callback` with the case files of calendar feeds.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_calendar_feed_files {
    ([$($callback:tt)*] $($arguments:tt)*) => {
        $($callback)*! { ($($arguments)*)
            calendar_feeds { calendar_feeds => __conformance_calendar_feeds, }
        }
    };
}

/// Creates a named `#[test]` for every [conformance](crate::testing::conformance) case, in a module
/// of the given name. Each test evaluates the expression, which must give a
/// [`StoreUnderTest`](crate::testing::conformance::StoreUnderTest) that is fresh and empty.
#[macro_export]
macro_rules! conformance {
    ($backend:ident, $store:expr) => {
        mod $backend {
            $crate::__conformance_protocol_files! { [$crate::__conformance_tests]
                $crate::testing::conformance::run_case, $store
            }
            $crate::__conformance_layer_files! { [$crate::__conformance_tests]
                $crate::testing::conformance::run_case, $store
            }
        }
    };
}

/// Same as [`conformance!`](crate::conformance), of the cases that need a
/// [`ProtocolStorage`](crate::store::ProtocolStorage) alone. The expression must give a
/// [`ProtocolUnderTest`](crate::testing::conformance::ProtocolUnderTest).
#[macro_export]
macro_rules! conformance_protocol {
    ($backend:ident, $store:expr) => {
        mod $backend {
            $crate::__conformance_protocol_files! { [$crate::__conformance_tests]
                $crate::testing::conformance::run_protocol_case, $store
            }
        }
    };
}

/// Same as [`conformance!`](crate::conformance), of the cases that need a
/// [`SyncStore`](crate::store::SyncStore). The expression must give a
/// [`SyncUnderTest`](crate::testing::conformance::SyncUnderTest).
#[macro_export]
macro_rules! conformance_sync {
    ($backend:ident, $store:expr) => {
        mod $backend {
            $crate::__conformance_sync_files! { [$crate::__conformance_tests]
                $crate::testing::conformance::run_sync_case, $store
            }
        }
    };
}

/// Same as [`conformance!`](crate::conformance), of the cases that need a
/// [`CalendarFeedStore`](crate::store::CalendarFeedStore). The expression must give a
/// [`CalendarFeedsUnderTest`](crate::testing::conformance::CalendarFeedsUnderTest).
#[macro_export]
macro_rules! conformance_calendar_feeds {
    ($backend:ident, $store:expr) => {
        mod $backend {
            $crate::__conformance_calendar_feed_files! { [$crate::__conformance_tests]
                $crate::testing::conformance::run_calendar_feed_case, $store
            }
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_tests {
    (($run:path, $store:expr) $($group:ident { $($($file:ident)::+ => $tests:ident,)+ })*) => {
        $(mod $group {
            #[allow(unused_imports)]
            use super::super::*;

            $($crate::$tests! { $run, $store })+
        })*
    };
}
