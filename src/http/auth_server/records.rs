use std::sync::Arc;

use super::error::Refusal;
use super::server::Server;
use crate::domain::{Account, AuthorizationCodeDigest, Client, ClientId, CodeBinding, GrantId, Subject, SubjectId};
use crate::http::sign_in::AccountRead;
use crate::store::{RefreshBinding, StorageError, TokenRecords};

/// What a request for tokens is decided by, as far as it was read.
pub(super) enum Records<B> {
    /// All of it, in one read.
    Whole(TokenRecords<B>),
    /// Only the client: there is nothing to ask for, or the storage reads one thing at a time.
    Client(Option<Arc<Client>>),
}

impl<B> Records<B> {
    /// The client that the request names.
    pub(super) fn client(&self) -> Option<Arc<Client>> {
        match self {
            Self::Whole(records) => records.client.clone(),
            Self::Client(client) => client.clone(),
        }
    }

    async fn or_client(records: Option<TokenRecords<B>>, server: &Server, client: ClientId) -> Result<Self, StorageError> {
        match records {
            Some(records) => Ok(Self::Whole(records)),
            None => server.storage.client(client).await.map(Self::Client),
        }
    }
}

impl Records<CodeBinding> {
    /// The records of a code, or of the client alone if what was presented cannot be a code.
    pub(super) async fn of_code(server: &Server, client: ClientId, code: Option<&AuthorizationCodeDigest>) -> Result<Self, Refusal> {
        let records = match code {
            Some(code) => server.storage.exchange_records(client, code).await?,
            None => None,
        };
        Ok(Self::or_client(records, server, client).await?)
    }

    /// The binding of the code, and what is known of its user.
    pub(super) async fn binding(
        self,
        server: &Server,
        code: &AuthorizationCodeDigest,
    ) -> Result<Option<(CodeBinding, KnownUser)>, StorageError> {
        Ok(match self {
            Self::Whole(records) => records.binding.map(|binding| (binding, KnownUser::Read(records.account))),
            Self::Client(_) => server.storage.code_binding(code).await?.map(|binding| (binding, KnownUser::NotRead)),
        })
    }
}

impl Records<RefreshBinding> {
    /// The records of a refresh token's grant, or of the client alone if what was presented is no refresh token of this server.
    pub(super) async fn of_grant(server: &Server, client: ClientId, grant: Option<&GrantId>) -> Result<Self, Refusal> {
        let records = match grant {
            Some(grant) => server.storage.refresh_records(client, grant).await?,
            None => None,
        };
        Ok(Self::or_client(records, server, client).await?)
    }

    /// The binding of the grant, and what is known of its user.
    pub(super) async fn binding(self, server: &Server, grant: &GrantId) -> Result<Option<(RefreshBinding, KnownUser)>, StorageError> {
        Ok(match self {
            Self::Whole(records) => records.binding.map(|binding| (binding, KnownUser::Read(records.account))),
            Self::Client(_) => server.storage.refresh_binding(grant).await?.map(|binding| (binding, KnownUser::NotRead)),
        })
    }
}

/// What is known of the user of a grant before the authenticator is asked.
pub(super) enum KnownUser {
    /// The storage has read the account, or that there is none.
    Read(Option<Account>),
    NotRead,
}

impl KnownUser {
    /// Who the user is today.
    pub(super) async fn subject(self, server: &Server, id: &SubjectId) -> Result<Option<Subject>, StorageError> {
        let authenticator = &server.doorkeeper.authenticator;
        match self {
            Self::Read(account) => authenticator.subject_with(id, AccountRead::new(&server.storage, account.as_ref())).await,
            Self::NotRead => authenticator.subject(id).await,
        }
    }
}
