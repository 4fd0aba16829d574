//! The sample school, its accounts, an application, clients, keys and a request that waits.
//!
//! Ids and secrets are derived from the key file. A second start therefore finds the same records
//! and can print their secrets, although the store contains only digests.

use std::sync::Arc;

use lyceum::directory::{Directory, DirectoryChange, WriteOutcome};
use lyceum::domain::{
    ApiScope, ApiScopes, ClientPolicy, Date, Role, Scope, SubjectId, Verification,
};
use lyceum::http::auth_server::Accounts;
use lyceum::http::{Clock, SystemClock};
use lyceum::sample_data::SampleSchool;
use lyceum::store::{Storage, StorageError};

use super::KeyFile;
use super::records::{
    CONSOLE, NATIVE_CLIENT, NewClient, SERVICE_CLIENT, SeedContext, WAITING_CLIENT, WEB_CLIENT,
    account, api_key, application, client, scope_request,
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
    let context = SeedContext {
        store: &**store,
        keys,
        base_url,
        now: SystemClock.now(),
    };
    // Created first, so that a later start recognizes the demo even if this one is killed halfway.
    let console = client(
        &context,
        NewClient {
            name: CONSOLE,
            policy: ClientPolicy::Secret,
            path: Some("/demo/console"),
            scopes: &[Scope::self_read(), Scope::manage()].into_iter().collect(),
            owner: &SubjectId::service(),
            verification: Verification::Assumed,
        },
    )
    .await?;
    write_school(&context, directory).await?;
    let accounts = Accounts::new(store.clone())?;
    let [first, last] = two_students(directory).await?;
    let (user, owner) = account(&accounts, &context, &first, Role::User, "USER").await?;
    let (developer, other_owner) =
        account(&accounts, &context, &last, Role::User, "developer").await?;
    let admin = "admin@school.example";
    let (admin, administrator) = account(&accounts, &context, admin, Role::Admin, "ADMIN").await?;
    let application = application(&context, &owner).await?;
    let scopes = &application.scopes;
    let user_scopes = scopes.union(&[Scope::self_read()].into_iter().collect());
    let verified = || Verification::Verified {
        by: administrator.clone(),
        at: context.now,
    };
    let web_client = NewClient {
        name: WEB_CLIENT,
        policy: ClientPolicy::SecretOrPkce,
        path: Some("/demo/callback"),
        scopes: &user_scopes,
        owner: &owner,
        verification: verified(),
    };
    let native_client = NewClient {
        name: NATIVE_CLIENT,
        policy: ClientPolicy::Public,
        path: Some("/demo/native"),
        verification: verified(),
        ..web_client
    };
    let service_client = NewClient {
        name: SERVICE_CLIENT,
        policy: ClientPolicy::Secret,
        path: None,
        scopes,
        owner: &owner,
        verification: verified(),
    };
    let waiting_client = NewClient {
        name: WAITING_CLIENT,
        policy: ClientPolicy::Secret,
        path: Some("/demo/attendance"),
        scopes: &user_scopes,
        owner: &other_owner,
        verification: Verification::Unverified,
    };
    let demo = Demo {
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
        client: client(&context, web_client).await?,
        public_client: client(&context, native_client).await?,
        console,
        service_client: client(&context, service_client).await?,
        developer_client: client(&context, waiting_client).await?,
        application_id: application.id,
        scopes: application.scopes.clone(),
        user,
        developer,
        admin,
    };
    let (scope, waiting) = (application.restricted_scope, demo.developer_client.id);
    scope_request(&context, scope, waiting, other_owner).await?;
    Ok(demo)
}

/// Writes the sample school to an empty directory, and moves the calendar of another one to today.
async fn write_school(
    context: &SeedContext<'_, impl Storage>,
    directory: &Directory,
) -> Result<(), BoxError> {
    let seoul = jiff::tz::TimeZone::get("Asia/Seoul")?;
    let mut changes = SampleSchool::new(20, Date::from_timestamp(context.now, &seoul)).changes();
    if context.store.directory_version().await?.number > 0 {
        // Students, clubs and projects exist and may have been edited. Only meals, events and
        // lessons are updated to the current date.
        changes.retain(is_calendar_change);
    }
    match directory.write(changes).await? {
        WriteOutcome::Written(_) => Ok(()),
        WriteOutcome::Rejected { index, reason } => {
            Err(format!("the demo school's change {index} was rejected: {reason}").into())
        }
        WriteOutcome::Contended => {
            let reason = "others wrote again and again";
            Err(StorageError::unavailable("the demo school", reason).into())
        }
    }
}

fn is_calendar_change(change: &DirectoryChange) -> bool {
    matches!(
        change,
        DirectoryChange::PutMeal(_) | DirectoryChange::PutEvent(_) | DirectoryChange::PutLesson(_)
    )
}

/// The e-mail addresses of the enrolled students with the smallest and the largest id. So the
/// second account never is that of a student who has become the first. Of a single student, the
/// second address is that of nobody at the school.
async fn two_students(directory: &Directory) -> Result<[String; 2], BoxError> {
    let school = directory.snapshot().await?;
    let students = school.students();
    let email = |direction| -> Result<String, BoxError> {
        let query = students.query(&[("size", "1"), ("sortDirection", direction)])?;
        let page = students.page(&query);
        let student = page.values().next().ok_or("the school has no students")?;
        Ok(student.student.email.to_string())
    };
    let (first, last) = (email("ASC")?, email("DESC")?);
    let is_alone = first == last;
    let last = if is_alone {
        "developer@school.example".to_owned()
    } else {
        last
    };
    Ok([first, last])
}
