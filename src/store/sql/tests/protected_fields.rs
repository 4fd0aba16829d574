use super::database;
use crate::domain::{HiddenFields, PersonalField, Role};
use crate::store::sql::SqlStore;

/// Fails if a database from before the setting protects fields, or a new setting is added to the
/// former one.
#[tokio::test]
async fn protected_fields_are_none_until_they_are_set_and_replaced_by_role() {
    let (_folder, path) = database();
    let store = SqlStore::sqlite(&path).unwrap();
    assert_eq!(store.protected_fields().await.unwrap(), []);
    let email: HiddenFields = [PersonalField::Email].into_iter().collect();
    for (role, fields) in [
        (Role::User, HiddenFields::all()),
        (Role::User, email),
        (Role::Admin, HiddenFields::default()),
    ] {
        store.set_protected_fields(role, fields).await.unwrap();
    }
    drop(store);
    let store = SqlStore::sqlite(&path).unwrap();
    assert_eq!(
        store.protected_fields().await.unwrap(),
        [(Role::Admin, HiddenFields::default()), (Role::User, email)]
    );
}
