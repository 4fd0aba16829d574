//! Value types of the school, the API keys and OAuth.
//!
//! All types are plain data: no async, HTTP, SQL, clock or randomness. Most are parsed at the edge
//! and cannot be constructed otherwise, so their values are always valid.

mod account;
mod api_key;
mod api_scope;
mod application;
mod audit_record;
mod bounded_int;
mod calendar_feed;
mod client;
mod client_advice;
#[cfg(feature = "auth-server")]
mod display_name;
mod enum_set;
mod grant;
mod ids;
mod invalid_value;
mod invitation_state;
mod list_parameters;
mod personal_field;
mod pkce;
mod policy_uri;
mod rate_limit;
mod redirect_uri;
mod rendered_record;
mod school;
mod scope;
mod scope_request;
mod secret;
mod signing_key;
mod signing_key_rotation;
mod string_enum;
mod sync_run;
mod text;
mod text_search;
mod time;
mod translations;
mod upper_snake_case;
mod user_session;

pub use account::{Account, Email, NumericUserId, PasswordHash, Role, Subject, SubjectId};
pub use api_key::{
    ApiKey, ApiKeyDailyUsage, ApiKeyRenewal, ApiKeySettings, DailyCalls, PreviousValue,
};
pub use api_scope::{ApiScope, ApiScopes};
pub use application::{Application, ScopeDefinition, ScopeDescription};
pub use audit_record::{AuditCount, AuditEntry, AuditFilter, AuditRecord};
pub use calendar_feed::CalendarFeed;
pub use client::{
    Client, ClientPolicy, ClientSecretUse, ClientSettings, InvalidClientMetadata, RegisteredSecret,
    Verification,
};
pub use client_advice::{Advice, Severity};
#[cfg(feature = "auth-server")]
pub use display_name::{ReservedNames, check_name_characters, check_text_characters};
pub use grant::{
    AuthorizationSession, ClientProof, CodeBinding, Consent, Generation, Grant, LiveGrant, Prompt,
};
pub use ids::{
    AccountId, ApiKeyId, ApplicationId, AuditId, CalendarFeedId, ClientId, ClubId, GrantId,
    ProjectId, ScopeId, StudentId, UserSessionId,
};
pub use invalid_value::InvalidValue;
pub use invitation_state::InvitationState;
pub use list_parameters::{DateRange, PageRequest, SortDirection};
pub use personal_field::{HiddenFields, PersonalField};
pub use pkce::{ChallengeMethod, CodeChallenge, CodeVerifier};
pub use policy_uri::PolicyUri;
pub use rate_limit::{Quota, RateLimitDecision, RateLimitKey};
pub use redirect_uri::{InvalidRedirectUri, RedirectUri};
pub use rendered_record::{Page, Record};
pub use school::{
    AcademicYear, Allergen, ClassNum, ClassPeriods, Club, ClubProfile, ClubStatus, ClubSummary,
    ClubType, DataKind, Dish, DormitoryRoom, EnrolledRole, Enrollment, EnrollmentEnd,
    EnrollmentStatus, GithubId, Grade, HistoryEntry, Lesson, Major, Meal, MealType, Participant,
    Period, Project, ProjectProfile, ProjectStatus, RecordKind, Repositories, SchoolEvent,
    SchoolIdentity, SeatNumber, ServeCount, Sex, Student, StudentProfile, StudentRole, TechStacks,
    Year, YearRange, YearTurnRecord, YearTurnUndo,
};
pub use scope::{Scope, ScopeName, ScopeSet};
pub use scope_request::{ScopeRefusal, ScopeRequest, ScopeRequestState};
pub use secret::{
    ApiKeyDigest, ApiKeySecret, AuthorizationCode, AuthorizationCodeDigest, CalendarFeedDigest,
    CalendarFeedToken, ClientSecret, ClientSecretDigest, Password, SessionDigest, SessionToken,
    UserSessionDigest, UserSessionToken,
};
pub use signing_key::{KeyId, SealedKey, SigningAlgorithm, SigningKeyRecord};
pub use signing_key_rotation::{KeyRotation, KeyState};
pub use sync_run::{SyncResult, SyncRunRecord, SyncStatus};
pub use text::{LongText, ShortText};
pub use text_search::{SearchTerm, fold_case};
pub use time::{Date, Timestamp};
pub use translations::Translations;
pub use user_session::UserSession;

pub(crate) use bounded_int::bounded_int;
pub(crate) use enum_set::enum_set;
#[cfg(feature = "data-api")]
pub(crate) use school::PeriodTimes;
pub(crate) use string_enum::string_enum;
pub(crate) use upper_snake_case::check_upper_snake_case;
