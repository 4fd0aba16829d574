use std::fs;
use std::path::Path;

use super::*;
use crate::http::audit::RefusalRule;

/// The code of the texts.
const CODE: &str = include_str!(concat!(env!("OUT_DIR"), "/texts.rs"));

/// The code that makes the texts.
#[path = "../../../../build/texts.rs"]
mod generator;

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
        let (english, korean) = (EN.domain.rule(rule), KO.domain.rule(rule));
        assert!(
            english.ends_with('.') && !has_hangul(english),
            "{}: {english}",
            rule.as_str()
        );
        assert!(has_hangul(korean), "{}: {korean}", rule.as_str());
    }
}

/// Fails if a message for a rule remains after the rule, or is hidden by a message for several.
#[test]
fn every_message_for_a_rule_is_shown() {
    for (word, text) in EN.errors.rule.0 {
        let rule = word.parse::<RefusalRule>();
        let message = rule.map(|rule| EN.errors.message(rule, None));
        assert_eq!(message.ok(), Some(*text), "{word}");
    }
}

#[test]
fn arguments_are_filled_in_without_isolation_marks() {
    assert_eq!(
        EN.allow_question("<b>{}"),
        "<b>{} wants to access your school account"
    );
    assert_eq!(
        KO.allow_question("<b>{}"),
        "<b>{} 앱이 내 학교 계정에 접근하도록 허용할까요?"
    );
    assert_eq!(
        (EN.allow_question.before, EN.allow_question.after),
        ("", " wants to access your school account")
    );
    assert_eq!(
        [0, 1, 2].map(|count| EN.count_keys(count)),
        ["0 keys", "1 key", "2 keys"]
    );
    assert_eq!(KO.count_keys(1), "키 1개");
}

/// Fails if plurals are those of English in every language, or numbers are no keys.
#[test]
fn a_third_language_has_the_plurals_of_its_own() {
    static PL: Texts = Texts {
        language_code: "pl-PL",
        count_keys: Template {
            language: "pl-PL",
            parts: &[
                Part::Argument(0),
                Part::Select(
                    0,
                    &[
                        ("0", &[Part::Text(": brak")]),
                        ("one", &[Part::Text(" klucz")]),
                        ("few", &[Part::Text(" klucze")]),
                        ("many", &[Part::Text(" kluczy")]),
                    ],
                ),
            ],
        },
        ..EN
    };
    assert_eq!(
        [0, 1, 3, 5, 22].map(|count| PL.count_keys(count)),
        ["0: brak", "1 klucz", "3 klucze", "5 kluczy", "22 klucze"]
    );
    assert_eq!(PL.count_keys("1,022"), "1,022 klucze");
}

/// Fails if the region of a catalogue is forgotten, or hides the rules of its language.
#[test]
fn a_region_has_plural_rules_of_its_own_or_those_of_its_language() {
    for (language, categories) in [
        ("pt", ["one", "one", "other"]),
        ("pt-BR", ["one", "one", "other"]),
        ("pt-PT", ["other", "one", "other"]),
        ("en-GB", ["other", "one", "other"]),
        ("zh-Hant", ["other", "other", "other"]),
        ("zh-Hant-HK", ["other", "other", "other"]),
        ("ca-ES-valencia", ["other", "one", "other"]),
    ] {
        let found = ["0", "1", "2"].map(|number| plural_category(language, number));
        assert_eq!(found, categories.map(Some), "{language}");
    }
    for text in LANGUAGES {
        assert!(
            plural_category(text.language_code, "1").is_some(),
            "{} has no plural rules; is it misspelled?",
            text.language_code
        );
    }
}

fn generate(catalogues: &[(&str, &str)]) -> Result<String, Vec<String>> {
    let owned =
        |(language, content): &(&str, &str)| ((*language).to_owned(), (*content).to_owned());
    generator::generate(&catalogues.iter().map(owned).collect::<Vec<_>>())
}

const REFERENCE: &str = "
save = Save
withdraw-from = Withdraw from { $client }
errors-count = { $count ->
    [one] { $count } error of { $file }
   *[other] { $count } errors of { $file }
}
role =
    .USER = User
    .ADMIN = Admin
";

#[test]
fn a_catalogue_for_any_language_becomes_code() {
    let korean = "
save = 저장
withdraw-from = { $client }에서 철회
errors-count = { $file }의 오류 { $count }개
role =
    .ADMIN = 관리자
    .USER = 사용자
";
    let polish = "
save = Zapisz
withdraw-from = Wycofaj z { $client }
errors-count = { $count ->
    [0] { $file }: bez błędów
    [one] { $file }: { $count } błąd
    [few] { $file }: { $count } błędy
   *[many] { $file }: { $count } błędów
}
role =
    .USER = Osoba
    .ADMIN = Administrator
";
    let code = generate(&[("en", REFERENCE), ("ko", korean), ("pl-PL", polish)]).unwrap();
    for line in [
        "pub(crate) save: &'static str,",
        "pub(crate) fn withdraw_from(&self, client: impl Display) -> String { self.withdraw_from.fill(client) }",
        "pub(crate) fn count(&self, count: impl Display, file: impl Display) -> String { self.count.fill(&[&count, &file, ]) }",
        r#"withdraw_from: Sentence { before: "", after: "에서 철회" },"#,
        r#"role: Words(&[("USER", "사용자"), ("ADMIN", "관리자"), ]),"#,
        r#"count: Template { language: "ko", parts: &[Part::Argument(1), Part::Text("의 오류 "), Part::Argument(0), Part::Text("개"), ] },"#,
        "pub(crate) static PL_PL: Texts = Texts {",
        r#"save: "Zapisz","#,
        "pub(crate) static LANGUAGES: &[&Texts] = &[&EN, &KO, &PL_PL, ];",
    ] {
        assert!(code.lines().any(|known| known == line), "{line}\n{code}");
    }
}

#[test]
fn a_catalogue_that_differs_from_the_reference_does_not_compile() {
    for (korean, faults) in [
        (
            "save = 저장
withdraw-from = 철회
errors-count = { $file }의 오류 { $number }개
role =
    .USER = 사용자
    .OWNER = 소유자",
            &[
                "message `withdraw-from` has no argument $client, which src/texts/en.ftl has",
                "message `errors-count` has no argument $count, which src/texts/en.ftl has",
                "message `errors-count` has the argument $number, which src/texts/en.ftl lacks",
                "message `role.ADMIN` is missing",
                "message `role.OWNER` is not in src/texts/en.ftl",
            ][..],
        ),
        (
            "save = { -save }
save = { save }
= 저장
-save = 저장
withdraw-from = { $client }
    .title = 철회
errors-count = { NUMBER($count) } { $file }
role =
    .USER = { $user }",
            &[
                "line 3: Expected one of \"a-zA-Z\"",
                "message `save` has a placeable that is neither an argument nor a selection by one",
                "message `save` has a placeable that is neither an argument nor a selection by one",
                "term `-save` is not supported",
                "message `withdraw-from` has both a text and attributes",
                "message `errors-count` has a placeable that is neither an argument nor a selection by one",
                "message `role.USER` is an attribute with an argument",
                "message `save` is missing",
                "message `errors-count` is missing",
                "message `role.USER` is missing",
                "message `role.ADMIN` is missing",
                "message `withdraw-from.title` is not in src/texts/en.ftl",
            ][..],
        ),
    ] {
        let found = generate(&[("en", REFERENCE), ("ko", korean)]).unwrap_err();
        let expected = faults
            .iter()
            .map(|fault| format!("src/texts/ko.ftl: {fault}"));
        assert_eq!(found, expected.collect::<Vec<_>>());
    }
    for name in ["kr_KO", "pt-br", "PT-BR", "english_texts", "e", ""] {
        assert_eq!(
            generate(&[("en", REFERENCE), ("ko", REFERENCE), (name, REFERENCE)]),
            Err(vec![format!(
                "src/texts/{name}.ftl: `{name}` is no language tag such as `pt-BR`"
            )])
        );
    }
    for name in ["pt", "pt-BR", "zh-Hant", "zh-Hant-HK", "ca-ES-valencia"] {
        assert!(
            generate(&[("en", REFERENCE), (name, REFERENCE)]).is_ok(),
            "{name}"
        );
    }
    assert_eq!(
        generate(&[("en", "save = Save\nsave = Save")]),
        Err(vec![
            "src/texts/en.ftl: message `save` is defined twice".to_owned()
        ])
    );
}

/// The methods in the code that no source uses, such as `text.until` or `review.count`.
fn unused_methods(code: &str, sources: &str) -> Vec<String> {
    let mut unused = Vec::new();
    let mut receiver = String::new();
    for line in code.lines() {
        if let Some(name) = line.strip_prefix("impl ") {
            let group = name.trim_end_matches("Texts {").to_lowercase();
            receiver = if group.is_empty() {
                "text".to_owned()
            } else {
                group
            };
        } else if let Some(method) = line.strip_prefix("pub(crate) fn ") {
            let name = method.split('(').next().unwrap_or_default();
            let path = format!("{receiver}.{name}");
            let goes_on = |letter: char| letter.is_alphanumeric() || letter == '_';
            if !sources
                .split(&path)
                .skip(1)
                .any(|rest| !rest.starts_with(goes_on))
            {
                unused.push(path);
            }
        }
    }
    unused
}

/// The compiler does not see this, because a method may be generated for a text that is only read
/// by its field.
#[test]
fn every_text_with_arguments_is_used() {
    let mut sources = String::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = vec![root.join("src"), root.join("templates")];
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(path).unwrap();
            paths.extend(entries.map(|entry| entry.unwrap().path()));
        } else if !path.ends_with("pages/texts/tests.rs") {
            let text = fs::read_to_string(path).unwrap();
            sources.extend(text.split_whitespace());
        }
    }
    assert_eq!(unused_methods(CODE, &sources), [] as [String; 0]);

    let code = generate(&[
        (
            "en",
            "until = Until { $date }\nreview-count = { $count } times",
        ),
        ("ko", "until = { $date }까지\nreview-count = { $count }번"),
        (
            "pt-BR",
            "until = Até { $date }\nreview-count = { $count ->\n *[other] { $count } vezes\n}",
        ),
    ])
    .unwrap();
    for (sources, unused) in [
        ("text.until.before;review.count(2)", &[][..]),
        ("text.until(x);text.review.count(2)", &[][..]),
        (
            "text.until_then(x);review.counted",
            &["text.until", "review.count"][..],
        ),
        (
            "self.until;text.count(2)",
            &["text.until", "review.count"][..],
        ),
    ] {
        assert_eq!(unused_methods(&code, sources), unused, "{sources}");
    }
}
