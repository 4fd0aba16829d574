//! Traits that the example leaves to the memory store, with every method that a backend implements.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use lyceum::domain::*;
use lyceum::store::*;

use crate::key_store::TableKeyStore;

type StorageResult<T> = Result<T, StorageError>;

/// Forwards each method.
macro_rules! forward {
    (impl $store:ident { $(async fn $name:ident(&self $(, $argument:ident: $type:ty)*) -> $answer:ty;)+ }) => {
        #[async_trait]
        impl $store for TableKeyStore {
            $(async fn $name(&self $(, $argument: $type)*) -> $answer { self.database.rest.$name($($argument),*).await })+
        }
    };
}

forward!(impl DirectoryStore {
    async fn directory_version(&self) -> StorageResult<DatasetVersion>;
    async fn load_directory(&self) -> StorageResult<DirectoryRows>;
    async fn directory_changes(&self, since: DatasetVersion) -> StorageResult<Option<DirectoryRows>>;
    async fn write_directory(&self, expected: DatasetVersion, change: Arc<DirectoryRows>) -> StorageResult<DirectoryWrite>;
});

forward!(impl AccountStore {
    async fn create_account(&self, account: Account) -> StorageResult<Creation>;
    async fn account(&self, id: AccountId) -> StorageResult<Option<Account>>;
    async fn account_by_email(&self, email: &Email) -> StorageResult<Option<Account>>;
    async fn accounts(&self, search: Option<&SearchTerm>, page: PageRequest) -> StorageResult<Paged<Account>>;
    async fn rehash_password(&self, id: AccountId, seen: &PasswordHash, new: PasswordHash) -> StorageResult<PasswordChange>;
    async fn set_password(&self, id: AccountId, seen: &PasswordHash, new: PasswordHash, keys: ApiKeyAction, at: Timestamp) -> StorageResult<PasswordChange>;
    async fn set_role(&self, id: AccountId, role: Role) -> StorageResult<AccountChange>;
    async fn remove_account(&self, id: AccountId, at: Timestamp) -> StorageResult<AccountRemoval>;
});

forward!(impl ApiKeyStore {
    async fn create_api_key(&self, key: ApiKey) -> StorageResult<Creation>;
    async fn issue_api_key(&self, key: ApiKey, at_most: u32) -> StorageResult<LimitedCreation>;
    async fn api_key(&self, digest: &ApiKeyDigest) -> StorageResult<Option<Arc<ApiKey>>>;
    async fn api_key_by_id(&self, id: ApiKeyId) -> StorageResult<Option<Arc<ApiKey>>>;
    async fn api_keys(&self, owner: Option<&SubjectId>, page: PageRequest) -> StorageResult<Paged<Arc<ApiKey>>>;
    async fn renew_api_key(&self, id: ApiKeyId, renewal: ApiKeyRenewal, at: Timestamp) -> StorageResult<Renewal>;
    async fn revoke_api_key(&self, id: ApiKeyId, at: Timestamp) -> StorageResult<bool>;
    async fn revoke_api_keys_of(&self, owner: &SubjectId, at: Timestamp) -> StorageResult<usize>;
    async fn record_api_key_usage(&self, uses: Vec<ApiKeyDailyUsage>) -> StorageResult<()>;
    async fn api_key_usage(&self, id: ApiKeyId, days: DateRange) -> StorageResult<Vec<(Date, u64)>>;
    async fn claim_expiry_notice(&self, id: ApiKeyId, expires_at: Timestamp) -> StorageResult<bool>;
});

forward!(impl ClientLookup {
    async fn clients_by_id(&self, ids: &[ClientId]) -> StorageResult<Vec<Arc<Client>>>;
    async fn client(&self, id: ClientId) -> StorageResult<Option<Arc<Client>>>;
    async fn scope_definitions(&self, scopes: &ScopeSet) -> StorageResult<Vec<ScopeDefinition>>;
    async fn applications_by_id(&self, ids: &[ApplicationId]) -> StorageResult<Vec<Application>>;
});

forward!(impl ClientRegistry {
    async fn create_application(&self, application: Application) -> StorageResult<Creation>;
    async fn register_application(&self, application: Application, at_most: u32) -> StorageResult<LimitedCreation>;
    async fn application(&self, id: ApplicationId) -> StorageResult<Option<Application>>;
    async fn create_scope(&self, definition: ScopeDefinition) -> StorageResult<ScopeCreation>;
    async fn register_scope(&self, definition: ScopeDefinition, at_most: u32) -> StorageResult<ScopeCreation>;
    async fn application_usage(&self, id: ApplicationId, at: Timestamp) -> StorageResult<Option<ScopeUsage>>;
    async fn scope_usage(&self, id: ScopeId, at: Timestamp) -> StorageResult<Option<ScopeUsage>>;
    async fn client_usage(&self, id: ClientId, at: Timestamp) -> StorageResult<Option<GrantUsage>>;
    async fn create_client(&self, client: Client) -> StorageResult<ClientCreation>;
    async fn register_client(&self, client: Client, at_most: u32) -> StorageResult<ClientCreation>;
    async fn applications(&self, owner: Option<&SubjectId>, page: PageRequest) -> StorageResult<Paged<Application>>;
    async fn rename_application(&self, id: ApplicationId, name: ShortText) -> StorageResult<RegistryChange>;
    async fn delete_application(&self, id: ApplicationId) -> StorageResult<RegistryChange>;
    async fn scope(&self, id: ScopeId) -> StorageResult<Option<ScopeDefinition>>;
    async fn scopes(&self, of: Option<ApplicationId>, page: PageRequest) -> StorageResult<Paged<ScopeDefinition>>;
    async fn update_scope(&self, id: ScopeId, change: ScopePatch) -> StorageResult<RegistryChange>;
    async fn delete_scope(&self, id: ScopeId) -> StorageResult<RegistryChange>;
    async fn approve_scope(&self, id: ScopeId, client: ClientId, at: Timestamp) -> StorageResult<ScopeApproval>;
    async fn revoke_scope_approval(&self, id: ScopeId, client: ClientId) -> StorageResult<bool>;
    async fn clients_of_scope(&self, id: ScopeId, page: PageRequest) -> StorageResult<Paged<ScopeClient>>;
    async fn clients(&self, filter: ClientFilter<'_>, page: PageRequest) -> StorageResult<Paged<Arc<Client>>>;
    async fn update_client(&self, id: ClientId, seen: &ClientSettings, new: ClientSettings) -> StorageResult<ClientUpdate>;
    async fn delete_client(&self, id: ClientId, at: Timestamp) -> StorageResult<ClientDeletion>;
    async fn set_client_owner(&self, id: ClientId, owner: SubjectId) -> StorageResult<bool>;
    async fn remove_owner(&self, owner: &SubjectId, at: Timestamp) -> StorageResult<OwnerRemoval>;
    async fn add_client_secret(&self, id: ClientId, secret: RegisteredSecret) -> StorageResult<SecretAddition>;
    async fn remove_older_secret(&self, id: ClientId) -> StorageResult<SecretRemoval>;
});

forward!(impl GrantStore {
    async fn open_session(&self, session: SessionDigest, pending: AuthorizationSession) -> StorageResult<()>;
    async fn session(&self, session: &SessionDigest, at: Timestamp) -> StorageResult<Option<AuthorizationSession>>;
    async fn sign_in(&self, session: &SessionDigest, replacement: SessionDigest, subject: Subject, at: Timestamp) -> StorageResult<SignIn>;
    async fn approve_session(&self, session: &SessionDigest, approval: Approval, at: Timestamp) -> StorageResult<ApprovalOutcome>;
    async fn close_session(&self, session: &SessionDigest, at: Timestamp) -> StorageResult<Option<AuthorizationSession>>;
    async fn code_binding(&self, code: &AuthorizationCodeDigest) -> StorageResult<Option<CodeBinding>>;
    async fn redeem_authorization_code(&self, code: &AuthorizationCodeDigest, proof: ClientProof, lifetimes: TokenLifetimes, at: Timestamp) -> StorageResult<Redemption>;
    async fn refresh_binding(&self, grant: &GrantId) -> StorageResult<Option<RefreshBinding>>;
    async fn rotate_refresh_token(&self, grant: &GrantId, presented: Generation, lifetimes: TokenLifetimes, at: Timestamp) -> StorageResult<Rotation>;
    async fn revoke_grant(&self, grant: &GrantId, at: Timestamp) -> StorageResult<bool>;
    async fn grant_is_live(&self, grant: &GrantId, at: Timestamp) -> StorageResult<bool>;
    async fn sign_out(&self, session: &SessionDigest, replacement: SessionDigest, at: Timestamp) -> StorageResult<Option<AuthorizationSession>>;
});

forward!(impl ConsentStore {
    async fn consent(&self, subject: &SubjectId, client: &ClientId) -> StorageResult<Option<Consent>>;
    async fn consents_of(&self, subject: &SubjectId) -> StorageResult<Vec<(ClientId, Consent)>>;
    async fn delete_consent(&self, subject: &SubjectId, client: &ClientId) -> StorageResult<bool>;
    async fn grants_of(&self, subject: &SubjectId, at: Timestamp) -> StorageResult<Vec<LiveGrant>>;
    async fn revoke_grant_and_consent(&self, subject: &SubjectId, grant: &GrantId, at: Timestamp) -> StorageResult<GrantRevocation>;
    async fn sign_out_everywhere(&self, subject: &SubjectId, keys: ApiKeyAction, at: Timestamp) -> StorageResult<usize>;
});

forward!(impl UserSessionStore {
    async fn open_user_session(&self, digest: UserSessionDigest, session: UserSession) -> StorageResult<()>;
    async fn user_session(&self, digest: &UserSessionDigest, idle: Duration, at: Timestamp) -> StorageResult<Option<UserSession>>;
    async fn touch_user_sessions(&self, uses: Vec<(UserSessionId, Timestamp)>) -> StorageResult<()>;
    async fn rotate_user_session(&self, digest: &UserSessionDigest, replacement: UserSessionDigest, idle: Duration, at: Timestamp) -> StorageResult<Option<UserSession>>;
    async fn user_sessions_of(&self, subject: &SubjectId, idle: Duration, at: Timestamp) -> StorageResult<Vec<UserSession>>;
    async fn end_user_session(&self, subject: &SubjectId, session: UserSessionId) -> StorageResult<bool>;
    async fn end_user_sessions_of(&self, subject: &SubjectId, but: Option<UserSessionId>) -> StorageResult<usize>;
});

forward!(impl AuditStore {
    async fn append_audit_records(&self, records: Vec<AuditRecord>) -> StorageResult<()>;
    async fn audit_records_of(&self, request: &ShortText) -> StorageResult<Vec<AuditEntry>>;
    async fn audit_records(&self, filter: &AuditFilter, before: Option<AuditId>, size: u32) -> StorageResult<Vec<AuditEntry>>;
    async fn sweep_audit_records(&self, until: Timestamp) -> StorageResult<usize>;
});

forward!(impl RateLimiter {
    async fn take_many(&self, key: &RateLimitKey, quota: Quota, calls: NonZeroU32, now_micros: i64) -> StorageResult<RateLimitDecision>;
});
