use std::collections::BTreeSet;

use crate::postgres_server::{Cluster, cluster};
use crate::{needs_postgres, store};

#[tokio::test]
async fn every_index_serves_the_query_it_was_made_for() {
    needs_postgres!();
    let url = cluster().new_schema();
    drop(store(&url).await);
    let mut used = BTreeSet::new();
    for (index, query) in [
        ("students_by_major_club", "UPDATE students SET major_club_id = NULL WHERE major_club_id = 1"),
        ("students_by_autonomous_club", "UPDATE students SET autonomous_club_id = NULL WHERE autonomous_club_id = 1"),
        ("clubs_by_leader", "UPDATE clubs SET leader_id = NULL WHERE leader_id = 1"),
        ("projects_by_club", "UPDATE projects SET club_id = NULL WHERE club_id = 1"),
        ("project_participants_by_student", "DELETE FROM project_participants WHERE student_id = 1"),
        (
            "sessions_by_expiry",
            "SELECT digest FROM sessions WHERE expires_at <= 1
            AND 1 <= CAST(FLOOR(EXTRACT(EPOCH FROM STATEMENT_TIMESTAMP()) * 1) AS BIGINT) ORDER BY expires_at LIMIT 8",
        ),
        (
            "grants_by_end",
            r#"SELECT "id" FROM "grants" WHERE COALESCE("revoked_at", "idle_expires_at", "code_expires_at") <= 1
            ORDER BY COALESCE("revoked_at", "idle_expires_at", "code_expires_at") ASC LIMIT 8"#,
        ),
        (
            "api_keys_by_end",
            r#"SELECT "id" FROM "api_keys" WHERE COALESCE("revoked_at", "expires_at") <= 1
            ORDER BY COALESCE("revoked_at", "expires_at") ASC LIMIT 8"#,
        ),
        ("calendar_feeds_by_key", "SELECT * FROM calendar_feeds WHERE key_id = '' ORDER BY created_at, id"),
        ("calendar_feeds_by_expiry", "SELECT id FROM calendar_feeds WHERE expires_at <= 1 ORDER BY expires_at LIMIT 8"),
        ("rate_limits_by_arrival", "SELECT digest FROM rate_limits WHERE arrival_micros <= 1 ORDER BY arrival_micros LIMIT 8"),
        ("client_scopes_by_scope", "SELECT client_id FROM client_scopes WHERE scope_id = ''"),
        ("applications_by_owner", "SELECT * FROM applications WHERE owner = '' ORDER BY created_at, id LIMIT 8"),
        ("api_keys_by_owner", "SELECT * FROM api_keys WHERE owner = '' AND revoked_at IS NULL ORDER BY created_at, id LIMIT 8"),
        ("clients_by_owner", "SELECT * FROM clients WHERE owner = '' ORDER BY created_at, id LIMIT 8"),
        ("scope_approvals_by_client", "DELETE FROM scope_approvals WHERE client_id = ''"),
        ("scope_requests_by_client", "DELETE FROM scope_requests WHERE client_id = ''"),
        ("sessions_by_subject", "DELETE FROM sessions WHERE subject_id = ''"),
        ("grants_by_subject", "SELECT * FROM grants WHERE subject_id = '' AND revoked_at IS NULL ORDER BY id"),
        ("consents_by_client", "DELETE FROM consents WHERE client_id = ''"),
        ("grant_scopes_by_grant", "DELETE FROM grant_scopes WHERE grant_id = ''"),
        ("consent_scopes_by_consent", "DELETE FROM consent_scopes WHERE subject_id = '' AND client_id = ''"),
        ("consents_by_last_use", "SELECT subject_id, client_id FROM consents WHERE last_used_at <= 1 ORDER BY last_used_at LIMIT 8"),
        (
            "grants_by_client",
            "SELECT client_id, count(id), max(redeemed_at) FROM grants WHERE client_id IN ('', 'a') AND revoked_at IS NULL
             AND idle_expires_at > 0 AND expires_at > 0 GROUP BY client_id",
        ),
        ("user_sessions_by_expiry", "DELETE FROM user_sessions WHERE expires_at <= 1"),
        ("sync_runs_by_end", "SELECT id FROM sync_runs WHERE ended_at <= 1 ORDER BY ended_at LIMIT 8"),
        ("user_sessions_by_subject", "DELETE FROM user_sessions WHERE subject_id = ''"),
        ("audit_records_by_moment", "DELETE FROM audit_records WHERE at < 1"),
        ("audit_records_by_request", "SELECT * FROM audit_records WHERE request_id = '' ORDER BY id"),
        ("audit_records_by_kind", "SELECT * FROM audit_records WHERE kind = '' AND id < 1 ORDER BY id DESC LIMIT 8"),
        ("audit_records_by_subject", "SELECT * FROM audit_records WHERE subject_id = '' AND id < 1 ORDER BY id DESC LIMIT 8"),
        ("audit_records_by_target", "SELECT * FROM audit_records WHERE target_id = '' AND id < 1 ORDER BY id DESC LIMIT 8"),
        ("audit_records_by_client", "SELECT * FROM audit_records WHERE client_id = '' AND id < 1 ORDER BY id DESC LIMIT 8"),
        ("audit_records_by_application", "SELECT * FROM audit_records WHERE application_id = '' AND id < 1 ORDER BY id DESC LIMIT 8"),
        ("audit_records_by_grant", "SELECT * FROM audit_records WHERE grant_id = '' AND id < 1 ORDER BY id DESC LIMIT 8"),
        ("audit_records_by_api_key", "SELECT * FROM audit_records WHERE api_key_id = '' AND id < 1 ORDER BY id DESC LIMIT 8"),
        ("school_history_by_class", "SELECT * FROM school_history WHERE year = 1 AND grade = 1 AND class_num = 1"),
        ("turned_students_by_student", "DELETE FROM turned_students WHERE student_id = 1"),
        ("turned_clubs_by_leader", "DELETE FROM turned_clubs WHERE leader_id = 1"),
        ("erasures_by_time", "SELECT * FROM erasures ORDER BY at DESC, student_id DESC LIMIT 8"),
    ] {
        // In empty tables a sequential scan is always cheapest, so it is disabled. An index on the
        // id could serve the order, so one of two plans must use this index.
        let plan: Vec<_> = ["enable_sort", "enable_indexscan"]
            .iter()
            .flat_map(|also| Cluster::query_at(&url, &format!("SET enable_seqscan = off; SET {also} = off; EXPLAIN {query}")))
            .collect();
        assert!(plan.iter().any(|step| step.split(' ').any(|word| word == index)), "{index}: {plan:#?}");
        used.insert(index.to_owned());
    }
    let all = Cluster::query_at(
        &url,
        "SELECT relname FROM pg_class JOIN pg_index ON indexrelid = pg_class.oid
        WHERE relnamespace = current_schema()::regnamespace AND NOT indisunique",
    );
    assert_eq!(all.into_iter().collect::<BTreeSet<_>>(), used);
}

#[tokio::test]
async fn all_text_sorts_by_code_point() {
    needs_postgres!();
    let url = cluster().new_schema();
    drop(store(&url).await);
    let others = "SELECT table_name || '.' || column_name FROM information_schema.columns
        WHERE table_schema = current_schema() AND data_type = 'text' AND table_name <> 'lyceum_migrations' AND collation_name IS DISTINCT FROM 'C'";
    assert!(Cluster::query_at(&url, others).is_empty());
}
