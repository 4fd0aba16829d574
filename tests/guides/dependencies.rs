//! `docs/licences.md` and `docs/sbom.cdx.json`: the crates of a build with every feature, on any
//! platform. Both are made here, of what Cargo says, and compared with the files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

const LOCK: &str = include_str!("../../Cargo.lock");

/// The last line of the Apache License before its appendix, in which some authors name themselves.
const APACHE_END: &str = "END OF TERMS AND CONDITIONS";

struct Crate {
    name: String,
    version: String,
    /// An SPDX expression.
    licence: String,
    /// Where its source is.
    folder: PathBuf,
    /// The SHA-256 digest of its packaged file; the library itself has none.
    checksum: Option<&'static str>,
    /// The `name version` of the crates that it needs.
    dependencies: BTreeSet<String>,
}

impl Crate {
    /// Its package URL, which names it in the SBOM.
    fn purl(&self) -> String {
        let version = self.version.replace('+', "%2B");
        format!("pkg:cargo/{}@{version}", self.name)
    }

    /// The files with the terms of the licence, and their names.
    fn licence_files(&self) -> Vec<(String, String)> {
        let is_licence = |name: &str| {
            let name = name.to_lowercase();
            ["licen", "copying", "copyright", "notice", "unlicense"]
                .iter()
                .any(|start| name.starts_with(start))
        };
        let mut found: Vec<_> = fs::read_dir(&self.folder)
            .unwrap()
            .map(|entry| entry.unwrap())
            .filter(|entry| entry.path().is_file())
            .map(|entry| entry.file_name().into_string().unwrap())
            .filter(|name| is_licence(name) && !name.ends_with(".rs"))
            .map(|name| {
                let bytes = fs::read(self.folder.join(&name)).unwrap();
                let text = String::from_utf8_lossy(&bytes);
                let lines: Vec<_> = text.lines().map(str::trim_end).collect();
                (name, lines.join("\n").trim_matches('\n').to_owned())
            })
            .collect();
        found.sort();
        found
    }
}

fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// The `name version` of each crate that the library and the bundled programs need, and of those that
/// these need.
fn tree() -> BTreeMap<String, BTreeSet<String>> {
    let lines = cargo(&[
        "tree",
        "--locked",
        "--package=lyceum",
        "--package=lyceum-server",
        "--all-features",
        "--edges=normal,build",
        "--target=all",
        "--prefix=depth",
        "--format= {p}",
    ]);
    let mut found = BTreeMap::<_, BTreeSet<_>>::new();
    // The crates that lead to this line.
    let mut path: Vec<String> = Vec::new();
    for line in lines.lines().filter(|line| !line.is_empty()) {
        let [depth, name, version] = line.split(' ').take(3).collect::<Vec<_>>()[..] else {
            panic!("not a crate: {line}")
        };
        let id = format!("{name} {}", version.strip_prefix('v').unwrap());
        path.truncate(depth.parse().unwrap());
        if let Some(parent) = path.last() {
            found.get_mut(parent).unwrap().insert(id.clone());
        }
        found.entry(id.clone()).or_default();
        path.push(id);
    }
    found
}

/// The checksums in `Cargo.lock`, by `name version`.
fn checksums() -> BTreeMap<String, &'static str> {
    let entries = LOCK.split("[[package]]\n").skip(1);
    let value = |entry: &'static str, key: &str| {
        let rest = entry.split_once(&format!("{key} = \""))?.1;
        rest.split('"').next()
    };
    entries
        .filter_map(|entry| {
            let [name, version] = ["name", "version"].map(|key| value(entry, key).unwrap());
            Some((format!("{name} {version}"), value(entry, "checksum")?))
        })
        .collect()
}

/// The crates of a build, the library among them, in the order of their names and versions.
fn crates() -> Vec<Crate> {
    let metadata = cargo(&[
        "metadata",
        "--all-features",
        "--locked",
        "--format-version=1",
    ]);
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    let (mut tree, checksums) = (tree(), checksums());
    let packages = metadata["packages"].as_array().unwrap().iter();
    let mut found: Vec<_> = packages
        .filter_map(|package| {
            let [name, version, manifest] =
                ["name", "version", "manifest_path"].map(|key| package[key].as_str().unwrap());
            let id = format!("{name} {version}");
            let licence = package["license"].as_str();
            Some(Crate {
                dependencies: tree.remove(&id)?,
                name: name.to_owned(),
                version: version.to_owned(),
                // A slash is the older form.
                licence: licence
                    .unwrap_or_else(|| panic!("{id} names no licence"))
                    .replace(" / ", "/")
                    .replace('/', " OR "),
                folder: Path::new(manifest).parent().unwrap().to_owned(),
                checksum: checksums.get(&id).copied(),
            })
        })
        .collect();
    assert!(tree.is_empty(), "without metadata: {:?}", tree.keys());
    found.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    found
}

/// CycloneDX 1.5. It has no time and no serial number, so that equal crates make equal files.
fn sbom(crates: &[Crate]) -> String {
    let component = |found: &Crate| {
        let mut component = json!({
            "type": "library",
            "bom-ref": found.purl(),
            "name": found.name,
            "version": found.version,
            "licenses": [{ "expression": found.licence }],
            "purl": found.purl(),
        });
        if let Some(digest) = found.checksum {
            component["hashes"] = json!([{ "alg": "SHA-256", "content": digest }]);
        }
        component
    };
    let purls: BTreeMap<_, _> = crates
        .iter()
        .map(|found| (format!("{} {}", found.name, found.version), found.purl()))
        .collect();
    let (own, others): (Vec<_>, Vec<_>) = crates.iter().partition(|found| found.name == "lyceum");
    let lines = |values: Vec<Value>| {
        let lines: Vec<_> = values.iter().map(Value::to_string).collect();
        format!("[\n{}\n]", lines.join(",\n"))
    };
    let components = lines(others.into_iter().map(component).collect());
    let dependencies = lines(
        crates
            .iter()
            .map(|found| {
                let needed: Vec<_> = found.dependencies.iter().map(|id| &purls[id]).collect();
                json!({ "ref": found.purl(), "dependsOn": needed })
            })
            .collect(),
    );
    format!(
        "{{\n\"bomFormat\": \"CycloneDX\",\n\"specVersion\": \"1.5\",\n\"version\": 1,\n\
         \"metadata\": {{ \"component\": {} }},\n\
         \"components\": {components},\n\"dependencies\": {dependencies}\n}}\n",
        component(own[0])
    )
}

const LICENCES: &str = "\
# Licences of the crates

The crates of a build of the library and the bundled programs with every feature, on any platform, without those that only the tests use. `cargo test --all-features --test guides dependencies`
makes this page and [sbom.cdx.json](sbom.cdx.json) of Cargo.lock and compares them. A program may need fewer: without `postgres`, for instance, none of its driver.

";

/// A text that appears in several crates is there once, and so are the terms of the Apache License.
fn licences(crates: &[Crate]) -> String {
    let mut page = LICENCES.to_owned();
    page += "| Crate | Version | Licence |\n|---|---|---|\n";
    // By the words of a text alone: how it stands first, and the files that have it.
    let mut texts = BTreeMap::<String, (String, BTreeMap<String, BTreeSet<String>>)>::new();
    let mut without = Vec::new();
    for found in crates
        .iter()
        .filter(|found| !found.name.starts_with("lyceum"))
    {
        let Crate {
            name,
            version,
            licence,
            ..
        } = found;
        page += &format!("| {name} | {version} | {licence} |\n");
        let files = found.licence_files();
        if files.is_empty() {
            without.push(format!("{name} {version}"));
        }
        for (file, text) in files {
            let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let terms = words.find(APACHE_END).filter(|_| {
                words.starts_with("Apache License Version 2.0, January 2004")
                    && words.ends_with("limitations under the License.")
            });
            words.truncate(terms.map_or(words.len(), |end| end + APACHE_END.len()));
            let (_, files) = texts.entry(words).or_insert((text, BTreeMap::new()));
            files.entry(file).or_default().insert(name.clone());
        }
    }
    page += &format!(
        "\nThese have no file with their licence: {}.\n\n## Texts\n",
        without.join(", ")
    );
    let mut texts: Vec<_> = texts.into_values().collect();
    texts.sort_by(|(_, a), (_, b)| a.values().min().cmp(&b.values().min()).then(a.cmp(b)));
    for (text, files) in texts {
        let names: Vec<_> = files
            .iter()
            .map(|(file, of)| {
                let of: Vec<_> = of.iter().map(String::as_str).collect();
                format!("`{file}` of {}", of.join(", "))
            })
            .collect();
        page += &format!("\n{}:\n\n````text\n{text}\n````\n", names.join("; "));
    }
    page
}

/// Compares what was made with a file of `docs/`.
fn compare(file: &str, made: &str) {
    let published = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("docs")
        .join(file);
    if fs::read_to_string(&published).unwrap_or_default() != made {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(file);
        fs::write(&place, made).unwrap();
        panic!(
            "docs/{file} is not of these crates; if they are meant, `cp {} docs/{file}`",
            place.display()
        );
    }
}

/// Fails if a crate is added, removed, or has another version, and the page was not made again.
#[test]
fn the_licences_of_all_dependencies_are_published() {
    compare("licences.md", &licences(&crates()));
}

/// Fails if a crate is added, removed, or has another version, and the file was not made again.
#[test]
fn the_published_bill_of_materials_has_all_dependencies() {
    compare("sbom.cdx.json", &sbom(&crates()));
}
