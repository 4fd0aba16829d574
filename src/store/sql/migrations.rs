//! Versions of the schema, and the builds that may run on each.

/// Migration to the next version of the schema. Databases differ in the text alone.
#[derive(Debug)]
pub(super) struct Migration {
    #[cfg(feature = "sqlite")]
    pub(super) sqlite: &'static str,
    #[cfg(feature = "postgres")]
    pub(super) postgres: &'static str,
    /// The oldest version whose builds may run on the migrated database, beside newer ones: they
    /// find every table and column that they use, write what the newer builds read, and know every
    /// rule that the database holds. The number of this version if no older build does.
    pub(super) oldest_beside: i64,
}

macro_rules! migration {
    ($name:literal, $oldest_beside:literal) => {
        Migration {
            #[cfg(feature = "sqlite")]
            sqlite: include_str!(concat!("../../../migrations/sqlite/", $name, ".sql")),
            #[cfg(feature = "postgres")]
            postgres: include_str!(concat!("../../../migrations/postgres/", $name, ".sql")),
            oldest_beside: $oldest_beside,
        }
    };
}

/// All migrations, from version 1. A released one is never edited.
pub(super) const MIGRATIONS: &[Migration] = &[
    migration!("0001_initial", 1),
    // Older builds write the dropped columns.
    migration!("0002_sweep", 2),
    // Older builds let clients have scopes that need an approval.
    migration!("0003_management", 3),
    // Older builds delete a scope and leave it in consents.
    migration!("0004_consents", 4),
    // Older builds sign with revoked keys.
    migration!("0005_signing_key_revocation", 5),
    // Older builds accept a client without PKCE that must use it.
    migration!("0006_pkce_required", 6),
    // Older builds show hidden fields, and refuse renewed keys.
    migration!("0007_api_keys", 7),
    // Older builds change the school without a change log.
    migration!("0008_changes", 8),
    // Older builds change a password without ending sessions.
    migration!("0009_console", 9),
    // Older builds read the dropped columns.
    migration!("0010_api_key_values", 10),
    // Older builds keep a client verified whose name has changed.
    migration!("0011_client_verification", 11),
    // Older builds write grants and consents without rows for their scopes.
    migration!("0012_caps", 12),
    // Older builds accept suspended clients.
    migration!("0013_suspended_clients", 13),
    // Older builds write versions of the school without a mark.
    migration!("0014_directory_marks", 14),
    // Older builds accept suspended API keys.
    migration!("0015_suspended_api_keys", 15),
    // Only the opening of a database reads the new column.
    migration!("0016_oldest_beside", 15),
    // Older builds serve a database that was restored from a backup, and read no password hash that
    // was confirmed.
    migration!("0017_database_identity", 17),
    // Older builds know the suspended accounts of leavers, and neither suspend nor resume any.
    migration!("0018_account_students", 17),
    // Only a sync uses the new tables.
    migration!("0019_sync_runs", 17),
    // Older builds have no calendar feeds, and delete them with their keys.
    migration!("0020_calendar_feeds", 17),
    // Older builds end enrollments without a history.
    migration!("0021_school_history", 21),
    // Older builds ask everybody for the password.
    migration!("0022_prompt_login", 21),
    // Older builds withdraw an approval and leave its request, and write events without a target.
    migration!("0023_scope_requests", 21),
    // Older builds count no errors, and store secrets without their last characters.
    migration!("0024_key_settings", 21),
    // Older builds record no use of a secret.
    migration!("0025_client_secret_usage", 21),
    // Older builds show no privacy policies, and each text in one language.
    migration!("0026_texts", 21),
];

/// The version that this build knows.
pub(super) const VERSION: i64 = MIGRATIONS.len() as i64;

/// The oldest version whose builds may run beside this one.
pub(super) const OLDEST_BESIDE: i64 = MIGRATIONS[MIGRATIONS.len() - 1].oldest_beside;

/// A migration admits no build that an earlier one excludes, and none newer than its own.
const _: () = {
    let mut version = 1;
    while version < MIGRATIONS.len() {
        let oldest_beside = MIGRATIONS[version].oldest_beside;
        assert!(oldest_beside >= MIGRATIONS[version - 1].oldest_beside);
        assert!(oldest_beside <= version as i64 + 1);
        version += 1;
    }
};
