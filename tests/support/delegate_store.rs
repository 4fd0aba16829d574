//! Implements a storage trait by calls on another store.
//!
//! `delegate!(GrantStore for FaultyStore, except session, sign_in)` implements every method that a
//! store has to implement. Those after `except` are the type's inherent methods of the same name;
//! the others are called on the store that the type's `async fn delegate(&self, method: &str)`
//! returns, unless it returns an error. The module needs the types of `lyceum::domain` and
//! `lyceum::store` in scope.

macro_rules! delegate {
    (DirectoryStore $($rest:tt)*) => { delegate_methods! { ($) (DirectoryStore $($rest)*) {
        async fn directory_version(&self) -> DatasetVersion;
        async fn load_directory(&self) -> DirectoryRows;
        async fn directory_changes(&self, since: DatasetVersion) -> Option<DirectoryRows>;
        async fn write_directory(&self, expected: DatasetVersion, change: std::sync::Arc<DirectoryRows>) -> DirectoryWrite;
    } } };
    (AccountStore $($rest:tt)*) => { delegate_methods! { ($) (AccountStore $($rest)*) {
        async fn create_account(&self, account: Account) -> Creation;
        async fn account(&self, id: AccountId) -> Option<Account>;
        async fn account_by_email(&self, email: &Email) -> Option<Account>;
        async fn accounts(&self, search: Option<&SearchTerm>, page: PageRequest) -> Paged<Account>;
        async fn rehash_password(&self, id: AccountId, seen: &PasswordHash, new: PasswordHash) -> PasswordChange;
        async fn set_password(&self, id: AccountId, seen: &PasswordHash, new: PasswordHash, keys: ApiKeyAction, at: Timestamp) -> PasswordChange;
        async fn set_role(&self, id: AccountId, role: Role) -> AccountChange;
        async fn remove_account(&self, id: AccountId, at: Timestamp) -> AccountRemoval;
        async fn all_accounts(&self) -> Vec<Account>;
        async fn link_students(&self, students: Vec<(AccountId, StudentId)>) -> ();
        async fn suspend_leaver(&self, id: AccountId, at: Timestamp) -> LeaverChange;
        async fn resume_leaver(&self, id: AccountId) -> LeaverChange;
        async fn remove_leaver(&self, id: AccountId, left_at: Timestamp, at: Timestamp) -> AccountRemoval;
    } } };
    (ApiKeyStore $($rest:tt)*) => { delegate_methods! { ($) (ApiKeyStore $($rest)*) {
        async fn create_api_key(&self, key: ApiKey) -> Creation;
        async fn issue_api_key(&self, key: ApiKey, at_most: u32) -> LimitedCreation;
        async fn api_key(&self, digest: &ApiKeyDigest) -> Option<std::sync::Arc<ApiKey>>;
        async fn api_keys_by_id(&self, ids: &[ApiKeyId]) -> Vec<std::sync::Arc<ApiKey>>;
        async fn api_keys(&self, owner: Option<&SubjectId>, page: PageRequest) -> Paged<std::sync::Arc<ApiKey>>;
        async fn api_keys_with_requests(&self, page: PageRequest) -> Paged<std::sync::Arc<ApiKey>>;
        async fn renew_api_key(&self, id: ApiKeyId, renewal: ApiKeyRenewal, at: Timestamp) -> Renewal;
        async fn update_api_key(&self, id: ApiKeyId, expected: &ApiKeySettings, new: ApiKeySettings) -> ApiKeyUpdate;
        async fn revoke_api_key(&self, id: ApiKeyId, at: Timestamp) -> bool;
        async fn revoke_api_keys_of(&self, owner: &SubjectId, at: Timestamp) -> usize;
        async fn record_api_key_usage(&self, uses: Vec<ApiKeyDailyUsage>) -> ();
        async fn usage_of_api_keys(&self, ids: &[ApiKeyId], days: DateRange) -> std::collections::BTreeMap<ApiKeyId, Vec<DailyCalls>>;
        async fn claim_expiry_notice(&self, id: ApiKeyId, expires_at: Timestamp) -> bool;
    } } };
    (ClientLookup $($rest:tt)*) => { delegate_methods! { ($) (ClientLookup $($rest)*) {
        async fn client(&self, id: ClientId) -> Option<std::sync::Arc<Client>>;
        async fn scope_definitions(&self, scopes: &ScopeSet) -> Vec<ScopeDefinition>;
        async fn applications_by_id(&self, ids: &[ApplicationId]) -> Vec<Application>;
        async fn clients_by_id(&self, ids: &[ClientId]) -> Vec<std::sync::Arc<Client>>;
    } } };
    (ClientRegistry $($rest:tt)*) => { delegate_methods! { ($) (ClientRegistry $($rest)*) {
        async fn create_application(&self, application: Application) -> Creation;
        async fn register_application(&self, application: Application, at_most: u32) -> LimitedCreation;
        async fn application(&self, id: ApplicationId) -> Option<Application>;
        async fn create_scope(&self, definition: ScopeDefinition) -> ScopeCreation;
        async fn register_scope(&self, definition: ScopeDefinition, at_most: u32) -> ScopeCreation;
        async fn application_usage(&self, id: ApplicationId, at: Timestamp) -> Option<ScopeUsage>;
        async fn scope_usage(&self, id: ScopeId, at: Timestamp) -> Option<ScopeUsage>;
        async fn usage_of_clients(&self, ids: &[ClientId], at: Timestamp) -> std::collections::BTreeMap<ClientId, GrantUsage>;
        async fn create_client(&self, client: Client) -> ClientCreation;
        async fn register_client(&self, client: Client, at_most: u32) -> ClientCreation;
        async fn applications(&self, owner: Option<&SubjectId>, page: PageRequest) -> Paged<Application>;
        async fn update_application(&self, id: ApplicationId, change: ApplicationPatch) -> RegistryChange;
        async fn delete_application(&self, id: ApplicationId) -> RegistryChange;
        async fn scope(&self, id: ScopeId) -> Option<ScopeDefinition>;
        async fn scopes(&self, of: Option<ApplicationId>, page: PageRequest) -> Paged<ScopeDefinition>;
        async fn update_scope(&self, id: ScopeId, change: ScopePatch) -> RegistryChange;
        async fn delete_scope(&self, id: ScopeId) -> RegistryChange;
        async fn approve_scope(&self, id: ScopeId, client: ClientId, at: Timestamp) -> ScopeApproval;
        async fn revoke_scope_approval(&self, id: ScopeId, client: ClientId) -> bool;
        async fn clients_of_scope(&self, id: ScopeId, page: PageRequest) -> Paged<ScopeClient>;
        async fn request_scope(&self, request: ScopeRequest, at_most: u32) -> ScopeRequestCreation;
        async fn scope_requests(&self, filter: ScopeRequestFilter<'_>, page: PageRequest) -> Paged<ScopeRequest>;
        async fn refuse_scope_request(&self, id: ScopeId, client: ClientId, refusal: ScopeRefusal) -> bool;
        async fn approve_scope_request(&self, id: ScopeId, client: ClientId, asked_at: Timestamp, at: Timestamp) -> bool;
        async fn withdraw_scope_request(&self, id: ScopeId, client: ClientId) -> bool;
        async fn clients(&self, filter: ClientFilter<'_>, page: PageRequest) -> Paged<std::sync::Arc<Client>>;
        async fn update_client(&self, id: ClientId, seen: &ClientSettings, new: ClientSettings) -> ClientUpdate;
        async fn delete_client(&self, id: ClientId, at: Timestamp) -> ClientDeletion;
        async fn set_client_owner(&self, id: ClientId, owner: SubjectId) -> bool;
        async fn remove_owner(&self, owner: &SubjectId, at: Timestamp) -> OwnerRemoval;
        async fn add_client_secret(&self, id: ClientId, secret: RegisteredSecret) -> SecretAddition;
        async fn remove_older_secret(&self, id: ClientId) -> SecretRemoval;
        async fn record_client_secret_usage(&self, uses: Vec<ClientSecretUse>) -> ();
    } } };
    // Without `records_for_*`, which would look for the client in the other store.
    (GrantStore $($rest:tt)*) => { delegate_methods! { ($) (GrantStore $($rest)*) {
        async fn open_session(&self, session: SessionDigest, pending: AuthorizationSession) -> ();
        async fn session(&self, session: &SessionDigest, at: Timestamp) -> Option<AuthorizationSession>;
        async fn sign_in(&self, session: &SessionDigest, replacement: SessionDigest, subject: Subject, at: Timestamp) -> SignIn;
        async fn approve_session(&self, session: &SessionDigest, approval: Approval, at: Timestamp) -> ApprovalOutcome;
        async fn close_session(&self, session: &SessionDigest, at: Timestamp) -> Option<AuthorizationSession>;
        async fn code_binding(&self, code: &AuthorizationCodeDigest) -> Option<CodeBinding>;
        async fn redeem_authorization_code(&self, code: &AuthorizationCodeDigest, proof: ClientProof, lifetimes: TokenLifetimes, at: Timestamp) -> Redemption;
        async fn refresh_binding(&self, grant: &GrantId) -> Option<RefreshBinding>;
        async fn rotate_refresh_token(&self, grant: &GrantId, presented: Generation, lifetimes: TokenLifetimes, at: Timestamp) -> Rotation;
        async fn revoke_grant(&self, grant: &GrantId, at: Timestamp) -> bool;
        async fn grant_is_live(&self, grant: &GrantId, at: Timestamp) -> bool;
        async fn sign_out(&self, session: &SessionDigest, replacement: SessionDigest, at: Timestamp) -> Option<AuthorizationSession>;
    } } };
    (ConsentStore $($rest:tt)*) => { delegate_methods! { ($) (ConsentStore $($rest)*) {
        async fn consent(&self, subject: &SubjectId, client: &ClientId) -> Option<Consent>;
        async fn consents_of(&self, subject: &SubjectId) -> Vec<(ClientId, Consent)>;
        async fn delete_consent(&self, subject: &SubjectId, client: &ClientId) -> bool;
        async fn grants_of(&self, subject: &SubjectId, at: Timestamp) -> Vec<LiveGrant>;
        async fn revoke_grant_and_consent(&self, subject: &SubjectId, grant: &GrantId, at: Timestamp) -> GrantRevocation;
        async fn sign_out_everywhere(&self, subject: &SubjectId, keys: ApiKeyAction, at: Timestamp) -> usize;
    } } };
    (UserSessionStore $($rest:tt)*) => { delegate_methods! { ($) (UserSessionStore $($rest)*) {
        async fn open_user_session(&self, digest: UserSessionDigest, session: UserSession) -> ();
        async fn user_session(&self, digest: &UserSessionDigest, idle: std::time::Duration, at: Timestamp) -> Option<UserSession>;
        async fn touch_user_sessions(&self, uses: Vec<(UserSessionId, Timestamp)>, idle: std::time::Duration) -> ();
        async fn rotate_user_session(&self, digest: &UserSessionDigest, replacement: UserSessionDigest, idle: std::time::Duration, at: Timestamp) -> Option<UserSession>;
        async fn user_sessions_of(&self, subject: &SubjectId, idle: std::time::Duration, at: Timestamp) -> Vec<UserSession>;
        async fn end_user_session(&self, subject: &SubjectId, session: UserSessionId) -> bool;
        async fn end_user_sessions_of(&self, subject: &SubjectId, but: Option<UserSessionId>) -> usize;
    } } };
    (AuditStore $($rest:tt)*) => { delegate_methods! { ($) (AuditStore $($rest)*) {
        async fn append_audit_records(&self, records: Vec<AuditRecord>) -> ();
        async fn audit_records_of(&self, request: &ShortText) -> Vec<AuditEntry>;
        async fn audit_records(&self, filter: &AuditFilter, before: Option<AuditId>, size: u32) -> Vec<AuditEntry>;
        async fn audit_records_after(&self, filter: &AuditFilter, after: AuditId, size: u32) -> Vec<AuditEntry>;
        async fn audit_counts(&self, filter: &AuditFilter, offset: i32) -> Vec<AuditCount>;
        async fn sweep_audit_records(&self, until: Timestamp) -> usize;
    } } };
    (RateLimiter $($rest:tt)*) => { delegate_methods! { ($) (RateLimiter $($rest)*) {
        async fn take_many(&self, key: &RateLimitKey, quota: Quota, calls: std::num::NonZeroU32, at: Timestamp) -> RateLimitDecision;
    } } };
    (SigningKeyStore $($rest:tt)*) => { delegate_methods! { ($) (SigningKeyStore $($rest)*) {
        async fn signing_keys(&self) -> Vec<SigningKeyRecord>;
        async fn install_signing_key(&self, key: SigningKeyRecord) -> SigningKeyInstallation;
        async fn revoke_signing_key(&self, id: &KeyId, at: Timestamp) -> SigningKeyRevocation;
        async fn reseal_signing_key(&self, id: &KeyId, seen: &SealedKey, sealed: SealedKey) -> bool;
        async fn sweep_signing_keys(&self, until: Timestamp) -> usize;
    } } };
}

/// Collects the methods of a trait one by one, because `async_trait` has to see them all.
macro_rules! delegate_methods {
    (($d:tt) ($store:ident for $type:ty $(, except $($own:ident),+)?) $methods:tt) => {
        macro_rules! collect {
            ({$d($d done:tt)*} {}) => {
                #[async_trait::async_trait]
                impl $store for $type { $d($d done)* }
            };
            $($(
                ({$d($d done:tt)*} {async fn $own(&self $d(, $d name:ident: $d argument:ty)*) -> $d answer:ty; $d($d rest:tt)*}) => {
                    collect! {
                        {$d($d done)* async fn $own(&self $d(, $d name: $d argument)*) -> Result<$d answer, StorageError> {
                            Self::$own(self $d(, $d name)*).await
                        }}
                        {$d($d rest)*}
                    }
                };
            )+)?
            ({$d($d done:tt)*} {async fn $d method:ident(&self $d(, $d name:ident: $d argument:ty)*) -> $d answer:ty; $d($d rest:tt)*}) => {
                collect! {
                    {$d($d done)* async fn $d method(&self $d(, $d name: $d argument)*) -> Result<$d answer, StorageError> {
                        self.delegate(stringify!($d method)).await?.$d method($d($d name),*).await
                    }}
                    {$d($d rest)*}
                }
            };
        }
        collect! { {} $methods }
    };
}
