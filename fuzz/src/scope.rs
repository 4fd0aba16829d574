//! Scopes, their names, and lists of scopes.

use lyceum::domain::{Scope, ScopeName, ScopeSet};

/// Two lists of scopes in two lines; the second may be missing.
pub fn scope(input: &[u8]) -> bool {
    let text = String::from_utf8_lossy(input);
    let (one, other) = text.split_once('\n').unwrap_or((&text, ""));
    for part in one.split(' ') {
        assert_eq!(
            part.parse::<ScopeName>().is_ok(),
            is_name(part),
            "the name {part:?}"
        );
        assert_eq!(
            part.parse::<Scope>().ok().map(|scope| scope.to_string()),
            is_scope(part).then(|| part.to_owned())
        );
    }
    let (one, other) = (read(one), read(other));
    let (Some(one), Some(other)) = (one, other) else {
        return false;
    };
    let common = one.intersection(&other);
    assert!(common.is_subset(&one) && common.is_subset(&other));
    let expected: Vec<_> = one
        .iter()
        .filter(|scope| other.iter().any(|found| found == *scope))
        .cloned()
        .collect();
    assert!(
        common.iter().eq(&expected),
        "the common scopes of {one} and {other} are not {common}"
    );
    assert_eq!(one.is_subset(&other), expected.len() == one.len());
    !common.is_empty()
}

/// Parses a set and checks that it is the one of the grammar.
fn read(text: &str) -> Option<ScopeSet> {
    let expected = distinct(text);
    let set = ScopeSet::parse(text).ok();
    let Some(set) = set else {
        assert!(expected.is_none(), "{text:?} was refused");
        return None;
    };
    let expected = expected.unwrap_or_else(|| panic!("{text:?} was accepted"));
    assert_eq!(set.to_string(), expected.join(" "));
    assert_eq!(
        (set.len(), set.is_empty()),
        (expected.len(), expected.is_empty())
    );
    assert_eq!(ScopeSet::parse(&set.to_string()).as_ref(), Ok(&set));
    assert_eq!(
        ScopeSet::parse_all(expected.iter().copied()).as_ref(),
        Ok(&set)
    );
    let mut applications: Vec<_> = expected
        .iter()
        .filter_map(|scope| scope.split(':').next())
        .collect();
    applications.sort_unstable();
    applications.dedup();
    assert_eq!(set.applications().len(), applications.len());
    Some(set)
}

/// The distinct scopes of a list in order; `None` if it is not a list of at most 200.
pub fn distinct(text: &str) -> Option<Vec<&str>> {
    let mut scopes = Vec::new();
    for part in text.split(' ').filter(|_| !text.is_empty()) {
        if !is_scope(part) {
            return None;
        }
        if !scopes.contains(&part) {
            scopes.push(part);
        }
    }
    (scopes.len() <= 200).then_some(scopes)
}

/// `{applicationId}:{scopeName}` (spec 3.26).
fn is_scope(text: &str) -> bool {
    matches!(text.split(':').collect::<Vec<_>>()[..], [application, name] if (application == "service" || is_uuid(application)) && is_name(name))
}

/// `^[a-z0-9_-]+$`, at most 100 characters.
fn is_name(text: &str) -> bool {
    (1..=100).contains(&text.len())
        && text
            .chars()
            .all(|c| "abcdefghijklmnopqrstuvwxyz0123456789_-".contains(c))
}

fn is_uuid(text: &str) -> bool {
    let groups: Vec<_> = text.split('-').map(str::len).collect();
    groups == [8, 4, 4, 4, 12] && text.chars().all(|c| "0123456789abcdef-".contains(c))
}
