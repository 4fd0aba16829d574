//! What users allow and take back, as operations.

use super::grants::session_outcome;
use super::model::Outcome;
use super::names::{CODE_ENDS, Names};
use super::operation::Operation;
use crate::domain::Scope;
use crate::store::{Approval, ApprovalCaps, ApprovalOutcome, Assent, OwnedApiKeys, Storage, StorageError, Withdrawal};

type Answer = Result<Outcome, StorageError>;

/// The service's own scopes, among the numbers of all.
pub(super) const SELF_READ: u8 = 8;
pub(super) const MANAGE: u8 = 9;

/// What sessions ask for.
pub(super) fn scope(names: Names, number: u8) -> Scope {
    match number {
        SELF_READ => Scope::self_read(),
        MANAGE => Scope::manage(),
        _ => names.scope(number),
    }
}

pub(super) async fn call(operation: Operation, store: &dyn Storage, names: Names) -> Answer {
    Ok(match operation {
        Operation::Approve { session, grant, at } => approve(store, names, (session, grant), Assent::Once, ApprovalCaps::NONE, at).await?,
        Operation::ApproveCapped { session, grant, at_most, at } => {
            let caps = ApprovalCaps { grants_per_client: at_most, ..ApprovalCaps::NONE };
            approve(store, names, (session, grant), Assent::Once, caps, at).await?
        }
        Operation::ApproveRemembered { session, grant, at } => {
            approve(store, names, (session, grant), Assent::Remembered, ApprovalCaps::NONE, at).await?
        }
        Operation::ApproveUnasked { session, grant, at } => {
            approve(store, names, (session, grant), Assent::Earlier, ApprovalCaps::NONE, at).await?
        }
        Operation::Withdraw { subject, grant, at } => withdraw(store, names, subject, grant, at).await?,
        Operation::RevokeGrantsOf { subject, at } => {
            Outcome::Removed(store.revoke_grants_of(&names.subject(subject), OwnedApiKeys::Revoke, names.moment(at)).await?)
        }
        Operation::ForgetConsent { subject } => Outcome::Is(store.forget_consent(&names.subject(subject), &names.client(1)).await?),
        Operation::Consent { subject } => consent(store, names, subject).await?,
        Operation::GrantsOf { subject, at } => grants_of(store, names, subject, at).await?,
        other => unreachable!("{other:?} is not of this kind"),
    })
}

async fn approve(store: &dyn Storage, names: Names, (session, grant): (u8, u8), assent: Assent, caps: ApprovalCaps, at: i64) -> Answer {
    let code_expires_at = names.moment(at + CODE_ENDS);
    let approval = Approval { grant: names.grant(grant), code: names.code(grant), code_expires_at, assent, caps };
    Ok(match store.approve_session(&names.session(session), approval, names.moment(at)).await? {
        ApprovalOutcome::Approved(approved) => session_outcome(Some(&approved.session), names),
        ApprovalOutcome::NotSignedIn => Outcome::NotSignedIn,
        ApprovalOutcome::NotConsented => Outcome::NotConsented,
        ApprovalOutcome::Unknown => Outcome::Unknown,
    })
}

async fn withdraw(store: &dyn Storage, names: Names, subject: u8, grant: u8, at: i64) -> Answer {
    let withdrawal = store.withdraw_grant(&names.subject(subject), &names.grant(grant), names.moment(at)).await?;
    Ok(Outcome::Is(withdrawal == Withdrawal::Withdrawn))
}

async fn consent(store: &dyn Storage, names: Names, subject: u8) -> Answer {
    let consent = store.consent(&names.subject(subject), &names.client(1)).await?;
    Ok(Outcome::Consent(consent.map(|consent| {
        let scopes = consent.scopes.iter().map(|found| names.number(found, scope)).collect();
        (scopes, names.seconds(consent.granted_at))
    })))
}

async fn grants_of(store: &dyn Storage, names: Names, subject: u8, at: i64) -> Answer {
    let shown = store.grants_of(&names.subject(subject), names.moment(at)).await?;
    let told = |grant: crate::domain::LiveGrant| {
        (names.number(&grant.id, Names::grant), names.seconds(grant.since), names.seconds(grant.last_used_at))
    };
    Ok(Outcome::Grants(shown.into_iter().map(told).collect()))
}
