//! The signing keys.

use sea_query::{Expr, ExprTrait, OnConflict, Order, Query, SelectStatement};

use super::executor::{Executor, TRIES, all, change, first};
use super::insert::insert;
use super::row::Row;
use super::shape::Shape;
use super::sweep::{Ended, sweep};
use super::tables::SigningKeys;
use crate::domain::{SealedKey, SigningKeyRecord, Timestamp};
use crate::store::{KeyInstallation, StorageError};

pub(super) async fn signing_keys(tx: &mut dyn Executor) -> Result<Vec<SigningKeyRecord>, StorageError> {
    let keys = select().order_by(SigningKeys::Sequence, Order::Asc).take();
    all(tx, &keys).await?.into_iter().map(read).collect()
}

pub(super) async fn install_signing_key(tx: &mut dyn Executor, key: SigningKeyRecord) -> Result<KeyInstallation, StorageError> {
    let sequence = key.sequence;
    let installation = insert(
        SigningKeys::Table,
        [
            (SigningKeys::Sequence, sequence.into()),
            (SigningKeys::Id, key.id.as_str().into()),
            (SigningKeys::Algorithm, key.algorithm.as_str().into()),
            (SigningKeys::Sealed, key.sealed.as_bytes().to_vec().into()),
            (SigningKeys::CreatedAt, key.created_at.seconds().into()),
        ],
    )
    .on_conflict(OnConflict::column(SigningKeys::Sequence).do_nothing().to_owned())
    .take();
    let existing = select().and_where(Expr::col(SigningKeys::Sequence).eq(sequence)).take();
    for _ in 0..TRIES {
        if change(tx, &installation).await? > 0 {
            return Ok(KeyInstallation::Installed);
        }
        if let Some(row) = first(tx, &existing).await? {
            return read(row).map(KeyInstallation::Existing);
        }
    }
    Err(StorageError::unavailable("a signing key does not stand still", "it came and went"))
}

pub(super) async fn remove_signing_keys(tx: &mut dyn Executor, until: Timestamp) -> Result<usize, StorageError> {
    static SHAPE: Shape = Shape::new();
    let removed = sweep(tx, &SHAPE, (SigningKeys::Table, SigningKeys::Sequence), until.seconds(), superseded).await?;
    Ok(removed as usize)
}

/// Those with a smaller number than the newest that had been made by then.
fn superseded() -> Ended {
    let sequence = || Expr::col(SigningKeys::Sequence);
    let newest = Query::select().expr(sequence().max()).from(SigningKeys::Table).and_where(Expr::col(SigningKeys::CreatedAt).lte(0)).take();
    Ended { condition: sequence().lt(newest), order: sequence() }
}

fn select() -> SelectStatement {
    let columns = [SigningKeys::Sequence, SigningKeys::Id, SigningKeys::Algorithm, SigningKeys::Sealed, SigningKeys::CreatedAt];
    Query::select().columns(columns).from(SigningKeys::Table).take()
}

fn read(mut row: Row) -> Result<SigningKeyRecord, StorageError> {
    Ok(SigningKeyRecord {
        sequence: row.integer("signing_keys.sequence")?,
        id: row.parsed("signing_keys.id")?,
        algorithm: row.parsed("signing_keys.algorithm")?,
        sealed: SealedKey::from_bytes(row.bytes("signing_keys.sealed")?),
        created_at: row.time("signing_keys.created_at")?,
    })
}
