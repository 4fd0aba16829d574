//! Accounts with the students that they belong to, for administrators.

use super::error::Error;
use super::server::Server;
use super::user_labels::UserLabel;
use super::views::PersonOption;
use crate::directory::Snapshot;
use crate::domain::{Account, AccountId, Email, PageRequest, SearchTerm, SubjectId, fold_case};

/// Number of people that a field suggests. In a larger school the field takes a name or an e-mail
/// address without suggestions.
const MAX_SUGGESTED: u64 = 300;

/// Separates name, class and e-mail address in [`UserLabel::full`].
const SEPARATOR: &str = " · ";

/// An account with the name of its owner.
#[derive(Debug)]
pub(super) struct Person {
    pub(super) account: Account,
    pub(super) label: UserLabel,
}

impl Person {
    /// Whether the name or the e-mail address contains the term, or the class is it.
    fn matches(&self, term: &SearchTerm) -> bool {
        let UserLabel { email, name, class } = &self.label;
        term.matches(&fold_case(email))
            || name
                .as_deref()
                .is_some_and(|name| term.matches(&fold_case(name)))
            || class.as_deref() == Some(term.as_str())
    }
}

/// The people whose name or e-mail address contains the term, or whose class it is, ordered by
/// e-mail address. Nobody if the host has its own users.
pub(super) async fn search(server: &Server, term: &SearchTerm) -> Result<Vec<Person>, Error> {
    let mut found = everybody(server).await?;
    found.retain(|person| person.matches(term));
    Ok(found)
}

/// The users that a typed text names: an e-mail address, an id, a name that any number of people
/// may have, or a suggestion. Without built-in accounts the text is an unchecked id.
pub(super) async fn find(server: &Server, text: &str) -> Result<Vec<SubjectId>, Error> {
    if let Some(found) = find_by_id(server, text).await? {
        return Ok(found);
    }
    let wanted = fold_case(text.trim());
    let is_named = |person: &Person| {
        let name = person.label.name.as_deref();
        name.is_some_and(|name| fold_case(name) == wanted)
    };
    let everybody = everybody(server).await?;
    let named = everybody.into_iter().filter(is_named);
    Ok(named.map(|person| person.account.id.into()).collect())
}

/// The users whom a filter names: an e-mail address, an id, or what the search for people takes;
/// `None` if there are more than `most`.
pub(super) async fn find_up_to(
    server: &Server,
    text: &str,
    most: usize,
) -> Result<Option<Vec<SubjectId>>, Error> {
    if let Some(found) = find_by_id(server, text).await? {
        return Ok(Some(found));
    }
    let people = match SearchTerm::new(text.trim()) {
        Ok(term) => search(server, &term).await?,
        // A text that is no search term matches no user.
        Err(_) => Vec::new(),
    };
    let ids = people.iter().map(|person| person.account.id.into());
    Ok((people.len() <= most).then(|| ids.collect()))
}

/// The user with this e-mail address or id, if the text is one. Without built-in accounts every text
/// is an unchecked id.
async fn find_by_id(server: &Server, text: &str) -> Result<Option<Vec<SubjectId>>, Error> {
    let text = text.trim();
    let Some(accounts) = server.accounts() else {
        return Ok(Some(text.parse().into_iter().collect()));
    };
    let address = text.rsplit(SEPARATOR).next().unwrap_or(text);
    if let Ok(email) = address.parse::<Email>() {
        let account = accounts.store().account_by_email(&email).await?;
        let id = account.map(|account| account.id.into());
        return Ok(Some(id.into_iter().collect()));
    }
    let is_id = text.parse::<AccountId>().is_ok() || text == SubjectId::service().as_str();
    Ok(is_id.then(|| text.parse().into_iter().collect()))
}

/// Everybody as suggestions of a field; none if there are too many.
pub(super) async fn suggestions(server: &Server) -> Result<Vec<PersonOption>, Error> {
    let Some(accounts) = server.accounts() else {
        return Ok(Vec::new());
    };
    let one = PageRequest::new(0, 1).map_err(Error::internal)?;
    if accounts.store().accounts(None, one).await?.total > MAX_SUGGESTED {
        return Ok(Vec::new());
    }
    let everybody = everybody(server).await?;
    let option = |person: Person| {
        let UserLabel { email, name, class } = person.label;
        let known: Vec<String> = name.into_iter().chain(class).collect();
        PersonOption {
            email,
            label: known.join(SEPARATOR),
        }
    };
    Ok(everybody.into_iter().map(option).collect())
}

/// All accounts, ordered by e-mail address.
async fn everybody(server: &Server) -> Result<Vec<Person>, Error> {
    let Some(accounts) = server.accounts() else {
        return Ok(Vec::new());
    };
    let mut all = accounts.store().all_accounts().await?;
    all.sort_by_cached_key(|account| account.email.folded());
    labelled(server, all).await
}

/// Accounts with the names of their owners.
pub(super) async fn labelled(
    server: &Server,
    accounts: Vec<Account>,
) -> Result<Vec<Person>, Error> {
    let directory = server.shared.management.students.directory();
    let school = match directory {
        Some(directory) => Some(directory.snapshot().await?),
        None => None,
    };
    let person = |account: Account| Person {
        label: label(school.as_deref(), &account),
        account,
    };
    Ok(accounts.into_iter().map(person).collect())
}

/// An account that is known to belong to a student belongs to this one; any other to the student
/// with its e-mail address, of several to an enrolled one.
fn label(school: Option<&Snapshot>, account: &Account) -> UserLabel {
    let email = account.email.to_string();
    let Some(school) = school else {
        return UserLabel::unnamed(email);
    };
    let student = match account.student {
        Some(student) => school.students().record(student.get()),
        None => school
            .students_with_email(&account.email)
            .min_by_key(|record| {
                let student = &record.value().student;
                (student.enrollment().is_none(), student.id)
            }),
    };
    match student {
        Some(record) => UserLabel::of_student(email, record.value()),
        None => UserLabel::unnamed(email),
    }
}
