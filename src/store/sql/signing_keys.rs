//! Signing keys.

use sea_query::{Expr, ExprTrait, OnConflict, Order, Query, SelectStatement};

use super::executor::{Executor, MAX_TRIES, execute, fetch_all, fetch_optional, inconsistent_read};
use super::insert::insert;
use super::prepared_query::PreparedQuery;
use super::retention::{ExpiryCondition, sweep};
use super::row::Row;
use super::tables::SigningKeys;
use crate::domain::{KeyId, SealedKey, SigningKeyRecord, Timestamp};
use crate::store::{SigningKeyInstallation, SigningKeyRevocation, StorageError};

pub(super) async fn signing_keys(
    tx: &mut dyn Executor,
) -> Result<Vec<SigningKeyRecord>, StorageError> {
    let keys = select().order_by(SigningKeys::Sequence, Order::Asc).take();
    fetch_all(tx, &keys).await?.into_iter().map(read).collect()
}

pub(super) async fn install_signing_key(
    tx: &mut dyn Executor,
    key: SigningKeyRecord,
) -> Result<SigningKeyInstallation, StorageError> {
    let sequence = key.sequence;
    let installation = insert(
        SigningKeys::Table,
        [
            (SigningKeys::Sequence, sequence.into()),
            (SigningKeys::Id, key.id.as_str().into()),
            (SigningKeys::Algorithm, key.algorithm.as_str().into()),
            (SigningKeys::Sealed, key.sealed.as_bytes().to_vec().into()),
            (SigningKeys::CreatedAt, key.created_at.seconds().into()),
            (
                SigningKeys::RevokedAt,
                key.revoked_at.map(Timestamp::seconds).into(),
            ),
        ],
    )
    .on_conflict(
        OnConflict::column(SigningKeys::Sequence)
            .do_nothing()
            .to_owned(),
    )
    .take();
    let existing = select()
        .and_where(Expr::col(SigningKeys::Sequence).eq(sequence))
        .take();
    for _ in 0..MAX_TRIES {
        if execute(tx, &installation).await? > 0 {
            return Ok(SigningKeyInstallation::Installed);
        }
        if let Some(row) = fetch_optional(tx, &existing).await? {
            return read(row).map(SigningKeyInstallation::Existing);
        }
    }
    Err(StorageError::unavailable(
        "a signing key is inconsistent",
        "its sequence number was taken and then free",
    ))
}

pub(super) async fn revoke_signing_key(
    tx: &mut dyn Executor,
    id: KeyId,
    at: Timestamp,
) -> Result<SigningKeyRevocation, StorageError> {
    let has_id = || Expr::col(SigningKeys::Id).eq(id.as_str());
    let revocation = Query::update()
        .table(SigningKeys::Table)
        .value(SigningKeys::RevokedAt, at.seconds())
        .and_where(has_id())
        .and_where(Expr::col(SigningKeys::RevokedAt).is_null())
        .take();
    let revoked = select()
        .and_where(has_id())
        .and_where(Expr::col(SigningKeys::RevokedAt).is_not_null())
        .take();
    if execute(tx, &revocation).await? > 0 {
        return Ok(SigningKeyRevocation::Revoked);
    }
    let Some(row) = fetch_optional(tx, &revoked).await? else {
        return Ok(SigningKeyRevocation::NotFound);
    };
    let at = read(row)?.revoked_at.ok_or_else(inconsistent_read)?;
    Ok(SigningKeyRevocation::AlreadyRevoked { at })
}

pub(super) async fn reseal_signing_key(
    tx: &mut dyn Executor,
    id: KeyId,
    expected: SealedKey,
    sealed: SealedKey,
) -> Result<bool, StorageError> {
    let resealing = Query::update()
        .table(SigningKeys::Table)
        .value(SigningKeys::Sealed, sealed.as_bytes().to_vec())
        .and_where(Expr::col(SigningKeys::Id).eq(id.as_str()))
        .and_where(Expr::col(SigningKeys::Sealed).eq(expected.as_bytes().to_vec()))
        .take();
    Ok(execute(tx, &resealing).await? > 0)
}

pub(super) async fn sweep_signing_keys(
    tx: &mut dyn Executor,
    until: Timestamp,
) -> Result<usize, StorageError> {
    static QUERY: PreparedQuery = PreparedQuery::new();
    let removed = sweep(
        tx,
        &QUERY,
        (SigningKeys::Table, SigningKeys::Sequence),
        until.seconds(),
        superseded,
    )
    .await?;
    Ok(removed as usize)
}

/// The time of the database's clock, if it has one.
pub(super) async fn now(tx: &mut dyn Executor) -> Result<Option<Timestamp>, StorageError> {
    if !tx.compares_clock() {
        return Ok(None);
    }
    let now = Query::select()
        .expr(Expr::cust(
            "CAST(FLOOR(EXTRACT(EPOCH FROM CLOCK_TIMESTAMP())) AS BIGINT)",
        ))
        .take();
    fetch_optional(tx, &now)
        .await?
        .map(|mut row| row.timestamp("clock_timestamp"))
        .transpose()
}

/// Selects keys with a smaller sequence number than the newest key created at or before the bound
/// time. It waits for locks: a key that is being revoked has been superseded all the same.
fn superseded(until: Expr) -> ExpiryCondition {
    let sequence = || Expr::col(SigningKeys::Sequence);
    let newest = Query::select()
        .expr(sequence().max())
        .from(SigningKeys::Table)
        .and_where(Expr::col(SigningKeys::CreatedAt).lte(until))
        .take();
    ExpiryCondition {
        condition: sequence().lt(newest),
        order: sequence(),
        units_per_second: 1,
        waits_for_locks: true,
    }
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
        created_at: row.timestamp("signing_keys.created_at")?,
        revoked_at: row.optional(|row| row.timestamp("signing_keys.revoked_at"))?,
    })
}
