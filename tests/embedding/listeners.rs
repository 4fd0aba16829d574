//! Unix sockets, and sockets that another program passes.

use std::convert::Infallible;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener as StdUnixListener;
use std::path::Path;

use http::{Request, Response};
use lyceum::http::{
    Body, ClientAddress, Listener, RequestBody, TrustedProxies, inherited_socket_names, serve,
};
use tokio::net::{TcpStream, UnixStream};
use tokio::sync::oneshot;
use tower::Layer;

use crate::exchange;

const REQUEST: &str =
    "GET / HTTP/1.1\r\nhost: school\r\nx-forwarded-for: 198.51.100.1\r\nconnection: close\r\n\r\n";

/// Serves the client's address until the sender is dropped.
fn serve_addresses(
    listener: Listener,
) -> (
    oneshot::Sender<()>,
    tokio::task::JoinHandle<std::io::Result<()>>,
) {
    let echo = tower::service_fn(async |request: Request<RequestBody>| {
        let ClientAddress(address) = request.extensions().get().unwrap();
        Ok::<_, Infallible>(Response::new(Body::from(address.to_string())))
    });
    let (stop, stopped) = oneshot::channel();
    let served = tokio::spawn(serve(listener, echo, async {
        let _ = stopped.await;
    }));
    (stop, served)
}

async fn answer(path: &Path) -> String {
    let answer = exchange(UnixStream::connect(path).await.unwrap(), REQUEST).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    answer.split("\r\n\r\n").nth(1).unwrap().to_owned()
}

/// Fails if other users can connect, or the socket stays behind.
#[tokio::test]
async fn a_unix_socket_is_for_its_user_and_group_and_removed_at_the_stop() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    let (stop, served) = serve_addresses(Listener::bind_unix(&path).await.unwrap());
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, 0o660);
    assert_eq!(answer(&path).await, "127.0.0.1");
    drop(stop);
    served.await.unwrap().unwrap();
    assert!(!path.exists());
    let (_stop, _) = serve_addresses(Listener::bind_unix(&path).await.unwrap());
    assert_eq!(answer(&path).await, "127.0.0.1");
}

// Proves: threats 40
/// Fails if clients over a Unix socket have no address, and therefore no limits.
#[tokio::test]
async fn a_proxy_on_a_unix_socket_is_trusted_by_the_address_of_the_machine() {
    let folder = tempfile::tempdir().unwrap();
    for (proxy, client) in [("127.0.0.1", "198.51.100.1"), ("10.0.0.1", "127.0.0.1")] {
        let path = folder.path().join(client);
        let echo = tower::service_fn(async |request: Request<RequestBody>| {
            let ClientAddress(address) = request.extensions().get().unwrap();
            Ok::<_, Infallible>(Response::new(Body::from(address.to_string())))
        });
        let behind = TrustedProxies::x_forwarded_for(&[proxy])
            .unwrap()
            .layer(echo);
        let listener = Listener::bind_unix(&path).await.unwrap();
        tokio::spawn(serve(listener, behind, std::future::pending()));
        assert_eq!(answer(&path).await, client);
    }
}

/// Fails if a dead server's socket keeps its successor from starting.
#[tokio::test]
async fn the_socket_of_a_dead_server_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    drop(StdUnixListener::bind(&path).unwrap());
    // Left by a server that died before it had renamed its socket.
    std::fs::write(folder.path().join("socket.new"), "").unwrap();
    assert!(path.exists());
    let (_stop, _) = serve_addresses(Listener::bind_unix(&path).await.unwrap());
    assert_eq!(answer(&path).await, "127.0.0.1");
}

/// Fails if a second server takes the socket of one that runs, or a file that is no socket is lost.
#[tokio::test]
async fn the_socket_of_a_live_server_and_other_files_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    let (_stop, _) = serve_addresses(Listener::bind_unix(&path).await.unwrap());
    let error = Listener::bind_unix(&path).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AddrInUse);
    assert_eq!(
        error.to_string(),
        format!(
            "cannot listen on {}: another server listens on it",
            path.display()
        )
    );
    assert_eq!(answer(&path).await, "127.0.0.1");

    // One of another program, which takes no lock.
    let foreign = folder.path().join("foreign");
    let listener = StdUnixListener::bind(&foreign).unwrap();
    let error = Listener::bind_unix(&foreign).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AddrInUse, "{error}");
    // The connection of the check, and that of a client.
    listener.accept().unwrap();
    let _client = UnixStream::connect(&foreign).await.unwrap();
    listener.accept().unwrap();

    let file = folder.path().join("file");
    std::fs::write(&file, "kept").unwrap();
    let error = Listener::bind_unix(&file).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AlreadyExists, "{error}");
    assert_eq!(std::fs::read(&file).unwrap(), b"kept");
}

/// Fails without the lock: servers that start at once all find the socket of the dead one.
#[tokio::test]
async fn a_server_that_starts_meanwhile_keeps_the_socket() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    drop(StdUnixListener::bind(&path).unwrap());
    let starting = std::fs::File::create(folder.path().join("socket.lock")).unwrap();
    starting.lock().unwrap();
    let error = Listener::bind_unix(&path).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AddrInUse, "{error}");
    drop(starting);
    Listener::bind_unix(&path).await.unwrap();
}

/// Fails if a server that stops removes whatever is at the path.
#[tokio::test]
async fn a_server_removes_only_its_own_socket() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    let listener = Listener::bind_unix(&path).await.unwrap();
    std::fs::rename(&path, folder.path().join("moved")).unwrap();
    let _other = StdUnixListener::bind(&path).unwrap();
    drop(listener);
    assert!(path.exists());
}

/// Fails if a listener of `std` blocks the runtime, or the file of another program's socket is
/// removed.
#[tokio::test]
async fn sockets_that_another_program_bound_are_served() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (_stop, _) = serve_addresses(listener.try_into().unwrap());
    let stream = TcpStream::connect(address).await.unwrap();
    assert!(exchange(stream, REQUEST).await.ends_with("127.0.0.1"));

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    let listener = StdUnixListener::bind(&path).unwrap();
    let (stop, served) = serve_addresses(listener.try_into().unwrap());
    assert_eq!(answer(&path).await, "127.0.0.1");
    drop(stop);
    served.await.unwrap().unwrap();
    assert!(path.exists());
}

/// Fails if sockets that are another process's are taken, or the names do not match the sockets.
#[test]
fn the_sockets_of_systemd_are_named_in_their_order() {
    let names = |pid: &str, fds: &str, names: Option<&str>| {
        inherited_socket_names(7, |variable| match variable {
            "LISTEN_PID" => (!pid.is_empty()).then(|| pid.to_owned()),
            "LISTEN_FDS" => (!fds.is_empty()).then(|| fds.to_owned()),
            "LISTEN_FDNAMES" => names.map(str::to_owned),
            _ => panic!("{variable} is read"),
        })
        .map_err(|error| error.to_string())
    };
    let owned = |names: &[&str]| Ok(names.iter().map(|name| (*name).to_owned()).collect());
    assert_eq!(names("7", "1", Some("web.socket")), owned(&["web.socket"]));
    assert_eq!(
        names("7", "3", Some("web:metrics:web")),
        owned(&["web", "metrics", "web"])
    );
    assert_eq!(names("7", "2", Some("web:")), owned(&["web", ""]));
    assert_eq!(names("7", "2", None), owned(&["unknown", "unknown"]));
    for (pid, fds) in [
        ("8", "1"),
        ("70", "1"),
        ("", "1"),
        ("7", ""),
        ("", ""),
        ("7", "0"),
    ] {
        assert_eq!(names(pid, fds, Some("web")), owned(&[]), "{pid} {fds}");
    }
    for (pid, fds, given, variable) in [
        ("x", "1", Some("web"), "LISTEN_PID"),
        ("7", "x", Some("web"), "LISTEN_FDS"),
        ("7", "-1", Some("web"), "LISTEN_FDS"),
        ("7", "4294967295", None, "LISTEN_FDS"),
        ("7", "2", Some("web"), "LISTEN_FDNAMES"),
        ("7", "1", Some("web:metrics"), "LISTEN_FDNAMES"),
    ] {
        let error = names(pid, fds, given).unwrap_err();
        assert!(
            error.starts_with(variable),
            "{pid} {fds} {given:?}: {error}"
        );
    }
}
