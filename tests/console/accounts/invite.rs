//! Invitations, and one-time links on the page of an account.

use std::future::{pending, ready};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use http::StatusCode;
use lyceum::domain::{AccountId, InvitationState, SubjectId};
use lyceum::http::audit::{Change, EventKind, ManagedObject};
use lyceum::http::auth_server::{Accounts, AddressList};
use lyceum::http::console::{ConsoleBuilder, InvitationOptions};
use lyceum::http::{Mail, MailError, MailPurpose, Mailer};
use lyceum::sample_data::SampleSchool;

use super::{NEW, account, administrator, id};
use crate::harness::*;
use crate::pages::assert_safe;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Keeps the messages, and refuses those to addresses that begin with `x`.
#[derive(Debug, Default)]
struct Outbox(Mutex<Vec<Mail>>);

#[async_trait]
impl Mailer for Outbox {
    async fn send(&self, mail: Mail) -> Result<(), MailError> {
        if mail.to.as_str().starts_with('x') {
            return Err(MailError::new("the mail server refused the message"));
        }
        self.0.lock().unwrap().push(mail);
        Ok(())
    }
}

/// A console that mails, however long that takes, and what it has mailed.
async fn mailing_harness() -> (Harness, Arc<Outbox>) {
    let outbox = Arc::new(Outbox::default());
    let mailer = outbox.clone();
    let harness = Harness::with_console(|console| console.mailer(mailer, |_| pending())).await;
    (harness, outbox)
}

/// The event of a link for an account.
fn link_made(by: impl Into<SubjectId>, account: AccountId) -> EventKind {
    EventKind::Managed {
        by: by.into(),
        object: ManagedObject::Password(account),
        change: Change::Created,
        fields: vec!["link"],
    }
}

/// The links of a page or a table.
fn links(text: &str) -> Vec<String> {
    let parts = text.split("https://school.example/console/password-link?token=");
    let tokens = parts.skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_');
        &rest[..end.unwrap_or(rest.len())]
    });
    tokens
        .map(|token| format!("/password-link?token={token}"))
        .collect()
}

async fn check(browser: &mut Browser, token: &str, addresses: &str) -> TestResponse {
    let fields = [("form_token", token), ("addresses", addresses)];
    browser.post("/admin/people/invite", &fields).await
}

async fn create(browser: &mut Browser, token: &str, fields: &[(&str, &str)]) -> TestResponse {
    let fields = [&[("form_token", token)], fields].concat();
    browser.post("/admin/people/invite/create", &fields).await
}

/// Sets the first password by a link, and returns the status of the page and of the form.
async fn use_link(harness: &Harness, link: &str) -> [StatusCode; 2] {
    let mut browser = harness.browser();
    let page = browser.get(link).await;
    if page.status != StatusCode::OK {
        return [page.status; 2];
    }
    let token = form_token(&page.body);
    let fields = [
        ("form_token", &*token),
        ("new_password", NEW),
        ("repeated", NEW),
    ];
    [page.status, browser.post(link, &fields).await.status]
}

// Proves: threats 43
/// Fails if the check creates an account, if a link works twice or after a week, or if an account
/// that exists is changed.
#[tokio::test]
async fn an_invitation_is_shown_first_and_gives_each_new_account_a_link_that_works_once() {
    let harness = Harness::new().await;
    let (mut browser, token) = administrator(&harness).await;
    let form = browser.get("/admin/people/invite").await;
    assert_safe(&form);
    let list =
        format!("lee@school.example\nnobody\nLEE@school.example\n{EMAIL}\npark@school.example");
    let shown = check(&mut browser, &token, &list).await;
    assert_safe(&shown);
    for text in [
        "2 new accounts. Nothing has been created yet.",
        "Line 2: no email address",
        "Line 3: the same address as in line 1",
        "has a password",
    ] {
        assert!(shown.body.contains(text), "{text}: {}", shown.body);
    }
    assert!(account(&harness, "lee@school.example").await.is_none());

    let addresses = format!("lee@school.example\n{EMAIL}\npark@school.example");
    let made = create(
        &mut browser,
        &token,
        &[("addresses", &addresses), ("as", "page")],
    )
    .await;
    assert_safe(&made);
    let made = links(&made.body);
    assert_eq!(made.len(), 2, "an account with a password gets no link");
    let lee = account(&harness, "lee@school.example").await.unwrap();
    assert!(lee.password_hash.is_none());
    let created = EventKind::Managed {
        by: SubjectId::from(id(&harness, ADMIN).await),
        object: ManagedObject::Account(lee.id),
        change: Change::Created,
        fields: Vec::new(),
    };
    assert!(harness.recorded(&created) > 0);
    let page = harness.browser().get(&made[0]).await;
    assert!(
        page.body
            .contains("After that, sign in with your email address"),
        "{}",
        page.body
    );
    assert_eq!(use_link(&harness, &made[0]).await, [200, 303]);
    assert_eq!(use_link(&harness, &made[0]).await, [404, 404]);
    let signed_in = harness.browser().sign_in("lee@school.example", NEW).await;
    assert_eq!(signed_in.status, StatusCode::SEE_OTHER);
    harness.clock.advance(7 * DAY);
    assert_eq!(use_link(&harness, &made[1]).await, [404, 404]);
    harness.browser_of(EMAIL).await;
}

/// Fails if a second invitation makes accounts or links that exist, or none on request.
#[tokio::test]
async fn a_second_invitation_gives_only_what_is_missing_and_new_links_on_request() {
    let harness = Harness::new().await;
    let (mut browser, token) = administrator(&harness).await;
    let both = "lee@school.example\npark@school.example";
    create(
        &mut browser,
        &token,
        &[("addresses", "lee@school.example"), ("as", "page")],
    )
    .await;
    let second = create(&mut browser, &token, &[("addresses", both), ("as", "page")]).await;
    assert_eq!(links(&second.body).len(), 1);
    let shown = check(&mut browser, &token, both).await.body;
    assert!(shown.contains("0 new accounts") && shown.contains("invited, without a password"));
    let table = create(
        &mut browser,
        &token,
        &[("addresses", both), ("again", "true"), ("as", "csv")],
    )
    .await;
    assert_eq!(table.header("content-type"), "text/csv; charset=utf-8");
    assert_eq!(table.header("cache-control"), "no-store");
    let rows: Vec<&str> = table.body.lines().collect();
    assert_eq!(rows[0], "email,state,link,mail");
    assert!(
        rows[1].starts_with("lee@school.example,invited,https://"),
        "{}",
        rows[1]
    );
    let lee = account(&harness, "lee@school.example").await.unwrap();
    let link = link_made(id(&harness, ADMIN).await, lee.id);
    assert_eq!(harness.recorded(&link), 1);
    for link in links(&table.body) {
        assert_eq!(use_link(&harness, &link).await, [200, 303]);
    }
}

// Proves: threats 51
/// Fails if a refreshed page mails everybody again or makes other links, or the check of the next
/// invitation cannot be sent.
#[tokio::test]
async fn a_refreshed_page_of_invitations_sends_nothing_again_and_says_so() {
    let (harness, outbox) = mailing_harness().await;
    let (mut browser, token) = administrator(&harness).await;
    for (way, mails) in [("page", 2), ("csv", 4)] {
        let list = "lee@school.example\npark@school.example";
        let shown = check(&mut browser, &token, list).await;
        assert!(
            shown.body.contains("value=\"csv\" data-download>"),
            "the script knows the file: {}",
            shown.body
        );
        let id = crate::client_fixtures::hidden(&shown.body, "form_id");
        let fields = [
            ("form_id", &*id),
            ("addresses", list),
            ("again", "true"),
            ("as", way),
        ];
        let made = create(&mut browser, &token, &fields).await;
        assert_eq!(links(&made.body).len(), 2, "{}", made.body);
        assert_eq!(outbox.0.lock().unwrap().len(), mails);
        for way in ["page", "csv"] {
            let fields = [&fields[..3], &[("as", way)]].concat();
            let again = create(&mut browser, &token, &fields).await;
            assert_eq!(
                again.location(),
                "/console/admin/people/invite?done=invited-before"
            );
            let page = browser.follow().await;
            assert_safe(&page);
            assert!(page.body.contains("nothing was sent again"));
            assert_eq!(outbox.0.lock().unwrap().len(), mails);
        }
    }
    // Nothing but an id gets into the cookie.
    let fields = [
        ("form_id", "x; Path=/elsewhere\r\nx"),
        ("addresses", "choi@school.example"),
        ("as", "page"),
    ];
    let made = create(&mut browser, &token, &fields).await;
    assert!(made.status == StatusCode::OK && made.cookies().is_empty());
}

/// Fails if a page of a class invites others, or students who have left.
#[tokio::test]
async fn an_invitation_of_a_class_has_its_enrolled_students() {
    let store = Arc::new(lyceum::store::memory::MemoryStore::new());
    let directory = lyceum::directory::Directory::open(store).await.unwrap();
    let school = SampleSchool::new(1, "2026-05-20".parse().unwrap());
    let _ = directory.write(school.changes()).await.unwrap();
    let mut expected: Vec<String> = Vec::new();
    for student in &school.students {
        let is_wanted =
            |of: &lyceum::domain::Enrollment| of.grade.get() == 2 && of.class_num.get() == 1;
        if student.enrollment().is_some_and(is_wanted) {
            expected.push(student.email.to_string());
        }
    }
    let harness = Harness::with_auth(|auth| auth.directory(directory)).await;
    let (mut browser, token) = administrator(&harness).await;
    assert!(!expected.is_empty());
    let form = browser.get("/admin/people/invite").await;
    assert!(
        form.body.contains("<option value=\"2\">2</option>"),
        "{}",
        form.body
    );
    let fields = [
        ("form_token", &*token),
        ("grade", "2"),
        ("class", "1"),
        ("addresses", ""),
    ];
    let shown = browser.post("/admin/people/invite", &fields).await;
    let count = format!("{} new accounts", expected.len());
    assert!(shown.body.contains(&count), "{count}: {}", shown.body);
    assert!(expected.iter().all(|email| shown.body.contains(email)));
    for grade in ["", "9", "x"] {
        let fields = [("form_token", &*token), ("grade", grade), ("class", "all")];
        let nobody = browser.post("/admin/people/invite", &fields).await;
        assert_eq!(nobody.status, StatusCode::BAD_REQUEST, "{grade}");
        assert!(
            nobody
                .body
                .contains("Choose a grade, or enter email addresses.")
        );
    }
}

/// Fails if somebody else invites, or makes a link for another person or for themselves.
#[tokio::test]
async fn only_administrators_invite_and_make_links_for_others() {
    let harness = Harness::new().await;
    let mut person = harness.browser_of(EMAIL).await;
    let token = form_token(&person.get("/account").await.body);
    assert_eq!(person.get("/admin/people/invite").await.status, 403);
    assert_eq!(
        check(&mut person, &token, "lee@school.example")
            .await
            .status,
        403
    );
    let fields = [("addresses", "lee@school.example"), ("as", "page")];
    assert_eq!(create(&mut person, &token, &fields).await.status, 403);
    let link = format!("/admin/people/{}/link", id(&harness, ADMIN).await);
    let form = [("form_token", &*token)];
    assert_eq!(person.post(&link, &form).await.status, 403);
    assert!(account(&harness, "lee@school.example").await.is_none());
    let (mut browser, token) = administrator(&harness).await;
    let own = browser.post(&link, &[("form_token", &token)]).await;
    assert_eq!(own.status, 403, "{}", own.body);
    let unknown = "/admin/people/7d444840-9dc0-41d1-b245-5ffdce74fad2/link";
    let unknown = browser.post(unknown, &[("form_token", &token)]).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
}

/// Fails if a link is lost with its message, if a message lacks the link, or has another language.
#[tokio::test]
async fn links_are_mailed_in_the_language_of_the_administrator_and_a_failure_loses_none() {
    let (harness, outbox) = mailing_harness().await;
    let (mut browser, token) = administrator(&harness).await;
    for (language, address, subject, first) in [
        (
            "en",
            "lee@school.example",
            "Haneul <High> School: set the password of your account",
            "You have an account at Haneul <High> School: lee@school.example\n\nSet your password by ",
        ),
        (
            "ko",
            "park@school.example",
            "Haneul <High> School: 계정 비밀번호를 설정해 주세요",
            "Haneul <High> School에 계정이 생겼어요: park@school.example\n\n",
        ),
    ] {
        browser.language = language;
        let list = format!("{address}\nx{address}");
        let made = create(
            &mut browser,
            &token,
            &[("addresses", &list), ("as", "page")],
        )
        .await;
        let shown = links(&made.body);
        assert_eq!(shown.len(), 2, "{}", made.body);
        assert!(made.body.contains("the mail server refused the message"));
        let mail = outbox.0.lock().unwrap().pop().unwrap();
        assert!(outbox.0.lock().unwrap().is_empty());
        assert_eq!(
            (
                mail.to.as_str(),
                mail.language,
                mail.purpose,
                &*mail.subject
            ),
            (address, language, MailPurpose::Invitation, subject)
        );
        assert!(mail.text.starts_with(first), "{}", mail.text);
        assert!(
            mail.text.contains(&format!("\n{ADDRESS}\n")),
            "{}",
            mail.text
        );
        assert_eq!(links(&mail.text), [&*shown[0]]);
        assert!(!format!("{mail:?}").contains("token"));
        assert_eq!(use_link(&harness, &shown[1]).await, [200, 303]);
    }
}

/// Never answers for addresses that begin with `x`.
#[derive(Debug, Default)]
struct SlowOutbox {
    outbox: Outbox,
    begun: AtomicUsize,
}

#[async_trait]
impl Mailer for SlowOutbox {
    async fn send(&self, mail: Mail) -> Result<(), MailError> {
        self.begun.fetch_add(1, Ordering::Relaxed);
        if mail.to.as_str().starts_with('x') {
            return pending().await;
        }
        self.outbox.send(mail).await
    }
}

/// Fails if a mail server that never answers keeps the page or a link back, if it keeps back the
/// messages that it accepts, or if more messages than a few are under way.
#[tokio::test]
async fn a_mail_server_that_never_answers_delays_the_page_for_a_while_and_loses_no_link() {
    let (slow, times) = (
        Arc::new(SlowOutbox::default()),
        Arc::new(Mutex::new(Vec::new())),
    );
    let (mailer, asked) = (slow.clone(), times.clone());
    let console = move |console: ConsoleBuilder| {
        console.mailer(mailer, move |time| {
            asked.lock().unwrap().push(time);
            ready(())
        })
    };
    let harness = Harness::with_console(console).await;
    let (mut browser, token) = administrator(&harness).await;
    let mut invite = async |addresses: Vec<String>, form: &str| {
        let fields = [("addresses", &*addresses.join("\n")), ("as", form)];
        create(&mut browser, &token, &fields).await
    };
    let late = |number| format!("x{number}@school.example");
    let made = invite((0..40).map(late).collect(), "page").await;
    assert_eq!(made.status, StatusCode::OK);
    let shown = links(&made.body);
    assert_eq!(shown.len(), 40, "{}", made.body);
    assert_eq!(made.body.matches("not sent yet").count(), 40);
    assert_eq!(slow.begun.load(Ordering::Relaxed), 8);
    assert_eq!(use_link(&harness, &shown[39]).await, [200, 303]);

    let others = (0..30).map(|number| format!("p{number}@school.example"));
    let both = (40..47).map(late).chain(others).collect();
    let made = invite(both, "csv").await;
    assert_eq!(links(&made.body).len(), 37);
    let count = |word: &str| {
        made.body
            .lines()
            .filter(|line| line.ends_with(word))
            .count()
    };
    assert_eq!(
        (count(",sent"), count(",failed: the time for mail was over")),
        (30, 7)
    );
    assert_eq!(slow.outbox.0.lock().unwrap().len(), 30);
    assert_eq!(*times.lock().unwrap(), [Duration::from_secs(20); 2]);
}

/// Fails if the link of an account with a password ends that before it is used, or is not recorded.
#[tokio::test]
async fn the_page_of_an_account_makes_a_link_for_a_forgotten_password() {
    let (harness, outbox) = mailing_harness().await;
    let (mut browser, token) = administrator(&harness).await;
    let person = id(&harness, EMAIL).await;
    let page = browser.get(&format!("/admin/people/{person}")).await;
    assert!(page.body.contains("Create link"), "{}", page.body);
    let path = format!("/admin/people/{person}/link");
    let made = browser.post(&path, &[("form_token", &token)]).await;
    assert_safe(&made);
    let recorded = link_made(id(&harness, ADMIN).await, person);
    assert!(harness.recorded(&recorded) > 0);
    let mail = outbox.0.lock().unwrap().pop().unwrap();
    assert_eq!(mail.purpose, MailPurpose::PasswordReset);
    assert!(
        mail.text
            .contains("An administrator of Haneul <High> School has created a password link")
    );
    harness.browser_of(EMAIL).await;
    assert_eq!(links(&mail.text), links(&made.body));
    assert_eq!(use_link(&harness, &links(&made.body)[0]).await, [200, 303]);
    let signed_in = harness.browser().sign_in(EMAIL, NEW).await;
    assert_eq!(signed_in.status, StatusCode::SEE_OTHER);
}

/// Fails if a link that a host makes is not recorded with who made it, or is not mailed as the page
/// does.
#[tokio::test]
async fn a_link_that_a_host_makes_is_recorded_and_mailed() {
    let (harness, outbox) = mailing_harness().await;
    let (person, by) = (id(&harness, EMAIL).await, "office".parse().unwrap());
    let recorded = link_made(SubjectId::clone(&by), person);
    for (is_mailed, mails) in [(true, 1), (false, 0)] {
        let before = harness.recorded(&recorded);
        let options = InvitationOptions::default().mailed(is_mailed);
        let made = harness.console.password_link(&by, person, &options).await;
        let made = made.unwrap().unwrap();
        assert_eq!(made.mail, is_mailed.then_some(Ok(())));
        assert_eq!(harness.recorded(&recorded), before + 1);
        let mailed = std::mem::take(&mut *outbox.0.lock().unwrap());
        assert_eq!(mailed.len(), mails);
        let link = links(&made.link.unwrap());
        assert!(mailed.iter().all(|mail| links(&mail.text) == link));
    }
}

// Proves: threats 43
/// Fails if a link lets a leaver set a password, or the page does not say why nobody signs in.
#[tokio::test]
async fn the_page_of_an_account_says_why_nobody_can_sign_in_and_leavers_get_no_link() {
    let harness = Harness::new().await;
    let (mut browser, token) = administrator(&harness).await;
    create(
        &mut browser,
        &token,
        &[("addresses", "lee@school.example"), ("as", "page")],
    )
    .await;
    let lee = id(&harness, "lee@school.example").await;
    let page = format!("/admin/people/{lee}");
    let invited = browser.get(&page).await.body;
    assert!(
        invited.contains("Invited. No password has been set yet."),
        "{invited}"
    );
    let (by, options) = (SubjectId::service(), InvitationOptions::default());
    let made = harness.console.password_link(&by, lee, &options).await;
    let link = made.unwrap().unwrap().link.unwrap();
    let link = link.strip_prefix(ADDRESS).unwrap();
    let _ = harness.store.suspend_leaver(lee, START).await.unwrap();
    assert_eq!(use_link(&harness, link).await, [404, 404]);
    let left = browser.get(&page).await.body;
    assert!(
        left.contains("because the student is no longer enrolled"),
        "{left}"
    );
    assert!(!left.contains("Create link"), "{left}");
    let refused = browser
        .post(&format!("{page}/link"), &[("form_token", &token)])
        .await;
    assert_eq!(refused.status, StatusCode::NOT_FOUND);
    let (events, console) = (harness.log.events().len(), &harness.console);
    let made = console.password_link(&by, lee, &options).await.unwrap();
    assert!(made.is_none());
    assert_eq!(harness.log.events().len(), events, "there is no link");
    assert_eq!(Accounts::LEAVER_GRACE_PERIOD, DAY);
}

/// Fails if a list with as many addresses as are allowed is too long for the forms.
#[tokio::test]
async fn an_invitation_of_the_longest_list_goes_through_both_steps() {
    let harness = Harness::new().await;
    let (mut browser, token) = administrator(&harness).await;
    let list: String = (0..AddressList::MAX_ADDRESSES)
        .map(|number| format!("student.number.{number}@school.example\n"))
        .collect();
    let shown = check(&mut browser, &token, &list).await;
    assert_eq!(shown.status, StatusCode::OK);
    assert!(shown.body.contains("5000 new accounts"));
    let fields = [("addresses", &*list), ("as", "csv")];
    let made = create(&mut browser, &token, &fields).await;
    assert_eq!(made.status, StatusCode::OK);
    assert_eq!(links(&made.body).len(), AddressList::MAX_ADDRESSES);
}

/// Fails if two invitations at the same time make two accounts or lose a link, or if a sign-in
/// waits for them.
#[tokio::test]
async fn invitations_at_the_same_time_make_each_account_once() {
    let harness = Harness::new().await;
    let addresses: Vec<_> = (0..250)
        .map(|number| format!("s{number}@school.example").parse().unwrap())
        .collect();
    let (by, options) = (SubjectId::service(), InvitationOptions::default());
    let invite = || harness.console.invite(&by, &addresses, &options);
    let checks = harness.accounts.password_checks();
    let (one, other, signed_in) = tokio::join!(invite(), invite(), harness.browser_of(EMAIL));
    drop(signed_in);
    assert_eq!(
        harness.accounts.password_checks() - checks,
        1,
        "only of the sign-in"
    );
    let mut new = 0;
    for invitation in one.unwrap().unwrap().iter().chain(&other.unwrap().unwrap()) {
        assert_eq!(
            invitation.link.is_some(),
            invitation.state == InvitationState::New
        );
        new += usize::from(invitation.link.is_some());
    }
    assert_eq!(new, addresses.len());
}
