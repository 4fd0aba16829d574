//! Tests the recipe of docs/ARCHITECTURE.md for a field of a student: counts the files of its patch,
//! applies it to a copy, and compiles that with a third language. The recipe for a list is
//! examples/custom_resource.rs, which tests/data_api/custom_lists.rs tests.

use std::fs;
use std::path::Path;
use std::process::Command;

const PATCH: &str = include_str!("recipes/student_field.patch");

/// Paths of a change that the recipe does not count: tests, samples, texts and migrations with their
/// lists.
const NOT_COUNTED: [&str; 6] = [
    "migrations/",
    "src/sample_data/",
    "src/testing/",
    "src/directory/fixtures.rs",
    "src/texts/",
    "/migrations.rs",
];

/// All files of which the library is compiled.
const PARTS: [&str; 10] = [
    "Cargo.toml",
    "Cargo.lock",
    "src",
    "migrations",
    "templates",
    "build",
    "assets",
    "benches",
    "examples",
    "tests/host",
];

#[test]
fn a_field_of_a_student_touches_seven_files_and_compiles() {
    let touched = PATCH.lines().filter_map(|line| line.strip_prefix("+++ b/"));
    let counted: Vec<&str> = touched
        .filter(|path| !NOT_COUNTED.iter().any(|part| path.contains(part)))
        .collect();
    let recipe = include_str!("../../docs/ARCHITECTURE.md");
    let steps = recipe
        .split("### A field of a student")
        .nth(1)
        .unwrap()
        .split("###")
        .next()
        .unwrap();
    for path in &counted {
        assert!(
            steps.contains(path.trim_start_matches("src/")),
            "the recipe does not name {path}"
        );
    }
    assert_eq!(counted.len(), 7, "{counted:?}");

    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    for part in PARTS {
        copy(&root.join(part), &folder.path().join(part));
    }
    let patch = root.join("tests/guides/recipes/student_field.patch");
    let applied = Command::new("git")
        .arg("apply")
        .arg(&patch)
        .current_dir(folder.path())
        .output()
        .expect("git is installed");
    assert!(
        applied.status.success(),
        "write the patch anew:\n{}",
        String::from_utf8_lossy(&applied.stderr)
    );
    // The file of a third language.
    let texts = folder.path().join("src/texts");
    let english = fs::read_to_string(texts.join("en.ftl")).unwrap();
    fs::write(
        texts.join("fr.ftl"),
        english.replace("English\n", "Français\n"),
    )
    .unwrap();
    // The copy shares the compiled dependencies. Its other version keeps it from replacing the
    // compiled files of this package, such as the texts of two languages.
    for name in ["Cargo.toml", "Cargo.lock"] {
        let path = folder.path().join(name);
        let text = fs::read_to_string(&path).unwrap();
        let renamed = text.replacen(
            "name = \"lyceum\"\nversion = \"0.1.0\"",
            "name = \"lyceum\"\nversion = \"0.1.0-recipe\"",
            1,
        );
        assert_ne!(text, renamed, "{name} has no version of the package");
        fs::write(path, renamed).unwrap();
    }
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let check = Command::new(env!("CARGO"))
        .args(["check", "--quiet", "--locked", "--lib", "--all-features"])
        .env("CARGO_TARGET_DIR", target)
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(
        check.status.success(),
        "{}",
        String::from_utf8_lossy(&check.stderr)
    );
}

fn copy(from: &Path, to: &Path) {
    if !from.is_dir() {
        fs::copy(from, to).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
        return;
    }
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        copy(&entry.path(), &to.join(entry.file_name()));
    }
}
