//! Operations on consents.

use super::grants::session_outcome;
use super::model::OperationOutcome;
use super::operation::Operation;
use super::run_ids::{CODE_LIFETIME, RunIds};
use crate::domain::Scope;
use crate::store::{
    ApiKeyAction, Approval, ApprovalLimits, ApprovalOutcome, ConsentMode, GrantRevocation, Storage,
    StorageError,
};

type Answer = Result<OperationOutcome, StorageError>;

/// Numbers of the service's own scopes.
pub(super) const SELF_READ: u8 = 8;
pub(super) const MANAGE: u8 = 9;

/// Returns the scope of a number.
pub(super) fn scope(ids: RunIds, number: u8) -> Scope {
    match number {
        SELF_READ => Scope::self_read(),
        MANAGE => Scope::manage(),
        _ => ids.scope(number),
    }
}

pub(super) async fn call(operation: Operation, store: &dyn Storage, ids: RunIds) -> Answer {
    Ok(match operation {
        Operation::Approve { session, grant, at } => {
            approve(
                store,
                ids,
                (session, grant),
                ConsentMode::Once,
                ApprovalLimits::UNLIMITED,
                at,
            )
            .await?
        }
        Operation::ApproveCapped {
            session,
            grant,
            at_most,
            at,
        } => {
            let limits = ApprovalLimits {
                grants_per_client: at_most,
                ..ApprovalLimits::UNLIMITED
            };
            approve(store, ids, (session, grant), ConsentMode::Once, limits, at).await?
        }
        Operation::ApproveAndRemember { session, grant, at } => {
            approve(
                store,
                ids,
                (session, grant),
                ConsentMode::Remembered,
                ApprovalLimits::UNLIMITED,
                at,
            )
            .await?
        }
        Operation::ApproveFromConsent { session, grant, at } => {
            approve(
                store,
                ids,
                (session, grant),
                ConsentMode::Existing,
                ApprovalLimits::UNLIMITED,
                at,
            )
            .await?
        }
        Operation::WithdrawGrant { subject, grant, at } => {
            withdraw(store, ids, subject, grant, at).await?
        }
        Operation::RevokeGrantsOf { subject, at } => OperationOutcome::Removed(
            store
                .sign_out_everywhere(
                    &ids.subject(subject),
                    ApiKeyAction::Revoke,
                    ids.timestamp(at),
                )
                .await?,
        ),
        Operation::ForgetConsent { subject } => OperationOutcome::Bool(
            store
                .delete_consent(&ids.subject(subject), &ids.client(1))
                .await?,
        ),
        Operation::Consent { subject } => consent(store, ids, subject).await?,
        Operation::GrantsOf { subject, at } => grants_of(store, ids, subject, at).await?,
        other => unreachable!("{other:?} is not of this kind"),
    })
}

async fn approve(
    store: &dyn Storage,
    ids: RunIds,
    (session, grant): (u8, u8),
    consent_mode: ConsentMode,
    limits: ApprovalLimits,
    at: i64,
) -> Answer {
    let code_expires_at = ids.timestamp(at + CODE_LIFETIME);
    let approval = Approval {
        grant: ids.grant(grant),
        code: ids.code(grant),
        code_expires_at,
        consent_mode,
        limits,
    };
    Ok(
        match store
            .approve_session(&ids.session(session), approval, ids.timestamp(at))
            .await?
        {
            ApprovalOutcome::Approved(approved) => session_outcome(Some(&approved.session), ids),
            ApprovalOutcome::NotSignedIn => OperationOutcome::NotSignedIn,
            ApprovalOutcome::ConsentRequired => OperationOutcome::NotConsented,
            ApprovalOutcome::NotFound => OperationOutcome::Unknown,
        },
    )
}

async fn withdraw(store: &dyn Storage, ids: RunIds, subject: u8, grant: u8, at: i64) -> Answer {
    let withdrawal = store
        .revoke_grant_and_consent(&ids.subject(subject), &ids.grant(grant), ids.timestamp(at))
        .await?;
    Ok(OperationOutcome::Bool(
        withdrawal == GrantRevocation::Revoked,
    ))
}

async fn consent(store: &dyn Storage, ids: RunIds, subject: u8) -> Answer {
    let consent = store.consent(&ids.subject(subject), &ids.client(1)).await?;
    Ok(OperationOutcome::Consent(consent.map(|consent| {
        let scopes = consent
            .scopes
            .iter()
            .map(|found| ids.index_of(found, scope))
            .collect();
        (scopes, ids.offset(consent.granted_at))
    })))
}

async fn grants_of(store: &dyn Storage, ids: RunIds, subject: u8, at: i64) -> Answer {
    let shown = store
        .grants_of(&ids.subject(subject), ids.timestamp(at))
        .await?;
    let told = |grant: crate::domain::LiveGrant| {
        (
            ids.index_of(&grant.id, RunIds::grant),
            ids.offset(grant.since),
            ids.offset(grant.last_used_at),
        )
    };
    Ok(OperationOutcome::Grants(
        shown.into_iter().map(told).collect(),
    ))
}
