use super::SqlStore;
use crate::domain::{HiddenFields, Role};
use crate::store::StorageError;
use crate::store::sql::protected_fields;

/// Protected fields of API keys, for programs that keep this setting in the database.
impl SqlStore {
    /// Returns the stored setting for
    /// [`AuthServerBuilder::protected_fields`](crate::http::auth_server::AuthServerBuilder::protected_fields),
    /// by role. A database from before this setting has none.
    ///
    /// # Errors
    /// When the database failed.
    pub async fn protected_fields(&self) -> Result<Vec<(Role, HiddenFields)>, StorageError> {
        self.read("protected_fields", |tx| {
            Box::pin(protected_fields::protected_fields(tx))
        })
        .await
    }

    /// Stores the fields for a role. A server reads them when it starts; existing keys stay as they
    /// are.
    ///
    /// # Errors
    /// When the database failed.
    pub async fn set_protected_fields(
        &self,
        role: Role,
        fields: HiddenFields,
    ) -> Result<(), StorageError> {
        self.write("set_protected_fields", move |tx| {
            Box::pin(protected_fields::set_protected_fields(tx, role, fields))
        })
        .await
    }
}
