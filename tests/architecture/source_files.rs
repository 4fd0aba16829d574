//! Source files of the crate and the modules that they name.

use std::fs;
use std::path::{Path, PathBuf};

pub struct SourceFile {
    pub path: PathBuf,
    /// Module path, such as `store::sql::grants`.
    pub module: String,
    /// Code without comments, and without the tests at the end.
    pub code: String,
    pub lines: usize,
}

pub fn source_files() -> Vec<SourceFile> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if matches!(
                path.file_stem().and_then(|name| name.to_str()),
                Some("tests")
            ) {
                // Unit tests in a separate file may import anything.
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
    let code: Vec<&str> = text
        .lines()
        .map(|line| line.split("//").next().unwrap())
        .collect();
    let relative = path.strip_prefix(root).unwrap().with_extension("");
    let mut module: Vec<&str> = relative.iter().map(|part| part.to_str().unwrap()).collect();
    if matches!(module.last(), Some(&"mod" | &"lib")) {
        module.pop();
    }
    SourceFile {
        module: module.join("::"),
        code: code.join("\n"),
        lines: text.lines().count(),
        path,
    }
}

/// Returns the modules that the code names by `crate::…` and `super::…`, with paths resolved and
/// groups expanded.
pub fn named_modules(file: &SourceFile) -> Vec<String> {
    let mut named = Vec::new();
    for (at, _) in file.code.match_indices("crate::") {
        named.extend(heads(&file.code[at + "crate::".len()..]));
    }
    // `super::super::x` leaves the file's folder; a single `super::` stays in the layer or leads to
    // its parent.
    for (at, _) in file.code.match_indices("super::") {
        if file.code[..at].ends_with("super::") {
            continue;
        }
        let mut rest = &file.code[at..];
        let mut module: Vec<&str> = file.module.split("::").collect();
        while let Some(after) = rest.strip_prefix("super::") {
            module.pop();
            rest = after;
        }
        let parent = module.join("::");
        named.extend(heads(rest).into_iter().map(|head| {
            if parent.is_empty() {
                head
            } else {
                format!("{parent}::{head}")
            }
        }));
    }
    named
}

/// Returns the first two segments of a path, or of each path of a group.
fn heads(path: &str) -> Vec<String> {
    if let Some(group) = path.strip_prefix('{') {
        return parts_of(group)
            .into_iter()
            .flat_map(|part| heads(part.trim()))
            .collect();
    }
    let end = path
        .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'))
        .unwrap_or(path.len());
    let head: Vec<&str> = path[..end]
        .split("::")
        .filter(|segment| !segment.is_empty())
        .take(2)
        .collect();
    if let ([parent], Some(group)) = (&head[..], path[end..].strip_prefix('{')) {
        return parts_of(group)
            .into_iter()
            .flat_map(|part| heads(&format!("{parent}::{}", part.trim())))
            .collect();
    }
    // A type or a function is not a layer.
    let modules = head
        .iter()
        .take_while(|segment| segment.starts_with(|c: char| c.is_lowercase()));
    let modules: Vec<&str> = modules.copied().collect();
    if modules.is_empty() {
        Vec::new()
    } else {
        vec![modules.join("::")]
    }
}

/// Returns the parts between the commas of a group, after its opening brace. Nested groups stay
/// whole.
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
