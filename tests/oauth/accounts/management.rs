//! Password changes through `Management`.

use lyceum::http::audit::ManagedObject;

use super::*;
use crate::one_user::OneUser;

#[tokio::test]
async fn management_changes_passwords_of_built_in_accounts_only() {
    let log = MemoryAuditLog::default();
    let harness = Harness::with_settings(|builder| builder.audit(Arc::new(log.clone()))).await;
    let change = async |harness: &Harness, id: SubjectId, address: &str| {
        let address = Some(address.parse().unwrap());
        harness
            .server
            .management()
            .change_password(
                &id,
                &password(PASSWORD),
                &password(NEW),
                ApiKeyAction::Revoke,
                address,
            )
            .await
            .unwrap()
    };
    assert_eq!(
        change(
            &harness,
            AccountId::from_random([9; 16]).into(),
            "192.0.2.1"
        )
        .await,
        None,
        "the user does not exist"
    );
    assert_eq!(
        change(&harness, kim(&harness).await.into(), "192.0.2.1").await,
        Some(PasswordChangeOutcome::Changed)
    );
    let told = log.events().pop().unwrap();
    assert_eq!(told.address, Some("192.0.2.1".parse().unwrap()));
    assert!(
        matches!(
            told.kind,
            EventKind::Managed {
                object: ManagedObject::Password(_),
                ..
            }
        ),
        "{told:?}"
    );
    let user = Arc::new(OneUser::new("kim", EMAIL, Role::User));
    let harness = Harness::with_settings(|builder| builder.authenticator(user)).await;
    assert_eq!(
        change(&harness, "kim".parse().unwrap(), "192.0.2.1").await,
        None,
        "the users are the host's own"
    );
}
