use super::*;
use crate::http::audit::RefusalRule;

fn has_hangul(text: &str) -> bool {
    text.chars().any(|letter| ('가'..='힣').contains(&letter))
}

/// Fails if the explanation of a rule is empty, or a Korean text is in English.
#[test]
fn every_rule_has_a_message_for_people_and_one_for_administrators_in_each_language() {
    assert!(RefusalRule::ALL.len() > 80, "the rules were not found");
    for rule in RefusalRule::ALL.iter().copied() {
        for field in [
            None,
            Some("name"),
            Some("scopes"),
            Some("redirectUris"),
            Some("somethingElse"),
        ] {
            let (english, korean) = (
                EN.errors.message(rule, field),
                KO.errors.message(rule, field),
            );
            assert!(
                !english.is_empty() && !has_hangul(english),
                "{}: {english}",
                rule.as_str()
            );
            assert!(has_hangul(korean), "{}: {korean}", rule.as_str());
        }
        let (english, korean) = (EN.rules.explanation(rule), KO.rules.explanation(rule));
        assert!(
            english.ends_with('.') && !has_hangul(english),
            "{}: {english}",
            rule.as_str()
        );
        assert!(has_hangul(korean), "{}: {korean}", rule.as_str());
    }
}

#[test]
fn sentences_are_filled_in_without_turning_around() {
    let sentence = MessageTemplate("Allow {}?");
    assert_eq!(sentence.with("<b>{}"), "Allow \u{2068}<b>{}\u{2069}?");
    assert_eq!((sentence.before(), sentence.after()), ("Allow ", "?"));
    let counted = PluralMessage {
        one: "{} key",
        other: "{} keys",
    };
    assert_eq!(
        [0, 1, 2].map(|count| counted.of(count)),
        ["0 keys", "1 key", "2 keys"]
    );
}
