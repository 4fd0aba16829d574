use async_trait::async_trait;

use super::SqlStore;
use crate::domain::{
    AuthorizationCodeDigest, AuthorizationSession, ClientId, ClientProof, CodeBinding, Generation,
    GrantId, SessionDigest, Subject, Timestamp,
};
use crate::store::sql::{authorization_sessions, grants, token_request_records};
use crate::store::{
    Approval, ApprovalOutcome, GrantStore, Redemption, RefreshBinding, Rotation, SignIn,
    StorageError, TokenLifetimes, TokenRequestRecords,
};

#[async_trait]
impl GrantStore for SqlStore {
    async fn open_session(
        &self,
        session: SessionDigest,
        pending: AuthorizationSession,
    ) -> Result<(), StorageError> {
        self.write("open_session", move |tx| {
            Box::pin(authorization_sessions::open_session(tx, session, pending))
        })
        .await
    }

    async fn session(
        &self,
        session: &SessionDigest,
        at: Timestamp,
    ) -> Result<Option<AuthorizationSession>, StorageError> {
        let session = *session;
        self.read("session", move |tx| {
            Box::pin(authorization_sessions::session(tx, session, at))
        })
        .await
    }

    async fn sign_in(
        &self,
        session: &SessionDigest,
        replacement: SessionDigest,
        subject: Subject,
        at: Timestamp,
    ) -> Result<SignIn, StorageError> {
        let session = *session;
        self.write("sign_in", move |tx| {
            Box::pin(authorization_sessions::sign_in(
                tx,
                session,
                replacement,
                subject,
                at,
            ))
        })
        .await
    }

    async fn sign_out(
        &self,
        session: &SessionDigest,
        replacement: SessionDigest,
        at: Timestamp,
    ) -> Result<Option<AuthorizationSession>, StorageError> {
        let session = *session;
        self.write("sign_out", move |tx| {
            Box::pin(authorization_sessions::sign_out(
                tx,
                session,
                replacement,
                at,
            ))
        })
        .await
    }

    async fn approve_session(
        &self,
        session: &SessionDigest,
        approval: Approval,
        at: Timestamp,
    ) -> Result<ApprovalOutcome, StorageError> {
        let session = *session;
        self.write("approve_session", move |tx| {
            Box::pin(authorization_sessions::approve_session(
                tx, session, approval, at,
            ))
        })
        .await
    }

    async fn close_session(
        &self,
        session: &SessionDigest,
        at: Timestamp,
    ) -> Result<Option<AuthorizationSession>, StorageError> {
        let session = *session;
        self.write("close_session", move |tx| {
            Box::pin(authorization_sessions::close_session(tx, session, at))
        })
        .await
    }

    async fn code_binding(
        &self,
        code: &AuthorizationCodeDigest,
    ) -> Result<Option<CodeBinding>, StorageError> {
        let code = *code;
        self.read_in_one_statement("code_binding", move |tx| {
            Box::pin(grants::code_binding(tx, code))
        })
        .await
    }

    async fn redeem_authorization_code(
        &self,
        code: &AuthorizationCodeDigest,
        proof: ClientProof,
        lifetimes: TokenLifetimes,
        at: Timestamp,
    ) -> Result<Redemption, StorageError> {
        let code = *code;
        self.write("redeem_authorization_code", move |tx| {
            Box::pin(grants::redeem_authorization_code(
                tx, code, proof, lifetimes, at,
            ))
        })
        .await
    }

    async fn refresh_binding(
        &self,
        grant: &GrantId,
    ) -> Result<Option<RefreshBinding>, StorageError> {
        let grant = *grant;
        self.read_in_one_statement("refresh_binding", move |tx| {
            Box::pin(grants::refresh_binding(tx, grant))
        })
        .await
    }

    async fn records_for_code_exchange(
        &self,
        client: ClientId,
        code: &AuthorizationCodeDigest,
    ) -> Result<Option<TokenRequestRecords<CodeBinding>>, StorageError> {
        let code = *code;
        self.read_in_one_statement("records_for_code_exchange", move |tx| {
            Box::pin(token_request_records::for_code(tx, client, code))
        })
        .await
        .map(Some)
    }

    async fn records_for_refresh(
        &self,
        client: ClientId,
        grant: &GrantId,
    ) -> Result<Option<TokenRequestRecords<RefreshBinding>>, StorageError> {
        let grant = *grant;
        self.read_in_one_statement("records_for_refresh", move |tx| {
            Box::pin(token_request_records::for_grant(tx, client, grant))
        })
        .await
        .map(Some)
    }

    async fn rotate_refresh_token(
        &self,
        grant: &GrantId,
        presented: Generation,
        lifetimes: TokenLifetimes,
        at: Timestamp,
    ) -> Result<Rotation, StorageError> {
        let grant = *grant;
        self.write("rotate_refresh_token", move |tx| {
            Box::pin(grants::rotate_refresh_token(
                tx, grant, presented, lifetimes, at,
            ))
        })
        .await
    }

    async fn revoke_grant(&self, grant: &GrantId, at: Timestamp) -> Result<bool, StorageError> {
        let grant = *grant;
        self.write("revoke_grant", move |tx| {
            Box::pin(grants::revoke_grant(tx, grant, at))
        })
        .await
    }

    async fn grant_is_live(&self, grant: &GrantId, at: Timestamp) -> Result<bool, StorageError> {
        let grant = *grant;
        self.read_in_one_statement("grant_is_live", move |tx| {
            Box::pin(grants::grant_is_live(tx, grant, at))
        })
        .await
    }
}
