//! Operations on pending sessions, authorization codes and grants.

use super::consents::{self, MANAGE, SELF_READ};
use super::model::OperationOutcome;
use super::operation::Operation;
use super::run_ids::{LIFETIMES, RunIds, SESSION_LIFETIME};
use crate::domain::{AuthorizationSession, ClientProof, Generation, Grant, Role, Subject};
use crate::store::{Redemption, Rotation, SignIn, Storage, StorageError};

pub(super) async fn call(
    operation: Operation,
    store: &dyn Storage,
    ids: RunIds,
) -> Result<OperationOutcome, StorageError> {
    Ok(match operation {
        Operation::OpenSession { session, at } => {
            store
                .open_session(ids.session(session), pending(ids, session, at))
                .await?;
            OperationOutcome::Opened
        }
        Operation::SignIn {
            session,
            replacement,
            subject,
            at,
        } => {
            let (session, replacement) = (ids.session(session), ids.session(replacement));
            match store
                .sign_in(
                    &session,
                    replacement,
                    person(ids, subject),
                    ids.timestamp(at),
                )
                .await?
            {
                SignIn::SignedIn(session) => session_outcome(Some(&session), ids),
                SignIn::NotFound => OperationOutcome::Unknown,
            }
        }
        Operation::SignOut {
            session,
            replacement,
            at,
        } => {
            let (session, replacement) = (ids.session(session), ids.session(replacement));
            session_outcome(
                store
                    .sign_out(&session, replacement, ids.timestamp(at))
                    .await?
                    .as_ref(),
                ids,
            )
        }
        Operation::CloseSession { session, at } => session_outcome(
            store
                .close_session(&ids.session(session), ids.timestamp(at))
                .await?
                .as_ref(),
            ids,
        ),
        Operation::Session { session, at } => session_outcome(
            store
                .session(&ids.session(session), ids.timestamp(at))
                .await?
                .as_ref(),
            ids,
        ),
        Operation::Redeem { grant, at } => {
            match store
                .redeem_authorization_code(
                    &ids.code(grant),
                    ClientProof::Pkce,
                    LIFETIMES,
                    ids.timestamp(at),
                )
                .await?
            {
                Redemption::Redeemed(grant) => tokens(&grant, ids),
                Redemption::AlreadyRedeemed { at, .. } => {
                    OperationOutcome::AlreadyRedeemed { at: ids.offset(at) }
                }
                Redemption::Expired => OperationOutcome::Expired,
                Redemption::Revoked => OperationOutcome::Revoked,
                Redemption::NotFound => OperationOutcome::Unknown,
            }
        }
        Operation::Rotate {
            grant,
            generation,
            at,
        } => {
            match store
                .rotate_refresh_token(
                    &ids.grant(grant),
                    Generation::new(generation),
                    LIFETIMES,
                    ids.timestamp(at),
                )
                .await?
            {
                Rotation::Rotated(grant) => tokens(&grant, ids),
                Rotation::Repeated(grant) => {
                    OperationOutcome::Repeated(Box::new(tokens(&grant, ids)))
                }
                Rotation::Reused { .. } => OperationOutcome::Reused,
                Rotation::Expired => OperationOutcome::Expired,
                Rotation::Revoked => OperationOutcome::Revoked,
                Rotation::NotFound => OperationOutcome::Unknown,
            }
        }
        Operation::RevokeGrant { grant, at } => OperationOutcome::Bool(
            store
                .revoke_grant(&ids.grant(grant), ids.timestamp(at))
                .await?,
        ),
        Operation::GrantIsLive { grant, at } => OperationOutcome::Bool(
            store
                .grant_is_live(&ids.grant(grant), ids.timestamp(at))
                .await?,
        ),
        Operation::CodeBinding { grant } => {
            let binding = store.code_binding(&ids.code(grant)).await?;
            OperationOutcome::RefersTo(
                binding.map(|binding| ids.index_of(&binding.subject, RunIds::subject)),
            )
        }
        Operation::RefreshBinding { grant } => {
            let binding = store.refresh_binding(&ids.grant(grant)).await?;
            OperationOutcome::RefersTo(
                binding.map(|binding| ids.index_of(&binding.subject, RunIds::subject)),
            )
        }
        other => unreachable!("{other:?} is not of this kind"),
    })
}

fn pending(ids: RunIds, session: u8, at: i64) -> AuthorizationSession {
    AuthorizationSession {
        client: ids.client(1),
        redirect_uri: "https://app.example/callback".to_owned(),
        state: None,
        scopes: [1, if session < 7 { SELF_READ } else { MANAGE }]
            .map(|number| consents::scope(ids, number))
            .into_iter()
            .collect(),
        challenge: None,
        prompt_consent: false,
        subject: None,
        created_at: ids.timestamp(at),
        expires_at: ids.timestamp(at + SESSION_LIFETIME),
    }
}

fn person(ids: RunIds, number: u8) -> Subject {
    Subject {
        id: ids.subject(number),
        email: ids.email(number, number),
        role: Role::User,
        numeric_id: None,
    }
}

pub(super) fn session_outcome(
    session: Option<&AuthorizationSession>,
    ids: RunIds,
) -> OperationOutcome {
    let Some(session) = session else {
        return OperationOutcome::Unknown;
    };
    let subject = session
        .subject
        .as_ref()
        .map(|subject| ids.index_of(&subject.id, RunIds::subject));
    OperationOutcome::Session {
        subject,
        has_scope: session.scopes.contains(&ids.scope(1)),
    }
}

fn tokens(grant: &Grant, ids: RunIds) -> OperationOutcome {
    OperationOutcome::Tokens {
        generation: grant.generation.get(),
        has_scope: grant.scopes.contains(&ids.scope(1)),
        idle_expires_at: ids.offset(grant.idle_expires_at),
        expires_at: ids.offset(grant.expires_at),
    }
}
