//! The rows of `docs/spec.md` and `docs/threats.md` and the tests that prove them: every row has a
//! test, every `// Proves:` line names a row, and every test that `threats.md` names is there and
//! proves that row.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const SPEC: &str = include_str!("../../docs/spec.md");
const THREATS: &str = include_str!("../../docs/threats.md");

/// Begins the comment above a test, as in `// Proves: spec 3.11, threats 17`.
const MARK: &str = "// Proves: ";

/// A test, and the rows that the comment above it names.
struct Proof {
    file: PathBuf,
    test: String,
    /// As in the comment: `spec 3.11`, `threats 17`.
    rows: Vec<String>,
}

/// The rows of a page with the text of each: a heading of the third level begins with the number.
fn rows<'t>(page: &str, text: &'t str) -> BTreeMap<String, &'t str> {
    let mut found = BTreeMap::new();
    for row in text.split("\n### ").skip(1) {
        let row = row.split("\n## ").next().unwrap();
        let number = row.split(' ').next().unwrap().trim_end_matches('.');
        assert!(
            number.split('.').all(|part| part.parse::<u16>().is_ok()),
            "{page}: a row without a number: {}",
            row.lines().next().unwrap()
        );
        let previous = found.insert(format!("{page} {number}"), row);
        assert!(previous.is_none(), "{page} {number} is there twice");
    }
    found
}

fn all_rows() -> BTreeMap<String, &'static str> {
    let mut found = rows("spec", SPEC);
    found.extend(rows("threats", THREATS));
    found
}

/// Every `// Proves:` line of `src/` and `tests/`, with the function below it.
fn proofs() -> Vec<Proof> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut folders = vec![root.join("src"), root.join("tests")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.extend(proofs_of(&path));
            }
        }
    }
    found
}

fn proofs_of(file: &Path) -> Vec<Proof> {
    let text = fs::read_to_string(file).unwrap();
    let mut found = Vec::new();
    let mut lines = text.lines().map(str::trim_start);
    while let Some(line) = lines.next() {
        let Some(named) = line.strip_prefix(MARK) else {
            continue;
        };
        // Doc comments and attributes may stand between the comment and the function.
        let test = lines
            .find_map(function_name)
            .unwrap_or_else(|| panic!("{}: no function follows `{MARK}{named}`", file.display()));
        found.push(Proof {
            file: file.to_owned(),
            test: test.to_owned(),
            rows: named.split(", ").map(str::to_owned).collect(),
        });
    }
    found
}

fn function_name(line: &str) -> Option<&str> {
    let rest = line
        .strip_prefix("fn ")
        .or_else(|| line.split_once(" fn ").map(|(_, rest)| rest))
        .filter(|_| !line.starts_with("//") && !line.starts_with("#["))?;
    rest.split(['(', '<']).next()
}

/// Fails if a promise or a threat is written down that no test proves.
#[test]
fn every_row_has_a_test() {
    let proven: BTreeSet<String> = proofs().into_iter().flat_map(|proof| proof.rows).collect();
    let open: Vec<_> = all_rows()
        .into_keys()
        .filter(|row| !proven.contains(row))
        .collect();
    assert!(open.is_empty(), "no test proves {}", open.join(", "));
}

/// Fails if a test names a row that is not there, or a `// Proves:` line is malformed.
#[test]
fn every_reference_is_a_row() {
    let (rows, proofs) = (all_rows(), proofs());
    assert!(proofs.len() > 500, "the tests were not found");
    let unknown: Vec<_> = proofs
        .iter()
        .flat_map(|proof| proof.rows.iter().map(move |row| (proof, row)))
        .filter(|(_, row)| !rows.contains_key(*row))
        .map(|(proof, row)| format!("{}: {} names {row:?}", proof.file.display(), proof.test))
        .collect();
    assert!(
        unknown.is_empty(),
        "not in the pages:\n{}",
        unknown.join("\n")
    );
}

/// Fails if a test that `threats.md` names was renamed, or proves another row.
#[test]
fn every_test_that_a_threat_names_proves_it() {
    let proofs = proofs();
    let mut wrong = Vec::new();
    for (row, text) in rows("threats", THREATS) {
        let tests = text
            .split("\nTests: ")
            .nth(1)
            .unwrap_or_else(|| panic!("{row} names no test"));
        // The names are in backquotes.
        for name in tests.split('`').skip(1).step_by(2) {
            let proves = proofs
                .iter()
                .any(|proof| proof.test == name && proof.rows.contains(&row));
            if !proves {
                wrong.push(format!("{row}: {name}"));
            }
        }
    }
    assert!(wrong.is_empty(), "not proven by:\n{}", wrong.join("\n"));
}
