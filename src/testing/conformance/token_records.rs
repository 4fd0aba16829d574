use std::fmt::Debug;

use super::candidate::{Answered, Candidate};
use super::given::{LIFETIMES, NOW, account, approval, at, client, code, grant, registered_client, session, signed_in, subject, token};
use crate::domain::{
    Account, AuthorizationSession, Client, ClientId, ClientPolicy, ClientProof, ClientSecretDigest, RegisteredSecret, ScopeSet, Subject,
    SubjectId,
};
use crate::store::{ApprovalOutcome, ClientCreation, Creation, Redemption, Rotation, SecretAddition, TokenRecords};

/// Who may ask: a client with two secrets, one with neither secrets nor scopes, one that is not registered.
const CLIENTS: [u8; 3] = [1, 2, 9];
/// Grants of a user with an account, of one without, one that is revoked, one that does not exist.
const GRANTS: [u8; 4] = [1, 2, 3, 9];

pub(super) async fn one_read_finds_of_a_code_what_each_read_finds(store: &Candidate) {
    given(store).await;
    for (by, number) in CLIENTS.into_iter().flat_map(|by| GRANTS.map(|number| (client(by).id, number))) {
        let Some(records) = store.exchange_records(by, &code(number)).await.answered() else { return };
        let binding = store.code_binding(&code(number)).await.answered();
        let user = binding.as_ref().map(|binding| binding.subject.clone());
        agrees(store, by, records, binding, user).await;
    }
}

pub(super) async fn one_read_finds_of_a_refresh_token_what_each_read_finds(store: &Candidate) {
    given(store).await;
    for number in [1, 2] {
        for by in CLIENTS {
            let Some(records) = store.refresh_records(client(by).id, &grant(number)).await.answered() else { return };
            assert!(records.binding.is_none(), "there is no refresh token before the redemption");
            assert!(records.account.is_none(), "nor is its user of any matter");
        }
        let redemption = store.redeem_authorization_code(&code(number), ClientProof::Secret, LIFETIMES, NOW).await.answered();
        let Redemption::Redeemed(redeemed) = redemption else { panic!("a good code was not redeemed: {redemption:?}") };
        let rotation = store.rotate(&redeemed.id, redeemed.generation, LIFETIMES, at(1)).await.answered();
        assert!(matches!(rotation, Rotation::Rotated(_)), "{rotation:?}");
    }
    for (by, number) in CLIENTS.into_iter().flat_map(|by| GRANTS.map(|number| (client(by).id, number))) {
        let Some(records) = store.refresh_records(by, &grant(number)).await.answered() else { return };
        let binding = store.refresh_binding(&grant(number)).await.answered();
        let user = binding.as_ref().map(|binding| binding.subject.clone());
        agrees(store, by, records, binding, user).await;
    }
}

async fn given(store: &Candidate) {
    registered_client(store).await;
    let newer = RegisteredSecret { digest: ClientSecretDigest::from_bytes([77; 32]), created_at: at(5) };
    assert_eq!(store.add_client_secret(client(1).id, newer).await.answered(), SecretAddition::Added);
    let bare = Client { policy: ClientPolicy::Public, secrets: Vec::new(), allowed_scopes: ScopeSet::default(), ..client(2) };
    assert_eq!(store.create_client(bare).await.answered(), ClientCreation::Created);
    let kept = account(7, "kim@school.example");
    let user = Subject { id: kept.id.into(), ..subject() };
    assert_eq!(store.create_account(kept).await.answered(), Creation::Created);
    store.open_session(token(1), AuthorizationSession { subject: Some(user), ..session() }).await.answered();
    for number in [2, 3] {
        signed_in(store, number).await;
    }
    for number in [1, 2, 3] {
        let approving = store.approve_session(&token(number), approval(number), NOW).await.answered();
        assert!(matches!(approving, ApprovalOutcome::Approved(_)), "{approving:?}");
    }
    assert!(store.revoke_grant(&grant(3), NOW).await.answered());
}

/// Says whether one read found the same as three.
async fn agrees<B: Debug + PartialEq>(
    store: &Candidate,
    by: ClientId,
    records: TokenRecords<B>,
    binding: Option<B>,
    user: Option<SubjectId>,
) {
    assert_eq!(records.binding, binding, "the binding, whoever asks");
    assert_eq!(records.client, store.client(by).await.answered(), "the client with its scopes and secrets in their order");
    let id = user.and_then(|user| user.as_str().parse().ok());
    let account = match id {
        Some(id) => store.account(id).await.answered(),
        None => None,
    };
    assert_eq!(records.account.as_ref().map(columns), account.as_ref().map(columns), "the account of the binding's user");
}

fn columns(account: &Account) -> impl Debug + PartialEq + use<> {
    let (email, hash) = (account.email.as_str().to_owned(), account.password_hash.as_phc().to_owned());
    (account.id, email, hash, account.role, account.created_at)
}
