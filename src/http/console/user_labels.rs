use std::collections::{BTreeMap, BTreeSet};

use super::error::Error;
use super::server::Server;
use super::user_request::UserRequest;
use super::views::OwnerLabel;
use crate::domain::{Account, AccountId, StudentId, StudentProfile, Subject, SubjectId};
use crate::http::login::{PreloadedAccount, present_subject};

/// Users as pages name them, by their ids.
#[derive(Debug, Default)]
pub(super) struct UserLabels(BTreeMap<SubjectId, UserLabel>);

/// A user as pages name them.
#[derive(Debug, Clone)]
pub(super) struct UserLabel {
    /// The e-mail address, or the id of a user who no longer exists.
    pub(super) email: String,
    /// The name of the student, if the user is one.
    pub(super) name: Option<String>,
    /// The class of an enrolled student, such as `2-3`.
    pub(super) class: Option<String>,
}

impl UserLabels {
    /// Loads the names of these users, each once: those of built-in accounts with one statement. What
    /// belongs to the service is that of the administrators.
    pub(super) async fn load(
        server: &Server,
        people: impl IntoIterator<Item = &SubjectId>,
    ) -> Result<Self, Error> {
        let mut others: BTreeSet<&SubjectId> = people.into_iter().collect();
        let ids = others.iter().filter_map(|id| id.as_str().parse().ok());
        let ids: Vec<AccountId> = ids.collect();
        let accounts = match server.accounts().filter(|_| !ids.is_empty()) {
            Some(accounts) => accounts.store().accounts_by_id(&ids).await?,
            None => Vec::new(),
        };
        let mut names = BTreeMap::new();
        for account in accounts {
            let id = SubjectId::from(account.id);
            others.remove(&id);
            names.insert(id, UserLabel::of_account(server, account).await?);
        }
        let service = SubjectId::service();
        if others.remove(&service) {
            let administrators = server.texts().approvals.administrators;
            names.insert(service, UserLabel::unnamed(administrators.to_owned()));
        }
        // Users of the host, and those who no longer exist.
        for id in others {
            names.insert(id.clone(), UserLabel::of_other(server, id).await?);
        }
        Ok(Self(names))
    }

    /// The e-mail address, or the id of a user who no longer exists.
    pub(super) fn name(&self, id: &SubjectId) -> String {
        self.0
            .get(id)
            .map_or_else(|| id.as_str().to_owned(), |label| label.email.clone())
    }

    /// Name, class and e-mail address, as far as known.
    pub(super) fn full(&self, id: &SubjectId) -> String {
        self.0
            .get(id)
            .map_or_else(|| id.as_str().to_owned(), UserLabel::full)
    }

    /// Name and class, or the e-mail address without a name.
    pub(super) fn named(&self, id: &SubjectId) -> String {
        let label = self.0.get(id);
        label.map_or_else(|| id.as_str().to_owned(), UserLabel::named)
    }

    /// Name and class with the e-mail address below it, for the lists of administrators.
    pub(super) fn owner(&self, id: &SubjectId) -> OwnerLabel {
        let label = self.0.get(id);
        OwnerLabel {
            name: self.named(id),
            email: label
                .filter(|label| label.name.is_some())
                .map(|label| label.email.clone()),
        }
    }

    /// What the user of a request may know of another one. Administrators see name, class and
    /// e-mail address; other users see the name alone, because the addresses of students are not
    /// public.
    pub(super) fn for_user(&self, id: &SubjectId, request: &UserRequest<'_>) -> String {
        let is_public = *id == SubjectId::service();
        if is_public || request.is_administrator() || *id == request.user.subject.id {
            self.full(id)
        } else {
            let name = self.0.get(id).and_then(|label| label.name.clone());
            name.unwrap_or_else(|| request.texts().a_developer.to_owned())
        }
    }

    /// The name, or the e-mail address without one.
    pub(super) fn short(&self, id: &SubjectId) -> String {
        let label = self.0.get(id);
        label.map_or_else(
            || id.as_str().to_owned(),
            |label| label.name.clone().unwrap_or_else(|| label.email.clone()),
        )
    }
}

impl UserLabel {
    /// The label of a built-in account. The suspended account of a leaver is no user, but has an
    /// address.
    async fn of_account(server: &Server, account: Account) -> Result<Self, Error> {
        let (email, student) = (account.email.to_string(), account.student);
        match present_subject(account) {
            Some(user) => Self::of(server, &user).await,
            None => Self::with_student(server, email, student).await,
        }
    }

    /// The label of a user without a built-in account. The store of the accounts was asked before,
    /// so that only a host with further users looks for one.
    async fn of_other(server: &Server, id: &SubjectId) -> Result<Self, Error> {
        let authenticator = &server.shared.management.login_service.authenticator;
        let user = match authenticator.accounts() {
            Some(accounts) => {
                let none = PreloadedAccount::new(accounts.store(), None);
                authenticator.subject_with_account(id, none).await
            }
            None => authenticator.subject(id).await,
        };
        match user? {
            Some(user) => Self::of(server, &user).await,
            None => Ok(Self::unnamed(id.as_str().to_owned())),
        }
    }

    /// The label of an existing user.
    pub(super) async fn of(server: &Server, user: &Subject) -> Result<Self, Error> {
        let student = server.shared.management.students.find(user).await?;
        Ok(match student {
            Some(record) => Self::of_student(user.email.to_string(), record.value()),
            None => Self::unnamed(user.email.to_string()),
        })
    }

    /// The label of an account, with the student that it is known to belong to.
    async fn with_student(
        server: &Server,
        email: String,
        student: Option<StudentId>,
    ) -> Result<Self, Error> {
        let directory = server.shared.management.students.directory();
        let (Some(directory), Some(student)) = (directory, student) else {
            return Ok(Self::unnamed(email));
        };
        let school = directory.snapshot().await?;
        Ok(match school.students().record(student.get()) {
            Some(record) => Self::of_student(email, record.value()),
            None => Self::unnamed(email),
        })
    }

    /// The label of a user who is this student.
    pub(super) fn of_student(email: String, profile: &StudentProfile) -> Self {
        let enrollment = profile.student.enrollment();
        Self {
            email,
            name: Some(profile.student.name.to_string()),
            class: enrollment
                .map(|enrollment| format!("{}-{}", enrollment.grade, enrollment.class_num)),
        }
    }

    /// The label of a user who is no student.
    pub(super) fn unnamed(email: String) -> Self {
        Self {
            email,
            name: None,
            class: None,
        }
    }

    /// Name and class, or the e-mail address without a name.
    fn named(&self) -> String {
        let Self { email, name, class } = self;
        match (name, class) {
            (Some(name), Some(class)) => format!("{name} · {class}"),
            (Some(name), None) => name.clone(),
            (None, _) => email.clone(),
        }
    }

    /// Name, class and e-mail address, as far as known.
    pub(super) fn full(&self) -> String {
        let Self { email, name, class } = self;
        match (name, class) {
            (Some(name), Some(class)) => format!("{name} · {class} · {email}"),
            (Some(name), None) => format!("{name} · {email}"),
            (None, _) => email.clone(),
        }
    }
}
