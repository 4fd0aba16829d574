//! Accounts of students who have left the school.

use std::time::Duration;

use http::StatusCode;
use lyceum::directory::{Directory, DirectoryChange, WriteOutcome};
use lyceum::http::audit::{Change, ManagedObject};
use lyceum::http::auth_server::{AuthenticationOutcome, LeaverReport};
use lyceum::sample_data::SampleSchool;
use lyceum::store::{
    AccountRemoval, ApiKeyStore, Creation, LeaverChange, Paged, PasswordChange, StorageError,
    StudentAccount,
};

use super::*;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A directory of two students, Kim and Lee, who are enrolled.
struct School {
    directory: Directory,
    kim: Student,
    lee: Student,
}

impl School {
    async fn new() -> Self {
        let directory = Directory::open(Arc::new(MemoryStore::new())).await.unwrap();
        let mut sample = SampleSchool::new(1, "2026-05-20".parse().unwrap()).students;
        sample.retain(|student| student.enrollment().is_some());
        let mut students = sample.into_iter().zip([EMAIL, "lee@school.example"]);
        let mut next = || {
            let (mut student, email) = students.next().unwrap();
            student.email = email.parse().unwrap();
            if let EnrollmentStatus::Enrolled(enrollment) = &mut student.enrollment_status {
                enrollment.major_club = None;
                enrollment.autonomous_club = None;
            }
            student
        };
        let school = Self {
            directory,
            kim: next(),
            lee: next(),
        };
        for student in [school.kim.clone(), school.lee.clone()] {
            school.write(DirectoryChange::PutStudent(student)).await;
        }
        school
    }

    async fn write(&self, change: DirectoryChange) {
        let outcome = self.directory.write(vec![change]).await.unwrap();
        assert!(matches!(outcome, WriteOutcome::Written(_)), "{outcome:?}");
    }

    async fn kim_becomes(&self, enrollment_status: EnrollmentStatus) {
        let kim = self.kim.clone();
        let kim = Student {
            enrollment_status,
            ..kim
        };
        self.write(DirectoryChange::PutStudent(kim)).await;
    }

    async fn kim_returns(&self) {
        self.kim_becomes(self.kim.enrollment_status.clone()).await;
    }

    async fn reconcile(&self, accounts: &Accounts) -> LeaverReport {
        let school = self.directory.snapshot().await.unwrap();
        accounts.reconcile_leavers(&school).await.unwrap()
    }
}

/// The numbers of suspended, resumed and removed accounts.
fn counts(report: &LeaverReport) -> [usize; 3] {
    [
        report.suspended.len(),
        report.resumed.len(),
        report.removed.len(),
    ]
}

async fn sign_in(accounts: &Accounts, email: &str) -> bool {
    let outcome = accounts
        .authenticate(email, &password(PASSWORD), None)
        .await
        .unwrap();
    matches!(outcome, AuthenticationOutcome::SignedIn(_))
}

async fn create(accounts: &Accounts, email: &str, role: Role) -> AccountId {
    let email = email.parse().unwrap();
    let created = accounts.create(email, &password(PASSWORD), role).await;
    match created.unwrap() {
        AccountCreationOutcome::Created(id) => id,
        other => panic!("{other:?}"),
    }
}

// Proves: spec 3.25, threats 45
/// Fails if a leaver can still sign in or refresh, if an enrollment does not bring the password
/// back, or if the account outlives the day or ends before it.
#[tokio::test]
async fn a_leaver_is_suspended_at_once_and_removed_after_a_day_unless_enrolled_again() {
    let (harness, school) = (Harness::new().await, School::new().await);
    let accounts = &harness.accounts;
    let kim = kim(&harness).await;
    let refresh_token = allowed(&harness).await;
    assert_eq!(school.reconcile(accounts).await, LeaverReport::default());

    school.kim_becomes(EnrollmentStatus::Withdrawn).await;
    let mut at_consent = harness.browser_at_consent().await;
    let report = school.reconcile(accounts).await;
    assert_eq!(report.suspended, [kim]);
    assert!(!sign_in(accounts, EMAIL).await);
    let answer = refreshed(&harness, &refresh_token).await;
    assert_eq!(answer.json()["error"], "invalid_grant");
    let page = at_consent.get("/v1/oauth/consent").await;
    assert_ne!(page.status, StatusCode::OK, "the session has ended");
    let subject = accounts.subject(&kim.into()).await.unwrap();
    assert!(subject.is_none(), "a leaver is nobody's subject");
    assert_eq!(school.reconcile(accounts).await, LeaverReport::default());

    harness.clock.advance(DAY - Duration::from_secs(1));
    assert_eq!(school.reconcile(accounts).await, LeaverReport::default());
    school.kim_returns().await;
    assert_eq!(school.reconcile(accounts).await.resumed, [kim]);
    assert!(sign_in(accounts, EMAIL).await);
    let answer = refreshed(&harness, &refresh_token).await;
    assert_eq!(answer.json()["error"], "invalid_grant", "it stays ended");

    school.kim_becomes(EnrollmentStatus::Graduate).await;
    assert_eq!(counts(&school.reconcile(accounts).await), [1, 0, 0]);
    harness.clock.advance(DAY);
    assert_eq!(school.reconcile(accounts).await.removed, [kim]);
    assert!(harness.store.account(kim).await.unwrap().is_none());
}

/// Fails if an administrator, a teacher or a student is taken for a leaver.
#[tokio::test]
async fn only_students_who_have_left_lose_their_access() {
    let (harness, school) = (Harness::new().await, School::new().await);
    let accounts = &harness.accounts;
    create(accounts, "LEE@school.example", Role::Admin).await;
    create(accounts, "teacher@school.example", Role::User).await;
    school.reconcile(accounts).await;
    let lee = Student {
        enrollment_status: EnrollmentStatus::Withdrawn,
        ..school.lee.clone()
    };
    school.write(DirectoryChange::PutStudent(lee)).await;
    assert_eq!(school.reconcile(accounts).await, LeaverReport::default());
    school
        .write(DirectoryChange::RemoveStudent(school.lee.id))
        .await;
    harness.clock.advance(DAY);
    assert_eq!(school.reconcile(accounts).await, LeaverReport::default());
    for email in [EMAIL, "lee@school.example", "teacher@school.example"] {
        assert!(sign_in(accounts, email).await, "{email}");
    }
}

/// Fails if the role of an administrator does not end a suspension.
#[tokio::test]
async fn a_leaver_who_becomes_an_administrator_is_resumed() {
    let (harness, school) = (Harness::new().await, School::new().await);
    let (accounts, kim) = (&harness.accounts, kim(&harness).await);
    school.kim_becomes(EnrollmentStatus::Graduate).await;
    assert_eq!(school.reconcile(accounts).await.suspended, [kim]);
    let by = SubjectId::service();
    let change = accounts.set_role(&by, kim, Role::Admin).await.unwrap();
    assert_eq!(change, AccountChange::Done);
    assert_eq!(school.reconcile(accounts).await.resumed, [kim]);
}

// Proves: threats 45
/// Fails if a student who is deleted keeps the access, or if one whose address changes loses it.
#[tokio::test]
async fn a_linked_account_follows_its_student_also_without_a_record_or_with_another_address() {
    let (harness, school) = (Harness::new().await, School::new().await);
    let (accounts, kim) = (&harness.accounts, kim(&harness).await);
    school.reconcile(accounts).await;
    let moved = Student {
        email: "haneul.kim@school.example".parse().unwrap(),
        ..school.kim.clone()
    };
    school.write(DirectoryChange::PutStudent(moved)).await;
    assert_eq!(school.reconcile(accounts).await, LeaverReport::default());
    school
        .write(DirectoryChange::RemoveStudent(school.kim.id))
        .await;
    assert_eq!(school.reconcile(accounts).await.suspended, [kim]);
    school.kim_returns().await;
    assert_eq!(school.reconcile(accounts).await.resumed, [kim]);
    school
        .write(DirectoryChange::RemoveStudent(school.kim.id))
        .await;
    assert_eq!(school.reconcile(accounts).await.suspended, [kim]);
    harness.clock.advance(DAY);
    assert_eq!(school.reconcile(accounts).await.removed, [kim]);
}

// Proves: threats 45
/// Fails if a student who gets the address of one who has left gets the account too, with its
/// password; or if the account of a student leaves with the former address.
#[tokio::test]
async fn an_account_follows_its_student_and_not_the_next_one_with_the_address() {
    let (harness, school) = (Harness::new().await, School::new().await);
    let (accounts, kim) = (&harness.accounts, kim(&harness).await);
    let with_address = |student: &Student, email: &str| {
        DirectoryChange::PutStudent(Student {
            email: email.parse().unwrap(),
            ..student.clone()
        })
    };
    // Of an account that was never linked, the directory knows the student only while it leaves.
    school.kim_becomes(EnrollmentStatus::Graduate).await;
    assert_eq!(school.reconcile(accounts).await.suspended, [kim]);
    school
        .write(DirectoryChange::RemoveStudent(school.kim.id))
        .await;
    school.write(with_address(&school.lee, EMAIL)).await;
    assert_eq!(school.reconcile(accounts).await, LeaverReport::default());
    assert!(!sign_in(accounts, EMAIL).await, "it is not Lee's");

    school
        .write(with_address(&school.lee, "lee@school.example"))
        .await;
    school.kim_returns().await;
    assert_eq!(school.reconcile(accounts).await.resumed, [kim]);
    school
        .write(with_address(&school.kim, "3301@school.example"))
        .await;
    school.write(with_address(&school.lee, EMAIL)).await;
    assert_eq!(school.reconcile(accounts).await, LeaverReport::default());
    assert!(sign_in(accounts, EMAIL).await, "Kim is enrolled");
    school
        .write(DirectoryChange::RemoveStudent(school.kim.id))
        .await;
    assert_eq!(school.reconcile(accounts).await.suspended, [kim]);
    assert_eq!(school.reconcile(accounts).await, LeaverReport::default());
    harness.clock.advance(DAY);
    assert_eq!(school.reconcile(accounts).await.removed, [kim]);

    let lee = create(accounts, EMAIL, Role::User).await;
    assert_eq!(school.reconcile(accounts).await, LeaverReport::default());
    let linked = harness.store.accounts_of_students().await.unwrap();
    let student = linked.iter().find(|of| of.account.id == lee).unwrap();
    assert_eq!(student.student, Some(school.lee.id));
}

/// Fails if a new password lets a leaver in.
#[tokio::test]
async fn a_password_that_is_set_for_a_leaver_is_right_once_the_student_is_enrolled_again() {
    let (harness, school) = (Harness::new().await, School::new().await);
    let (accounts, kim) = (&harness.accounts, kim(&harness).await);
    school.kim_becomes(EnrollmentStatus::Withdrawn).await;
    school.reconcile(accounts).await;
    let (by, new) = (SubjectId::service(), password(NEW));
    let set = accounts.set_password(&by, kim, &new, ApiKeyAction::Revoke);
    assert_eq!(set.await.unwrap(), PasswordResetOutcome::Changed);
    let is_in = async || {
        let outcome = accounts.authenticate(EMAIL, &password(NEW), None).await;
        matches!(outcome.unwrap(), AuthenticationOutcome::SignedIn(_))
    };
    assert!(!is_in().await);
    assert_eq!(school.reconcile(accounts).await, LeaverReport::default());
    school.kim_returns().await;
    assert_eq!(school.reconcile(accounts).await.resumed, [kim]);
    assert!(is_in().await);
}

// Proves: threats 45
/// Fails if an API key of a leaver works, if it does not work again, or if an event is missing.
#[tokio::test]
async fn api_keys_of_leavers_are_suspended_with_the_account_and_every_change_is_recorded() {
    let (store, clock, log) = (
        Arc::new(MemoryStore::new()),
        lyceum::testing::ManualClock::new(START),
        MemoryAuditLog::default(),
    );
    let accounts = Accounts::builder(store.clone())
        .clock(Arc::new(clock.clone()))
        .audit(Arc::new(log.clone()))
        .hashing_cost(8, 1)
        .build()
        .unwrap();
    let (school, kim) = (
        School::new().await,
        create(&accounts, EMAIL, Role::User).await,
    );
    let secret = ApiKeySecret::from_random([1; 16]);
    let key = ApiKey {
        owner: Some(kim.into()),
        ..ApiKey::new(
            ApiKeyId::from_random([1; 16]),
            &secret,
            ShortText::from_static("Lunch"),
            ApiScopes::built_in(),
            START,
        )
    };
    let digest = key.digest;
    let created = store.create_api_key(key).await.unwrap();
    assert_eq!(created, Creation::Created);
    let works = async || {
        let key = store.api_key(&digest).await.unwrap().unwrap();
        key.is_valid(&digest, clock.now())
    };
    assert!(works().await);
    school.kim_becomes(EnrollmentStatus::Withdrawn).await;
    school.reconcile(&accounts).await;
    assert!(!works().await);
    school.kim_returns().await;
    school.reconcile(&accounts).await;
    assert!(works().await);
    school.kim_becomes(EnrollmentStatus::Withdrawn).await;
    school.reconcile(&accounts).await;
    clock.advance(DAY);
    school.reconcile(&accounts).await;
    assert!(!works().await);
    let changes: Vec<Change> = log
        .events()
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::Managed {
                by, object, change, ..
            } if *by == SubjectId::service() && *object == ManagedObject::Account(kim) => {
                Some(*change)
            }
            _ => None,
        })
        .collect();
    assert_eq!(
        changes,
        [
            Change::Suspended,
            Change::Resumed,
            Change::Suspended,
            Change::Deleted
        ]
    );
}

/// Suspends the account after it was read for a sign-in.
#[derive(Debug)]
struct LeavesMeanwhile(MemoryStore);

delegate!(AccountStore for LeavesMeanwhile, except account_by_email);

impl LeavesMeanwhile {
    async fn delegate(&self, _: &str) -> Result<&MemoryStore, StorageError> {
        Ok(&self.0)
    }

    async fn account_by_email(&self, email: &Email) -> Result<Option<Account>, StorageError> {
        let found = self.0.account_by_email(email).await?;
        if let Some(account) = &found {
            let _: LeaverChange = self.0.suspend_leaver(account.id, START).await?;
        }
        Ok(found)
    }
}

// Proves: threats 45
/// Fails if a password that was read before the suspension lets the leaver in after it.
#[tokio::test]
async fn a_leaver_who_is_suspended_during_a_sign_in_is_not_signed_in() {
    let store = Arc::new(LeavesMeanwhile(MemoryStore::new()));
    let accounts = Accounts::builder(store).hashing_cost(8, 1).build().unwrap();
    create(&accounts, EMAIL, Role::User).await;
    assert!(!sign_in(&accounts, EMAIL).await);
}

/// Fails if an import that removes students does not say whose accounts end.
#[tokio::test]
async fn the_accounts_that_would_lose_their_access_are_counted_before() {
    let (harness, school) = (Harness::new().await, School::new().await);
    let accounts = &harness.accounts;
    kim(&harness).await;
    create(accounts, "LEE@school.example", Role::Admin).await;
    create(accounts, "teacher@school.example", Role::User).await;
    let count = async |students: &[&Student]| {
        let leaving = students.iter().map(|student| student.id).collect();
        let snapshot = school.directory.snapshot().await.unwrap();
        let count = accounts.count_losing_access(&snapshot, &leaving);
        count.await.unwrap()
    };
    assert_eq!(count(&[]).await, 0);
    assert_eq!(count(&[&school.lee]).await, 0, "an administrator");
    assert_eq!(count(&[&school.kim, &school.lee]).await, 1);
    school.kim_becomes(EnrollmentStatus::Graduate).await;
    school.reconcile(accounts).await;
    assert_eq!(count(&[&school.kim]).await, 0, "it has none any more");
}
