//! One crate has no walls of its own. These tests are the walls: they read the paths in `src/` against the floors of `docs/ARCHITECTURE.md`.

use std::fs;
use std::path::{Path, PathBuf};

/// A room, and the rooms that it may name. The longest matching prefix of a file's module path decides which room the file is in.
const ROOMS: &[(&str, &[&str])] = &[
    ("domain", &["domain"]),
    ("crypto", &["domain", "crypto"]),
    ("metrics", &["metrics"]),
    ("oauth", &["domain", "oauth"]),
    ("store", &["domain", "store"]),
    ("store::memory", &["domain", "store", "store::memory"]),
    ("store::sql", &["domain", "metrics", "store", "store::sql"]),
    ("store::redis", &["domain", "metrics", "store", "store::redis"]),
    ("clock", &["domain", "clock"]),
    ("flight", &["flight"]),
    ("outage", &["outage"]),
    ("panics", &["panics"]),
    ("threads", &["threads"]),
    ("directory", &["domain", "crypto", "clock", "flight", "metrics", "outage", "panics", "store", "threads", "directory"]),
    ("http", &["clock", "directory", "flight", "panics", "domain", "crypto", "metrics", "oauth", "store", "threads", "http"]),
    (
        "http::data_api",
        &["clock", "directory", "flight", "outage", "panics", "domain", "crypto", "metrics", "store", "threads", "http", "http::data_api"],
    ),
    ("http::sign_in", &["clock", "directory", "flight", "panics", "domain", "crypto", "metrics", "store", "http", "http::sign_in"]),
    (
        "http::manage",
        &["clock", "directory", "flight", "panics", "domain", "crypto", "metrics", "store", "http", "http::sign_in", "http::manage"],
    ),
    (
        "http::auth_server",
        &[
            "clock",
            "directory",
            "flight",
            "panics",
            "domain",
            "crypto",
            "metrics",
            "oauth",
            "store",
            "threads",
            "http",
            "http::sign_in",
            "http::manage",
            "http::auth_server",
        ],
    ),
    (
        "http::console",
        &[
            "clock",
            "directory",
            "flight",
            "panics",
            "domain",
            "crypto",
            "metrics",
            "store",
            "http",
            "http::sign_in",
            "http::manage",
            "http::console",
        ],
    ),
    ("http::guard", &["clock", "directory", "flight", "panics", "domain", "crypto", "metrics", "store", "http", "http::guard"]),
    ("http::reference", &["http", "http::reference"]),
    (
        "testing",
        &[
            "clock",
            "directory",
            "domain",
            "crypto",
            "oauth",
            "store",
            "store::memory",
            "http",
            "http::data_api",
            "http::auth_server",
            "testing",
        ],
    ),
];

/// What the ground floor must not know.
const NOT_IN_THE_DOMAIN: &[&str] = &[
    "async fn",
    "async_trait",
    "http::",
    "hyper::",
    "sea_query",
    "rusqlite",
    "tokio",
    "deadpool",
    "getrandom",
    "SystemTime",
    "Instant::now",
    "serde",
];

struct SourceFile {
    path: PathBuf,
    /// The module path, such as `store::sql::grants`.
    module: String,
    /// Without comments, and without the tests at the end.
    code: String,
    lines: usize,
}

fn source_files() -> Vec<SourceFile> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if matches!(path.file_stem().and_then(|name| name.to_str()), Some("tests")) {
                // Unit tests in a file of their own may name anything.
            } else if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(read(&root, path));
            }
        }
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    assert!(files.len() > 30, "the sources were not found");
    files
}

fn read(root: &Path, path: PathBuf) -> SourceFile {
    let text = fs::read_to_string(&path).unwrap();
    let text = text.split("\n#[cfg(test)]\nmod ").next().unwrap();
    let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap()).collect();
    let relative = path.strip_prefix(root).unwrap().with_extension("");
    let mut module: Vec<&str> = relative.iter().map(|part| part.to_str().unwrap()).collect();
    if matches!(module.last(), Some(&"mod" | &"lib")) {
        module.pop();
    }
    SourceFile { module: module.join("::"), code: code.join("\n"), lines: text.lines().count(), path }
}

fn room_of(module: &str) -> Option<&'static (&'static str, &'static [&'static str])> {
    let inside = |room: &str| module == room || module.strip_prefix(room).is_some_and(|rest| rest.starts_with("::"));
    ROOMS.iter().filter(|(room, _)| inside(room)).max_by_key(|(room, _)| room.len())
}

/// The modules that the code names by `crate::…`, `super::…` chains resolved, and groups in braces opened.
fn named_modules(file: &SourceFile) -> Vec<String> {
    let mut named = Vec::new();
    for (at, _) in file.code.match_indices("crate::") {
        named.extend(heads(&file.code[at + "crate::".len()..]));
    }
    // `super::super::x` from a file leaves its folder; a single `super::` stays in the room or goes to its parent.
    let is_folder = file.path.ends_with("mod.rs");
    for (at, _) in file.code.match_indices("super::") {
        if file.code[..at].ends_with("super::") {
            continue;
        }
        let mut rest = &file.code[at..];
        let mut module: Vec<&str> = file.module.split("::").collect();
        if is_folder {
            module.push("mod");
        }
        while let Some(after) = rest.strip_prefix("super::") {
            module.pop();
            rest = after;
        }
        let parent = module.join("::");
        named.extend(heads(rest).into_iter().map(|head| if parent.is_empty() { head } else { format!("{parent}::{head}") }));
    }
    named
}

/// The first two segments of a path, or of each path of a group.
fn heads(path: &str) -> Vec<String> {
    if let Some(group) = path.strip_prefix('{') {
        return parts_of(group).into_iter().flat_map(|part| heads(part.trim())).collect();
    }
    let end = path.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(path.len());
    let head: Vec<&str> = path[..end].split("::").filter(|segment| !segment.is_empty()).take(2).collect();
    if let ([parent], Some(group)) = (&head[..], path[end..].strip_prefix('{')) {
        return parts_of(group).into_iter().flat_map(|part| heads(&format!("{parent}::{}", part.trim()))).collect();
    }
    // A type or a function is not a room.
    let modules = head.iter().take_while(|segment| segment.starts_with(|c: char| c.is_lowercase()));
    let modules: Vec<&str> = modules.copied().collect();
    if modules.is_empty() { Vec::new() } else { vec![modules.join("::")] }
}

/// What stands between the commas of a group, whose opening brace has been read. Groups inside it stay whole.
fn parts_of(group: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0);
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&group[start..at]);
                start = at + 1;
            }
            '}' | ';' => {
                parts.push(&group[start..at]);
                break;
            }
            _ => {}
        }
    }
    parts
}

#[test]
fn no_room_imports_upward_or_sideways() {
    let mut faults = Vec::new();
    for file in source_files() {
        let Some((room, may_name)) = room_of(&file.module) else {
            assert!(file.module.is_empty(), "{} is in no room of ROOMS", file.path.display());
            continue;
        };
        for module in named_modules(&file) {
            // A path may end in a function or constant of a room: the room decides.
            if let Some((named, _)) = room_of(&module)
                && !may_name.contains(named)
            {
                faults.push(format!("{} ({room}) names {module}", file.path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "imports against the floors:\n{}", faults.join("\n"));
}

#[test]
fn the_ground_floor_knows_no_async_http_sql_clock_or_randomness() {
    for file in source_files().iter().filter(|file| file.module.starts_with("domain")) {
        for word in NOT_IN_THE_DOMAIN {
            assert!(!file.code.contains(word), "{} mentions {word}", file.path.display());
        }
    }
}

#[test]
fn names_on_the_wire_live_in_wire_files_only() {
    for file in source_files() {
        let is_wire = file.path.ends_with("wire.rs") || file.module.ends_with("::claims") || file.module.contains("::wire::");
        // What pages show is told to hosts with pages of their own.
        let is_page = ["http::auth_server::page", "http::console::views", "http::pages"].iter().any(|room| file.module.starts_with(room));
        let derives = file.code.lines().any(|line| line.trim().starts_with("#[derive(") && line.contains("erialize"));
        assert!(
            is_wire || is_page || !derives && !file.code.contains("#[serde("),
            "{} has wire names outside a wire file",
            file.path.display()
        );
    }
}

/// What a search for races need not call: these read, page by page or many at once, what others read one by one, or no row at all.
const NOT_SEARCHED: &[&str] = &[
    "accounts",
    "consents_of",
    // The searches' operations reach these through a directory.
    "directory_version",
    "load_directory",
    "directory_changes",
    "write_directory",
    "now",
    "applications",
    "applications_by_id",
    "scopes",
    "clients",
    "clients_by_id",
    "api_keys",
    "api_key_by_id",
    "exchange_records",
    "refresh_records",
];

#[test]
fn every_method_of_a_store_has_a_conformance_case_and_is_searched_for_races() {
    let files = source_files();
    let calls =
        |room: &str| -> String { files.iter().filter(|file| file.module.starts_with(room)).map(|file| file.code.as_str()).collect() };
    let (cases, searched) = (calls("testing::conformance"), calls("testing::interleavings"));
    let traits = files.iter().filter(|file| file.module.split("::").count() == 2 && file.module.starts_with("store::"));
    let methods: Vec<&str> = traits
        .filter(|file| file.code.contains("pub trait"))
        .flat_map(|file| file.code.split("async fn ").skip(1).filter_map(|method| method.split('(').next()))
        .collect();
    assert!(methods.len() > 50, "the methods were not found");
    for method in methods {
        let call = format!(".{method}(");
        assert!(cases.contains(&call), "{method} has no conformance case");
        assert!(searched.contains(&call) || NOT_SEARCHED.contains(&method), "{method} is no operation of the searches");
    }
}

/// Seen to fail when one of them names another.
#[test]
fn every_call_to_a_sql_store_is_measured_under_the_name_of_its_method() {
    let mut calls = 0;
    for file in source_files().iter().filter(|file| file.module.starts_with("store::sql::store")) {
        for method in file.code.split("async fn ").skip(1) {
            let name = method.split(['(', '<']).next().unwrap();
            for call in
                ["self.read(", "self.look_up(", "self.change(", "self.change_keys("].iter().filter_map(|call| method.split(call).nth(1))
            {
                assert!(call.trim_start().starts_with(&format!("\"{name}\",")), "{name} in {}", file.path.display());
                calls += 1;
            }
        }
    }
    assert!(calls > 50, "the calls were not found");
}

#[test]
fn rooms_have_a_size_that_a_reader_can_hold() {
    let mut sizes: Vec<usize> = Vec::new();
    for file in source_files() {
        assert!(file.lines <= 500, "{} has {} lines without its tests", file.path.display(), file.lines);
        sizes.push(file.lines);
    }
    sizes.sort_unstable();
    let median = sizes[sizes.len() / 2];
    assert!(median <= 150, "the median file has {median} lines");
}

/// Fails if anything names its `SigningKey`.
#[test]
fn s32_signing_never_runs_in_the_rsa_crate() {
    // s32: RUSTSEC-2023-0071 has no patch. The crate makes keys and reads formats; private-key operations are aws-lc's.
    for file in source_files() {
        for word in ["rsa::pkcs1v15::SigningKey", "SigningKey::<Sha256>", "rsa::pss", ".sign_with_rng(", ".decrypt(", "rsa::signature"] {
            assert!(!file.code.contains(word), "{} uses {word}", file.path.display());
        }
    }
}

/// Fails if a secret derives `PartialEq`, or two digests are compared by `==`.
#[test]
fn s19_no_type_that_holds_a_secret_can_be_compared_by_accident() {
    // Secrets are wiped when dropped, and so are known by their field. They are compared by their digests, in constant time: `matches`.
    let mut secrets = 0;
    for file in source_files() {
        let lines: Vec<&str> = file.code.lines().map(str::trim).collect();
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.contains("Zeroizing<") && !line.contains("fn ")) {
            let Some(declared) = lines[..=at].iter().rposition(|line| line.contains("struct ") || line.contains("enum ")) else { continue };
            let name = lines[declared].split("struct ").nth(1).unwrap_or_default().split(['(', ' ', '{', '<']).next().unwrap();
            let derives = lines[..declared].iter().rev().take_while(|line| line.starts_with("#[") || line.is_empty());
            let implements = lines.iter().any(|line| line.contains("PartialEq") && line.contains(&format!(" for {name}")));
            assert!(!implements && derives.clone().all(|line| !line.contains("PartialEq")), "{}: {line}", file.path.display());
            secrets += 1;
        }
        // What a store looks up by is equal or not; what somebody presents is asked whether it matches.
        if file.module.starts_with("oauth") || file.module.starts_with("http") {
            for word in ["digest ==", "digest() ==", "== digest", "== secret", "secret ==", "expose() ==", "!= secret", "!= digest"] {
                assert!(!file.code.contains(word), "{} compares by {word}", file.path.display());
            }
        }
    }
    assert!(secrets >= 5, "the secrets were not found");
}

#[test]
fn a_forbidden_import_would_be_seen() {
    let file = |module: &str, code: &str| SourceFile {
        path: format!("src/{module}.rs").into(),
        module: module.into(),
        code: code.into(),
        lines: 1,
    };
    let named = |module: &str, code: &str| named_modules(&file(module, code));
    assert_eq!(named("domain::key", "use crate::{store::GrantStore, crypto};"), ["store", "crypto"]);
    let nested = "use crate::{domain::{Line as _Line}, store::StorageError as _E};";
    assert_eq!(named("domain::key", nested), ["domain", "store"]);
    assert_eq!(
        named("domain::key", "use crate::{http::{data_api::{route, page}, pairs}, crypto};"),
        ["http::data_api", "http::pairs", "crypto"]
    );
    assert_eq!(named("store::sql::grants", "use super::super::memory::MemoryStore;"), ["store::memory"]);
    assert_eq!(named("http::data_api::gate", "crate::http::auth_server::token::answer()"), ["http::auth_server"]);
    assert_eq!(room_of("http::auth_server::token").unwrap().0, "http::auth_server");
    assert_eq!(room_of("stores"), None);
}
