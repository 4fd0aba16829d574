//! Unix sockets, sockets that systemd passes, and what systemd is told.

use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::net::{UnixDatagram, UnixListener};
use std::process::Command;
use std::time::Duration;

use tempfile::NamedTempFile;
use tokio::net::{TcpStream, UnixStream};

use super::{PUBLIC_URL, exchange, init, printed};
use crate::failures::assert_one_line;
use crate::server::{Server, failure};
use crate::test_database::TestDatabase;

const HEALTH: &str = "GET /v1/health HTTP/1.1\r\nhost: school\r\nconnection: close\r\n\r\n";

/// Passes standard input as the first socket, as systemd does.
const ONE_SOCKET: &str =
    "exec 3<&0 0</dev/null; export LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=web; exec \"$@\"";
/// Passes standard input and standard error.
const TWO_SOCKETS: &str =
    "exec 3<&0 4<&2 0</dev/null 2>/dev/null; export LISTEN_PID=$$ LISTEN_FDS=2; exec \"$@\"";

fn serve(database: &TestDatabase, arguments: &[&str]) -> Command {
    database.school(&[&["serve"], &PUBLIC_URL[..], arguments].concat())
}

/// The command, run by a shell that passes sockets to it.
fn activated(script: &str, command: &Command, socket: impl Into<OwnedFd>) -> Command {
    let socket: OwnedFd = socket.into();
    let mut shell = Command::new("sh");
    shell.args(["-c", script, "sh"]);
    shell.arg(command.get_program()).args(command.get_args());
    shell.stdin(socket);
    shell
}

/// Fails if the socket is not at its path, or stays there after the stop.
#[tokio::test]
async fn a_unix_socket_is_served_and_removed() {
    let database = TestDatabase::sqlite();
    init(&database);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    let address = format!("unix:{}", path.display());
    let mut server = Server::spawn(serve(&database, &["--listen", &address]));
    assert_eq!(
        printed(&mut server),
        format!("ready: http://127.0.0.1/console on {address}")
    );
    let stream = UnixStream::connect(&path).await.unwrap();
    let answer = exchange(stream, HEALTH).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    server.stop();
    assert!(!path.exists());
}

/// Fails if one of the sockets is not served.
#[tokio::test]
async fn all_sockets_of_systemd_are_served() {
    let database = TestDatabase::sqlite();
    init(&database);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = tcp.local_addr().unwrap();
    let command = serve(&database, &["--listen", "systemd"]);
    let mut command = activated(TWO_SOCKETS, &command, tcp);
    command.stderr(OwnedFd::from(UnixListener::bind(&path).unwrap()));
    let mut server = Server::spawn_without_log(command, NamedTempFile::new().unwrap());
    assert_eq!(
        printed(&mut server),
        format!(
            "ready: http://127.0.0.1/console on {address}, unix:{}",
            path.display()
        )
    );
    for answer in [
        exchange(TcpStream::connect(address).await.unwrap(), HEALTH).await,
        exchange(UnixStream::connect(&path).await.unwrap(), HEALTH).await,
    ] {
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    server.stop();
    assert!(path.exists(), "the socket of another program was removed");
}

/// Fails if a server listens elsewhere because systemd passes nothing that it can serve.
#[test]
fn a_server_without_the_sockets_of_systemd_is_one_clear_line() {
    let database = TestDatabase::sqlite();
    init(&database);
    let command = || serve(&database, &["--listen", "systemd"]);
    // No sockets, and those of another process.
    for variables in [
        &[][..],
        &[("LISTEN_FDS", "1")],
        &[("LISTEN_FDS", "1"), ("LISTEN_PID", "1")],
    ] {
        let mut command = command();
        command.envs(variables.iter().copied());
        assert_one_line(
            failure(command),
            "listen is systemd, which passed no socket",
        );
    }
    let datagrams = UnixDatagram::unbound().unwrap();
    assert_one_line(
        failure(activated(ONE_SOCKET, &command(), datagrams)),
        "the socket web of systemd is no stream socket",
    );
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let malformed = ONE_SOCKET.replace("LISTEN_FDS=1", "LISTEN_FDS=all");
    assert_one_line(
        failure(activated(&malformed, &command(), tcp)),
        "LISTEN_FDS must be a number",
    );
}

/// Fails if a unit of `Type=notify` never starts, or does not know that it stops.
#[test]
fn systemd_is_told_that_the_server_is_ready_and_that_it_stops() {
    let database = TestDatabase::sqlite();
    init(&database);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    socket
        .set_read_timeout(Some(Duration::from_secs(120)))
        .unwrap();
    let told = || {
        let mut message = [0; 64];
        let length = socket.recv(&mut message).unwrap();
        String::from_utf8(message[..length].to_vec()).unwrap()
    };
    let mut command = serve(&database, &[]);
    command.env("NOTIFY_SOCKET", &path);
    let server = Server::start(command, &[]);
    assert_eq!(told().trim_end(), "READY=1");
    server.signal("TERM");
    assert_eq!(told().trim_end(), "STOPPING=1");
    drop(server);
}
