//! The log of what changed: one row for each student, club and project that ever was, with the version in which its profile last changed.

use std::collections::BTreeMap;
use std::sync::Arc;

use sea_query::{Condition, Expr, ExprTrait, Func, Iden, Order, Query};

use super::directory_version;
use super::executor::{Executor, all, first};
use super::padded::padded;
use super::row::Row;
use super::tables::Changes as Log;
use crate::domain::Record;
use crate::store::{Changes, ChangesQuery, Cursor, DatasetVersion, Delta, StorageError};

/// Of what the log tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Student,
    Club,
    Project,
}

impl Kind {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Student => "student",
            Self::Club => "club",
            Self::Project => "project",
        }
    }
}

/// The changes that a reader is told next.
pub(super) struct Told {
    present: DatasetVersion,
    start: Cursor,
    total: u64,
    /// The versions and ids.
    changes: Vec<(u64, i64)>,
}

/// What to tell, unless the cursor is unknown.
pub(super) async fn since<F: Sync>(tx: &mut dyn Executor, kind: Kind, query: &ChangesQuery<F>) -> Result<Option<Told>, StorageError> {
    let present = directory_version::current(tx).await?;
    let Some(start) = query.start(present) else { return Ok(None) };
    let number = i64::try_from(start.version().number).map_err(|_| StorageError::corrupt("directory_version.version"))?;
    let place = Expr::tuple([Expr::col(Log::Version), Expr::col(Log::RecordId)]);
    let after = Condition::all()
        .add(Expr::col(Log::Kind).eq(kind.as_str()))
        .add(place.gt(Expr::tuple([Expr::value(number), Expr::value(start.id())])));
    let count = Query::select().expr(Func::count(Expr::col(Log::RecordId))).from(Log::Table).cond_where(after.clone()).take();
    let total = first(tx, &count).await?.ok_or(StorageError::corrupt("count"))?.whole("count")?;
    let changes = Query::select()
        .columns([Log::Version, Log::RecordId])
        .from(Log::Table)
        .cond_where(after)
        .order_by(Log::Version, Order::Asc)
        .order_by(Log::RecordId, Order::Asc)
        .limit(query.most() as u64)
        .take();
    let read = |mut row: Row| Ok((row.whole("changes.version")?, row.integer("changes.record_id")?));
    let changes = all(tx, &changes).await?.into_iter().map(read).collect::<Result<_, StorageError>>()?;
    Ok(Some(Told { present, start, total, changes }))
}

impl Told {
    /// The rows of those records that are there and wanted, in no order.
    pub(super) async fn rows<I: Iden + Copy + Send + Sync + 'static>(
        &self,
        tx: &mut dyn Executor,
        table: I,
        columns: impl IntoIterator<Item = I>,
        id: I,
        wanted: Condition,
    ) -> Result<Vec<Row>, StorageError> {
        let ids = padded(self.changes.iter().map(|(_, id)| *id));
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let rows = Query::select().columns(columns).from(table).cond_where(wanted).and_where(Expr::col(id).is_in(ids)).take();
        all(tx, &rows).await
    }

    /// Tells the changes, with the profiles that those rows became.
    pub(super) fn with<T>(self, profiles: impl IntoIterator<Item = T>, id: impl Fn(&T) -> i64) -> Delta<T> {
        let mut profiles: BTreeMap<i64, T> = profiles.into_iter().map(|profile| (id(&profile), profile)).collect();
        let found = |id| profiles.remove(&id).map(|profile| Arc::new(Record::new(profile)));
        Delta::Told(Changes::new(self.present, self.start, self.total, &self.changes, found))
    }
}
