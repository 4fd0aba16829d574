//! What a school, a key and a grant *are*.
//!
//! Everything here is plain data: no async, HTTP, SQL, clock or randomness. A value that exists is valid, because each type is parsed
//! once at the edge and cannot be built otherwise.

mod account;
mod advice;
mod api_key;
mod api_scope;
mod audit_record;
mod bounded;
mod client;
mod display_name;
mod fold;
mod grant;
mod ids;
mod invalid;
mod key_schedule;
mod neis;
mod personal_field;
mod pkce;
mod query;
mod rate;
mod record;
mod redirect_uri;
mod registry;
mod school;
mod scope;
mod secret;
mod signing_key;
mod text;
mod time;
mod upper_name;
mod user_session;
mod vocabulary;
mod word_set;

pub use account::{Account, Email, PasswordHash, Role, Subject, SubjectId, UserNumber};
pub use advice::{Advice, Severity};
pub use api_key::{ApiKey, ApiKeyRenewal, KeyUse, PreviousValue};
pub use api_scope::{ApiScope, ApiScopes};
pub use audit_record::{AuditEntry, AuditFilter, AuditRecord};
pub use client::{Client, ClientFault, ClientPolicy, ClientSettings, RegisteredSecret, Verification};
pub use display_name::{ReservedNames, check_characters_of_name, check_characters_of_text};
pub use fold::{Needle, fold};
pub use grant::{AuthorizationSession, ClientProof, CodeBinding, Consent, Generation, Grant, LiveGrant};
pub use ids::{AccountId, ApiKeyId, ApplicationId, AuditId, ClientId, ClubId, GrantId, ProjectId, ScopeId, StudentId, UserSessionId};
pub use invalid::Invalid;
pub use key_schedule::{KeySchedule, KeyState};
pub use neis::{Allergen, Dish, Lesson, Meal, MealType, Period, SchoolEvent, SchoolIdentity, ServeCount};
pub use personal_field::{HiddenFields, PersonalField};
pub use pkce::{ChallengeMethod, CodeChallenge, CodeVerifier};
pub use query::{DateRange, Direction, PageRequest};
pub use rate::{Quota, RateKey, RateVerdict};
pub use record::{Page, Record};
pub use redirect_uri::{RedirectFault, RedirectUri};
pub use registry::{Application, ScopeDefinition, ScopeDescription};
pub use school::{
    ClassNum, Club, ClubProfile, ClubStatus, ClubSummary, ClubType, DormitoryRoom, EnrolledRole, Enrolment, GithubId, Grade, Lifespan,
    Major, Participant, Project, ProjectProfile, ProjectStatus, Repositories, SeatNumber, Sex, Standing, Student, StudentProfile,
    StudentRole, TechStacks, Year,
};
pub use scope::{Scope, ScopeName, ScopeSet};
pub use secret::{
    ApiKeyDigest, ApiKeySecret, AuthorizationCode, AuthorizationCodeDigest, ClientSecret, ClientSecretDigest, Password, SessionDigest,
    SessionToken, UserSessionDigest, UserSessionToken,
};
pub use signing_key::{KeyId, SealedKey, SigningAlgorithm, SigningKeyRecord};
pub use text::{Line, Prose};
pub use time::{Date, Timestamp};
pub use user_session::UserSession;

pub(crate) use bounded::bounded;
pub(crate) use upper_name::upper_name;
pub(crate) use vocabulary::vocabulary;
pub(crate) use word_set::word_set;
