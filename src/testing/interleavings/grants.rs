//! Pending sessions, codes and grants, as operations.

use super::consents::{self, MANAGE, SELF_READ};
use super::model::Outcome;
use super::names::{LIFETIMES, Names, SESSION_ENDS};
use super::operation::Operation;
use crate::domain::{AuthorizationSession, ClientProof, Generation, Grant, Role, Subject};
use crate::store::{Redemption, Rotation, SignIn, Storage, StorageError};

pub(super) async fn call(operation: Operation, store: &dyn Storage, names: Names) -> Result<Outcome, StorageError> {
    Ok(match operation {
        Operation::OpenSession { session, at } => {
            store.open_session(names.session(session), pending(names, session, at)).await?;
            Outcome::Opened
        }
        Operation::SignIn { session, replacement, subject, at } => {
            let (session, replacement) = (names.session(session), names.session(replacement));
            match store.sign_in(&session, replacement, person(names, subject), names.moment(at)).await? {
                SignIn::SignedIn(session) => session_outcome(Some(&session), names),
                SignIn::Unknown => Outcome::Unknown,
            }
        }
        Operation::SignOut { session, replacement, at } => {
            let (session, replacement) = (names.session(session), names.session(replacement));
            session_outcome(store.sign_out(&session, replacement, names.moment(at)).await?.as_ref(), names)
        }
        Operation::CloseSession { session, at } => {
            session_outcome(store.close_session(&names.session(session), names.moment(at)).await?.as_ref(), names)
        }
        Operation::Session { session, at } => {
            session_outcome(store.session(&names.session(session), names.moment(at)).await?.as_ref(), names)
        }
        Operation::Redeem { grant, at } => {
            match store.redeem_authorization_code(&names.code(grant), ClientProof::Pkce, LIFETIMES, names.moment(at)).await? {
                Redemption::Redeemed(grant) => tokens(&grant, names),
                Redemption::AlreadyRedeemed { at, .. } => Outcome::AlreadyRedeemed { at: names.seconds(at) },
                Redemption::Expired => Outcome::Expired,
                Redemption::Revoked => Outcome::Revoked,
                Redemption::Unknown => Outcome::Unknown,
            }
        }
        Operation::Rotate { grant, generation, at } => {
            match store.rotate(&names.grant(grant), Generation::new(generation), LIFETIMES, names.moment(at)).await? {
                Rotation::Rotated(grant) => tokens(&grant, names),
                Rotation::Repeated(grant) => Outcome::Repeated(Box::new(tokens(&grant, names))),
                Rotation::Reused { .. } => Outcome::Reused,
                Rotation::Expired => Outcome::Expired,
                Rotation::Revoked => Outcome::Revoked,
                Rotation::Unknown => Outcome::Unknown,
            }
        }
        Operation::RevokeGrant { grant, at } => Outcome::Is(store.revoke_grant(&names.grant(grant), names.moment(at)).await?),
        Operation::GrantIsLive { grant, at } => Outcome::Is(store.grant_is_live(&names.grant(grant), names.moment(at)).await?),
        Operation::CodeBinding { grant } => {
            let binding = store.code_binding(&names.code(grant)).await?;
            Outcome::Belongs(binding.map(|binding| names.number(&binding.subject, Names::subject)))
        }
        Operation::RefreshBinding { grant } => {
            let binding = store.refresh_binding(&names.grant(grant)).await?;
            Outcome::Belongs(binding.map(|binding| names.number(&binding.subject, Names::subject)))
        }
        other => unreachable!("{other:?} is not of this kind"),
    })
}

fn pending(names: Names, session: u8, at: i64) -> AuthorizationSession {
    AuthorizationSession {
        client: names.client(1),
        redirect_uri: "https://app.example/callback".to_owned(),
        state: None,
        scopes: [1, if session < 7 { SELF_READ } else { MANAGE }].map(|number| consents::scope(names, number)).into_iter().collect(),
        challenge: None,
        ask_again: false,
        subject: None,
        created_at: names.moment(at),
        expires_at: names.moment(at + SESSION_ENDS),
    }
}

fn person(names: Names, number: u8) -> Subject {
    Subject { id: names.subject(number), email: names.email(number, number), role: Role::User, number: None }
}

pub(super) fn session_outcome(session: Option<&AuthorizationSession>, names: Names) -> Outcome {
    let Some(session) = session else { return Outcome::Unknown };
    let subject = session.subject.as_ref().map(|subject| names.number(&subject.id, Names::subject));
    Outcome::Session { subject, has_scope: session.scopes.contains(&names.scope(1)) }
}

fn tokens(grant: &Grant, names: Names) -> Outcome {
    Outcome::Tokens {
        generation: grant.generation.get(),
        has_scope: grant.scopes.contains(&names.scope(1)),
        idle_expires_at: names.seconds(grant.idle_expires_at),
        expires_at: names.seconds(grant.expires_at),
    }
}
