//! `account invite`: links as CSV, and by a mail server.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use base64ct::{Base64, Encoding};

use super::{PUBLIC_URL, init, output, serve, use_link};
use crate::failures::assert_one_line;
use crate::server::failure;
use crate::test_database::{TestDatabase, on_each_database};

on_each_database!(
    accounts_of_students_are_invited_once_and_their_links_work,
    links_are_mailed_in_both_languages_and_a_failure_loses_none,
    the_link_of_one_account_is_mailed_if_that_is_asked_for,
);

const STUDENTS: &str = "\
이름,성별,이메일,학년,반,번호,학과
김하늘,여,haneul@school.example,2,3,7,AI
이바다,남,bada@school.example,2,3,8,AI
박산,남,san@school.example,1,1,1,SMART_IOT
";

fn invite(database: &TestDatabase, arguments: &[&str]) -> std::process::Command {
    let command = [&["account", "invite"], &PUBLIC_URL[..], arguments].concat();
    database.school(&command)
}

/// The rows of printed CSV, without the headings.
fn rows(csv: &str) -> Vec<[String; 4]> {
    let (headings, rows) = csv.split_once('\n').unwrap();
    assert_eq!(headings, "email,state,link,mail");
    let cells = |row: &str| {
        let mut cells = row.splitn(4, ',').map(str::to_owned);
        [(); 4].map(|()| cells.next().unwrap())
    };
    rows.lines().map(cells).collect()
}

fn path_of(link: &str) -> &str {
    link.strip_prefix("http://127.0.0.1").unwrap()
}

/// Fails if the dry run creates an account, if a link does not work once, or if a second run makes
/// links that nobody asked for.
async fn accounts_of_students_are_invited_once_and_their_links_work(database: TestDatabase) {
    init(&database);
    let students = database.folder().join("students.csv");
    fs::write(&students, STUDENTS).unwrap();
    let students = students.to_str().unwrap();
    output(database.school(&["import", "students", students, "--apply"]));
    let class = ["--students", "--grade", "2", "--class", "3"];
    let shown = output(invite(&database, &class));
    assert!(shown.contains("new 2, invited 0"), "{shown}");
    let listed = output(database.school(&["account", "list"]));
    assert!(!listed.contains("haneul"), "{listed}");

    let made = rows(&output(invite(
        &database,
        &[&class[..], &["--apply"]].concat(),
    )));
    let emails: Vec<&str> = made.iter().map(|[email, ..]| &**email).collect();
    assert_eq!(emails, ["haneul@school.example", "bada@school.example"]);
    let (server, origin) = serve(&database, &[]);
    use_link(&origin, path_of(&made[0][2])).await;
    server.stop();

    let list = database.folder().join("list.txt");
    fs::write(
        &list,
        "haneul@school.example\nbada@school.example\nteacher@school.example\n",
    )
    .unwrap();
    let file = ["--file", list.to_str().unwrap()];
    let again = rows(&output(invite(
        &database,
        &[&file[..], &["--apply"]].concat(),
    )));
    let states = again
        .iter()
        .map(|[_, state, link, _]| (&**state, !link.is_empty()));
    assert_eq!(
        states.collect::<Vec<_>>(),
        [("has_password", false), ("invited", false), ("new", true)]
    );
    let again = rows(&output(invite(
        &database,
        &[&file[..], &["--apply", "--again", "--days", "1"]].concat(),
    )));
    let has_link = again.iter().map(|[_, _, link, _]| !link.is_empty());
    assert_eq!(has_link.collect::<Vec<_>>(), [false, true, true]);
    assert_one_line(
        failure(invite(&database, &["--students", "--grade", "99"])),
        "--grade",
    );
}

/// A mail server that refuses recipients that begin with `x`, and passes on the messages.
fn mail_server() -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("smtp://{}", listener.local_addr().unwrap());
    let (messages, received) = channel();
    thread::spawn(move || {
        for connection in listener.incoming() {
            let messages = messages.clone();
            thread::spawn(move || {
                // A client that hangs up ends the conversation.
                let _ = converse(connection.unwrap(), |message| drop(messages.send(message)));
            });
        }
    });
    (url, received)
}

fn converse(stream: TcpStream, deliver: impl Fn(String)) -> std::io::Result<()> {
    let mut answers = stream.try_clone()?;
    let mut lines = BufReader::new(stream).lines();
    answers.write_all(b"220 mail.school.example ESMTP\r\n")?;
    while let Some(line) = lines.next().transpose()? {
        let command = line.to_uppercase();
        let answer = if command.starts_with("EHLO") {
            "250-mail.school.example\r\n250 AUTH PLAIN"
        } else if command.starts_with("AUTH") {
            assert_eq!(
                line,
                format!("AUTH PLAIN {}", Base64::encode_string(b"\0school\0secret"))
            );
            "235 Welcome"
        } else if command.starts_with("RCPT TO:<X") {
            "550 No such mailbox here: xbada@school.example"
        } else if command == "DATA" {
            answers.write_all(b"354 Go on\r\n")?;
            let mut message = String::new();
            while let Some(line) = lines.next().transpose()?.filter(|line| line != ".") {
                message += &format!("{line}\n");
            }
            deliver(message);
            "250 Queued"
        } else if command == "QUIT" {
            answers.write_all(b"221 Bye\r\n")?;
            return Ok(());
        } else {
            "250 OK"
        };
        answers.write_all(format!("{answer}\r\n").as_bytes())?;
    }
    Ok(())
}

/// Fails if a message has another text or sender, if a link is lost with its message, or if the
/// answers of the mail server or the password are shown.
async fn links_are_mailed_in_both_languages_and_a_failure_loses_none(database: TestDatabase) {
    init(&database);
    let (url, received) = mail_server();
    let mail = [
        "--smtp-url",
        &url,
        "--smtp-user",
        "school",
        "--mail-from",
        "Star School <accounts@school.example>",
    ];
    for (language, name, sentence) in [
        ("ko", "haneul", "링크는 한 번만 쓸 수 있어요."),
        ("en", "bada", "The link works once:"),
    ] {
        let list = database.folder().join("list.txt");
        fs::write(
            &list,
            format!("{name}@school.example\nx{name}@school.example\n"),
        )
        .unwrap();
        let file = [
            "--file",
            list.to_str().unwrap(),
            "--apply",
            "--language",
            language,
        ];
        let mut command = invite(&database, &[&mail[..], &file].concat());
        command.env("SMTP_PASSWORD", "secret");
        command.env("LYCEUM_SCHOOL_NAME", "별빛고");
        let done = command.output().unwrap();
        assert!(!done.status.success(), "a message was not sent");
        let said = String::from_utf8(done.stderr).unwrap();
        assert!(said.contains("1 links were not mailed"), "{said}");
        let failed = "line 3 of the links was not mailed: the mail server answered 550";
        assert!(said.contains(failed), "{said}");
        let printed = String::from_utf8(done.stdout).unwrap();
        assert!(!(said + &printed).contains("No such mailbox"), "{printed}");
        let made = rows(&printed);
        assert!(made.iter().all(|[_, _, _, mail]| mail.is_empty()));
        assert!(made.iter().all(|[_, _, link, _]| link.contains("token=")));
        let message = received.recv().unwrap();
        let (head, body) = message.split_once("\n\n").unwrap();
        assert!(
            head.contains("Star School") && head.contains("<accounts@school.example>"),
            "{head}"
        );
        assert!(
            head.contains(&format!("To: {name}@school.example")),
            "{head}"
        );
        assert!(head.contains("\nAuto-Submitted: auto-generated"), "{head}");
        let id = head.lines().find(|line| line.starts_with("Message-ID: <"));
        assert!(id.is_some_and(|id| id.ends_with("@127.0.0.1>")), "{head}");
        assert!(
            !head.contains("별빛고") && head.contains("=?utf-8?b?"),
            "{head}"
        );
        let body = decoded(head, body);
        assert!(body.contains(sentence) && body.contains("별빛고"), "{body}");
        assert!(body.contains(&*made[0][2]), "{body}");
    }
    let list = database.folder().join("list.txt");
    let list = list.to_str().unwrap();
    let half = ["--smtp-url", &*url, "--file", list, "--apply"];
    assert_one_line(failure(invite(&database, &half)), "belong together");
}

/// Fails if a link is mailed that nobody asked to be, if the message has another link than the
/// terminal, or if an account is created whose link cannot be mailed.
async fn the_link_of_one_account_is_mailed_if_that_is_asked_for(database: TestDatabase) {
    init(&database);
    let (url, received) = mail_server();
    let server = [
        "--smtp-url",
        &url,
        "--smtp-user",
        "school",
        "--mail-from",
        "accounts@school.example",
    ];
    let account = |server: &[&str], arguments: &[&str]| {
        let command = [&["account"], &PUBLIC_URL[..], server, arguments].concat();
        let mut command = database.school(&command);
        if !server.is_empty() {
            command.env("SMTP_PASSWORD", "secret");
        }
        command
    };
    let create = ["create", "haneul@school.example", "--mail"];
    assert_one_line(failure(account(&[], &create)), "smtp-url");
    for (arguments, subject) in [
        (&create[..], "계정이 생겼어요"),
        (
            &[
                "reset",
                "haneul@school.example",
                "--mail",
                "--language",
                "en",
            ],
            "You have an account",
        ),
    ] {
        let printed = output(account(&server, arguments));
        let message = received.recv().unwrap();
        let (head, body) = message.split_once("\n\n").unwrap();
        let body = decoded(head, body);
        assert!(body.contains(subject), "{body}");
        let link = printed.lines().find(|line| line.contains("token="));
        assert!(body.contains(link.unwrap()), "{printed}{body}");
    }
    output(account(&server, &["reset", "haneul@school.example"]));
    let printed = output(account(&server, &["create", "bada@school.example"]));
    assert!(!printed.contains("mailed"), "{printed}");
    assert!(received.try_recv().is_err());

    let mut refused = account(&server, &["create", "xbada@school.example", "--mail"]);
    let done = refused.output().unwrap();
    assert!(!done.status.success(), "the message was not sent");
    assert!(String::from_utf8(done.stdout).unwrap().contains("token="));
    assert!(
        String::from_utf8(done.stderr)
            .unwrap()
            .contains("was not mailed: the mail server answered 550")
    );
}

/// The text of a message in Base64 or quoted-printable.
fn decoded(head: &str, body: &str) -> String {
    if head.contains("Content-Transfer-Encoding: base64") {
        let text: String = body.split_whitespace().collect();
        return String::from_utf8(Base64::decode_vec(&text).unwrap()).unwrap();
    }
    let joined = body.replace("=\n", "");
    let mut bytes = Vec::new();
    let mut rest = joined.bytes();
    while let Some(byte) = rest.next() {
        let hex = match byte {
            b'=' => [rest.next().unwrap(), rest.next().unwrap()],
            _ => {
                bytes.push(byte);
                continue;
            }
        };
        bytes.push(u8::from_str_radix(std::str::from_utf8(&hex).unwrap(), 16).unwrap());
    }
    String::from_utf8(bytes).unwrap()
}
