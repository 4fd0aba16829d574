//! The sample school, its accounts, an application, clients and keys.
//!
//! Ids and secrets are derived from the key file. A second start therefore finds the same records
//! and can print their secrets, although the store contains only digests.

use std::sync::Arc;

use lyceum::directory::{Directory, DirectoryChange, WriteOutcome};
use lyceum::domain::{ApiScope, ApiScopes, ClientPolicy, Date, Role, Scope, SubjectId};
use lyceum::http::auth_server::Accounts;
use lyceum::http::{Clock, SystemClock};
use lyceum::sample_data::SampleSchool;
use lyceum::store::{Storage, StorageError};

use super::KeyFile;
use super::records::{
    CONSOLE, NATIVE_CLIENT, SERVICE_CLIENT, SeedContext, WEB_CLIENT, account, api_key, application,
    client,
};
use super::report::Demo;
use crate::BoxError;

/// Creates missing records and returns their credentials.
pub async fn seed<S: Storage>(
    store: &Arc<S>,
    directory: &Directory,
    keys: &KeyFile,
    base_url: &str,
) -> Result<Demo, BoxError> {
    let now = SystemClock.now();
    let context = SeedContext {
        store: &**store,
        keys,
        now,
    };
    let back = |path: &'static str| Some((base_url, path));
    // Created first, so that a later start recognizes the demo even if this one is killed halfway.
    let console_scopes = [Scope::self_read(), Scope::manage()].into_iter().collect();
    let console = client(
        &context,
        CONSOLE,
        ClientPolicy::Secret,
        back("/demo/console"),
        &console_scopes,
        &SubjectId::service(),
    )
    .await?;
    let seoul = jiff::tz::TimeZone::get("Asia/Seoul")?;
    let mut changes = SampleSchool::new(20, Date::from_timestamp(now, &seoul)).changes();
    if store.directory_version().await?.number > 0 {
        // Students, clubs and projects exist and may have been edited. Only meals, events and
        // lessons are updated to the current date.
        changes.retain(is_calendar_change);
    }
    match directory.write(changes).await? {
        WriteOutcome::Written(_) => {}
        WriteOutcome::Rejected { index, reason } => {
            return Err(format!("the demo school's change {index} was rejected: {reason}").into());
        }
        WriteOutcome::Contended => {
            return Err(StorageError::unavailable(
                "the demo school",
                "others wrote again and again",
            )
            .into());
        }
    }
    let accounts = Accounts::new(store.clone())?;
    let (user, owner) = account(
        &accounts,
        &context,
        &some_student(directory).await?,
        Role::User,
    )
    .await?;
    let (admin, _) = account(&accounts, &context, "admin@school.example", Role::Admin).await?;
    let (application, scopes) = application(&context, &owner).await?;
    let user_scopes = scopes.union(&[Scope::self_read()].into_iter().collect());
    Ok(Demo {
        base_url: base_url.to_owned(),
        api_key: api_key(
            &context,
            "an API key with every scope",
            ApiScopes::built_in(),
            &owner,
        )
        .await?,
        limited_api_key: api_key(
            &context,
            "an API key for clubs",
            [ApiScope::CLUB_READ].into_iter().collect(),
            &owner,
        )
        .await?,
        client: client(
            &context,
            WEB_CLIENT,
            ClientPolicy::SecretOrPkce,
            back("/demo/callback"),
            &user_scopes,
            &owner,
        )
        .await?,
        public_client: client(
            &context,
            NATIVE_CLIENT,
            ClientPolicy::Public,
            back("/demo/native"),
            &user_scopes,
            &owner,
        )
        .await?,
        console,
        service_client: client(
            &context,
            SERVICE_CLIENT,
            ClientPolicy::Secret,
            None,
            &scopes,
            &owner,
        )
        .await?,
        application_id: application,
        scopes,
        user,
        admin,
    })
}

fn is_calendar_change(change: &DirectoryChange) -> bool {
    matches!(
        change,
        DirectoryChange::PutMeal(_) | DirectoryChange::PutEvent(_) | DirectoryChange::PutLesson(_)
    )
}

/// The e-mail address of the enrolled student with the smallest id.
async fn some_student(directory: &Directory) -> Result<String, BoxError> {
    let school = directory.snapshot().await?;
    let students = school.students();
    let first = students.page(&students.query(&[("size", "1")])?);
    let student = first.values().next().ok_or("the school has no students")?;
    Ok(student.student.email.to_string())
}
