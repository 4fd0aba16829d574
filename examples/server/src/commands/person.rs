use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use lyceum::directory::Directory;
use lyceum::domain::{
    Account, AuditFilter, Email, PageRequest, RecordKind, Role, StudentId, SubjectId, Timestamp,
};
use lyceum::http::audit::EventKind;
use lyceum::import::{Export, FileFormat};
use lyceum::school_year::erase_student;
use lyceum::store::{
    AccountChange, AccountStore, ApiKeyStore, AuditStore, ConsentStore, HistoryFilter,
    MAX_LISTED_AUDIT_RECORDS, SchoolHistoryStore, UserSessionStore,
};
use serde_json::{Value, json};

use super::{all_pages, erasures, open_without_addresses};
use crate::BoxError;
use crate::backend::Backend;
use crate::services::School;
use crate::settings::StoreOptions;

#[derive(Debug, Args)]
#[command(arg_required_else_help = false)]
pub struct Options<O: Args> {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    store: StoreOptions<O>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Print the record, history and accounts of a student, as JSON
    Export {
        /// Id of the student
        #[arg(value_parser = student_id)]
        student: StudentId,
        /// E-mail address of the account, if the record with it is gone already
        #[arg(long)]
        email: Option<Email>,
    },
    /// Erase a student everywhere: record, history and account
    Erase {
        /// Id of the student
        #[arg(value_parser = student_id, required_unless_present = "from")]
        student: Option<StudentId>,
        /// E-mail address of the account, if the record with it is gone already
        #[arg(long)]
        email: Option<Email>,
        /// After a restoration: erase the students again whom this list of `person erasures --json`
        /// names
        #[arg(long, value_name = "PATH", conflicts_with_all = ["student", "email"])]
        from: Option<PathBuf>,
        /// Erase now, instead of saying what would be
        #[arg(long)]
        yes: bool,
    },
    /// List the erasures: time, student and number of entries of the history
    Erasures {
        /// As JSON, for `person erase --from`
        #[arg(long)]
        json: bool,
    },
}

/// Reads the id of a student.
pub(super) fn student_id(text: &str) -> Result<StudentId, String> {
    let id = text.parse().ok().and_then(|id| StudentId::new(id).ok());
    id.ok_or_else(|| "must be the id of a student, such as 17".to_owned())
}

pub async fn run<B: Backend>(options: Options<B::Options>) -> Result<(), BoxError> {
    let school = open_without_addresses::<B>(options.store).await?;
    let outcome = perform(&school, options.action).await;
    school.close().await?;
    outcome
}

async fn perform(school: &School, action: Action) -> Result<(), BoxError> {
    match action {
        Action::Export { student, email } => {
            let directory = school.directory().await?;
            let person = Person::find(school, &directory, student, email).await?;
            if person.is_nothing() {
                return Err(nothing_stored(student));
            }
            let everything = export(school, &directory, &person).await?;
            println!("{everything:#}");
            Ok(())
        }
        Action::Erase {
            from: Some(path),
            yes,
            ..
        } => erasures::repeat(school, &erasures::read_file(&path)?, yes).await,
        Action::Erase {
            student,
            email,
            from: None,
            yes,
        } => {
            let student = student.ok_or("name a student")?;
            let directory = school.directory().await?;
            let person = Person::find(school, &directory, student, email).await?;
            erase(school, &directory, &person, yes).await
        }
        Action::Erasures { json: true } => {
            let erasures = erasures::read_all(&school.store).await?;
            println!("{:#}", erasures::to_json(&erasures));
            Ok(())
        }
        Action::Erasures { json: false } => {
            for erasure in erasures::read_all(&school.store).await? {
                println!(
                    "{}  student {}  {} entries of the history  by {}",
                    erasure.at,
                    erasure.student,
                    erasure.entries,
                    erasure.by.as_str()
                );
            }
            Ok(())
        }
    }
}

/// A student, as far as anything is stored.
pub(super) struct Person {
    student: StudentId,
    has_record: bool,
    entries: u64,
    /// Those that are known to be of the student, or have the same address.
    accounts: Vec<Account>,
}

impl Person {
    pub(super) async fn find(
        school: &School,
        directory: &Directory,
        student: StudentId,
        email: Option<Email>,
    ) -> Result<Self, BoxError> {
        let snapshot = directory.snapshot().await?;
        let record = snapshot.students().get(student.get());
        let email = record
            .map(|profile| profile.student.email.clone())
            .or(email);
        // An account of another student with the address is not this person's.
        let is_own = |account: &Account| match (account.student, &email) {
            (Some(linked), _) => linked == student,
            (None, Some(email)) => account.email.folded() == email.folded(),
            (None, None) => false,
        };
        let mut accounts = school.store.all_accounts().await?;
        accounts.retain(is_own);
        let page = PageRequest::new(0, 1)?;
        let history = school.store.school_history(of(student), page).await?;
        Ok(Self {
            student,
            has_record: record.is_some(),
            entries: history.total,
            accounts,
        })
    }

    /// Whether neither a record nor history nor an account is found.
    pub(super) fn is_nothing(&self) -> bool {
        !self.has_record && self.entries == 0 && self.accounts.is_empty()
    }
}

impl fmt::Display for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "student {}: {} record, {} entries of the history, {} accounts",
            self.student,
            usize::from(self.has_record),
            self.entries,
            self.accounts.len()
        )
    }
}

fn nothing_stored(student: StudentId) -> BoxError {
    format!("nothing is stored about a student {student}").into()
}

fn of(student: StudentId) -> HistoryFilter {
    HistoryFilter {
        student: Some(student),
        ..HistoryFilter::default()
    }
}

async fn erase(
    school: &School,
    directory: &Directory,
    person: &Person,
    yes: bool,
) -> Result<(), BoxError> {
    if person.is_nothing() && !is_unfinished(school, directory, person.student).await? {
        return Err(nothing_stored(person.student));
    }
    println!("{person}");
    if !yes {
        println!("Nothing is erased yet. To erase it: the same command with --yes");
        return Ok(());
    }
    let origin = (SubjectId::service(), school.now());
    erase_person(school, directory, person, origin).await?;
    println!(
        "Erased. Backups from before still have the person. Keep the list of `person erasures --json` outside of the database: after a restoration, `person erase --from` erases these persons again."
    );
    Ok(())
}

/// Whether an erasure of the student may have ended after the record was removed and before the
/// erasure was recorded.
async fn is_unfinished(
    school: &School,
    directory: &Directory,
    student: StudentId,
) -> Result<bool, BoxError> {
    let next = directory.snapshot().await?.students().next_id();
    let was_given = next.is_none_or(|next| student.get() < next);
    let recorded = erasures::read_all(&school.store).await?;
    Ok(was_given && recorded.iter().all(|erasure| erasure.student != student))
}

/// Erases a person in several transactions, for the user and with the time of the origin. After a
/// failure a repeated call erases the rest.
pub(super) async fn erase_person(
    school: &School,
    directory: &Directory,
    person: &Person,
    (by, at): (SubjectId, Timestamp),
) -> Result<(), BoxError> {
    if leaves_no_administrator(school, person).await? {
        return Err("nothing is erased: this is the account of the last administrator".into());
    }
    // Accounts first: the record has their address, by which a repeated call finds them.
    let (service, mut records) = (SubjectId::service(), 0);
    for account in &person.accounts {
        match school.accounts()?.remove(&service, account.id).await? {
            AccountChange::Done | AccountChange::NotFound => records += 1,
            AccountChange::LastAdministrator => {
                return Err("not everything is erased: meanwhile one of the accounts has become the last administrator's".into());
            }
        }
    }
    let erased = erase_student(directory, person.student, by, at).await?;
    records += usize::from(erased.had_record);
    records += usize::try_from(erased.erasure.entries).unwrap_or(usize::MAX);
    school.record_event(EventKind::PersonErased {
        by: service,
        student: person.student,
        records,
    });
    Ok(())
}

/// Whether all administrators are accounts of this person.
async fn leaves_no_administrator(school: &School, person: &Person) -> Result<bool, BoxError> {
    let is_admin = |account: &&Account| account.role == Role::Admin;
    if !person.accounts.iter().any(|account| is_admin(&account)) {
        return Ok(false);
    }
    let all = all_pages(async |page| school.store.accounts(None, page).await).await?;
    let mut admins = all.iter().filter(is_admin);
    Ok(admins.all(|admin| person.accounts.iter().any(|own| own.id == admin.id)))
}

/// The record of a person with the clubs that they lead and their projects, the history, and their
/// accounts. It lacks what undoes a turn of the school year for a day, and records of erasures.
async fn export(
    school: &School,
    directory: &Directory,
    person: &Person,
) -> Result<Value, BoxError> {
    let id = person.student;
    let students = records(directory, RecordKind::Students).await?;
    let record = students.into_iter().find(|record| is_id(record, id));
    let led = records(directory, RecordKind::Clubs).await?;
    let led = led.iter().filter(|club| is_id(&club["leader"], id));
    let projects = records(directory, RecordKind::Projects).await?;
    let projects = projects.iter().filter(|project| {
        let participants = project["participants"].as_array();
        participants.is_some_and(|them| them.iter().any(|one| is_id(one, id)))
    });
    let name = |record: &Value| json!({"id": record["id"], "name": record["name"]});
    let history = all_pages(async |page| school.store.school_history(of(id), page).await).await?;
    let history = history.iter().map(|entry| {
        json!({
            "year": entry.year.get(),
            "name": entry.name.as_str(),
            "grade": entry.grade.get(),
            "classNum": entry.class_num.get(),
            "number": entry.number.get(),
            "major": entry.major.as_str(),
            "clubs": entry.clubs.iter().map(|club| club.as_str()).collect::<Vec<_>>(),
            "end": entry.end.as_str(),
            "at": entry.at.to_string(),
        })
    });
    let mut accounts = Vec::new();
    for account in &person.accounts {
        accounts.push(export_account(school, account).await?);
    }
    Ok(json!({
        "student": record,
        "ledClubs": led.map(name).collect::<Vec<_>>(),
        "projects": projects.map(name).collect::<Vec<_>>(),
        "history": history.collect::<Vec<_>>(),
        "accounts": accounts,
    }))
}

/// All records of a kind, as the data API has them.
async fn records(directory: &Directory, kind: RecordKind) -> Result<Vec<Value>, BoxError> {
    let export = Export::new(kind).format(FileFormat::Json);
    Ok(serde_json::from_slice(&export.write(directory).await?)?)
}

fn is_id(record: &Value, id: StudentId) -> bool {
    record["id"].as_i64() == Some(id.get())
}

/// An account with its consents, grants, sessions, API keys and events. Digests and the password's
/// hash are no data of the person.
async fn export_account(school: &School, account: &Account) -> Result<Value, BoxError> {
    let subject = SubjectId::from(account.id);
    let store = &school.store;
    let consents = store.consents_of(&subject).await?.into_iter();
    let consents = consents.map(|(client, consent)| {
        let scopes: Vec<String> = consent.scopes.iter().map(ToString::to_string).collect();
        json!({"client": client.to_string(), "scopes": scopes, "at": consent.granted_at.to_string()})
    });
    let grants = store.grants_of(&subject, school.now()).await?.into_iter();
    let grants = grants.map(|grant| {
        json!({
            "client": grant.client.to_string(),
            "since": grant.since.to_string(),
            "lastUsedAt": grant.last_used_at.to_string(),
        })
    });
    // Also sessions that were not used for long.
    let idle = school.now().since(Timestamp::from_seconds(0));
    let sessions = store.user_sessions_of(&subject, idle, school.now()).await?;
    let sessions = sessions.iter().map(|session| {
        json!({
            "browser": session.browser.as_ref().map(|browser| browser.as_str()),
            "since": session.created_at.to_string(),
            "lastUsedAt": session.last_used_at.to_string(),
        })
    });
    let keys = all_pages(async |page| store.api_keys(Some(&subject), page).await).await?;
    let keys = keys.iter().map(|key| {
        json!({
            "id": key.id.to_string(),
            "description": key.description.as_str(),
            "createdAt": key.created_at.to_string(),
        })
    });
    Ok(json!({
        "id": account.id.to_string(),
        "email": account.email.as_str(),
        "role": account.role.as_str(),
        "createdAt": account.created_at.to_string(),
        "consents": consents.collect::<Vec<_>>(),
        "grants": grants.collect::<Vec<_>>(),
        "sessions": sessions.collect::<Vec<_>>(),
        "apiKeys": keys.collect::<Vec<_>>(),
        "events": events(school, &subject).await?,
    }))
}

/// The audit records of a user, newest first.
async fn events(school: &School, subject: &SubjectId) -> Result<Vec<Value>, BoxError> {
    let filter = AuditFilter {
        subject: Some(subject.clone()),
        ..AuditFilter::default()
    };
    let (mut events, mut before, mut seen) = (Vec::new(), None, BTreeSet::new());
    loop {
        let size = MAX_LISTED_AUDIT_RECORDS;
        let found = school.store.audit_records(&filter, before, size).await?;
        before = found.last().map(|entry| entry.id);
        if !before.is_some_and(|last| seen.insert(last)) {
            return Ok(events);
        }
        for entry in found {
            events.push(serde_json::from_str(&entry.record.json)?);
        }
    }
}
