//! Checks of display names: allowed characters and reserved names (UTS 39, "Unicode Security
//! Mechanisms").

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_script::{Script, ScriptExtension};
use unicode_security::general_security_profile::IdentifierType;
use unicode_security::mixed_script::AugmentedScriptSet;
use unicode_security::{GeneralSecurityProfile, skeleton};

use crate::domain::{InvalidValue, fold_case};

/// Maximum number of consecutive combining marks. More would overlap the adjacent lines (UTS 39
/// §5.4).
const MAX_CONSECUTIVE_MARKS: usize = 2;

/// Checks that the characters of a name cannot make it look like another name.
///
/// Refuses invisible and bidirectional characters, characters that UTS 39 restricts, and mixtures
/// of scripts that no writing system uses (beyond Highly Restrictive, UTS 39 §5.2). Allows
/// punctuation and symbols without a script, such as an ampersand.
///
/// # Errors
/// The rule that the name breaks.
pub fn check_name_characters(name: &str) -> Result<(), InvalidValue> {
    let (mut all, mut all_but_latin) =
        (AugmentedScriptSet::default(), AugmentedScriptSet::default());
    let (mut has_latin, mut has_lone_jamo) = (false, false);
    // A name must not begin with a mark.
    let mut marks = MAX_CONSECUTIVE_MARKS;
    // Some systems write Hangul as conjoining jamo, which look the same as composed syllables.
    for character in name.nfc() {
        if !is_allowed(character) {
            return Err(InvalidValue::new(
                "must have no invisible, compatibility or rare characters",
            ));
        }
        marks = if is_combining_mark(character) {
            marks + 1
        } else {
            0
        };
        if marks > MAX_CONSECUTIVE_MARKS {
            return Err(InvalidValue::new(
                "must not begin with a combining mark or have more than two in a row",
            ));
        }
        let scripts = AugmentedScriptSet::for_char(character);
        all.intersect_with(scripts);
        if !scripts.base.contains_script(Script::Latin) {
            all_but_latin.intersect_with(scripts);
        }
        has_latin |= character.is_ascii_alphabetic();
        has_lone_jamo |= is_lone_jamo(character);
    }
    if has_latin && has_lone_jamo {
        return Err(InvalidValue::new(
            "must not mix Latin letters with single Hangul letters, which look like some of them",
        ));
    }
    // Latin may be combined with Japanese, with Han and Bopomofo, and with Korean.
    if !all.is_empty() || all_but_latin.jpan || all_but_latin.hanb || all_but_latin.kore {
        return Ok(());
    }
    Err(InvalidValue::new(
        "must not mix scripts, other than Latin with Hangul, Han, kana or Bopomofo",
    ))
}

fn is_allowed(character: char) -> bool {
    match character {
        ' '..='~' => true,
        // Interlinear annotation and replacement characters.
        '\u{FFF9}'..='\u{FFFD}' => false,
        _ if character.is_whitespace() || character.is_control() => false,
        _ => match character.identifier_type() {
            Some(IdentifierType::Recommended | IdentifierType::Inclusion) => true,
            Some(IdentifierType::Not_XID) => ScriptExtension::from(character).is_common(),
            // Characters of limited use that are part of Highly Restrictive.
            Some(IdentifierType::Limited_Use) => {
                ScriptExtension::from(character).contains_script(Script::Bopomofo)
            }
            _ => is_lone_jamo(character),
        },
    }
}

/// Whether the character is a Hangul letter outside a syllable, as in "ㅋㅋ".
fn is_lone_jamo(character: char) -> bool {
    ('\u{3131}'..='\u{3163}').contains(&character)
}

/// Checks that a text shown to users, such as the description of a scope, has no invisible
/// characters or bidirectional controls. Users could otherwise see a different text. A zero-width
/// joiner after an emoji is allowed.
///
/// # Errors
/// The rule that the text breaks.
pub fn check_text_characters(text: &str) -> Result<(), InvalidValue> {
    let mut before = ' ';
    for character in text.chars() {
        let joins_emoji = character == '\u{200D}'
            && !before.is_alphanumeric()
            && !before.is_ascii()
            && !before.is_whitespace();
        if is_invisible(character) && !joins_emoji {
            return Err(InvalidValue::new(
                "must have no invisible characters, nor any that turn the direction of text",
            ));
        }
        before = character;
    }
    Ok(())
}

/// Whether the character is default-ignorable, including bidirectional controls, or an unusual
/// blank or line separator. Variation selectors are allowed, because emoji use them.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{AD}'
            | '\u{34F}'
            | '\u{61C}'
            | '\u{115F}'..='\u{1160}'
            | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{FEFF}'
            | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFFB}'
            | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}'
    )
}

/// Names that only administrators may assign, such as those of the service and the school.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReservedNames(Vec<ReservedName>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct ReservedName {
    skeletons: [String; 2],
    /// Whether longer names may not contain it as words, either.
    also_within_names: bool,
}

impl ReservedNames {
    /// The minimum number of letters of a one-word name that is also reserved within longer names.
    /// Shorter names are common words that other clients need.
    const MIN_LETTERS: usize = 6;

    /// Whether the name equals or resembles a reserved one.
    ///
    /// Compares letters and digits only, regardless of case, and treats confusable characters as
    /// equal (UTS 39 §4). A reserved name of at least two words or six letters is also found among
    /// the words of a longer name.
    ///
    /// ```
    /// use lyceum::domain::ReservedNames;
    ///
    /// let reserved = ReservedNames::from_iter(["School Portal"]);
    /// assert!(reserved.contains("school-portal") && reserved.contains("Schoo1 P\u{3bf}rtal"));
    /// assert!(reserved.contains("School Portal Login") && !reserved.contains("Preschool Portal"));
    /// ```
    pub fn contains(&self, name: &str) -> bool {
        let names = skeletons(name);
        self.0.iter().any(|reserved| {
            let mut both = reserved.skeletons.iter().zip(&names);
            both.any(|(skeleton_text, words)| {
                words.concat() == *skeleton_text
                    || reserved.also_within_names && contains_words(words, skeleton_text)
            })
        })
    }

    /// Reserves a name. A name without letters or digits is ignored.
    pub fn insert(&mut self, name: &str) {
        let skeletons = skeletons(name).map(|words| words.concat());
        if skeletons
            .iter()
            .all(|skeleton_text| !skeleton_text.is_empty())
        {
            let letters = name
                .nfc()
                .filter(|character| character.is_alphanumeric())
                .count();
            self.0.push(ReservedName {
                skeletons,
                also_within_names: words(name).len() > 1 || letters >= Self::MIN_LETTERS,
            });
        }
    }
}

impl<'a> FromIterator<&'a str> for ReservedNames {
    /// Ignores names without letters or digits.
    fn from_iter<I: IntoIterator<Item = &'a str>>(names: I) -> Self {
        let mut reserved = Self::default();
        names.into_iter().for_each(|name| reserved.insert(name));
        reserved
    }
}

/// Whether some consecutive words, joined, equal the text.
fn contains_words(words: &[String], text: &str) -> bool {
    (0..words.len()).any(|first| {
        let mut left = text;
        for word in &words[first..] {
            match left.strip_prefix(&**word) {
                Some("") => return true,
                Some(rest) => left = rest,
                None => return false,
            }
        }
        false
    })
}

/// The words of the confusable skeletons of a name (UTS 39 §4), computed before and after case
/// folding, because `I` is confusable with `l` only before folding. Only their letters and digits
/// are compared.
fn skeletons(name: &str) -> [Vec<String>; 2] {
    let before: String = skeleton(name).collect();
    let after: String = skeleton(&fold_case(name)).collect();
    [words(&fold_case(&before)), words(&after)]
}

/// The letters and digits of a text, word by word. Combining marks do not separate words.
fn words(text: &str) -> Vec<String> {
    let text: String = text
        .chars()
        .filter(|character| !is_combining_mark(*character))
        .collect();
    text.split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_the_scripts_of_a_writing_system_are_good() {
        for name in [
            "Club portal",
            "급식 알리미",
            "밥묵자 School Lunch",
            "給食 급식 Menu",
            "学校 School かな カナ",
            "ㄅㄆㄇ 學校 BPMF",
            "Школа",
            "Σχολείο 2",
            "Timetable & Friends <Plus> (beta) #1 – “the good one”",
            "급식·시간표",
            "급식 🍚",
            "Café",
            "Cafe\u{301}",
            "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}",
            "ㅋㅋㅋ 게시판",
        ] {
            assert_eq!(check_name_characters(name), Ok(()), "{name}");
        }
    }

    #[test]
    fn names_that_mix_scripts_or_hide_characters_are_refused() {
        for name in [
            "Schооl", // Cyrillic о
            "\u{301}School",
            "Clu\u{323}\u{324}\u{325}b",
            "Schοοl", // Greek ο
            "학교 Школа",
            "Schooㅣ",
            "Школа かな",
            "School\u{200b} Portal", // zero-width space
            "School\u{200d}Portal",  // zero-width joiner
            "School\u{ad}Portal",    // soft hyphen
            "School\u{2060}Portal",  // word joiner
            "School\u{feff}Portal",
            "\u{202e}latroP loohcS", // right-to-left override
            "School\u{2066} Portal", // isolate
            "School\u{a0}Portal",    // no-break space
            "School\u{3000}Portal",  // ideographic space
            "\u{3164}School",        // Hangul filler
            "\u{115f}\u{1160}",
            "\u{2800}School",  // braille blank
            "Ｓｃｈｏｏｌ",    // full width
            "𝐒chool",          // mathematical
            "School\u{fe0f}",  // variation selector
            "School\u{e0041}", // tag
            "School\u{e000}",  // private use
            "School\u{fffd}",
            "School\u{378}", // unassigned
        ] {
            assert!(
                check_name_characters(name).is_err(),
                "{name:?} was accepted"
            );
        }
    }

    #[test]
    fn a_reserved_name_is_found_in_any_spelling() {
        let reserved = ReservedNames::from_iter([
            "School Portal",
            "부산소프트웨어마이스터고등학교",
            "Lyceum",
            "!",
        ]);
        for name in [
            "School Portal",
            "SCHOOL PORTAL",
            "schoolportal",
            "School - Portal!",
            "SchooI PortaI", // capital i
            "Sch00l P0rtal",
            "Schoo1 Porta1",
            "Ѕсhооl Роrtаl", // Cyrillic
            "School\u{200b}Portal",
            "Ｓｃｈｏｏｌ Ｐｏｒｔａｌ",
            "LYCEUM",
            "Lyceurn",
            "부산 소프트웨어 마이스터 고등학교",
            "\u{1107}\u{116e}산소프트웨어마이스터고등학교",
        ] {
            assert!(reserved.contains(name), "{name} is free");
        }
        for name in [
            "Portal School",
            "부산소프트웨어마이스터고 급식",
            "Campus App",
            "?",
            "",
        ] {
            assert!(!reserved.contains(name), "{name} is reserved");
        }
    }

    /// Fails if a reserved name with an added word is accepted, or if a short reserved name blocks
    /// a common word.
    #[test]
    fn a_reserved_name_is_found_among_the_words_of_a_longer_one() {
        let reserved = ReservedNames::from_iter([
            "School Portal",
            "부산소프트웨어마이스터고등학교",
            "Lyceum",
            "NEIS",
            "급식",
        ]);
        for name in [
            "School Portal Login",
            "The School-Portal",
            "Login: SchoolPortal",
            "my Schoo1 P0rtal 2",
            "a SchooI PortaI", // capital i
            "School School Portal",
            "Lyceum Friends",
            "부산소프트웨어마이스터고등학교 급식",
        ] {
            assert!(reserved.contains(name), "{name} is free");
        }
        for name in [
            "Preschool Portal",
            "Pr\u{e9}school Portal",
            "School Portals",
            "School of the Portal",
            "Lyceums",
            "NEIS viewer",
            "급식 알리미",
            "School",
        ] {
            assert!(!reserved.contains(name), "{name} is reserved");
        }
    }

    #[test]
    fn a_text_has_no_invisible_characters_or_bidirectional_controls() {
        for text in [
            "See your clubs",
            "급식을 볼 수 있어요 🍽\u{fe0f} 👩\u{200d}🏫 ❤\u{fe0f}\u{200d}🔥",
            "Школа and schools, عربي, 学校",
            "1,000\u{a0}times – “quoted”",
        ] {
            assert_eq!(check_text_characters(text), Ok(()), "{text}");
        }
        for unseen in [
            '\u{200b}',
            '\u{200d}',
            '\u{200e}',
            '\u{200f}',
            '\u{202a}',
            '\u{202e}',
            '\u{2028}',
            '\u{2066}',
            '\u{2069}',
            '\u{61c}',
            '\u{ad}',
            '\u{feff}',
            '\u{2060}',
            '\u{3164}',
            '\u{115f}',
            '\u{2800}',
            '\u{e0041}',
            '\u{fff9}',
        ] {
            assert!(
                check_text_characters(&format!("Read{unseen} only")).is_err(),
                "{unseen:?} was accepted"
            );
        }
    }
}
