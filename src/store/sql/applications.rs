//! Applications.

use sea_query::{Condition, Expr, ExprTrait, Query};

use super::executor::{Executor, execute, fetch_all, fetch_optional};
use super::in_list_padding::pad_to_power_of_two;
use super::insert::insert_or_ignore;
use super::management_lock::{is_application, lock_management};
use super::page_query::{PageQuery, count, sort_by_ids};
use super::row::{Row, json_translations};
use super::scope_removal::{ScopeSelection, remove_scopes};
use super::tables::Applications;
use crate::domain::{Application, ApplicationId, PageRequest, SortDirection, SubjectId};
use crate::store::{
    ApplicationPatch, Creation, LimitedCreation, Paged, RegistryChange, StorageError,
};

pub(super) async fn create_application(
    tx: &mut dyn Executor,
    application: Application,
) -> Result<Creation, StorageError> {
    let application = insert_or_ignore(
        Applications::Table,
        [
            (Applications::Id, application.id.to_string().into()),
            (Applications::Name, application.name.as_str().into()),
            (
                Applications::NameTranslations,
                json_translations(&application.name_translations).into(),
            ),
            (Applications::Owner, application.owner.as_str().into()),
            (
                Applications::CreatedAt,
                application.created_at.seconds().into(),
            ),
        ],
    );
    Ok(if execute(tx, &application).await? > 0 {
        Creation::Created
    } else {
        Creation::AlreadyExists
    })
}

/// Registrations hold the management lock, so the count cannot change before the insert.
pub(super) async fn register_application(
    tx: &mut dyn Executor,
    application: Application,
    limit: u32,
) -> Result<LimitedCreation, StorageError> {
    lock_management(tx).await?;
    let owned = Condition::all().add(Expr::col(Applications::Owner).eq(application.owner.as_str()));
    if count(tx, (Applications::Table, Applications::Id), owned).await? >= u64::from(limit) {
        return Ok(LimitedCreation::LimitReached);
    }
    Ok(match create_application(tx, application).await? {
        Creation::Created => LimitedCreation::Created,
        Creation::AlreadyExists => LimitedCreation::AlreadyExists,
    })
}

pub(super) async fn application(
    tx: &mut dyn Executor,
    id: ApplicationId,
) -> Result<Option<Application>, StorageError> {
    let application = Query::select()
        .columns(COLUMNS)
        .from(Applications::Table)
        .and_where(is_application(id))
        .take();
    fetch_optional(tx, &application)
        .await?
        .map(read)
        .transpose()
}

pub(super) async fn applications_by_id(
    tx: &mut dyn Executor,
    ids: Vec<ApplicationId>,
) -> Result<Vec<Application>, StorageError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let any =
        Expr::col(Applications::Id).is_in(pad_to_power_of_two(ids.iter().map(ToString::to_string)));
    let found = Query::select()
        .columns(COLUMNS)
        .from(Applications::Table)
        .and_where(any)
        .take();
    let found = fetch_all(tx, &found)
        .await?
        .into_iter()
        .map(read)
        .collect::<Result<_, _>>()?;
    Ok(sort_by_ids(&ids, found, |application| application.id))
}

pub(super) async fn applications(
    tx: &mut dyn Executor,
    owner: Option<SubjectId>,
    page: PageRequest,
) -> Result<Paged<Application>, StorageError> {
    let page_query = PageQuery {
        table: Applications::Table,
        columns: COLUMNS.into(),
        condition: Condition::all()
            .add_option(owner.map(|owner| Expr::col(Applications::Owner).eq(owner.as_str()))),
        sort: Applications::CreatedAt,
        sort_is_nullable: false,
        id: Applications::Id,
        direction: SortDirection::Ascending,
        page,
    };
    let (total, rows) = page_query.load(tx).await?;
    Ok(Paged {
        total,
        items: rows.into_iter().map(read).collect::<Result<_, _>>()?,
    })
}

pub(super) async fn update_application(
    tx: &mut dyn Executor,
    id: ApplicationId,
    change: ApplicationPatch,
) -> Result<RegistryChange, StorageError> {
    if id == ApplicationId::Service {
        return Ok(RegistryChange::BuiltIn);
    }
    let ApplicationPatch {
        name,
        name_translations,
    } = change;
    let mut update = Query::update();
    // An empty patch still needs a value to write.
    update
        .table(Applications::Table)
        .value(Applications::Owner, Expr::col(Applications::Owner))
        .and_where(is_application(id));
    if let Some(name) = name {
        update.value(Applications::Name, name.as_str());
    }
    if let Some(translations) = name_translations {
        update.value(
            Applications::NameTranslations,
            json_translations(&translations),
        );
    }
    Ok(if execute(tx, &update).await? > 0 {
        RegistryChange::Done
    } else {
        RegistryChange::NotFound
    })
}

pub(super) async fn delete_application(
    tx: &mut dyn Executor,
    id: ApplicationId,
) -> Result<RegistryChange, StorageError> {
    if id == ApplicationId::Service {
        return Ok(RegistryChange::BuiltIn);
    }
    lock_management(tx).await?;
    // The scopes, and their entries in clients' lists, are deleted by foreign keys.
    if execute(
        tx,
        &Query::delete()
            .from_table(Applications::Table)
            .and_where(is_application(id))
            .take(),
    )
    .await?
        == 0
    {
        return Ok(RegistryChange::NotFound);
    }
    remove_scopes(tx, &ScopeSelection::OfApplication(id), None).await?;
    Ok(RegistryChange::Done)
}

const COLUMNS: [Applications; 5] = [
    Applications::Id,
    Applications::Name,
    Applications::NameTranslations,
    Applications::Owner,
    Applications::CreatedAt,
];

/// Reads [`COLUMNS`].
fn read(mut row: Row) -> Result<Application, StorageError> {
    Ok(Application {
        id: row.parsed("applications.id")?,
        name: row.parsed("applications.name")?,
        name_translations: row.translations("applications.name_translations")?,
        owner: row.parsed("applications.owner")?,
        created_at: row.timestamp("applications.created_at")?,
    })
}
