//! Invitations: accounts in bulk, with a one-time link for each.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use lyceum::domain::{ClassNum, Grade, InvitationState, SubjectId};
use lyceum::http::Branding;
use lyceum::http::auth_server::AddressList;
use lyceum::http::console::{Console, Invitation, InvitationOptions};

use crate::BoxError;
use crate::services::School;
use crate::settings::{SCHOOL_NAME, Settings, TIME_ZONE};
use crate::smtp;

#[derive(Debug, Args)]
pub struct Options {
    /// Enrolled students: all, or those of a grade or class
    #[arg(long, conflicts_with = "file", required_unless_present = "file")]
    students: bool,
    /// Grade of the students
    #[arg(long, requires = "students")]
    grade: Option<i64>,
    /// Class of the students within the grade
    #[arg(long, requires = "grade")]
    class: Option<i64>,
    /// File with an address on each line, or CSV with a column of addresses
    #[arg(long, value_name = "PATH")]
    file: Option<PathBuf>,
    /// Create the accounts that are missing, and print their links as CSV
    #[arg(long)]
    apply: bool,
    /// Also new links for accounts without a password
    #[arg(long, requires = "apply")]
    again: bool,
    /// Days that a link is valid
    #[arg(long, value_name = "NUMBER", default_value_t = 7, value_parser = clap::value_parser!(u8).range(1..=30))]
    days: u8,
    /// Language of the messages: ko or en
    #[arg(long, default_value = "ko", value_parser = ["ko", "en"])]
    language: String,
}

/// Shows what an invitation would find, or creates the accounts and prints their links.
pub async fn run(school: &School, settings: &Settings, options: Options) -> Result<(), BoxError> {
    let list = addresses(school, &options).await?;
    for refused in &list.refused {
        eprintln!("line {} {}", refused.line, refused.reason);
    }
    if !options.apply {
        return show(school, &list).await;
    }
    let invitation = InvitationOptions::default()
        .lifetime(Duration::from_secs(u64::from(options.days) * 24 * 60 * 60))
        .again(options.again)
        .mailed(false)
        .language(&options.language);
    let by = SubjectId::service();
    let console = console(school, settings).await?;
    let invitations = console.invite(&by, &list.addresses, &invitation).await?;
    let mut invitations = invitations.ok_or("the users are not the built-in accounts")?;
    // Before they are mailed, so that none is lost if the program is stopped.
    let mut output = std::io::stdout();
    output.write_all(Invitation::to_csv(&invitations).as_bytes())?;
    output.flush()?;
    console.mail_links(&mut invitations, &invitation).await;
    for (line, one) in (2..).zip(&invitations) {
        if let Some(Err(error)) = &one.mail {
            eprintln!("line {line} of the links was not mailed: {error}");
        }
    }
    let links = invitations.iter().filter(|one| one.link.is_some()).count();
    let failed = invitations
        .iter()
        .filter(|one| matches!(one.mail, Some(Err(_))))
        .count();
    eprintln!(
        "{links} links, each for one use within {} days",
        options.days
    );
    if failed > 0 {
        return Err(
            format!("{failed} links were not mailed: pass them on, the list has them").into(),
        );
    }
    Ok(())
}

/// The web interface, which makes the links and mails them.
pub(super) async fn console(school: &School, settings: &Settings) -> Result<Console, BoxError> {
    let text = |setting| settings.parse(setting, |text| Some(text.to_owned()));
    let branding = Branding::new(&text(&SCHOOL_NAME)?)?;
    let auth = school.auth_server().branding(branding).build().await?;
    let console = Console::builder(auth.management(), &school.addresses.console())
        .time_zone(&text(&TIME_ZONE)?);
    let console = match smtp::mailer(settings, &school.addresses)? {
        Some(mailer) => console.mailer(mailer, tokio::time::sleep),
        None => console,
    };
    Ok(console.build()?)
}

async fn addresses(school: &School, options: &Options) -> Result<AddressList, BoxError> {
    if !options.students
        && let Some(path) = &options.file
    {
        let text = std::fs::read(path)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        if text.len() > AddressList::MAX_BYTES {
            let most = AddressList::MAX_BYTES;
            return Err(format!("{} has more than {most} bytes", path.display()).into());
        }
        return Ok(AddressList::parse(&text));
    }
    let grade = options.grade.map(Grade::new).transpose();
    let class = options.class.map(ClassNum::new).transpose();
    let grade = grade.map_err(|rule| format!("--grade {rule}"))?;
    let class = class.map_err(|rule| format!("--class {rule}"))?;
    let students = school.directory().await?.snapshot().await?;
    Ok(AddressList::of_students(&students, grade, class))
}

async fn show(school: &School, list: &AddressList) -> Result<(), BoxError> {
    let accounts = school.accounts()?;
    let states = accounts.invitation_states(&list.addresses).await?;
    let mut lines = String::new();
    for (email, state) in list.addresses.iter().zip(&states) {
        lines += &format!("{:12}  {email}\n", state.as_str());
    }
    let counts = InvitationState::ALL.iter().map(|state| {
        let count = states.iter().filter(|found| *found == state).count();
        format!("{state} {count}")
    });
    let counts: Vec<String> = counts.collect();
    lines += &format!("{}, refused {}\n", counts.join(", "), list.refused.len());
    lines += "Nothing is created yet. To create the new ones and print their links: the same command with --apply\n";
    std::io::stdout().write_all(lines.as_bytes())?;
    Ok(())
}
