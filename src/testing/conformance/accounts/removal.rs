//! Removal of accounts.

use super::super::fixtures::{
    LIFETIMES, NOW, account, approval, at, code, grant, registered_client, token,
};
use super::super::store_under_test::{CONCURRENT_CALLERS, ExpectCreated, ExpectOk, StoreUnderTest};
use super::{
    account_id, assert_ended, consent, pending_session_of, two_accounts_in_use, working_keys,
};
use crate::domain::{Account, ClientProof};
use crate::store::{AccountChange, Approval, ApprovalOutcome, ConsentMode, Creation, Redemption};

cases! { Storage, accounts as __conformance_accounts_removal:
    a_removed_account_takes_all_of_its_own_along
    an_account_removed_beside_approvals_has_no_live_grant
}

async fn a_removed_account_takes_all_of_its_own_along(store: &StoreUnderTest) {
    two_accounts_in_use(store).await;
    let address = store
        .account(account_id(1))
        .await
        .expect_ok()
        .expect("the account exists")
        .email;
    assert_eq!(
        store
            .remove_account(account_id(1), at(1))
            .await
            .expect_ok()
            .without_owner_removal(),
        AccountChange::Done
    );
    assert!(
        store.account(account_id(1)).await.expect_ok().is_none(),
        "a removed account is not found"
    );
    assert!(
        store.account_by_email(&address).await.expect_ok().is_none(),
        "nor by its address"
    );
    assert_ended(store).await;
    assert_eq!(
        working_keys(store).await,
        [3, 4],
        "a removed account's keys are revoked, and no others"
    );
    assert_eq!(
        consent(store, 1).await,
        None,
        "a removed account's consents are deleted"
    );
    assert!(
        store.account(account_id(2)).await.expect_ok().is_some()
            && consent(store, 2).await.is_some(),
        "no other account is removed"
    );
    assert_eq!(
        store
            .remove_account(account_id(1), at(2))
            .await
            .expect_ok()
            .without_owner_removal(),
        AccountChange::NotFound,
        "the account no longer exists"
    );
    let next = Account {
        email: address,
        ..account(3, "x@school.example")
    };
    assert_eq!(
        store.create_account(next).await.expect_ok(),
        Creation::Created,
        "the address is free again"
    );
}

async fn an_account_removed_beside_approvals_has_no_live_grant(store: &StoreUnderTest) {
    let kept = account(1, "kim@school.example");
    store.create_account(kept).await.expect_created();
    registered_client(store).await;
    let numbers = 1..=u8::try_from(CONCURRENT_CALLERS).expect("few callers");
    for number in numbers.clone() {
        pending_session_of(store, number, 1).await;
    }
    store.race(async |store, caller| {
        let number = u8::try_from(caller).expect("few callers") + 1;
        if caller == CONCURRENT_CALLERS / 2 {
            assert_eq!(
                store
                    .remove_account(account_id(1), NOW)
                    .await
                    .expect_ok()
                    .without_owner_removal(),
                AccountChange::Done
            );
            return;
        }
        let approval = Approval {
            consent_mode: ConsentMode::Remembered,
            ..approval(number)
        };
        if let ApprovalOutcome::Approved(_) = store
            .approve_session(&token(number), approval, NOW)
            .await
            .expect_ok()
        {
            let redemption = store
                .redeem_authorization_code(&code(number), ClientProof::Pkce, LIFETIMES, NOW)
                .await
                .expect_ok();
            assert!(
                matches!(redemption, Redemption::Redeemed(_) | Redemption::Revoked),
                "not {redemption:?}"
            );
        }
    });
    for number in numbers {
        assert!(
            !store.grant_is_live(&grant(number), NOW).await.expect_ok(),
            "grant {number} of a removed account has ended"
        );
        assert_eq!(
            store.session(&token(number), NOW).await.expect_ok(),
            None,
            "session {number} of a removed account is deleted"
        );
    }
    assert_eq!(
        consent(store, 1).await,
        None,
        "a removed account's consents are deleted"
    );
}
