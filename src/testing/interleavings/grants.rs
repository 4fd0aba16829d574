//! Operations on pending sessions, authorization codes and grants.

use super::consents::{self, MANAGE, SELF_READ};
use super::model::{Grant, Model, OperationOutcome, Redeemed, Session};
use super::operation::Operation;
use super::run_ids::{
    ABSOLUTE_LIFETIME, IDLE_TIMEOUT, LIFETIMES, RETRY_WINDOW, RunIds, SESSION_LIFETIME,
};
use super::store_handle::StoreHandle;
use crate::domain::{self, AuthorizationSession, ClientProof, Generation, Role, Subject};
use crate::store::{Redemption, Rotation, SignIn, StorageError};

/// Declares the operations of this kind.
macro_rules! operations {
    ($next:ident! $at:ident {$($others:tt)*} $($rest:ident)*) => { $next! { $at { $($others)* grants {
        /// Opens a session that expires after 600 seconds. It requests scope 1 and `self:read`, or
        /// `manage` from session 7 on.
        [UnusedId] OpenSession { session: u8, $at: i64 },
        /// Records the signed-in subject and rotates the session token.
        [RandomId] SignIn { session: u8, replacement: u8, subject: u8, $at: i64 },
        /// Removes the signed-in subject and rotates the session token.
        [RandomId] SignOut { session: u8, replacement: u8, $at: i64 },
        /// Deletes a session without a grant.
        CloseSession { session: u8, $at: i64 },
        /// Reads a session.
        [Read] Session { session: u8, $at: i64 },
        /// Redeems a code.
        Redeem { grant: u8, $at: i64 },
        /// Rotates a refresh token.
        Rotate { grant: u8, generation: u32, $at: i64 },
        /// Revokes a grant.
        RevokeGrant { grant: u8, $at: i64 },
        /// Reads whether a grant is live.
        [Read] GrantIsLive { grant: u8, $at: i64 },
        /// Reads the proof that redeeming a code requires.
        [Read] CodeBinding { grant: u8 },
        /// Reads the proof that a refresh requires.
        [Read] RefreshBinding { grant: u8 },
    } } $($rest)* } };
}
pub(super) use operations;

pub(super) async fn call(
    operation: Operation,
    handle: &StoreHandle,
    ids: RunIds,
) -> Result<OperationOutcome, StorageError> {
    let store = handle.store();
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

/// Returns the operations that show the state of the records that an operation touches.
pub(super) fn checks(operation: Operation, at: i64) -> Vec<Operation> {
    match operation {
        Operation::OpenSession { session, .. }
        | Operation::CloseSession { session, .. }
        | Operation::Session { session, .. } => session_checks(session, at),
        Operation::SignIn {
            session,
            replacement,
            ..
        }
        | Operation::SignOut {
            session,
            replacement,
            ..
        } => [session_checks(session, at), session_checks(replacement, at)].concat(),
        Operation::Redeem { grant, .. }
        | Operation::Rotate { grant, .. }
        | Operation::RevokeGrant { grant, .. }
        | Operation::GrantIsLive { grant, .. }
        | Operation::CodeBinding { grant }
        | Operation::RefreshBinding { grant } => grant_checks(grant, at),
        other => unreachable!("{other:?} is not of this kind"),
    }
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
        prompt: domain::Prompt::default(),
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
        student: None,
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

fn tokens(grant: &domain::Grant, ids: RunIds) -> OperationOutcome {
    OperationOutcome::Tokens {
        generation: grant.generation.get(),
        has_scope: grant.scopes.contains(&ids.scope(1)),
        idle_expires_at: ids.offset(grant.idle_expires_at),
        expires_at: ids.offset(grant.expires_at),
    }
}

impl Model {
    pub(super) fn grants(&mut self, operation: Operation) -> OperationOutcome {
        match operation {
            Operation::OpenSession { session, at } => {
                let scopes = vec![1, if session < 7 { SELF_READ } else { MANAGE }];
                self.sessions.insert(
                    session,
                    Session {
                        subject: None,
                        scopes,
                        expires_at: at + SESSION_LIFETIME,
                    },
                );
                OperationOutcome::Opened
            }
            Operation::SignIn {
                session,
                replacement,
                subject,
                at,
            } => {
                let Some(pending) = self.session(session, at) else {
                    return OperationOutcome::Unknown;
                };
                self.sessions.remove(&session);
                let signed_in = Session {
                    subject: Some(subject),
                    ..pending
                };
                let outcome = signed_in.outcome();
                self.sessions.insert(replacement, signed_in);
                outcome
            }
            Operation::SignOut {
                session,
                replacement,
                at,
            } => {
                let Some(pending) = self.session(session, at) else {
                    return OperationOutcome::Unknown;
                };
                self.sessions.remove(&session);
                let signed_out = Session {
                    subject: None,
                    ..pending
                };
                let outcome = signed_out.outcome();
                self.sessions.insert(replacement, signed_out);
                outcome
            }
            Operation::CloseSession { session, at } => {
                let Some(pending) = self.session(session, at) else {
                    return OperationOutcome::Unknown;
                };
                self.sessions.remove(&session);
                pending.outcome()
            }
            Operation::Session { session, at } => self
                .session(session, at)
                .map_or(OperationOutcome::Unknown, |session| session.outcome()),
            Operation::Redeem { grant, at } => self
                .grants
                .get_mut(&grant)
                .map_or(OperationOutcome::Unknown, |grant| grant.redeem(at)),
            Operation::Rotate {
                grant,
                generation,
                at,
            } => self
                .grants
                .get_mut(&grant)
                .map_or(OperationOutcome::Unknown, |grant| {
                    grant.rotate(generation, at)
                }),
            Operation::RevokeGrant { grant, at } => {
                let grant = self.grants.get_mut(&grant);
                OperationOutcome::Bool(grant.map(|grant| grant.revoke(at)).is_some())
            }
            Operation::GrantIsLive { grant, at } => OperationOutcome::Bool(
                self.grants
                    .get(&grant)
                    .is_some_and(|grant| grant.is_live(at)),
            ),
            Operation::CodeBinding { grant } => {
                OperationOutcome::RefersTo(self.grants.get(&grant).map(|grant| grant.subject))
            }
            Operation::RefreshBinding { grant } => {
                let grant = self
                    .grants
                    .get(&grant)
                    .filter(|grant| grant.redeemed.is_some());
                OperationOutcome::RefersTo(grant.map(|grant| grant.subject))
            }
            other => unreachable!("{other:?} is not of this kind"),
        }
    }
}

impl Session {
    pub(super) fn outcome(&self) -> OperationOutcome {
        OperationOutcome::Session {
            subject: self.subject,
            has_scope: self.scopes.contains(&1),
        }
    }
}

impl Grant {
    fn redeem(&mut self, at: i64) -> OperationOutcome {
        if let Some(first) = self.redeemed {
            self.revoke(at);
            return OperationOutcome::AlreadyRedeemed { at: first.at };
        }
        if self.revoked_at.is_some() {
            return OperationOutcome::Revoked;
        }
        if at >= self.code_expires_at {
            return OperationOutcome::Expired;
        }
        let expires_at = at + ABSOLUTE_LIFETIME;
        let redeemed = Redeemed {
            at,
            generation: 0,
            rotated_at: at,
            idle_expires_at: (at + IDLE_TIMEOUT).min(expires_at),
            expires_at,
        };
        self.redeemed = Some(redeemed);
        redeemed.tokens(self.has_scope)
    }

    fn rotate(&mut self, presented: u32, at: i64) -> OperationOutcome {
        let is_live = self.is_live(at);
        let Some(redeemed) = &mut self.redeemed else {
            return OperationOutcome::Unknown;
        };
        if !is_live {
            return if self.revoked_at.is_some() {
                OperationOutcome::Revoked
            } else {
                OperationOutcome::Expired
            };
        }
        if presented > redeemed.generation {
            return OperationOutcome::Unknown;
        }
        if presented == redeemed.generation {
            let idle_expires_at = (at + IDLE_TIMEOUT).min(redeemed.expires_at);
            *redeemed = Redeemed {
                generation: presented + 1,
                rotated_at: at,
                idle_expires_at,
                ..*redeemed
            };
            return redeemed.tokens(self.has_scope);
        }
        if presented + 1 == redeemed.generation && at <= redeemed.rotated_at + RETRY_WINDOW {
            return OperationOutcome::Repeated(Box::new(redeemed.tokens(self.has_scope)));
        }
        self.revoke(at);
        OperationOutcome::Reused
    }

    pub(super) fn revoke(&mut self, at: i64) {
        self.revoked_at.get_or_insert(at);
    }

    pub(super) fn is_live(&self, at: i64) -> bool {
        self.revoked_at.is_none()
            && self
                .redeemed
                .is_some_and(|redeemed| at < redeemed.idle_expires_at && at < redeemed.expires_at)
    }
}

impl Redeemed {
    const fn tokens(&self, has_scope: bool) -> OperationOutcome {
        let Self {
            generation,
            idle_expires_at,
            expires_at,
            ..
        } = *self;
        OperationOutcome::Tokens {
            generation,
            has_scope,
            idle_expires_at,
            expires_at,
        }
    }
}

/// Reads a session that may have expired; also at an earlier time, which shows whether it was
/// deleted.
pub(super) fn session_checks(session: u8, at: i64) -> Vec<Operation> {
    let moments = if at < SESSION_LIFETIME {
        vec![at]
    } else {
        vec![at, 0]
    };
    moments
        .into_iter()
        .map(|at| Operation::Session { session, at })
        .collect()
}

/// Presents the refresh tokens from the newest on, which shows the generation of the grant, and
/// then the code.
pub(super) fn grant_checks(grant: u8, at: i64) -> Vec<Operation> {
    let reads = [
        Operation::CodeBinding { grant },
        Operation::RefreshBinding { grant },
        Operation::GrantIsLive { grant, at },
    ];
    let rotations = [2, 1, 0].map(|generation| Operation::Rotate {
        grant,
        generation,
        at,
    });
    [
        &reads[..],
        &rotations[..],
        &[Operation::Redeem { grant, at }],
    ]
    .concat()
}
