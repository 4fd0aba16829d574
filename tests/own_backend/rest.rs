//! The traits that the example leaves to the memory store, in full: this is what there is to write.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use lyceum::domain::*;
use lyceum::store::*;

use crate::shelf::Shelf;

type Answer<T> = Result<T, StorageError>;

/// Passes each method on.
macro_rules! forward {
    (impl $store:ident { $(async fn $name:ident(&self $(, $argument:ident: $type:ty)*) -> $answer:ty;)+ }) => {
        #[async_trait]
        impl $store for Shelf {
            $(async fn $name(&self $(, $argument: $type)*) -> $answer { self.database.rest.$name($($argument),*).await })+
        }
    };
}

forward!(impl DirectoryStore {
    async fn directory_version(&self) -> Answer<DatasetVersion>;
    async fn load_directory(&self) -> Answer<DirectoryRows>;
    async fn directory_changes(&self, since: DatasetVersion) -> Answer<Option<DirectoryRows>>;
    async fn write_directory(&self, expected: DatasetVersion, change: Arc<DirectoryRows>) -> Answer<Advance>;
});

forward!(impl AccountStore {
    async fn create_account(&self, account: Account) -> Answer<Creation>;
    async fn account(&self, id: AccountId) -> Answer<Option<Account>>;
    async fn account_by_email(&self, email: &Email) -> Answer<Option<Account>>;
    async fn accounts(&self, search: Option<&Needle>, page: PageRequest) -> Answer<Registered<Account>>;
    async fn rehash_password(&self, id: AccountId, seen: &PasswordHash, new: PasswordHash) -> Answer<PasswordChange>;
    async fn set_password(&self, id: AccountId, seen: &PasswordHash, new: PasswordHash, keys: OwnedApiKeys, at: Timestamp) -> Answer<PasswordChange>;
    async fn set_role(&self, id: AccountId, role: Role) -> Answer<AccountChange>;
    async fn remove_account(&self, id: AccountId, at: Timestamp) -> Answer<AccountRemoval>;
});

forward!(impl ApiKeyStore {
    async fn create_api_key(&self, key: ApiKey) -> Answer<Creation>;
    async fn issue_api_key(&self, key: ApiKey, at_most: u32) -> Answer<Issuance>;
    async fn api_key(&self, digest: &ApiKeyDigest) -> Answer<Option<Arc<ApiKey>>>;
    async fn api_key_by_id(&self, id: ApiKeyId) -> Answer<Option<Arc<ApiKey>>>;
    async fn api_keys(&self, owner: Option<&SubjectId>, page: PageRequest) -> Answer<Registered<Arc<ApiKey>>>;
    async fn renew_api_key(&self, id: ApiKeyId, renewal: ApiKeyRenewal, at: Timestamp) -> Answer<Renewal>;
    async fn revoke_api_key(&self, id: ApiKeyId, at: Timestamp) -> Answer<bool>;
    async fn revoke_api_keys_of(&self, owner: &SubjectId, at: Timestamp) -> Answer<usize>;
    async fn touch_api_keys(&self, uses: Vec<KeyUse>) -> Answer<()>;
    async fn api_key_usage(&self, id: ApiKeyId, days: DateRange) -> Answer<Vec<(Date, u64)>>;
    async fn claim_expiry_notice(&self, id: ApiKeyId, expires_at: Timestamp) -> Answer<bool>;
});

forward!(impl ClientRegistry {
    async fn create_application(&self, application: Application) -> Answer<Creation>;
    async fn register_application(&self, application: Application, at_most: u32) -> Answer<Issuance>;
    async fn applications_by_id(&self, ids: &[ApplicationId]) -> Answer<Vec<Application>>;
    async fn application(&self, id: ApplicationId) -> Answer<Option<Application>>;
    async fn create_scope(&self, definition: ScopeDefinition) -> Answer<ScopeCreation>;
    async fn register_scope(&self, definition: ScopeDefinition, at_most: u32) -> Answer<ScopeCreation>;
    async fn scope_definitions(&self, scopes: &ScopeSet) -> Answer<Vec<ScopeDefinition>>;
    async fn application_usage(&self, id: ApplicationId, at: Timestamp) -> Answer<Option<ScopeUsage>>;
    async fn scope_usage(&self, id: ScopeId, at: Timestamp) -> Answer<Option<ScopeUsage>>;
    async fn client_usage(&self, id: ClientId, at: Timestamp) -> Answer<Option<GrantUsage>>;
    async fn create_client(&self, client: Client) -> Answer<ClientCreation>;
    async fn register_client(&self, client: Client, at_most: u32) -> Answer<ClientCreation>;
    async fn clients_by_id(&self, ids: &[ClientId]) -> Answer<Vec<Arc<Client>>>;
    async fn client(&self, id: ClientId) -> Answer<Option<Arc<Client>>>;
    async fn applications(&self, owner: Option<&SubjectId>, page: PageRequest) -> Answer<Registered<Application>>;
    async fn rename_application(&self, id: ApplicationId, name: Line) -> Answer<RegistryChange>;
    async fn delete_application(&self, id: ApplicationId) -> Answer<RegistryChange>;
    async fn scope(&self, id: ScopeId) -> Answer<Option<ScopeDefinition>>;
    async fn scopes(&self, of: Option<ApplicationId>, page: PageRequest) -> Answer<Registered<ScopeDefinition>>;
    async fn update_scope(&self, id: ScopeId, change: ScopeChange) -> Answer<RegistryChange>;
    async fn delete_scope(&self, id: ScopeId) -> Answer<RegistryChange>;
    async fn approve_scope(&self, id: ScopeId, client: ClientId, at: Timestamp) -> Answer<ScopeApproval>;
    async fn withdraw_scope(&self, id: ScopeId, client: ClientId) -> Answer<bool>;
    async fn clients_of_scope(&self, id: ScopeId, page: PageRequest) -> Answer<Registered<ScopeClient>>;
    async fn clients(&self, filter: ClientFilter<'_>, page: PageRequest) -> Answer<Registered<Arc<Client>>>;
    async fn update_client(&self, id: ClientId, seen: &ClientSettings, new: ClientSettings) -> Answer<ClientUpdate>;
    async fn delete_client(&self, id: ClientId, at: Timestamp) -> Answer<ClientDeletion>;
    async fn set_client_owner(&self, id: ClientId, owner: SubjectId) -> Answer<bool>;
    async fn remove_owner(&self, owner: &SubjectId, at: Timestamp) -> Answer<OwnerRemoval>;
    async fn add_client_secret(&self, id: ClientId, secret: RegisteredSecret) -> Answer<SecretAddition>;
    async fn remove_older_secret(&self, id: ClientId) -> Answer<SecretRemoval>;
});

forward!(impl GrantStore {
    async fn open_session(&self, session: SessionDigest, pending: AuthorizationSession) -> Answer<()>;
    async fn session(&self, session: &SessionDigest, at: Timestamp) -> Answer<Option<AuthorizationSession>>;
    async fn sign_in(&self, session: &SessionDigest, replacement: SessionDigest, subject: Subject, at: Timestamp) -> Answer<SignIn>;
    async fn approve_session(&self, session: &SessionDigest, approval: Approval, at: Timestamp) -> Answer<ApprovalOutcome>;
    async fn close_session(&self, session: &SessionDigest, at: Timestamp) -> Answer<Option<AuthorizationSession>>;
    async fn code_binding(&self, code: &AuthorizationCodeDigest) -> Answer<Option<CodeBinding>>;
    async fn redeem_authorization_code(&self, code: &AuthorizationCodeDigest, proof: ClientProof, lifetimes: TokenLifetimes, at: Timestamp) -> Answer<Redemption>;
    async fn refresh_binding(&self, grant: &GrantId) -> Answer<Option<RefreshBinding>>;
    async fn rotate(&self, grant: &GrantId, presented: Generation, lifetimes: TokenLifetimes, at: Timestamp) -> Answer<Rotation>;
    async fn revoke_grant(&self, grant: &GrantId, at: Timestamp) -> Answer<bool>;
    async fn grant_is_live(&self, grant: &GrantId, at: Timestamp) -> Answer<bool>;
    async fn sign_out(&self, session: &SessionDigest, replacement: SessionDigest, at: Timestamp) -> Answer<Option<AuthorizationSession>>;
    async fn consent(&self, subject: &SubjectId, client: &ClientId) -> Answer<Option<Consent>>;
    async fn consents_of(&self, subject: &SubjectId) -> Answer<Vec<(ClientId, Consent)>>;
    async fn forget_consent(&self, subject: &SubjectId, client: &ClientId) -> Answer<bool>;
    async fn grants_of(&self, subject: &SubjectId, at: Timestamp) -> Answer<Vec<LiveGrant>>;
    async fn withdraw_grant(&self, subject: &SubjectId, grant: &GrantId, at: Timestamp) -> Answer<Withdrawal>;
    async fn revoke_grants_of(&self, subject: &SubjectId, keys: OwnedApiKeys, at: Timestamp) -> Answer<usize>;
});

forward!(impl UserSessionStore {
    async fn open_user_session(&self, digest: UserSessionDigest, session: UserSession) -> Answer<()>;
    async fn user_session(&self, digest: &UserSessionDigest, idle: Duration, at: Timestamp) -> Answer<Option<UserSession>>;
    async fn touch_user_sessions(&self, uses: Vec<(UserSessionId, Timestamp)>) -> Answer<()>;
    async fn move_user_session(&self, digest: &UserSessionDigest, replacement: UserSessionDigest, idle: Duration, at: Timestamp) -> Answer<Option<UserSession>>;
    async fn user_sessions_of(&self, subject: &SubjectId, idle: Duration, at: Timestamp) -> Answer<Vec<UserSession>>;
    async fn end_user_session(&self, subject: &SubjectId, session: UserSessionId) -> Answer<bool>;
    async fn end_user_sessions_of(&self, subject: &SubjectId, but: Option<UserSessionId>) -> Answer<usize>;
});

forward!(impl AuditTrail {
    async fn append_audit_records(&self, records: Vec<AuditRecord>) -> Answer<()>;
    async fn audit_records_of(&self, request: &Line) -> Answer<Vec<AuditEntry>>;
    async fn audit_records(&self, filter: &AuditFilter, before: Option<AuditId>, size: u32) -> Answer<Vec<AuditEntry>>;
    async fn sweep_audit_records(&self, until: Timestamp) -> Answer<usize>;
});

forward!(impl RateLimiter {
    async fn take(&self, key: &RateKey, quota: Quota, now_micros: i64) -> Answer<RateVerdict>;
});
