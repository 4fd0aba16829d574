//! The fields that keys of a role hide until an administrator shows them.

use sea_query::{OnConflict, Order, Query};

use super::executor::{Executor, execute, fetch_all};
use super::insert::insert;
use super::tables::ProtectedFields;
use crate::domain::{HiddenFields, Role};
use crate::store::StorageError;

pub(super) async fn protected_fields(
    tx: &mut dyn Executor,
) -> Result<Vec<(Role, HiddenFields)>, StorageError> {
    const FIELDS: &str = "protected_fields.fields";
    let all = Query::select()
        .columns([ProtectedFields::Role, ProtectedFields::Fields])
        .from(ProtectedFields::Table)
        .order_by(ProtectedFields::Role, Order::Asc)
        .take();
    let rows = fetch_all(tx, &all).await?.into_iter();
    rows.map(|mut row| {
        let role = row.parsed("protected_fields.role")?;
        let fields = HiddenFields::parse(&row.text(FIELDS)?);
        Ok((role, fields.map_err(|_| StorageError::corrupt(FIELDS))?))
    })
    .collect()
}

pub(super) async fn set_protected_fields(
    tx: &mut dyn Executor,
    role: Role,
    fields: HiddenFields,
) -> Result<(), StorageError> {
    let replaced = OnConflict::column(ProtectedFields::Role)
        .update_column(ProtectedFields::Fields)
        .to_owned();
    let row = [
        (ProtectedFields::Role, role.as_str().into()),
        (ProtectedFields::Fields, fields.to_string().into()),
    ];
    let set = insert(ProtectedFields::Table, row)
        .on_conflict(replaced)
        .take();
    execute(tx, &set).await.map(drop)
}
