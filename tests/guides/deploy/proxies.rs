//! nginx and Caddy, with the files of `docs/deploy/`, in front of a server that returns the requests
//! which it receives.

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;

use tempfile::TempDir;

use super::{assert_success, file};
use crate::certificates::Files;
use crate::postgres_server::skip::skips;

/// Environment variable that skips the tests with nginx and Caddy if it is 1.
const SKIP_VARIABLE: &str = "SKIP_PROXIES";

const MISSING: &str = "This test needs nginx and Caddy, and one of them is not in PATH. Install them (Debian and Ubuntu: apt-get install \
    nginx caddy; macOS: brew install nginx caddy), or set SKIP_PROXIES=1 to do without them.";

/// Whether this run skips tests with nginx and Caddy. If so, says so on standard error.
fn skips_proxies() -> bool {
    skips(
        SKIP_VARIABLE,
        "the tests of this program with nginx and Caddy",
    )
}

/// A proxy, killed on drop.
struct Proxy {
    child: Child,
    address: SocketAddr,
    _folder: TempDir,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // SIGTERM, so that the processes that nginx has started end too.
        let id = self.child.id().to_string();
        let _ = Command::new("kill").args(["-TERM", &id]).status();
        let _ = self.child.wait();
    }
}

impl Proxy {
    fn start(mut command: Command, address: SocketAddr, folder: TempDir) -> Self {
        let spawned = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn();
        let child = spawned.unwrap_or_else(|error| match error.kind() {
            ErrorKind::NotFound => panic!("{MISSING}"),
            _ => panic!("{error}"),
        });
        let mut proxy = Self {
            child,
            address,
            _folder: folder,
        };
        while TcpStream::connect(address).is_err() {
            assert!(
                proxy.child.try_wait().unwrap().is_none(),
                "the proxy does not start"
            );
            thread::yield_now();
        }
        proxy
    }

    /// nginx for one node, or for two.
    fn nginx(node: SocketAddr, second: Option<SocketAddr>) -> Self {
        let (folder, certificate) = (tempfile::tempdir().unwrap(), Files::new());
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        fs::copy(certificate.chain(), path("chain.pem")).unwrap();
        fs::copy(certificate.key(), path("key.pem")).unwrap();
        let (address, plain) = (free_address(), free_address());
        let live = "/etc/letsencrypt/live/school.example";
        let site = [
            (format!("{live}/fullchain.pem"), path("chain.pem")),
            (format!("{live}/privkey.pem"), path("key.pem")),
            ("/var/log/nginx/lyceum.log".to_owned(), path("error.log")),
            ("listen 80;".to_owned(), format!("listen {plain};")),
            ("listen [::]:80;".to_owned(), String::new()),
            ("listen 443 ssl".to_owned(), format!("listen {address} ssl")),
            ("listen [::]:443 ssl http2;".to_owned(), String::new()),
            (
                "server 127.0.0.1:8080 ".to_owned(),
                format!("server {node} "),
            ),
            (
                "# server 192.0.2.12:8080 ".to_owned(),
                second.map_or("# ".to_owned(), |node| format!("server {node} ")),
            ),
        ];
        let site = site.iter().fold(file("nginx.conf"), |text, (from, to)| {
            assert!(text.contains(from.as_str()), "{from}");
            text.replace(from, to)
        });
        fs::write(path("site.conf"), site).unwrap();
        let folders: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .iter()
            .map(|name| format!("{name}_temp_path {};\n", path(name)))
            .collect();
        let (pid, site) = (path("pid"), path("site.conf"));
        let all = format!(
            "daemon off;\npid {pid};\nevents {{}}\nhttp {{\n{folders}include {site};\n}}\n"
        );
        fs::write(path("nginx.conf"), all).unwrap();
        let mut command = Command::new("nginx");
        command.args(["-c", &path("nginx.conf"), "-e", &path("error.log")]);
        Self::start(command, address, folder)
    }

    /// Caddy for nodes at these addresses, separated by blanks.
    fn caddy(nodes: &str) -> Self {
        let (folder, address) = (tempfile::tempdir().unwrap(), free_address());
        // Without a port for its administration, which other tests may use.
        let text = file("Caddyfile").replacen("{\n", "{\n\tadmin off\n", 1);
        let path = folder.path().join("Caddyfile");
        fs::write(&path, text).unwrap();
        let mut command = Command::new("caddy");
        command
            .args(["run", "--adapter", "caddyfile", "--config"])
            .arg(path)
            .envs([
                // Plain HTTP on this port, because no authority issues a certificate for the test.
                ("HOST", format!("http://school.example:{}", address.port())),
                ("NODES", nodes.to_owned()),
            ])
            .envs(["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"].map(|name| (name, folder.path())))
            .stderr(Stdio::null());
        Self::start(command, address, folder)
    }

    /// The request that the node receives, in lower case. It is sent from another address of this
    /// machine, with headers that name a third one.
    fn received(&self, scheme: &str) -> String {
        let port = self.address.port();
        let url = format!("{scheme}://school.example:{port}/auth/v1/oauth/authorize?state=secret");
        let output = Command::new("curl")
            .args([
                "--silent",
                "--show-error",
                "--fail",
                "--insecure",
                "--noproxy",
                "*",
            ])
            .args(["--interface", "127.0.0.2"])
            .args(["--resolve", &format!("school.example:{port}:127.0.0.1")])
            .args(["--header", "X-Forwarded-For: 203.0.113.9"])
            .args(["--header", "Forwarded: for=203.0.113.9"])
            .arg(url)
            .output()
            .unwrap();
        assert_success("curl", &output);
        String::from_utf8(output.stdout).unwrap().to_lowercase()
    }
}

/// An address that is free at the moment.
fn free_address() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap()
}

/// Starts a server whose responses have the heads of the requests as their body.
fn mirror() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            let (mut head, mut part) = (Vec::new(), [0; 4096]);
            while !head.ends_with(b"\r\n\r\n") {
                match connection.read(&mut part) {
                    Ok(length @ 1..) => head.extend_from_slice(&part[..length]),
                    _ => break,
                }
            }
            let length = head.len();
            let start =
                format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
            let _ = connection.write_all(&[start.as_bytes(), &head].concat());
        }
    });
    address
}

/// Checks that the node gets the client's address and host, and nothing that the client claims.
fn assert_names_the_client(head: &str) {
    let header = |name: &str| {
        let start = format!("{name}: ");
        let lines = head.lines().filter_map(|line| line.strip_prefix(&*start));
        lines.collect::<Vec<_>>()
    };
    assert_eq!(header("x-forwarded-for"), ["127.0.0.2"], "{head}");
    assert_eq!(header("forwarded"), Vec::<&str>::new(), "{head}");
    let host = header("host")[0];
    assert_eq!(host.split(':').next(), Some("school.example"), "{head}");
}

/// Fails if a client can choose the address that is limited and recorded, or if nginx does not
/// accept its file.
#[test]
fn nginx_names_the_client_and_the_host() {
    if skips_proxies() {
        return;
    }
    let proxy = Proxy::nginx(mirror(), None);
    let head = proxy.received("https");
    assert_names_the_client(&head);
    assert!(head.contains("\nconnection: close\r\n"), "{head}");
}

/// Fails if a client can choose the address that is limited and recorded, or if Caddy does not
/// accept its file.
#[test]
fn caddy_names_the_client_and_the_host() {
    if skips_proxies() {
        return;
    }
    let proxy = Proxy::caddy(&mirror().to_string());
    assert_names_the_client(&proxy.received("http"));
}

/// Fails if a request is lost because one of two nodes refuses connections, as while it restarts, or
/// if Caddy does not accept two nodes in its variable.
#[test]
fn requests_go_to_the_other_node_while_one_refuses_connections() {
    if skips_proxies() {
        return;
    }
    let (stopped, node) = (free_address(), mirror());
    let nginx = Proxy::nginx(stopped, Some(node));
    let caddy = Proxy::caddy(&format!("{stopped} {node}"));
    // nginx takes both in turn.
    for _ in 0..4 {
        assert_names_the_client(&nginx.received("https"));
        assert_names_the_client(&caddy.received("http"));
    }
}
