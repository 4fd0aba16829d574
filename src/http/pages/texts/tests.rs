use super::*;
use crate::http::audit::Rule;

fn has_hangul(text: &str) -> bool {
    text.chars().any(|letter| ('가'..='힣').contains(&letter))
}

/// Fails if a rule's sentence is empty, or one in Korean was left in English.
#[test]
fn every_rule_has_a_message_for_people_and_one_for_administrators_in_each_language() {
    assert!(Rule::ALL.len() > 80, "the rules were not found");
    for rule in Rule::ALL.iter().copied() {
        for field in [None, Some("name"), Some("scopes"), Some("redirectUris"), Some("somethingElse")] {
            let (english, korean) = (EN.faults.of(rule, field), KO.faults.of(rule, field));
            assert!(!english.is_empty() && !has_hangul(english), "{}: {english}", rule.as_str());
            assert!(has_hangul(korean), "{}: {korean}", rule.as_str());
        }
        let (english, korean) = (EN.rules.explained(rule), KO.rules.explained(rule));
        assert!(english.ends_with('.') && !has_hangul(english), "{}: {english}", rule.as_str());
        assert!(has_hangul(korean), "{}: {korean}", rule.as_str());
    }
}

#[test]
fn sentences_are_filled_in_without_turning_around() {
    let sentence = Filled("Allow {}?");
    assert_eq!(sentence.with("<b>{}"), "Allow \u{2068}<b>{}\u{2069}?");
    assert_eq!((sentence.before(), sentence.after()), ("Allow ", "?"));
    let counted = Counted { one: "{} key", other: "{} keys" };
    assert_eq!([0, 1, 2].map(|count| counted.of(count)), ["0 keys", "1 key", "2 keys"]);
}
