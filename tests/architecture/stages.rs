//! `scripts/test` names test programs and features by hand: these tests compare the names.

use std::collections::BTreeSet;
use std::fs;

const SCRIPT: &str = include_str!("../../scripts/test");
const MANIFEST: &str = include_str!("../../Cargo.toml");

/// The words after these commands of the script.
fn words(commands: &[&str]) -> BTreeSet<&'static str> {
    let lines = SCRIPT.lines().map(str::trim_start);
    let arguments = lines.filter_map(|line| {
        let command = line.rsplit(['{', '&']).next()?.trim_start();
        commands.iter().find_map(|name| command.strip_prefix(name))
    });
    arguments
        .flat_map(|arguments| arguments.split([' ', ';']))
        .collect()
}

/// Fails if a test program is added that no stage runs.
#[test]
fn every_test_program_belongs_to_a_stage() {
    let words = words(&["test_programs ", "tests "]);
    let mut programs = Vec::new();
    for entry in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests")).unwrap() {
        let path = entry.unwrap().path();
        let is_file = path.extension().is_some_and(|extension| extension == "rs");
        if is_file || path.join("main.rs").exists() {
            programs.push(path.file_stem().unwrap().to_str().unwrap().to_owned());
        }
    }
    assert!(programs.len() > 10, "the programs were not found");
    for program in programs {
        assert!(
            words.contains(&*program),
            "scripts/test does not run {program}"
        );
    }
}

/// Fails if a feature is added that is never compiled alone.
#[test]
fn every_feature_is_linted_alone() {
    let words = words(&["for feature in "]);
    let section = MANIFEST.split("[features]\n").nth(1).unwrap();
    let features = section
        .lines()
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| Some(line.split_once(" = ")?.0))
        .filter(|name| {
            name.bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'-')
        })
        .filter(|name| *name != "default");
    let mut count = 0;
    for feature in features {
        assert!(
            words.contains(feature),
            "scripts/test does not lint {feature} alone"
        );
        count += 1;
    }
    assert!(count >= 8, "the features were not found");
}
