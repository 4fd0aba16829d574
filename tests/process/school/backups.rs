//! Backups of a school: written while it serves, restored, and confirmed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{
    ADMIN, ISSUE_KEY, PUBLIC_URL, authorize, browser, id_of_key, init, issue_key, output,
    register_client, serve, sign_in, signed_in, tokens, use_link, userinfo,
};
use crate::failures::assert_one_line;
use crate::postgres_server::{Cluster, installation};
use crate::server::{example, failure};
use crate::support::{Client, TestResponse};
use crate::test_database::{TestDatabase, on_each_database};

on_each_database!(a_restored_school_accepts_nothing_until_it_is_confirmed);

/// A program of the PostgreSQL server.
fn postgres_program(name: &str) -> Command {
    let beside = installation::bin().unwrap().join(name);
    // Some systems have the client's programs elsewhere.
    Command::new(if beside.exists() { beside } else { name.into() })
}

/// The schema of a PostgreSQL database.
fn schema(url: &str) -> &str {
    url.rsplit_once("search_path%3D").unwrap().1
}

/// Writes a backup, while the school serves.
pub fn back_up(database: &TestDatabase, backup: &Path) {
    match database.url() {
        None => {
            let said = output(database.school(&["backup", backup.to_str().unwrap()]));
            assert!(said.contains("is complete"), "{said}");
        }
        Some(url) => {
            let mut dump = postgres_program("pg_dump");
            dump.args(["--format=custom", "--no-owner", "--no-acl"])
                .args(["--schema", schema(url), "--file"])
                .args([backup.to_str().unwrap(), url]);
            output(dump);
            fs::set_permissions(backup, fs::Permissions::from_mode(0o600)).unwrap();
        }
    }
}

/// Loses the database and restores the backup. Returns what `restore` printed.
fn lose_and_restore(database: &TestDatabase, backup: &Path) -> String {
    let restore = database.school(&["restore", backup.to_str().unwrap()]);
    let Some(url) = database.url() else {
        let again = database.school(&["restore", backup.to_str().unwrap()]);
        assert_one_line(failure(again), "exists and is not overwritten");
        fs::rename(database.file(), database.folder().join("lost.db")).unwrap();
        return output(restore);
    };
    assert_one_line(failure(restore), "pg_restore");
    Cluster::query_at(url, &format!("DROP SCHEMA {} CASCADE", schema(url)));
    let mut load = postgres_program("pg_restore");
    load.args(["--exit-on-error", "--no-owner", "--dbname", url])
        .arg(backup);
    output(load);
    assert_one_line(
        failure(database.school(&["serve", "--public-url", "http://127.0.0.1:1"])),
        "run `restore --in-place`",
    );
    output(database.school(&["restore", "--in-place"]))
}

async fn clubs(origin: &str, [_, value]: &[String; 2]) -> TestResponse {
    let url = format!("{origin}/v1/clubs");
    Client::new().get(&url, &[("x-api-key", value)]).await
}

/// Uses a refresh token.
pub async fn refresh(
    origin: &str,
    [id, secret]: &[String; 2],
    refresh_token: &str,
) -> TestResponse {
    let form = [
        ("grant_type", "refresh_token"),
        ("refresh_token", refresh_token),
        ("client_id", id),
        ("client_secret", secret),
    ];
    let url = format!("{origin}/auth/v1/oauth/token");
    Client::new().post_form(&url, &[], &form).await
}

// Proves: threats 44
/// Fails if a session, a token, a password or a key of the backup opens anything before it is
/// confirmed, if a confirmed one does not work, or if a later revocation is undone.
async fn a_restored_school_accepts_nothing_until_it_is_confirmed(database: TestDatabase) {
    let link = init(&database);
    let (server, origin) = serve(&database, &[]);
    use_link(&origin, &link).await;
    let mut admin = signed_in(&origin, ADMIN).await;
    assert_eq!(admin.open("/console/account").await.status, 200);
    let [kept, revoked] = [(); 2].map(|()| issue_key(&database));
    let client = register_client(
        &database,
        &["--scope", "service:self_read", "--client-credentials"],
    );
    let issued = tokens(&origin, &client).await;
    let backup = database.folder().join("backup");
    back_up(&database, &backup);
    output(database.school(&["key", "revoke", &revoked[0]]));
    server.stop();
    let said = lose_and_restore(&database, &backup);
    for text in [
        "suspended until confirmed: 1 accounts, 2 API keys, 1 clients",
        "`account confirm EMAIL`",
        "void: the one-time links",
        "Delete again the data of persons",
    ] {
        assert!(said.contains(text), "{text} is not in {said}");
    }

    let (server, origin) = serve(&database, &[]);
    admin.origin.clone_from(&origin);
    assert_eq!(
        admin.open("/console/account").await.status,
        303,
        "the session"
    );
    assert_eq!(
        userinfo(&origin, &issued).await.status,
        401,
        "the access token"
    );
    let refresh_token = issued["refresh_token"].as_str().unwrap();
    let refreshed = refresh(&origin, &client, refresh_token).await;
    assert_eq!(refreshed.status, 400, "the refresh token");
    let started = browser(&origin).open(&authorize(&client[0])).await;
    assert_eq!(started.status, 400, "the client");
    assert_ne!(sign_in(&origin, ADMIN).await.1.status, 303, "the password");
    for key in [&kept, &revoked] {
        assert_eq!(clubs(&origin, key).await.status, 401, "the API key");
    }
    for (list, count) in [
        (["account", "list"], 1),
        (["key", "list"], 2),
        (["client", "list"], 1),
    ] {
        let list = output(database.school(&list));
        assert_eq!(list.matches(" suspended").count(), count, "{list}");
    }

    let confirm_admin = ["account", "confirm", ADMIN];
    output(database.school(&confirm_admin));
    assert_one_line(failure(database.school(&confirm_admin)), "is not suspended");
    let mut admin = signed_in(&origin, ADMIN).await;
    let page = format!("/console/clients/{}", client[0]);
    let reason = "The database was restored from a backup";
    assert!(admin.open(&page).await.body.contains(reason));
    output(database.school(&["key", "confirm", &kept[0]]));
    let confirm_client = ["client", "confirm", &client[0]];
    output(database.school(&confirm_client));
    assert_one_line(
        failure(database.school(&confirm_client)),
        "no suspended client",
    );
    assert!(!admin.open(&page).await.body.contains(reason));
    server.stop();

    // A running server may use a key that it has read for five seconds.
    let (server, origin) = serve(&database, &[]);
    assert_eq!(clubs(&origin, &kept).await.status, 200);
    assert_eq!(clubs(&origin, &revoked).await.status, 401);
    tokens(&origin, &client).await;
    server.stop();
    assert!(output(database.school(&["key", "confirm", "--all"])).contains("1 API keys"));
    assert!(output(database.school(&["account", "confirm", "--all"])).contains("0 accounts"));
    let events = |condition: &str| {
        database.count(&format!(
            "SELECT count(*) FROM audit_records WHERE {condition}"
        ))
    };
    assert_eq!(
        events("kind = 'backup_restored' AND line LIKE '%\"count\":4%'"),
        1
    );
    assert_eq!(
        events("kind = 'managed' AND line LIKE '%\"confirmed\"%'"),
        4
    );
}

/// Fails if what the lost database proves to be current has to be confirmed, or if looking at that
/// database changes it.
#[test]
fn what_is_the_same_in_the_lost_database_is_not_suspended() {
    let database = TestDatabase::sqlite();
    init(&database);
    let [_, revoked] = [(); 2].map(|()| issue_key(&database));
    let backup = database.folder().join("backup.db");
    back_up(&database, &backup);
    output(database.school(&["key", "revoke", &revoked[0]]));
    let lost = database.folder().join("lost.db");
    fs::rename(database.file(), &lost).unwrap();
    let before = fs::read(&lost).unwrap();
    let [backup, lost] = [&backup, &lost].map(|path| path.to_str().unwrap());
    let said = output(database.school(&["restore", backup, "--lost-database", lost]));
    let suspended = "suspended until confirmed: 0 accounts, 1 API keys, 0 clients";
    assert!(said.contains(suspended), "{said}");
    assert_eq!(fs::read(lost).unwrap(), before);
    let list = output(database.school(&["key", "list"]));
    let of_revoked = list.lines().find(|line| line.starts_with(&revoked[0]));
    assert!(of_revoked.unwrap().contains("suspended since"), "{list}");
}

// Proves: threats 47
/// Fails if a restoration brings back a person who was erased after the backup, and the lost
/// database or the list of the erasures names the person.
#[test]
fn a_restoration_erases_the_persons_again_who_were_erased_after_the_backup() {
    let database = TestDatabase::sqlite();
    init(&database);
    let students = "이름,성별,이메일,학년,반,번호,학과\n\
        김하늘,여,haneul@school.example,3,3,7,AI\n이바다,남,bada@school.example,2,3,8,AI\n";
    let path = database.folder().join("students.csv");
    fs::write(&path, students).unwrap();
    output(database.school(&["import", "students", path.to_str().unwrap(), "--apply"]));
    let create = ["account", "create", "haneul@school.example"];
    output(database.school(&[&create[..], &PUBLIC_URL[..]].concat()));
    let backup = database.folder().join("backup.db");
    back_up(&database, &backup);
    output(database.school(&["person", "erase", "1", "--yes"]));
    let list = output(database.school(&["person", "erasures", "--json"]));
    let (file, lost) = (
        database.folder().join("list.json"),
        database.folder().join("lost.db"),
    );
    fs::write(&file, &list).unwrap();
    fs::rename(database.file(), &lost).unwrap();
    let [backup, lost, file] = [&backup, &lost, &file].map(|path| path.to_str().unwrap());

    let rest = || {
        ["name = '김하늘'", "name = '이바다'"]
            .map(|name| database.count(&format!("SELECT count(*) FROM students WHERE {name}")))
    };
    let said = output(database.school(&["restore", backup, "--lost-database", lost]));
    assert!(said.contains("Erased again: 1 persons"), "{said}");
    assert_eq!(rest(), [0, 1]);
    assert_eq!(
        database.count("SELECT count(*) FROM accounts WHERE email LIKE 'haneul%'"),
        0
    );
    let again = output(database.school(&["person", "erasures", "--json"]));
    let at = |list: &str| {
        serde_json::from_str::<serde_json::Value>(list).unwrap()[0]["atSeconds"].clone()
    };
    assert_eq!(
        at(&again),
        at(&list),
        "the record is that of the first erasure"
    );

    // The master key beside it stays.
    for end in ["", "-wal", "-shm"] {
        let path = format!("{}{end}", database.file().display());
        if end.is_empty() || Path::new(&path).exists() {
            fs::remove_file(path).unwrap();
        }
    }
    let said = output(database.school(&["restore", backup]));
    assert!(said.contains("person erase --from FILE"), "{said}");
    let erase = ["person", "erase", "--from", file];
    let said = output(database.school(&erase));
    assert!(
        said.contains("student 1: 1 record") && rest() == [1, 1],
        "{said}"
    );
    let erase = [&erase[..], &["--yes"]].concat();
    let said = output(database.school(&erase));
    assert!(said.contains("Erased again: 1 persons"), "{said}");
    assert_eq!(rest(), [0, 1]);
    let said = output(database.school(&erase));
    assert!(said.contains("Erased again: 0 persons"), "{said}");
}

/// Fails if a backup migrates the database that an older server uses, is open to other users, or
/// replaces a file.
#[test]
fn a_backup_is_a_private_file_and_leaves_the_database_as_it_is() {
    let database = TestDatabase::sqlite();
    init(&database);
    database.run("DELETE FROM schema_migrations WHERE version = (SELECT max(version) FROM schema_migrations)");
    let schema = "SELECT max(version) FROM schema_migrations";
    let before = database.count(schema);
    let directory = database.folder().join("backups");
    fs::create_dir(&directory).unwrap();
    let mut command = database.school(&["backup"]);
    command.arg("--backup-directory").arg(&directory);
    output(command);
    assert_eq!(database.count(schema), before);
    let files: Vec<PathBuf> = fs::read_dir(&directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    let [file] = &files[..] else {
        panic!("{files:?}");
    };
    let name = file.file_name().unwrap().to_str().unwrap();
    assert!(
        name.starts_with("lyceum-20") && name.ends_with("Z.db") && name.len() == 26,
        "{name}"
    );
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let again = database.school(&["backup", file.to_str().unwrap()]);
    assert_one_line(failure(again), "exists and is not overwritten");
    assert_one_line(
        failure(database.school(&["backup"])),
        "backup-directory is missing",
    );
    assert_one_line(failure(database.school(&["restore"])), "<BACKUP>");
}

/// Fails if PostgreSQL's own tools are not named where they are needed.
#[test]
fn a_database_on_a_server_is_backed_up_by_its_tools() {
    crate::postgres_server::needs_postgres!();
    let database = TestDatabase::postgres();
    assert_one_line(
        failure(database.school(&["backup"])),
        "pg_dump --format=custom",
    );
}

/// Fails if what the lost database proves to be current has to be confirmed on a server, or if a
/// database that was itself restored passes for the lost one.
#[test]
fn what_is_the_same_in_the_lost_database_of_a_server_is_not_suspended() {
    crate::postgres_server::needs_postgres!();
    let cluster = Cluster::start_private(&[], &[]);
    let at = |name: &str| cluster.url().replace("/postgres", &format!("/{name}"));
    let folder = tempfile::tempdir().unwrap();
    let school = |arguments: &[&str]| {
        let mut command = Command::new(example("postgres"));
        command
            .args(arguments)
            .current_dir(folder.path())
            .env("DATABASE_URL", at("lyceum"));
        command
    };
    Cluster::query_at(&cluster.url(), "CREATE DATABASE lyceum");
    output(school(
        &[&["init", "--admin", ADMIN], &PUBLIC_URL[..]].concat(),
    ));
    let [_, revoked] = [(); 2].map(|()| id_of_key(&output(school(&ISSUE_KEY))));
    let dump = folder.path().join("dump");
    let mut command = postgres_program("pg_dump");
    command.args(["--format=custom", "--file"]).arg(&dump);
    command.arg(at("lyceum"));
    output(command);
    output(school(&["key", "revoke", &revoked]));
    let restore = |lost: &str| {
        let rename = format!("ALTER DATABASE lyceum RENAME TO {lost}");
        Cluster::query_at(&cluster.url(), &rename);
        Cluster::query_at(&cluster.url(), "CREATE DATABASE lyceum");
        let mut load = postgres_program("pg_restore");
        load.args(["--exit-on-error", "--dbname", &at("lyceum")]);
        load.arg(&dump);
        output(load);
        school(&["restore", "--in-place", "--lost-database", lost])
    };
    // As if the first attempt had ended before `restore`.
    let first = restore("lyceum_lost");
    let again = restore("lyceum_half");
    assert_one_line(failure(again), "was restored from one");
    let said = output(first);
    let suspended = "suspended until confirmed: 0 accounts, 1 API keys, 0 clients";
    assert!(said.contains(suspended), "{said}");
    let list = output(school(&["key", "list"]));
    let of_revoked = list.lines().find(|line| line.starts_with(&revoked));
    assert!(of_revoked.unwrap().contains("suspended since"), "{list}");
}

/// Fails if a slip ends the sessions of a healthy school, or if everything is taken for unchanged
/// because the lost database is the restored one.
#[test]
fn only_a_restored_database_is_processed_and_never_compared_with_itself() {
    crate::postgres_server::needs_postgres!();
    let database = TestDatabase::postgres();
    init(&database);
    let in_place = ["restore", "--in-place"];
    assert_one_line(failure(database.school(&in_place)), "--point-in-time");
    let name = "SELECT current_database()::text";
    let name = &Cluster::query_at(database.url().unwrap(), name)[0];
    let itself = [&in_place[..], &["--point-in-time", "--lost-database", name]].concat();
    assert_one_line(
        failure(database.school(&itself)),
        "the lost database is the restored one",
    );
    let said = output(database.school(&[&in_place[..], &["--point-in-time"]].concat()));
    assert!(said.contains("1 accounts"), "{said}");

    let database = TestDatabase::sqlite();
    init(&database);
    let backup = database.folder().join("backup.db");
    database.run(&format!("VACUUM INTO '{}'", backup.display()));
    let backup = backup.to_str().unwrap();
    let restore = ["restore", backup, "--lost-database", backup];
    assert_one_line(failure(database.school(&restore)), "is the backup itself");
}

/// Fails if a database that was moved while no server ran loses its sessions, or is refused.
#[tokio::test]
async fn a_database_that_was_moved_is_accepted_as_it_is() {
    crate::postgres_server::needs_postgres!();
    let database = TestDatabase::postgres();
    let link = init(&database);
    database.run("UPDATE lyceum_migrations SET database = 'before'");
    assert_one_line(
        failure(database.school(&["account", "list"])),
        "run `restore --in-place`",
    );
    output(database.school(&["restore", "--in-place", "--unchanged"]));
    let (server, origin) = serve(&database, &[]);
    use_link(&origin, &link).await;
    signed_in(&origin, ADMIN).await;
    server.stop();
}
