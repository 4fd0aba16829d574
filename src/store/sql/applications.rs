//! Applications.

use sea_query::{Condition, Expr, ExprTrait, Query};

use super::executor::{Executor, all, change, first};
use super::forget::{Going, forget};
use super::insert::insert_new;
use super::listing::{Listing, count, in_order_of};
use super::padded::padded;
use super::registry::{alone, is_application};
use super::row::Row;
use super::tables::Applications;
use crate::domain::{Application, ApplicationId, Direction, Line, PageRequest, SubjectId};
use crate::store::{Creation, Issuance, Registered, RegistryChange, StorageError};

pub(super) async fn create_application(tx: &mut dyn Executor, application: Application) -> Result<Creation, StorageError> {
    let application = insert_new(
        Applications::Table,
        [
            (Applications::Id, application.id.to_string().into()),
            (Applications::Name, application.name.as_str().into()),
            (Applications::Owner, application.owner.as_str().into()),
            (Applications::CreatedAt, application.created_at.seconds().into()),
        ],
    );
    Ok(if change(tx, &application).await? > 0 { Creation::Created } else { Creation::Taken })
}

/// Registrations hold the management lock, so the count cannot change before the insert.
pub(super) async fn register_application(tx: &mut dyn Executor, application: Application, at_most: u32) -> Result<Issuance, StorageError> {
    alone(tx).await?;
    let owned = Condition::all().add(Expr::col(Applications::Owner).eq(application.owner.as_str()));
    if count(tx, (Applications::Table, Applications::Id), owned).await? >= u64::from(at_most) {
        return Ok(Issuance::OwnerHasEnough);
    }
    Ok(match create_application(tx, application).await? {
        Creation::Created => Issuance::Issued,
        Creation::Taken => Issuance::Taken,
    })
}

pub(super) async fn application(tx: &mut dyn Executor, id: ApplicationId) -> Result<Option<Application>, StorageError> {
    let application = Query::select().columns(COLUMNS).from(Applications::Table).and_where(is_application(id)).take();
    first(tx, &application).await?.map(read).transpose()
}

pub(super) async fn applications_by_id(tx: &mut dyn Executor, ids: Vec<ApplicationId>) -> Result<Vec<Application>, StorageError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let any = Expr::col(Applications::Id).is_in(padded(ids.iter().map(ToString::to_string)));
    let found = Query::select().columns(COLUMNS).from(Applications::Table).and_where(any).take();
    let found = all(tx, &found).await?.into_iter().map(read).collect::<Result<_, _>>()?;
    Ok(in_order_of(&ids, found, |application| application.id))
}

pub(super) async fn applications(
    tx: &mut dyn Executor,
    owner: Option<SubjectId>,
    page: PageRequest,
) -> Result<Registered<Application>, StorageError> {
    let listing = Listing {
        table: Applications::Table,
        columns: COLUMNS.into(),
        wanted: Condition::all().add_option(owner.map(|owner| Expr::col(Applications::Owner).eq(owner.as_str()))),
        sort: Applications::CreatedAt,
        sort_is_optional: false,
        id: Applications::Id,
        direction: Direction::Ascending,
        page,
    };
    let (total, rows) = listing.load(tx).await?;
    Ok(Registered { total, items: rows.into_iter().map(read).collect::<Result<_, _>>()? })
}

pub(super) async fn rename_application(tx: &mut dyn Executor, id: ApplicationId, name: Line) -> Result<RegistryChange, StorageError> {
    if id == ApplicationId::Service {
        return Ok(RegistryChange::OfTheService);
    }
    let renamed = Query::update().table(Applications::Table).value(Applications::Name, name.as_str()).and_where(is_application(id)).take();
    Ok(if change(tx, &renamed).await? > 0 { RegistryChange::Done } else { RegistryChange::Unknown })
}

pub(super) async fn delete_application(tx: &mut dyn Executor, id: ApplicationId) -> Result<RegistryChange, StorageError> {
    if id == ApplicationId::Service {
        return Ok(RegistryChange::OfTheService);
    }
    alone(tx).await?;
    // Its scopes go with it, and with them what clients list of them.
    if change(tx, &Query::delete().from_table(Applications::Table).and_where(is_application(id)).take()).await? == 0 {
        return Ok(RegistryChange::Unknown);
    }
    forget(tx, &Going::AllOf(id), None).await?;
    Ok(RegistryChange::Done)
}

const COLUMNS: [Applications; 4] = [Applications::Id, Applications::Name, Applications::Owner, Applications::CreatedAt];

/// Reads [`COLUMNS`].
fn read(mut row: Row) -> Result<Application, StorageError> {
    Ok(Application {
        id: row.parsed("applications.id")?,
        name: row.parsed("applications.name")?,
        owner: row.parsed("applications.owner")?,
        created_at: row.time("applications.created_at")?,
    })
}
