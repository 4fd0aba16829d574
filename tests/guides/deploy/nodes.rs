//! Two nodes, their database server and their proxy: the commands of the page are typed for each,
//! and a node creates its tables in a real PostgreSQL.

use std::fs;
use std::process::Command;

use super::{Machine, assert_success, blocks, file, has_openssl, section};
use crate::postgres_server::{Cluster, needs_postgres};
use crate::server::example;

/// Rules for the test itself. PostgreSQL's default would admit a node of this machine anyway.
const RULES: &str = "local all all trust\n";

/// A database server, made by the commands of the page, and the port at which it listens.
struct Database {
    machine: Machine,
    cluster: Cluster,
    port: String,
}

impl Database {
    fn create() -> Self {
        let machine = Machine::new();
        let [first, access, units] = blocks(section("### The database server"), "sh")[..] else {
            panic!("other blocks than expected")
        };
        let folders: Vec<_> = first
            .lines()
            .filter(|line| line.starts_with("install"))
            .collect();
        machine.run(&folders.join("\n"));
        let certificate: Vec<_> = access.lines().take(2).collect();
        let output = machine.command(&certificate.join("\n")).output().unwrap();
        assert_success("the certificate", &output);

        // The server's user cannot enter the folder of the machine, so it gets copies.
        let pem = |name: &str| machine.text(&format!("/etc/ssl/lyceum-database/{name}.pem"));
        let mut cluster = Cluster::start_private(
            &["ssl_cert_file = 'page.pem'", "ssl_key_file = 'page.key'"],
            &[
                ("page.pem", &pem("certificate")),
                ("page.key", &pem("key")),
                ("pg_hba.conf", RULES),
            ],
        );
        let port = cluster
            .tcp_url("")
            .rsplit([':', '/'])
            .nth(1)
            .unwrap()
            .to_owned();
        let path =
            std::env::join_paths([cluster.bin(), "/usr/bin".as_ref(), "/bin".as_ref()].iter())
                .unwrap();
        // The role of the tests has the name of the page's role.
        let create: Vec<_> = first
            .lines()
            .filter(|line| line.contains("createdb"))
            .collect();
        let access: Vec<_> = access
            .lines()
            .skip(2)
            .filter(|line| !line.starts_with("systemctl"))
            .collect();
        let output = machine
            .command(&[create, access].concat().join("\n"))
            .env("PATH", path)
            .env("PGHOST", cluster.folder())
            .env("PGPORT", &port)
            .env("PGUSER", "lyceum")
            .env("PGDATABASE", "postgres")
            .output()
            .unwrap();
        assert_success("the access", &output);
        machine.run(units);

        let set = "SELECT name || ' = ' || setting FROM pg_file_settings WHERE sourcefile LIKE '%auto.conf' ORDER BY name";
        let folder = machine.path("/etc/ssl/lyceum-database");
        let folder = folder.to_str().unwrap();
        assert_eq!(
            cluster.texts(set),
            [
                "listen_addresses = *".to_owned(),
                "ssl = on".to_owned(),
                format!("ssl_cert_file = {folder}/certificate.pem"),
                format!("ssl_key_file = {folder}/key.pem"),
            ]
        );
        for name in ["listen_addresses", "ssl_cert_file", "ssl_key_file"] {
            cluster.texts(&format!("ALTER SYSTEM RESET {name}"));
        }
        cluster.stop();
        cluster.start();
        Self {
            machine,
            cluster,
            port,
        }
    }

    /// Copies the folder for the nodes, whose URL gets the port of this server.
    fn copy_to(&self, node: &Machine) {
        copy(&self.machine, node);
        let url = node.path("/srv/lyceum-node/database-url");
        let text = fs::read_to_string(&url).unwrap();
        let text = text.replace("@127.0.0.1/", &format!("@127.0.0.1:{}/", self.port));
        // The page's file of the certificate is below the folder of the machine already.
        let text = text.replace(
            self.machine.0.path().to_str().unwrap(),
            node.0.path().to_str().unwrap(),
        );
        fs::write(url, text).unwrap();
    }
}

/// Copies `/srv/lyceum-node`.
fn copy(from: &Machine, to: &Machine) {
    let folder = "/srv/lyceum-node";
    let status = Command::new("cp")
        .arg("-r")
        .args([from.path(folder), to.path(folder)])
        .status();
    assert!(status.unwrap().success());
}

/// Fails if a node cannot reach the database server of the page: the certificate is not trusted, the
/// password, the role or the rule is wrong, or plain connections are accepted; or if the second node
/// lacks the master key or a setting of the first.
#[test]
fn two_nodes_of_the_page_reach_the_database_server_of_the_page_by_tls() {
    needs_postgres!();
    if !has_openssl() {
        return;
    }
    let database = Database::create();
    let [settings, key, second_key, units] = blocks(section("### The nodes"), "sh")[..] else {
        panic!("other blocks than expected")
    };
    let nodes = [Machine::new(), Machine::new()];
    for node in &nodes {
        node.follow("### 3. User and folders");
    }
    let [first, second] = &nodes;
    database.copy_to(first);
    first.run(settings);
    first.localize_settings();
    let output = Command::new(example("postgres"))
        .args(["init", "--admin", "head@star.example", "--config"])
        .arg(first.settings())
        .env_remove("DATABASE_URL")
        .output()
        .unwrap();
    assert_success("init", &output);
    first.run(key);
    copy(first, second);
    // It names the certificate of the first machine, which is on this one too.
    second.run(settings);
    second.run(second_key);
    for node in &nodes {
        node.run(units);
        let report = node.check("postgres");
        for line in [
            "listen = \"0.0.0.0:8080\"",
            "trusted-proxies = \"198.51.100.10\"",
            "drain-time = \"3\"",
        ] {
            let line = format!("\n{line}  # ");
            assert!(format!("\n{report}").contains(&line), "{line}\n{report}");
        }
        // Their backups are made on the database server, and the proxy has the certificate.
        let settings = node.text("/etc/lyceum/lyceum.toml");
        assert!(!settings.contains("backup-directory") && !settings.contains("tls-"));
        let units = node.path("/etc/systemd/system");
        let mut units: Vec<_> = fs::read_dir(units)
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        units.sort();
        assert_eq!(
            units,
            [
                "lyceum-alert@.service",
                "lyceum-doctor.service",
                "lyceum-doctor.timer",
                "lyceum.service",
                "lyceum.service.d"
            ]
        );
        let packets = node.text("/etc/systemd/system/lyceum.service.d/node.conf");
        assert!(
            packets.ends_with(
                "\nIPAddressDeny=any\nIPAddressAllow=localhost 198.51.100.10 127.0.0.1\n"
            ),
            "{packets}"
        );
    }
    let master_key = |node: &Machine| node.text("/var/lib/lyceum/master.key");
    assert_eq!(master_key(first), master_key(second));
    let url = second.text("/etc/lyceum/database-url");
    let plain = url.trim().replace('?', "?sslmode=disable&");
    fs::write(second.path("/etc/lyceum/database-url"), plain).unwrap();
    let output = Command::new(example("postgres"))
        .args(["account", "list", "--config"])
        .arg(second.settings())
        .env_remove("DATABASE_URL")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("no encryption"), "{said}");
    let tables = database.cluster.url().replace("/postgres", "/lyceum");
    let accounts = Cluster::query_at(&tables, "SELECT count(*)::text FROM accounts");
    assert_eq!(accounts, ["1"]);
}

/// Fails if the proxy of two nodes is given one of them alone.
#[test]
fn the_proxy_of_two_nodes_gets_both() {
    let machine = Machine::new();
    let [before, after] = blocks(section("### The proxy"), "sh")[..] else {
        panic!("other blocks than expected")
    };
    let proxy = blocks(section("## Behind a proxy"), "sh");
    let [_, caddy, nginx] = proxy[..] else {
        panic!("other blocks than expected")
    };
    machine.run(&[before, caddy, nginx, after].concat());
    let unit = machine.text("/etc/systemd/system/caddy.service.d/host.conf");
    assert!(
        unit.contains("\"NODES=127.0.0.1:8080 198.51.100.12:8080\"\n"),
        "{unit}"
    );
    assert_eq!(machine.text("/etc/caddy/Caddyfile"), file("Caddyfile"));
    let site = machine.text("/etc/nginx/conf.d/lyceum.conf");
    for node in ["127.0.0.1", "198.51.100.12"] {
        let line = format!("\n    server {node}:8080 max_fails=0;\n");
        assert_eq!(site.matches(&line).count(), 1, "{site}");
    }
    assert!(!site.contains("school.example"), "{site}");
}
