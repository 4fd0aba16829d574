//! What users allow and take back, as operations.

use super::model::Outcome;
use super::names::{CODE_ENDS, Names};
use super::operation::session_outcome;
use crate::domain::Scope;
use crate::store::{Approval, ApprovalOutcome, Assent, Storage, StorageError, Withdrawal};

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

pub(super) async fn approve(store: &dyn Storage, names: Names, session: u8, grant: u8, assent: Assent, at: i64) -> Answer {
    let code_expires_at = names.moment(at + CODE_ENDS);
    let approval = Approval { grant: names.grant(grant), code: names.code(grant), code_expires_at, assent };
    Ok(match store.approve_session(&names.session(session), approval, names.moment(at)).await? {
        ApprovalOutcome::Approved(session) => session_outcome(Some(&session), names),
        ApprovalOutcome::NotSignedIn => Outcome::NotSignedIn,
        ApprovalOutcome::NotConsented => Outcome::NotConsented,
        ApprovalOutcome::Unknown => Outcome::Unknown,
    })
}

pub(super) async fn withdraw(store: &dyn Storage, names: Names, subject: u8, grant: u8, at: i64) -> Answer {
    let withdrawal = store.withdraw_grant(&names.subject(subject), &names.grant(grant), names.moment(at)).await?;
    Ok(Outcome::Is(withdrawal == Withdrawal::Withdrawn))
}

pub(super) async fn consent(store: &dyn Storage, names: Names, subject: u8) -> Answer {
    let consent = store.consent(&names.subject(subject), &names.client(1)).await?;
    Ok(Outcome::Consent(consent.map(|consent| {
        let scopes = consent.scopes.iter().map(|found| names.number(found, scope)).collect();
        (scopes, names.seconds(consent.granted_at))
    })))
}

pub(super) async fn grants_of(store: &dyn Storage, names: Names, subject: u8, at: i64) -> Answer {
    let shown = store.grants_of(&names.subject(subject), names.moment(at)).await?;
    let told = |grant: crate::domain::LiveGrant| {
        (names.number(&grant.id, Names::grant), names.seconds(grant.since), names.seconds(grant.last_used_at))
    };
    Ok(Outcome::Grants(shown.into_iter().map(told).collect()))
}
