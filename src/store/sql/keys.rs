//! The signing keys.

use sea_query::{Expr, ExprTrait, OnConflict, Order, Query, SelectStatement};

use super::executor::{Executor, TRIES, all, change, contradiction, first};
use super::insert::insert;
use super::row::Row;
use super::shape::Shape;
use super::sweep::{Ended, sweep};
use super::tables::SigningKeys;
use crate::domain::{KeyId, SealedKey, SigningKeyRecord, Timestamp};
use crate::store::{KeyInstallation, KeyRevocation, StorageError};

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
            (SigningKeys::RevokedAt, key.revoked_at.map(Timestamp::seconds).into()),
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

pub(super) async fn revoke_signing_key(tx: &mut dyn Executor, id: KeyId, at: Timestamp) -> Result<KeyRevocation, StorageError> {
    let has_id = || Expr::col(SigningKeys::Id).eq(id.as_str());
    let revocation = Query::update()
        .table(SigningKeys::Table)
        .value(SigningKeys::RevokedAt, at.seconds())
        .and_where(has_id())
        .and_where(Expr::col(SigningKeys::RevokedAt).is_null())
        .take();
    let revoked = select().and_where(has_id()).and_where(Expr::col(SigningKeys::RevokedAt).is_not_null()).take();
    if change(tx, &revocation).await? > 0 {
        return Ok(KeyRevocation::Revoked);
    }
    let Some(row) = first(tx, &revoked).await? else { return Ok(KeyRevocation::Unknown) };
    let at = read(row)?.revoked_at.ok_or_else(contradiction)?;
    Ok(KeyRevocation::AlreadyRevoked { at })
}

pub(super) async fn reseal_signing_key(tx: &mut dyn Executor, id: KeyId, seen: SealedKey, sealed: SealedKey) -> Result<bool, StorageError> {
    let resealing = Query::update()
        .table(SigningKeys::Table)
        .value(SigningKeys::Sealed, sealed.as_bytes().to_vec())
        .and_where(Expr::col(SigningKeys::Id).eq(id.as_str()))
        .and_where(Expr::col(SigningKeys::Sealed).eq(seen.as_bytes().to_vec()))
        .take();
    Ok(change(tx, &resealing).await? > 0)
}

pub(super) async fn remove_signing_keys(tx: &mut dyn Executor, until: Timestamp) -> Result<usize, StorageError> {
    static SHAPE: Shape = Shape::new();
    let removed = sweep(tx, &SHAPE, (SigningKeys::Table, SigningKeys::Sequence), until.seconds(), superseded).await?;
    Ok(removed as usize)
}

/// What time it is by the clock of the database, if it has one.
pub(super) async fn now(tx: &mut dyn Executor) -> Result<Option<Timestamp>, StorageError> {
    if !tx.compares_clock() {
        return Ok(None);
    }
    let now = Query::select().expr(Expr::cust("CAST(FLOOR(EXTRACT(EPOCH FROM CLOCK_TIMESTAMP())) AS BIGINT)")).take();
    first(tx, &now).await?.map(|mut row| row.time("clock_timestamp")).transpose()
}

/// Those with a smaller number than the newest that had been made by then. One that is being revoked has been superseded all the same.
fn superseded() -> Ended {
    let sequence = || Expr::col(SigningKeys::Sequence);
    let newest = Query::select().expr(sequence().max()).from(SigningKeys::Table).and_where(Expr::col(SigningKeys::CreatedAt).lte(0)).take();
    Ended { condition: sequence().lt(newest), order: sequence(), per_second: 1, waits: true }
}

fn select() -> SelectStatement {
    Query::select()
        .columns([
            SigningKeys::Sequence,
            SigningKeys::Id,
            SigningKeys::Algorithm,
            SigningKeys::Sealed,
            SigningKeys::CreatedAt,
            SigningKeys::RevokedAt,
        ])
        .from(SigningKeys::Table)
        .take()
}

fn read(mut row: Row) -> Result<SigningKeyRecord, StorageError> {
    Ok(SigningKeyRecord {
        sequence: row.integer("signing_keys.sequence")?,
        id: row.parsed("signing_keys.id")?,
        algorithm: row.parsed("signing_keys.algorithm")?,
        sealed: SealedKey::from_bytes(row.bytes("signing_keys.sealed")?),
        created_at: row.time("signing_keys.created_at")?,
        revoked_at: row.optional(|row| row.time("signing_keys.revoked_at"))?,
    })
}
