use std::sync::Arc;

use crate::domain::{
    Account, AuthorizationCodeDigest, Client, ClientId, CodeBinding, GrantId, Subject, SubjectId,
};
use crate::http::auth_server::error::Error;
use crate::http::auth_server::server::Server;
use crate::http::login::PreloadedAccount;
use crate::store::{RefreshBinding, StorageError, TokenRequestRecords};

/// The records that decide a token request, as far as they have been read.
pub(super) enum LoadedRecords<B> {
    /// All records, from one read.
    All(TokenRequestRecords<B>),
    /// Only the client: the credential cannot be valid, or the storage does not support the
    /// combined read.
    ClientOnly(Option<Arc<Client>>),
}

impl<B> LoadedRecords<B> {
    /// The client that the request names.
    pub(super) fn client(&self) -> Option<Arc<Client>> {
        match self {
            Self::All(records) => records.client.clone(),
            Self::ClientOnly(client) => client.clone(),
        }
    }

    async fn or_client(
        records: Option<TokenRequestRecords<B>>,
        server: &Server,
        client: ClientId,
    ) -> Result<Self, StorageError> {
        match records {
            Some(records) => Ok(Self::All(records)),
            None => server.storage().client(client).await.map(Self::ClientOnly),
        }
    }
}

impl LoadedRecords<CodeBinding> {
    /// Reads the records of a code, or the client alone if the presented value cannot be a code.
    pub(super) async fn load_for_code(
        server: &Server,
        client: ClientId,
        code: Option<&AuthorizationCodeDigest>,
    ) -> Result<Self, Error> {
        let records = match code {
            Some(code) => {
                server
                    .storage()
                    .records_for_code_exchange(client, code)
                    .await?
            }
            None => None,
        };
        Ok(Self::or_client(records, server, client).await?)
    }

    /// The binding of the code, and its user's account if it was read.
    pub(super) async fn binding(
        self,
        server: &Server,
        code: &AuthorizationCodeDigest,
    ) -> Result<Option<(CodeBinding, UserAccount)>, StorageError> {
        Ok(match self {
            Self::All(records) => records
                .binding
                .map(|binding| (binding, UserAccount::Loaded(records.account))),
            Self::ClientOnly(_) => server
                .storage()
                .code_binding(code)
                .await?
                .map(|binding| (binding, UserAccount::NotLoaded)),
        })
    }
}

impl LoadedRecords<RefreshBinding> {
    /// Reads the records of a refresh token's grant, or the client alone if the presented value is
    /// not a refresh token of this server.
    pub(super) async fn load_for_grant(
        server: &Server,
        client: ClientId,
        grant: Option<&GrantId>,
    ) -> Result<Self, Error> {
        let records = match grant {
            Some(grant) => server.storage().records_for_refresh(client, grant).await?,
            None => None,
        };
        Ok(Self::or_client(records, server, client).await?)
    }

    /// The binding of the grant, and its user's account if it was read.
    pub(super) async fn binding(
        self,
        server: &Server,
        grant: &GrantId,
    ) -> Result<Option<(RefreshBinding, UserAccount)>, StorageError> {
        Ok(match self {
            Self::All(records) => records
                .binding
                .map(|binding| (binding, UserAccount::Loaded(records.account))),
            Self::ClientOnly(_) => server
                .storage()
                .refresh_binding(grant)
                .await?
                .map(|binding| (binding, UserAccount::NotLoaded)),
        })
    }
}

/// The account of a grant's user, as far as it was read with the other records.
pub(super) enum UserAccount {
    /// Read by the storage; `None` if there is no account.
    Loaded(Option<Account>),
    NotLoaded,
}

impl UserAccount {
    /// The current subject, from the authenticator.
    pub(super) async fn subject(
        self,
        server: &Server,
        id: &SubjectId,
    ) -> Result<Option<Subject>, StorageError> {
        let authenticator = &server.management().login_service.authenticator;
        match self {
            Self::Loaded(account) => {
                authenticator
                    .subject_with_account(
                        id,
                        PreloadedAccount::new(&**server.storage(), account.as_ref()),
                    )
                    .await
            }
            Self::NotLoaded => authenticator.subject(id).await,
        }
    }
}
