use std::collections::BTreeSet;

use rusqlite::Connection;
use sea_query::{Expr, Iden, SqliteQueryBuilder, WithQuery};

use super::database;
use crate::domain::ApiKeyDigest;
use crate::store::sql::executor::Dialect;
use crate::store::sql::retention::ExpiryCondition;
use crate::store::sql::tables::{
    ApiKeys, AuditRecords, CalendarFeeds, Consents, Grants, RateLimits, Sessions, SyncRuns,
    UserSessions,
};
use crate::store::sql::{
    SqlStore, api_keys, audit_records, authorization_sessions, calendar_feeds, consents, grants,
    rate_limits, retention, scope_removal, sync_runs, user_sessions,
};

/// SQLite's query plan, step by step.
fn plan(connection: &Connection, query: &str) -> Vec<String> {
    let mut statement = connection
        .prepare(&format!("EXPLAIN QUERY PLAN {query}"))
        .unwrap();
    statement
        .query_map([], |row| row.get("detail"))
        .unwrap()
        .map(Result::unwrap)
        .collect()
}

#[test]
fn every_index_serves_the_query_it_was_made_for() {
    let (_folder, path) = database();
    drop(SqlStore::sqlite(&path).unwrap());
    let connection = Connection::open(&path).unwrap();
    let mut used = BTreeSet::new();
    for (index, query) in [
        ("students_by_major_club", "UPDATE students SET major_club_id = NULL WHERE major_club_id = 1"),
        ("students_by_autonomous_club", "UPDATE students SET autonomous_club_id = NULL WHERE autonomous_club_id = 1"),
        ("clubs_by_leader", "UPDATE clubs SET leader_id = NULL WHERE leader_id = 1"),
        ("projects_by_club", "UPDATE projects SET club_id = NULL WHERE club_id = 1"),
        ("project_participants_by_student", "DELETE FROM project_participants WHERE student_id = 1"),
        (
            "grants_by_subject",
            "SELECT id FROM grants WHERE subject_id = '' AND revoked_at IS NULL AND idle_expires_at > 0 AND expires_at > 0
             ORDER BY redeemed_at DESC, id LIMIT 200",
        ),
        (
            "sessions_by_subject",
            "WITH locked AS MATERIALIZED (SELECT digest FROM sessions WHERE subject_id = '' ORDER BY digest)
             DELETE FROM sessions WHERE digest IN (SELECT digest FROM locked)",
        ),
        (
            "user_sessions_by_subject",
            "SELECT id FROM user_sessions WHERE subject_id = '' AND last_used_at > 0 AND expires_at > 0
             ORDER BY last_used_at DESC, id LIMIT 200",
        ),
        (
            "grants_by_client",
            "SELECT client_id, count(id), max(redeemed_at) FROM grants WHERE client_id IN ('', 'a') AND revoked_at IS NULL
             AND idle_expires_at > 0 AND expires_at > 0 GROUP BY client_id",
        ),
        ("audit_records_by_request", "SELECT * FROM audit_records WHERE request_id = '' ORDER BY id LIMIT 200"),
        ("audit_records_by_kind", "SELECT * FROM audit_records WHERE id < 9 AND kind = '' ORDER BY id DESC LIMIT 50"),
        ("audit_records_by_subject", "SELECT * FROM audit_records WHERE id < 9 AND subject_id = '' ORDER BY id DESC LIMIT 50"),
        ("audit_records_by_client", "SELECT * FROM audit_records WHERE id < 9 AND client_id = '' ORDER BY id DESC LIMIT 50"),
        ("audit_records_by_application", "SELECT * FROM audit_records WHERE id < 9 AND application_id = '' ORDER BY id DESC LIMIT 50"),
        ("audit_records_by_grant", "SELECT * FROM audit_records WHERE id < 9 AND grant_id = '' ORDER BY id DESC LIMIT 50"),
        ("audit_records_by_api_key", "SELECT * FROM audit_records WHERE id < 9 AND api_key_id = '' ORDER BY id DESC LIMIT 50"),
        ("grant_scopes_by_grant", "DELETE FROM grant_scopes WHERE grant_id = ''"),
        ("consent_scopes_by_consent", "DELETE FROM consent_scopes WHERE subject_id = '' AND client_id = ''"),
        ("consents_by_client", "DELETE FROM consents WHERE client_id = ''"),
        ("client_scopes_by_scope", "SELECT client_id FROM client_scopes WHERE scope_id = ''"),
        ("audit_records_by_target", "SELECT * FROM audit_records WHERE id < 9 AND target_id = '' ORDER BY id DESC LIMIT 50"),
        ("scope_requests_by_client", "SELECT scope_id FROM scope_requests WHERE client_id = ''"),
        ("scope_approvals_by_client", "SELECT scope_id FROM scope_approvals WHERE client_id = ''"),
        ("applications_by_owner", "SELECT * FROM applications WHERE owner = '' ORDER BY created_at, id LIMIT 1"),
        ("api_keys_by_owner", "SELECT * FROM api_keys WHERE owner = '' AND revoked_at IS NULL ORDER BY created_at, id LIMIT 1"),
        ("calendar_feeds_by_key", "SELECT * FROM calendar_feeds WHERE key_id = '' ORDER BY created_at, id"),
        (
            "school_history_by_class",
            "SELECT student_id FROM school_history WHERE year = 1 AND grade = 1 AND class_num = 1 ORDER BY number",
        ),
        ("turned_students_by_student", "DELETE FROM turned_students WHERE student_id = 1"),
        ("turned_clubs_by_leader", "DELETE FROM turned_clubs WHERE leader_id = 1"),
        ("erasures_by_time", "SELECT student_id FROM erasures WHERE at > 1 ORDER BY at, student_id LIMIT 9"),
        (
            "changes_by_version",
            "SELECT version, record_id FROM changes WHERE kind = '' AND (version, record_id) > (1, 1) ORDER BY version, record_id LIMIT 9",
        ),
        (
            "calendar_changes_by_version",
            "SELECT record_id, version FROM calendar_changes WHERE kind = '' AND (version, record_id) > (1, '') ORDER BY version, record_id LIMIT 9",
        ),
        ("clients_by_owner", "SELECT * FROM clients WHERE owner = '' ORDER BY created_at, id LIMIT 1"),
    ] {
        let plan = plan(&connection, query);
        assert!(plan.iter().any(|step| step.contains(&format!("INDEX {index} "))), "{index}: {plan:?}");
        used.insert(index.to_owned());
    }
    used.extend(sweeps(Dialect::Sqlite).map(|(index, _)| index.to_owned()));
    let mut all = connection
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
        .unwrap();
    let all: BTreeSet<String> = all
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert_eq!(all, used);
}

/// Every sweep with the index that serves it.
fn sweeps(dialect: Dialect) -> [(&'static str, WithQuery); 9] {
    [
        (
            "sync_runs_by_end",
            sweep(dialect, SyncRuns::Table, [SyncRuns::Id], sync_runs::expiry),
        ),
        (
            "sessions_by_expiry",
            sweep(
                dialect,
                Sessions::Table,
                [Sessions::Digest],
                authorization_sessions::expiry,
            ),
        ),
        (
            "user_sessions_by_expiry",
            sweep(
                dialect,
                UserSessions::Table,
                [UserSessions::Id],
                user_sessions::expiry,
            ),
        ),
        (
            "audit_records_by_moment",
            sweep(
                dialect,
                AuditRecords::Table,
                [AuditRecords::Id],
                audit_records::expiry,
            ),
        ),
        (
            "grants_by_end",
            sweep(dialect, Grants::Table, [Grants::Id], grants::expiry),
        ),
        (
            "api_keys_by_end",
            sweep(dialect, ApiKeys::Table, [ApiKeys::Id], api_keys::expiry),
        ),
        (
            "calendar_feeds_by_expiry",
            sweep(
                dialect,
                CalendarFeeds::Table,
                [CalendarFeeds::Id],
                calendar_feeds::expiry,
            ),
        ),
        (
            "consents_by_last_use",
            sweep(
                dialect,
                Consents::Table,
                [Consents::SubjectId, Consents::ClientId],
                consents::expiry,
            ),
        ),
        (
            "rate_limits_by_arrival",
            sweep(
                dialect,
                RateLimits::Table,
                [RateLimits::Digest],
                rate_limits::expiry,
            ),
        ),
    ]
}

fn sweep<I: Iden + Copy + 'static, const N: usize>(
    dialect: Dialect,
    table: I,
    key: [I; N],
    expiry: fn(Expr) -> ExpiryCondition,
) -> WithQuery {
    let now = || Expr::value(0);
    retention::statement(dialect, (table, key), 8, expiry(now()), now())
}

// Proves: threats 42
/// Fails if the order of a sweep has no index.
#[test]
fn a_sweep_reads_only_the_rows_that_it_deletes() {
    let (_folder, path) = database();
    drop(SqlStore::sqlite(&path).unwrap());
    let connection = Connection::open(&path).unwrap();
    for (index, sweep) in sweeps(Dialect::Sqlite) {
        let (table, plan) = (
            index.split("_by_").next().unwrap(),
            plan(&connection, &sweep.to_string(SqliteQueryBuilder)),
        );
        assert!(
            plan.iter()
                .any(|step| step.starts_with(&format!("SEARCH {table} USING"))
                    && step.contains(index)),
            "{index}: {plan:?}"
        );
        assert!(
            plan.iter()
                .all(|step| !step.starts_with(&format!("SCAN {table}"))
                    && !step.contains("TEMP B-TREE")),
            "{index}: {plan:?}"
        );
    }
}

#[cfg(feature = "postgres")]
#[test]
fn in_postgres_no_sweep_waits_for_another() {
    for (_, sweep) in sweeps(Dialect::Postgres) {
        let text = sweep.to_string(sea_query::PostgresQueryBuilder);
        assert!(
            text.contains(" <= (CAST(FLOOR(EXTRACT(EPOCH FROM STATEMENT_TIMESTAMP()) * "),
            "{text}"
        );
        assert!(
            text.contains(" MATERIALIZED (SELECT ")
                && text.contains(" LIMIT 8 FOR UPDATE SKIP LOCKED) DELETE FROM "),
            "{text}"
        );
    }
}

#[test]
fn a_value_of_an_api_key_is_found_by_an_index() {
    let (_folder, path) = database();
    drop(SqlStore::sqlite(&path).unwrap());
    let query = api_keys::keys(api_keys::has_value(ApiKeyDigest::from_bytes([0; 32])))
        .to_string(SqliteQueryBuilder);
    let plan = plan(&Connection::open(&path).unwrap(), &query);
    assert!(
        plan.iter().all(|step| !step.starts_with("SCAN")),
        "{plan:?}"
    );
}

#[test]
fn a_code_is_found_by_an_index() {
    let (_folder, path) = database();
    drop(SqlStore::sqlite(&path).unwrap());
    let plan = plan(
        &Connection::open(&path).unwrap(),
        "SELECT * FROM grants WHERE code_digest = x'00' AND redeemed_at IS NULL",
    );
    assert!(
        plan.iter().all(|step| step.starts_with("SEARCH")),
        "{plan:?}"
    );
}

/// Fails if a scope is searched for in every grant.
#[test]
fn removing_a_scope_reads_only_the_grants_that_have_it() {
    let (_folder, path) = database();
    drop(SqlStore::sqlite(&path).unwrap());
    let connection = Connection::open(&path).unwrap();
    let of_application =
        scope_removal::ScopeSelection::OfApplication(crate::domain::ApplicationId::Service);
    for scopes in [
        of_application,
        scope_removal::ScopeSelection::One(crate::domain::Scope::manage()),
    ] {
        let ids = scope_removal::grants_with(&scopes).to_string(SqliteQueryBuilder);
        let consents = ids
            .replace("\"grant_id\"", "\"subject_id\", \"client_id\"")
            .replace("grant_scopes", "consent_scopes");
        for query in [
            format!("SELECT id FROM grants WHERE id IN ({ids}) ORDER BY id"),
            format!("UPDATE grants SET scopes = '' WHERE id IN ({ids}) AND client_id = ''"),
            format!(
                "SELECT client_id, count(id) FROM grants WHERE id IN ({ids}) AND revoked_at IS NULL GROUP BY client_id"
            ),
            ids.replace("SELECT \"grant_id\"", "DELETE"),
            format!(
                "UPDATE consents SET scopes = '' WHERE (subject_id, client_id) IN ({consents})"
            ),
        ] {
            let plan = plan(&connection, &query);
            assert!(
                plan.iter().any(|step| step.starts_with("SEARCH")),
                "{query}: {plan:?}"
            );
            assert!(
                plan.iter().all(|step| !step.starts_with("SCAN")),
                "{query}: {plan:?}"
            );
        }
    }
}

/// Fails if a part of a load is sorted, or its table is read from the beginning.
#[test]
fn a_part_of_the_directory_is_read_in_order_of_its_ids() {
    let (_folder, path) = database();
    drop(SqlStore::sqlite(&path).unwrap());
    let connection = Connection::open(&path).unwrap();
    for query in [
        "SELECT * FROM students WHERE id > 7 ORDER BY id LIMIT 4096",
        "SELECT * FROM lessons WHERE id > 'a' ORDER BY id LIMIT 4096",
        "SELECT record_id, version FROM changes WHERE kind = 'student' AND record_id > 7 AND record_id <= 9 ORDER BY record_id LIMIT 4096",
        "SELECT record_id, version FROM calendar_changes WHERE kind = 'meal' AND record_id > 'a' ORDER BY record_id LIMIT 4096",
        "SELECT record_id, version FROM changes WHERE kind = 'student' AND version > 7 ORDER BY version, record_id LIMIT 4096",
        "SELECT number, mark FROM directory_marks WHERE number > 7 ORDER BY number LIMIT 4096",
        "SELECT * FROM project_participants WHERE project_id IN (1, 2) ORDER BY project_id",
    ] {
        let plan = plan(&connection, query);
        assert!(
            plan.iter().all(|step| step.starts_with("SEARCH")),
            "{query}: {plan:?}"
        );
    }
}
