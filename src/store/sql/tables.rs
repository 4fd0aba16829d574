//! The names of tables and columns.

use sea_query::Iden;

macro_rules! tables {
    ($($name:ident { $($column:ident),+ $(,)? })+) => {$(
        #[derive(Debug, Clone, Copy, Iden)]
        pub(super) enum $name { Table, $($column),+ }
    )+};
}

tables! {
    Students {
        Id, Name, NameFolded, Sex, Email, EmailFolded, Specialty, SpecialtyFolded, GithubId, GithubIdFolded, Role, Grade, ClassNum, Number,
        StudentNumber, Major, DormitoryRoom, MajorClubId, AutonomousClubId,
    }
    Clubs { Id, Name, NameFolded, Kind, Status, FoundedYear, AbolishedYear, LeaderId }
    Projects { Id, Name, NameFolded, Description, Status, StartYear, EndYear, ClubId, Repositories, TechStacks }
    ProjectParticipants { ProjectId, StudentId }
    Meals {
        Id, SchoolCode, SchoolName, OfficeCode, OfficeName, Date, Kind, Position, Dishes, Calories, Origin, Nutrition, ServeCount,
    }
    Events {
        Id, SchoolCode, SchoolName, OfficeCode, OfficeName, Date, AcademicYear, Name, Content, DayCategory, CourseType, DayNight,
        TargetGrades,
    }
    Lessons {
        Id, SchoolCode, SchoolName, OfficeCode, OfficeName, Date, AcademicYear, Semester, Grade, ClassNum, Period, Subject, Department,
        Classroom,
    }
    SchoolHistory { StudentId, Version, Year, Name, Grade, ClassNum, Number, Major, Clubs, EndedBy, At }
    YearTurns { Version, VersionBefore, Year, At, BySubject, Graduated, Moved, Added, UndoneVersion, UndoneAt, UndoneBy }
    TurnedStudents {
        Turn, StudentId, Side, Role, Grade, ClassNum, Number, Major, DormitoryRoom, MajorClubId, AutonomousClubId,
    }
    TurnedClubs { Turn, ClubId, LeaderId }
    Erasures { StudentId, At, BySubject, Entries }
    DirectoryVersion { Lineage, Version }
    DirectoryMarks { Number, Mark }
    Accounts { Id, Email, EmailFolded, PasswordHash, Role, CreatedAt, StudentId }
    Applications { Id, Name, NameTranslations, Owner, CreatedAt }
    Scopes { Id, ApplicationId, Name, Description, DescriptionTranslations, ApprovalRequired }
    ScopeApprovals { ScopeId, ClientId, ApprovedAt }
    ScopeRequests { ScopeId, ClientId, AskedBy, Reason, AskedAt, Refusal, RefusedAt }
    Clients {
        Id, Name, Owner, Policy, RedirectUris, PlainPkceAllowed, PkceRequired, FirstParty, ClientCredentialsAllowed, IssOmitted, PolicyUri,
        Verified, VerifiedBy, VerifiedAt, CreatedAt, SuspendedAt,
    }
    ClientScopes { ClientId, Position, ScopeId }
    ClientSecrets { ClientId, Position, Digest, CreatedAt, LastFour, LastUsedAt }
    ApiKeys {
        Id, Digest, Hint, Owner, Description, Scopes, HiddenFields, QuotaLimit, QuotaWindowSeconds,
        QuotaBurst, CreatedAt, ExpiresAt, RevokedAt, LastUsedAt, ExpiryTold, SuspendedAt, RequestedFields,
    }
    ApiKeyPreviousValues { KeyId, Position, Digest, Hint, WorksUntil }
    ApiKeyUses { KeyId, Day, Calls, Errors }
    ProtectedFields { Role, Fields }
    CalendarFeeds { Id, KeyId, Digest, Hint, CreatedAt, ExpiresAt }
    Sessions {
        Digest, ClientId, RedirectUri, State, Scopes, ChallengeMethod, Challenge, AskAgain, PromptLogin, SubjectId, SubjectEmail, SubjectRole, CreatedAt,
        ExpiresAt,
    }
    Consents { SubjectId, ClientId, Scopes, GrantedAt, LastUsedAt }
    ConsentScopes { ApplicationId, Name, SubjectId, ClientId }
    Grants {
        Id, CodeDigest, ClientId, RedirectUri, Scopes, ChallengeMethod, Challenge, SubjectId, CreatedAt, CodeExpiresAt, RedeemedAt, Proof, Generation, RotatedAt, IdleExpiresAt, ExpiresAt, RevokedAt,
    }
    GrantScopes { ApplicationId, Name, GrantId }
    UserSessions { Id, Digest, SubjectId, Browser, CreatedAt, LastUsedAt, ExpiresAt }
    AuditRecords { Id, At, RequestId, Kind, SubjectId, ClientId, ApplicationId, GrantId, ApiKeyId, Line, TargetId }
    AuditHead { Last }
    RateLimits { Digest, ArrivalMicros, CreatedMicros }
    SyncRuns {
        Id, Kind, FirstDay, LastDay, Result, Detail, Code, Calls, Inserted, Updated, Deleted, Skipped, VersionBefore, VersionAfter,
        StartedBy, StartedAt, EndedAt,
    }
    DataFreshness { Kind, AsOf }
    Leases { Name, Holder, ExpiresAt }
    SigningKeys { Sequence, Id, Algorithm, Sealed, CreatedAt, RevokedAt }
}

/// The columns of both change log tables.
#[derive(Debug, Clone, Copy, Iden)]
pub(super) enum Changes {
    Kind,
    RecordId,
    Version,
}

/// The two change log tables, which differ in the type of record ids.
#[derive(Debug, Clone, Copy, Iden)]
pub(super) enum ChangeLog {
    Changes,
    CalendarChanges,
}
